// The page of one clip, or of two in step.
import { Address } from "./address.js";
import { Clip, tellApart } from "./clip.js";
import { css, torqueColour, torqueRange } from "./colour.js";
import { el, figure } from "./dom.js";
import { nameOf, nextTime } from "./events.js";
import { aboutOf, factsOf, keyOf, noteOf } from "./facts.js";
import { FlatStage } from "./flat.js";
import { helpDialog, listenToKeys, VIEW } from "./keys.js";
import { Legend } from "./legend.js";
import { Player } from "./player.js";
import { Plots } from "./plots.js";
import { hasWebGL, Stage } from "./scene.js";
import { Strip } from "./strip.js";
import { TINTS } from "./tints.js";
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
    this.address = new Address(() => this.addressOf(), (wanted) => this.showAddress(wanted));
    this.transport = new Transport(this.player, (time) => this.clips[0].frame(time));
    this.strip = new Strip(this.clips, this.player, (event, side) => this.goTo(event.t0, this.ownJoint(side, event.joint)));
    this.plots = new Plots(this.clips, this.player);
    this.canvas = el("canvas", { id: "stage", tabIndex: 0, "aria-label": "The moving body; drag to turn it, click a joint" });
    this.help = helpDialog();
    this.legend = new Legend(this.clips, this.range, (tone) => this.showTone(tone));
    root.replaceChildren(this.layout());
    const Kind = this.hasDepth ? Stage : FlatStage;
    this.stage = new Kind(this.canvas, this.clips, this.range, () => this.redraw());
    this.begin();
  }

  begin() {
    document.title = `${this.clips.map((clip) => clip.label).join(" | ")} – kane`;
    listenToKeys(this);
    this.listenToClicks();
    this.selected = this.clips.map(() => -1);
    this.resize();
    this.setView(VIEW.turn, VIEW.lift);
    this.address.read();
    new ResizeObserver(() => this.resize()).observe(this.stageBox);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.resize());
  }

  // page.html#frame=30&joint=left_knee opens at that frame of the first clip with that joint, named by role or name; a
  // time, t=0.85, says the same.
  showAddress(wanted) {
    const clip = this.clips[0], name = wanted.get("joint"), frame = Number(wanted.get("frame") ?? NaN);
    const found = clip.joints.findIndex((joint) => joint.role === name || joint.name === name);
    const time = Number.isFinite(frame) ? clip.start + frame * clip.frame_time : Number(wanted.get("t") ?? NaN);
    this.select(found >= 0 && name ? found : this.hardestJoint());
    this.player.seek(Number.isFinite(time) ? time : this.player.start);
  }

  addressOf() {
    const clip = this.clips[0], { time } = this.player, joint = clip.joints[this.selected[0]];
    const isWithin = time > clip.start - clip.frame_time && time < clip.end + clip.frame_time;
    return [isWithin ? ["frame", clip.frame(time)] : ["t", time.toFixed(3)], ["joint", joint.role || joint.name]];
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
    this.stageBox = el("div", { className: "stage" }, this.canvas, this.label, this.legend.element, this.views());
    if (!this.hasDepth)
      this.stageBox.append(el("p", { className: "stage-note", id: "no-webgl", role: "status",
        textContent: "WebGL is not available here: the skeleton is drawn flat. All plots work." }));
    return el("div", { className: "viewer" }, this.header(),
              el("main", {}, this.stageBox, el("div", { className: "bottom" }, this.transport.element, this.strip.element),
                 el("aside", { className: "panel" }, this.jointHead(), this.plots.element, keyOf(this.clips, this.plots.shaded), aboutOf(this.clips))), this.help);
  }

  header() {
    const titles = this.clips.map((clip, i) => {
      const title = el("span", { className: "title", textContent: clip.label });
      if (this.clips.length > 1) title.prepend(this.swatch(i), `${"AB"[i]} `);
      return title;
    });
    const help = el("button", { type: "button", className: "text", textContent: "Keys ?", title: "Keys and gestures (?)" });
    help.onclick = () => this.help.showModal();
    return el("header", {}, el("h1", {}, ...titles), el("p", { className: "facts", textContent: factsOf(this.clips) }), help);
  }

  swatch(i) {
    const swatch = el("i", { className: "swatch" });
    swatch.style.background = TINTS[i];
    return swatch;
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
    const option = (j) => el("option", { value: j, textContent: nameOf(clip.joints[j]) });
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

  // --- what changes ---

  listenToClicks() {
    let down = null;
    this.canvas.addEventListener("pointerdown", (event) => (down = [event.clientX, event.clientY]));
    this.canvas.addEventListener("pointerup", (event) => {
      const isClick = down && Math.hypot(event.clientX - down[0], event.clientY - down[1]) < 6;
      const box = this.canvas.getBoundingClientRect();
      const found = isClick ? this.pick(event.clientX - box.left, event.clientY - box.top) : null;
      const own = found ? this.ownJoint(found.side, found.joint) : undefined;
      if (own !== undefined) this.select(own);
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

  // The joint of the first clip that corresponds to one of any side; undefined for none.
  ownJoint(side, joint) {
    const own = side === 0 || joint < 0 ? joint : this.clips[0].match(this.clips[side].joints[joint]);
    return own >= 0 ? own : undefined;
  }

  select(joint) {
    if (joint !== this.selected[0]) this.address.step();
    const chosen = this.clips[0].joints[joint];
    this.selected = this.clips.map((clip, i) => (i === 0 ? joint : clip.match(chosen)));
    this.choice.value = joint;
    this.jointName.textContent = nameOf(chosen);
    this.jointName.classList.toggle("role", Boolean(chosen.role));
    this.jointNote.textContent = noteOf(this.clips[0], chosen, this.selected[1] === -1);
    this.peak.disabled = this.peakTime() === null;
    this.plots.show(this.selected);
    this.strip.show(this.selected);
    this.redraw();
  }

  showTone(tone) {
    this.stage.setTone(tone);
    this.redraw();
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
    if (time !== null) this.goTo(time);
  }

  // To a time worth a step of its own, of a joint where one is given (of the first clip).
  goTo(time, joint = this.selected[0]) {
    this.address.step();
    this.player.pause();
    this.select(joint);
    this.player.seek(time);
  }

  goToEvent(direction) {
    const time = nextTime(this.clips, this.selected, this.player.time, direction);
    if (time !== null) this.goTo(time);
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
    this.address.follow();
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
    this.label.textContent = `${nameOf(clip.joints[joint])}${load}${load && why ? `, not trusted: ${why}` : ""}`;
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
