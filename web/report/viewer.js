// Page of one clip, or of several clips in synchrony.
import { Address } from "./address.js";
import { canRecord, Recorder, savePicture } from "./capture.js";
import { Clip, tellApart } from "./clip.js";
import { css, torqueRange } from "./colour.js";
import { el, measured } from "./dom.js";
import { nameOf, nextTime } from "./events.js";
import { aboutOf, factsOf, keyOf, verdictsOf } from "./facts.js";
import { FlatStage } from "./flat.js";
import { HeatMap } from "./heatmap.js";
import { JointBar } from "./jointbar.js";
import { helpDialog, listenToKeys } from "./keys.js";
import { Legend } from "./legend.js";
import { Player } from "./player.js";
import { Plots } from "./plots.js";
import { rendererOn, Stage } from "./scene.js";
import { Strip } from "./strip.js";
import { LETTERS, TINTS } from "./tints.js";
import { jointColour } from "./tone.js";
import { Transport } from "./transport.js";
import { VIEW, Views } from "./views.js";

const REACH = 30; // distance from a joint within which a click selects it, pixels
const MAX_BESIDE = 4; // joints plotted beside the chosen one, at most

const sizeOf = ({ clientWidth, clientHeight }) => `${clientWidth} ${clientHeight}`;

export class Viewer {
  // canvas: of the stage; renderer: on it, null without WebGL.
  constructor(data, root, canvas = el("canvas"), renderer = rendererOn(canvas)) {
    this.clips = data.head.clips.map((head) => new Clip(head, data.series));
    tellApart(this.clips);
    this.range = torqueRange(this.clips);
    this.hasDepth = Boolean(renderer);
    const start = Math.min(...this.clips.map((clip) => clip.start)), end = Math.max(...this.clips.map((clip) => clip.end));
    Object.assign(this, { hasTrails: false, ghosts: 0, drawn: new Map() }); // drawn: last size of each element
    this.player = new Player(start, end, Math.min(...this.clips.map((clip) => clip.step)),
                             (time) => this.showTime(time), () => this.showState());
    this.address = new Address(() => this.addressOf(), (wanted) => this.showAddress(wanted));
    this.canvas = Object.assign(canvas, { id: "stage", tabIndex: 0, ariaLabel: "The moving body; drag to turn it, click a joint" });
    this.recorder = new Recorder(this.canvas, this.player, this.clips.map((clip) => clip.label).join("-"));
    this.transport = new Transport(this.player, (time) => this.clips[0].frame(time), () => this.savePicture(),
                                   canRecord(this.canvas) ? () => this.recorder.toggle() : null);
    this.strip = new Strip(this.clips, this.player, (event, side) => this.goTo(event.t0, this.ownJoint(side, event.joint)));
    this.plots = new Plots(this.clips, this.player, () => this.drawn.set(this.plots.element, sizeOf(this.plots.element)));
    this.map = new HeatMap(this.clips, this.player, this.range, (time, joint) => this.goTo(time, joint));
    this.map.element.hidden = true;
    this.bar = new JointBar(this);
    this.views = new Views(this);
    this.help = helpDialog();
    this.legend = new Legend(this.clips, this.range, (tone) => this.showTone(tone));
    root.replaceChildren(this.layout());
    const redraw = () => this.redraw();
    this.stage = renderer ? new Stage(renderer, this.clips, this.range, redraw) : new FlatStage(canvas, this.clips, this.range, redraw);
    this.begin();
  }

  begin() {
    document.title = `${this.clips.map((clip) => clip.label).join(" | ")} – kane`;
    listenToKeys(this);
    this.listenToClicks();
    this.about = -1; // coordinate in the plots; -1: the whole joint
    this.beside = []; // joints of the first clip plotted beside the chosen one
    this.selected = this.clips.map(() => -1);
    this.resize();
    this.setView(VIEW.turn, VIEW.lift);
    this.address.read();
    const watch = (element, draw) => new ResizeObserver(() => sizeOf(element) !== this.drawn.get(element) && draw()).observe(element);
    watch(this.canvas, () => this.resize());
    watch(this.plots.element, () => this.drawPanel());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.resize());
  }

  // page.html#frame=30&joint=left_knee opens that frame of the first clip with that joint, by role or name.
  // with=right_knee adds a joint to the plots, about=flexion shows that coordinate, t=0.85 is a time instead of a
  // frame, and view=map shows the heat map of all joints.
  showAddress(wanted) {
    const [clip] = this.clips, frame = Number(wanted.get("frame") ?? NaN), find = (name) => clip.find(name);
    const joint = find(wanted.get("joint"));
    const time = Number.isFinite(frame) ? clip.start + frame * clip.frame_time : Number(wanted.get("t") ?? NaN);
    this.beside = wanted.getAll("with").map(find).filter((other) => other >= 0).slice(0, MAX_BESIDE);
    const chosen = joint >= 0 ? joint : this.hardestJoint();
    this.about = clip.motionsOf(chosen).indexOf(wanted.get("about"));
    this.showMap(wanted.get("view") === "map");
    this.select(chosen);
    this.player.seek(Number.isFinite(time) ? time : this.firstTrusted(chosen));
  }

  addressOf() {
    const [clip] = this.clips, { time } = this.player, name = (j) => clip.joints[j].role || clip.joints[j].name;
    const isWithin = time > clip.start - clip.frame_time && time < clip.end + clip.frame_time;
    return [isWithin ? ["frame", clip.frame(time)] : ["t", time.toFixed(3)], ["joint", name(this.selected[0])],
            ...this.besides().map((j) => ["with", name(j)]), ...(this.axis() < 0 ? [] : [["about", this.motions()[this.about]]]),
            ...(this.map.element.hidden ? [] : [["view", "map"]])];
  }

  // The first time at which all clips are trusted, if possible with that joint of the first one; else the start.
  firstTrusted(joint) {
    const { start, end, step } = this.player, count = Math.round((end - start) / step) + 1;
    const find = (j) => {
      for (let i = 0; i < count; i++)
        if (this.clips.every((clip, side) => !clip.whyNot(start + i * step, side ? -1 : j))) return start + i * step;
      return null;
    };
    return find(joint) ?? find(-1) ?? start;
  }

  // The hardest joint of the first clip with torques, as a joint of the first clip.
  hardestJoint() {
    const [first] = this.clips, loaded = this.clips.find((clip) => clip.has("torque")) ?? first;
    return loaded === first ? first.hardestJoint() : Math.max(first.match(loaded.joints[loaded.hardestJoint()]), 0);
  }

  // --- layout ---

  layout() {
    this.label = el("div", { className: "joint-label", "aria-hidden": "true" });
    this.stageBox = el("div", { className: "stage" }, this.canvas, this.label, this.legend.element, this.views.element);
    if (!this.hasDepth)
      this.stageBox.append(el("p", { className: "stage-note", id: "no-webgl", role: "status",
        textContent: "WebGL is not available here: the skeleton is drawn flat, without ghosts and trails. All plots work." }));
    return el("div", { className: "viewer" }, this.header(),
              el("main", {}, this.stageBox, el("div", { className: "bottom" }, this.transport.element, this.strip.element),
                 el("aside", { className: "panel" }, this.bar.element, this.plots.element, this.map.element, keyOf(this.clips, this.plots.shaded), aboutOf(this.clips))), this.help);
  }

  header() {
    const titles = this.clips.map((clip, i) => {
      const title = el("span", { className: "title", textContent: clip.label });
      if (this.clips.length > 1) title.prepend(this.swatch(i), `${LETTERS[i]} `);
      return title;
    });
    const help = el("button", { type: "button", className: "text", textContent: "Keys ?", title: "Keys and gestures (?)" });
    help.onclick = () => this.help.showModal();
    return el("header", {}, el("h1", {}, ...titles), el("p", { className: "facts", textContent: factsOf(this.clips) }), help,
              verdictsOf(this.clips, (time, joint, side) => this.goTo(time, this.ownJoint(side, joint))));
  }

  swatch(i) {
    const swatch = el("i", { className: "swatch" });
    swatch.style.background = TINTS[i];
    return swatch;
  }

  // --- interaction ---

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

  // The joint nearest to a point of the stage, with its side; null if none is near enough.
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

  // The joint of the first clip that corresponds to a joint of any side; undefined for none.
  ownJoint(side, joint) {
    const own = side === 0 || joint < 0 ? joint : this.clips[0].match(this.clips[side].joints[joint]);
    return own >= 0 ? own : undefined;
  }

  select(joint) {
    if (joint !== this.selected[0]) this.address.step();
    this.selected = this.clips.map((clip, i) => (i === 0 ? joint : clip.match(this.clips[0].joints[joint])));
    this.showJoints();
  }

  besides() {
    return this.beside.filter((joint) => joint !== this.selected[0]);
  }

  // Per clip, the chosen joint and those beside it.
  shown() {
    const all = [this.selected[0], ...this.besides()].map((j) => this.clips[0].joints[j]);
    return this.clips.map((clip, i) => all.map((joint) => (i === 0 ? clip.joints.indexOf(joint) : clip.match(joint))));
  }

  showJoints() {
    const shown = this.shown(), axis = this.axis();
    this.bar.show(shown[0], axis, this.selected.slice(1).includes(-1), this.peakTime() !== null);
    this.plots.show(shown, axis);
    this.map.show(shown[0][0]);
    this.strip.show(this.selected);
    this.redraw();
  }

  motions() {
    return this.clips[0].motionsOf(this.selected[0]);
  }

  // The coordinate in the plots; -1 if the chosen joint has none.
  axis() {
    return this.motions().length ? this.about : -1;
  }

  // Plots the chosen joint about one of its axes, or as a whole.
  showAbout(axis) {
    this.address.step();
    this.about = axis;
    this.showJoints();
  }

  nextAbout() {
    const count = this.motions().length;
    if (count) this.showAbout(this.about + 1 < count ? this.about + 1 : -1);
  }

  // Keeps the chosen joint, or another one, in the plots beside later choices, or removes it.
  toggleBeside(joint = this.selected[0]) {
    this.address.step();
    this.beside = this.beside.includes(joint) ? this.beside.filter((other) => other !== joint) : [...this.beside, joint].slice(-MAX_BESIDE);
    this.showJoints();
  }

  toggleMap() {
    this.address.step();
    this.showMap(this.map.element.hidden);
  }

  showMap(isMap) {
    this.map.element.hidden = !isMap;
    this.plots.element.hidden = isMap;
    this.markPanel();
  }

  toggleDifference() {
    if (this.clips.length < 2) return;
    this.plots.setDifference(!this.plots.isDifference);
    this.map.setSide(this.plots.isDifference ? "difference" : "0");
    this.markPanel();
  }

  markPanel() {
    this.bar.mark({ isMap: !this.map.element.hidden, isDifference: this.plots.isDifference });
    this.drawPanel();
  }

  drawPanel() {
    this.plots.draw();
    this.map.draw();
  }

  showTone(tone) {
    this.stage.setTone(tone);
    this.map.setQuantity(tone);
    this.redraw();
  }

  peakTime() {
    const times = this.clips.map((clip, i) => clip.peakTime(this.selected[i]));
    return times.find((time) => time !== null) ?? null;
  }

  goToPeak() {
    const time = this.peakTime();
    if (time !== null) this.goTo(time);
  }

  // Seeks to a time as a history entry, and selects a joint of the first clip.
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

  // Toggles whether the camera moves with the body; both ways it frames the whole action.
  toggleFollow() {
    this.stage.isFollowing = !this.stage.isFollowing;
    this.stage.reframe(this.player.time, true);
    this.redraw();
  }

  // Toggles the camera on damped springs behind the body; when switched off, the camera frames the whole action.
  toggleChase() {
    this.stage.isChasing = !this.stage.isChasing;
    if (!this.stage.isChasing) this.stage.reframe(this.player.time, true);
    this.redraw();
  }

  toggleTrails() {
    this.hasTrails = !this.hasTrails;
    this.stage.setTrails(this.hasTrails);
    this.legend.markTrails(this.hasTrails);
    this.redraw();
  }

  setGhosts(every) {
    this.ghosts = every;
    this.stage.setGhosts(every);
    this.redraw();
  }

  savePicture() {
    this.drawStage();
    savePicture(this.canvas, this.clips.map((clip) => clip.label).join(" | "), this.clips[0].frame(this.player.time), this.legend);
  }

  // Called when the player starts, stops or changes mode.
  showState() {
    this.recorder.follow();
    this.transport.showState(this.recorder.isOn);
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
    this.map.showTime(time);
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
    const { isFollowing, isChasing, isApart } = this.stage, { hasTrails, ghosts } = this;
    this.stage.update(this.player.time, this.shown());
    this.views.mark({ isFollowing, isChasing, isApart, hasTrails, ghosts });
    this.drawLabel();
  }

  drawLabel() {
    const joint = this.selected[0], clip = this.clips[0];
    const at = this.stage.placeOf(0, joint);
    const torque = clip.value("torque", joint, this.player.time);
    this.label.hidden = !at;
    if (!at) return;
    const why = clip.whyNot(this.player.time, joint), load = Number.isFinite(torque) ? `  ${measured(torque, clip.value("torque_sd", joint, this.player.time))} N m/kg` : "";
    this.label.textContent = `${nameOf(clip.joints[joint])}${load}${load && why ? `, not trusted: ${why}` : ""}`;
    const { offsetWidth: width } = this.label, room = this.canvas.clientWidth - width - 6;
    const left = at.x + 16 <= room ? at.x + 16 : at.x - 16 - width;
    this.label.style.transform = `translate(${Math.max(6, Math.min(left, room))}px, ${at.y}px) translate(0, -50%)`;
    this.label.style.borderColor = css(jointColour("torque", clip, joint, this.player.time, this.range));
  }

  resize() {
    this.strip.draw(); // first: it leaves the remaining height to the stage
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.drawn.set(this.canvas, sizeOf(this.canvas));
    this.stage.resize(clientWidth, clientHeight);
    this.stage.reframe(this.player.time, false);
    this.drawPanel();
    this.redraw();
  }
}
