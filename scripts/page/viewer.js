// The page of one clip, or of two in step.
import { Clip, tellApart } from "./clip.js";
import { css, ramp, torqueColour, torqueRange } from "./colour.js";
import { el, figure, short, words } from "./dom.js";
import { FlatStage } from "./flat.js";
import { helpDialog, listenToKeys, VIEW } from "./keys.js";
import { Player } from "./player.js";
import { Plots } from "./plots.js";
import { hasWebGL, Stage } from "./scene.js";
import { Strip } from "./strip.js";
import { LINES, TINTS } from "./tints.js";
import { TONES, TRUST_COLOURS } from "./tone.js";
import { Transport } from "./transport.js";

const REACH = 30; // pixels from a joint within which a click means it

export class Viewer {
  constructor(data, root) {
    this.clips = data.head.clips.map((head) => new Clip(head, data.series));
    tellApart(this.clips);
    this.range = torqueRange(this.clips);
    this.hasDepth = hasWebGL();
    const start = Math.min(...this.clips.map((clip) => clip.start)), end = Math.max(...this.clips.map((clip) => clip.end));
    this.player = new Player(start, end, Math.min(...this.clips.map((clip) => clip.step)),
                             (time) => this.showTime(time), () => this.transport.showState());
    this.transport = new Transport(this.player, (time) => this.clips[0].frame(time));
    this.strip = new Strip(this.clips, this.player);
    this.plots = new Plots(this.clips, this.player);
    this.canvas = el("canvas", { id: "stage", tabIndex: 0, "aria-label": "The moving body; drag to turn it, click a joint" });
    this.help = helpDialog();
    root.replaceChildren(this.layout());
    const Kind = this.hasDepth ? Stage : FlatStage;
    this.stage = new Kind(this.canvas, this.clips, this.range, () => this.redraw());
    this.begin();
  }

  begin() {
    document.title = `${this.clips.map((clip) => clip.label).join(" | ")} – kane`;
    listenToKeys(this);
    this.listenToClicks();
    const { joint, time } = this.fromAddress();
    this.selected = this.clips.map(() => -1);
    this.resize();
    this.setView(VIEW.turn, VIEW.lift);
    this.select(joint);
    this.player.seek(time);
    new ResizeObserver(() => this.resize()).observe(this.stageBox);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.resize());
    addEventListener("hashchange", () => {
      const wanted = this.fromAddress();
      this.select(wanted.joint);
      this.player.seek(wanted.time);
    });
  }

  // page.html#t=0.85&joint=left_knee opens at that time with that joint, named by role or name.
  fromAddress() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const clip = this.clips[0], name = wanted.get("joint"), time = Number(wanted.get("t") ?? NaN);
    const found = clip.joints.findIndex((joint) => joint.role === name || joint.name === name);
    return { joint: found >= 0 && name ? found : this.hardestJoint(), time: Number.isFinite(time) ? time : this.player.start };
  }

  // Of the first clip that has torques, as a joint of the first clip.
  hardestJoint() {
    const [first] = this.clips, loaded = this.clips.find((clip) => clip.has("torque")) ?? first;
    return loaded === first ? first.hardestJoint() : Math.max(first.match(loaded.joints[loaded.hardestJoint()]), 0);
  }

  // --- what stands on the page ---

  layout() {
    this.jointName = el("h2", { id: "joint-name" });
    this.jointNote = el("p", { className: "joint-note" });
    this.label = el("div", { className: "joint-label", "aria-hidden": "true" });
    this.stageBox = el("div", { className: "stage" }, this.canvas, this.label, this.legend(), this.views());
    if (!this.hasDepth)
      this.stageBox.append(el("p", { className: "stage-note", id: "no-webgl", role: "status",
        textContent: "WebGL is not available here: the skeleton is drawn flat. All plots work." }));
    return el("div", { className: "viewer" }, this.header(),
              el("main", {}, this.stageBox, el("div", { className: "bottom" }, this.transport.element, this.strip.element),
                 el("aside", { className: "panel" }, this.jointHead(), this.plots.element, this.key(), this.about())), this.help);
  }

  header() {
    const titles = this.clips.map((clip, i) => {
      const title = el("span", { className: "title", textContent: clip.label });
      if (this.clips.length > 1) title.prepend(this.swatch(i), `${"AB"[i]} `);
      return title;
    });
    const help = el("button", { type: "button", className: "text", textContent: "Keys ?", title: "Keys and gestures (?)" });
    help.onclick = () => this.help.showModal();
    return el("header", {}, el("h1", {}, ...titles), el("p", { className: "facts", textContent: this.facts() }), help);
  }

  facts() {
    const clip = this.clips[0];
    const facts = [`${clip.frames.toLocaleString("en")} ${clip.frames === 1 ? "frame" : "frames"} at ${short(1 / clip.frame_time, 4)} fps`];
    if (clip.mass) facts.push(`${short(clip.mass)} kg`);
    this.clips.forEach((one, i) => facts.push(...this.trust(one, this.clips.length > 1 ? `${"AB"[i]} ` : "")));
    this.clips.forEach((one, i) => { if (one.unsure) facts.push(`${this.clips.length > 1 ? `${"AB"[i]} ` : ""}unsure: ${one.unsure}`); });
    const thinned = this.clips.find((one) => one.stride > 1);
    if (thinned) facts.push(`shown: 1 of ${thinned.stride} frames; loads keep the largest of each ${thinned.stride}`);
    return facts.join(" · ");
  }

  // How far a clip can be believed: what is left over, or how far a controller was off.
  trust(clip, name) {
    const { residual_force_rms_bw: residual, contact_confidence: confidence } = clip.figures;
    if (clip.controller)
      return [`${name}off by ${short((clip.tracking.mean_error * 180) / Math.PI)}°, stable for ${short(clip.tracking.stable_time)} s`];
    const { trusted_share: share } = clip.figures, reason = clip.untrusted_reason ? `, mostly ${clip.untrusted_reason.replaceAll("_", " ")}` : "";
    return [...(share === null ? [] : [`${name}trusted ${short(100 * share, 3)} %${share < 1 ? reason : ""}`]),
            ...(residual === null ? [] : [`${name}residual ${short(residual, 2)} BW`]),
            ...(confidence === null ? [] : [`${name}confidence ${short(confidence, 2)}`])];
  }

  swatch(i) {
    const swatch = el("i", { className: "swatch" });
    swatch.style.background = TINTS[i];
    return swatch;
  }

  legend() {
    const tones = TONES.filter(({ has }) => this.clips.some(has)), legend = el("div", { className: "legend", id: "legend" });
    this.scale = el("div", { className: "scale" });
    if (tones.length > 1) {
      this.tone = el("select", { id: "tone", className: "legend-title", "aria-label": "What the colours tell", title: "What the colours tell (C)" },
                     ...tones.map(({ name, title }) => el("option", { value: name, textContent: title })));
      this.tone.onchange = () => this.setTone(this.tone.value);
      legend.append(this.tone);
    } else if (tones.length) legend.append(el("div", { className: "legend-title", textContent: tones[0].title }));
    legend.append(this.scale);
    this.showScale(tones[0]?.name);
    const marks = el("div", { className: "marks" });
    if (this.clips.some((clip) => clip.supports.length)) marks.append(el("span", { className: "force", textContent: "ground force" }));
    if (this.clips.some((clip) => clip.has("com"))) marks.append(el("span", { className: "com", textContent: "centre of mass" }));
    legend.append(marks);
    return legend;
  }

  // What the colours go from and to.
  showScale(tone) {
    const ends = tone === "use" ? ["0", "50", "≥ 100"] : ["0", short(this.range / 2), `≥ ${short(this.range)}`];
    const bar = el("div", { className: "ramp" });
    bar.style.background = ramp();
    const key = TRUST_COLOURS.map(([name, colour]) => {
      const item = el("span", { textContent: name });
      item.style.setProperty("--own", css(colour));
      return item;
    });
    if (tone === "trust") this.scale.replaceChildren(el("div", { className: "marks trust" }, ...key));
    else if (tone) this.scale.replaceChildren(bar, el("div", { className: "ends" }, ...ends.map((end) => el("span", { textContent: end }))));
  }

  setTone(tone) {
    if (this.tone) this.tone.value = tone;
    this.stage.setTone(tone);
    this.showScale(tone);
    this.redraw();
  }

  nextTone() {
    if (!this.tone) return;
    const names = [...this.tone.options].map((option) => option.value);
    this.setTone(names[(names.indexOf(this.tone.value) + 1) % names.length]);
  }

  views() {
    const button = (text, title, onclick) => el("button", { type: "button", textContent: text, title, onclick });
    const views = el("div", { className: "views", role: "group", "aria-label": "View" },
                     button("Front", "View from the front (1)", () => this.setView(0, 0.08)),
                     button("Side", "View from the side (2)", () => this.setView(Math.PI / 2, 0.08)),
                     button("¾", "View from front and side (3)", () => this.setView(VIEW.turn, VIEW.lift)));
    this.follow = button("Follow", "The camera follows (F)", () => this.toggleFollow());
    if (this.hasDepth) views.append(this.follow);
    if (this.clips.length > 1) {
      this.apart = button("Overlay", "In one place or side by side (O)", () => this.toggleApart());
      this.apart.id = "overlay";
      views.append(this.apart);
    }
    return views;
  }

  jointHead() {
    this.choice = el("select", { id: "joint", "aria-label": "Joint" });
    const clip = this.clips[0];
    const order = clip.joints.map((_, j) => j).sort((a, b) => (clip.joints[b].peak_nm_kg ?? 0) - (clip.joints[a].peak_nm_kg ?? 0));
    const option = (j) => el("option", { value: j, textContent: this.nameOf(clip.joints[j]) });
    const own = order.filter((j) => clip.ranks(j)), rest = order.filter((j) => clip.joints[j].residual);
    const helpers = order.filter((j) => clip.joints[j].helper && !clip.joints[j].residual);
    this.choice.append(el("optgroup", { label: "Joints, hardest first" }, ...own.map(option)));
    if (rest.length) this.choice.append(el("optgroup", { label: "Floating base" }, ...rest.map(option)));
    if (helpers.length) this.choice.append(el("optgroup", { label: "Without mass" }, ...helpers.map(option)));
    this.choice.onchange = () => this.select(Number(this.choice.value));
    this.peak = el("button", { type: "button", className: "text", id: "peak", title: "To the largest torque of this joint (P)", textContent: "Peak" });
    this.peak.onclick = () => this.goToPeak();
    return el("div", { className: "joint-head" }, el("div", { className: "joint-row" }, this.jointName, this.choice, this.peak), this.jointNote);
  }

  nameOf(joint) {
    return joint.role ? words(joint.role) : joint.name;
  }

  // What the shades in the plots mean.
  key() {
    const item = (name, text) => el("span", { className: `shade ${name}`, textContent: text });
    const key = el("p", { className: "key" }), clip = this.plots.shaded;
    const whose = this.clips.length > 1 ? `${"AB"[this.clips.indexOf(clip)]} ` : "";
    if (clip.supports.some((support) => support.foot))
      key.append(item("left", `${whose}left foot down`), item("right", `${whose}right foot down`));
    else if (clip.supports.length) key.append(item("other", `${whose}its limb down`));
    if (this.clips.some((one) => one.untrusted.length)) key.append(item("grey", "not trusted"));
    if (this.clips.length > 1)
      this.clips.forEach((one, i) => {
        const lacks = one.has("torque") ? "" : ", no torques";
        const name = el("span", { className: "line", textContent: `${"AB"[i]} ${one.label}${lacks}` });
        name.style.setProperty("--own", `var(${LINES[i]})`);
        key.append(name);
      });
    return key;
  }

  about() {
    const details = el("details", { className: "about" }, el("summary", { textContent: "About these clips" }));
    if (this.clips.length === 1) details.firstChild.textContent = "About this clip";
    for (const clip of this.clips) {
      const rows = Object.entries(clip.tracking ?? clip.figures).filter(([, value]) => value !== null);
      details.append(el("h3", { textContent: `${clip.label} (${clip.source})` }),
                     el("dl", {}, ...rows.flatMap(([name, value]) => [el("dt", { textContent: words(name) }), el("dd", { textContent: short(value, 4) })])),
                     el("pre", { textContent: clip.history }));
    }
    return details;
  }

  // --- what changes ---

  listenToClicks() {
    let down = null;
    this.canvas.addEventListener("pointerdown", (event) => (down = [event.clientX, event.clientY]));
    this.canvas.addEventListener("pointerup", (event) => {
      const isClick = down && Math.hypot(event.clientX - down[0], event.clientY - down[1]) < 6;
      const box = this.canvas.getBoundingClientRect();
      const found = isClick ? this.pick(event.clientX - box.left, event.clientY - box.top) : null;
      if (found) this.selectOf(found.side, found.joint);
    });
  }

  // The joint nearest to a place on the stage, with its side; null where none is within reach.
  pick(x, y) {
    let best = null;
    this.clips.forEach((clip, side) => clip.joints.forEach(({ helper }, joint) => {
      if (helper) return;
      const at = this.stage.placeOf(side, joint);
      const distance = at ? Math.hypot(at.x - x, at.y - y) : Infinity;
      if (distance <= REACH && distance < (best?.distance ?? Infinity)) best = { side, joint, distance };
    }));
    return best;
  }

  // A joint of any side chooses the one that corresponds to it on the first.
  selectOf(side, joint) {
    if (side === 0) return this.select(joint);
    const own = this.clips[0].match(this.clips[side].joints[joint]);
    return own >= 0 ? this.select(own) : undefined;
  }

  select(joint) {
    const chosen = this.clips[0].joints[joint];
    this.selected = this.clips.map((clip, i) => (i === 0 ? joint : clip.match(chosen)));
    this.choice.value = joint;
    this.jointName.textContent = this.nameOf(chosen);
    this.jointName.classList.toggle("role", Boolean(chosen.role));
    this.jointNote.textContent = this.noteOf(chosen);
    this.peak.disabled = this.peakTime() === null;
    this.plots.show(this.selected);
    this.redraw();
  }

  noteOf(joint) {
    const parts = [];
    if (joint.role && joint.name.toLowerCase() !== words(joint.role)) parts.push(joint.name);
    if (joint.peak_nm_kg > 0) parts.push(`peak ${figure(joint.peak_nm_kg)} Nm/kg at ${figure(joint.peak_t)} s`, `RMS ${figure(joint.rms_nm_kg)}`);
    if (joint.peak_all_nm_kg > joint.peak_nm_kg) parts.push(`${figure(joint.peak_all_nm_kg)} at ${figure(joint.peak_all_t)} s, not trusted`);
    if (joint.residual && this.clips[0].has("torque")) parts.push("carries the residual: what the floating base would still need");
    if (joint.carrier >= 0) parts.push(`moves with ${this.nameOf(this.clips[0].joints[joint.carrier])}`);
    if (this.clips.length > 1 && this.selected[1] < 0) parts.push("B has no such joint");
    return parts.join(" · ");
  }

  nextJoint(direction) {
    const options = [...this.choice.querySelectorAll("option")].map((option) => Number(option.value));
    const at = options.indexOf(this.selected[0]) + direction;
    this.select(options[(at + options.length) % options.length]);
  }

  peakTime() {
    const times = this.clips.map((clip, i) => clip.peakTime(this.selected[i]));
    return times.find((time) => time !== null) ?? null;
  }

  goToPeak() {
    const time = this.peakTime();
    if (time === null) return;
    this.player.pause();
    this.player.seek(time);
  }

  setView(turn, lift) {
    this.stage.look(turn, lift, this.player.time);
    this.redraw();
  }

  toggleFollow() {
    this.stage.isFollowing = !this.stage.isFollowing;
    this.stage.followed = null; // the camera stays where it is
    this.redraw();
  }

  toggleApart() {
    if (this.clips.length < 2) return;
    this.stage.setApart(!this.stage.isApart);
    this.setView(VIEW.turn, VIEW.lift);
  }

  showTime(time) {
    this.transport.showTime(time);
    this.strip.showTime(time);
    this.plots.showTime(time);
    this.redraw();
  }

  redraw() {
    if (this.isDrawing) return;
    this.isDrawing = true;
    requestAnimationFrame(() => {
      this.drawStage();
      this.isDrawing = false;
    });
  }

  drawStage() {
    this.stage.update(this.player.time, this.selected);
    this.follow.classList.toggle("on", this.stage.isFollowing);
    this.apart?.classList.toggle("on", !this.stage.isApart);
    this.drawLabel();
  }

  drawLabel() {
    const joint = this.selected[0], clip = this.clips[0];
    const at = this.stage.placeOf(0, joint);
    const torque = clip.value("torque", joint, this.player.time);
    this.label.hidden = !at;
    if (!at) return;
    const why = clip.whyNot(this.player.time, joint), load = Number.isFinite(torque) ? `  ${figure(torque)} Nm/kg` : "";
    this.label.textContent = `${this.nameOf(clip.joints[joint])}${load}${load && why ? `, not trusted: ${why}` : ""}`;
    const { offsetWidth: width } = this.label, room = this.canvas.clientWidth - width - 6;
    const left = at.x + 16 <= room ? at.x + 16 : at.x - 16 - width;
    this.label.style.transform = `translate(${Math.max(6, Math.min(left, room))}px, ${at.y}px) translate(0, -50%)`;
    this.label.style.borderColor = css(torqueColour(clip.joints[joint].residual || why ? NaN : torque / this.range));
  }

  resize() {
    const { clientWidth, clientHeight } = this.stageBox;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.stage.resize(clientWidth, clientHeight);
    this.strip.draw();
    this.plots.draw();
    this.redraw();
  }
}
