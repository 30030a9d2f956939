// Legend over the stage: the quantity of the colours, their scale, and what else is drawn.
import { css, ramp } from "./colour.js";
import { el, short } from "./dom.js";
import { TONES, TRUST_COLOURS } from "./tone.js";

function swatches() {
  const key = TRUST_COLOURS.map(([name, colour]) => {
    const item = el("span", { textContent: name });
    item.style.setProperty("--own", css(colour));
    return item;
  });
  return el("div", { className: "marks trust" }, ...key);
}

export class Legend {
  // range: torque at the end of the scale; onTone(name) is called when another quantity is chosen.
  constructor(clips, range, onTone) {
    Object.assign(this, { range, onTone });
    this.names = TONES.filter(({ has }) => clips.some(has));
    this.tone = this.names[0]?.name;
    this.scale = el("div", { className: "scale" });
    this.marks = el("div", { className: "marks" });
    this.element = el("div", { className: "legend", id: "legend" }, this.head(), this.scale, this.marks);
    if (clips.some((clip) => clip.supports.some(({ push }) => !push))) this.mark("force", clips.some((clip) => clip.skin.tints) ? "contact force" : "ground force");
    if (clips.some((clip) => clip.supports.some(({ push }) => push))) this.mark("push", "push");
    if (clips.some((clip) => clip.has("com"))) this.mark("com", "centre of mass");
    for (const kind of ["spring", "tendon"])
      if (clips.some((clip) => clip.lines.some((line) => line.kind === kind))) this.mark(kind, kind);
    for (const name of ["particle", "ball"]) if (clips.some((clip) => clip.has(name))) this.mark(name, name);
    this.showScale();
  }

  head() {
    if (this.names.length < 2) return this.names.length ? el("div", { className: "legend-title", textContent: this.names[0].title }) : null;
    this.choice = el("select", { id: "tone", className: "legend-title", "aria-label": "What the colours show", title: "What the colours show (C)" },
                     ...this.names.map(({ name, title }) => el("option", { value: name, textContent: title })));
    this.choice.onchange = () => this.setTone(this.choice.value);
    return this.choice;
  }

  mark(name, text) {
    this.marks.append(el("span", { className: name, textContent: text }));
  }

  // Trail lines; those of joints have the colours of their plots.
  markTrails(isOn) {
    this.trails ??= el("span", { className: "trail", textContent: "trails of joint, mass, pressure" });
    if (isOn) this.marks.append(this.trails);
    else this.trails.remove();
  }

  // Labels of the ends of the colour scale.
  showScale() {
    const { range, tone } = this, ends = tone === "utilization" ? ["0", "50", "≥ 100"] : ["0", short(range / 2), `≥ ${short(range)}`];
    const bar = el("div", { className: "ramp" });
    bar.style.background = ramp();
    if (tone === "trust") this.scale.replaceChildren(swatches());
    else if (tone === "scene") this.scale.replaceChildren();
    else if (tone) this.scale.replaceChildren(bar, el("div", { className: "ends" }, ...ends.map((end) => el("span", { textContent: end }))));
  }

  setTone(tone) {
    this.tone = tone;
    if (this.choice) this.choice.value = tone;
    this.showScale();
    this.onTone(tone);
  }

  next() {
    if (!this.choice) return;
    const names = this.names.map(({ name }) => name);
    this.setTone(names[(names.indexOf(this.tone) + 1) % names.length]);
  }
}
