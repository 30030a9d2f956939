// Heat map of joint torques over the whole clip: one row per joint, one column per interval; a click seeks to its time.
import { torqueColour, UNKNOWN } from "./colour.js";
import { columnsOf } from "./columns.js";
import { el, figure, hatch, short } from "./dom.js";
import { nameOf } from "./events.js";
import { pixelsOf } from "./intervals.js";
import { LETTERS } from "./tints.js";

const MAX_COLUMNS = 1200, TICKS = 4;
const LESS = [0.13, 0.4, 0.67], MORE = [0.7, 0.09, 0.17], EVEN = [0.97, 0.97, 0.97]; // colours of a difference

// Diverging colours, blue over white to red: torque of B lower to higher than that of A.
function differenceColour(part) {
  if (!Number.isFinite(part)) return UNKNOWN;
  const share = Math.min(Math.abs(part), 1), end = part < 0 ? LESS : MORE;
  return EVEN.map((value, c) => value + share * (end[c] - value));
}

export class HeatMap {
  // range: torque at the end of the scale; onPress(time, joint) with a joint of the first clip.
  constructor(clips, player, range, onPress) {
    Object.assign(this, { clips, player, range, onPress, quantity: "torque", side: "0" });
    this.joints = clips[0].joints.map((_, j) => j).filter((j) => clips[0].ranks(j));
    this.canvas = el("canvas", { id: "heat-canvas" });
    this.head = el("div", { className: "playhead" });
    this.track = el("div", { className: "track" }, this.canvas, this.head);
    this.labels = el("div", { className: "labels" }, ...this.joints.map((j) => el("span", { textContent: nameOf(clips[0].joints[j]), title: clips[0].joints[j].name })));
    this.axis = el("div", { className: "axis" });
    this.element = el("div", { className: "heat", id: "heat", role: "img", "aria-label": "Load of every joint over time" },
                      this.chooser(), el("div", { className: "heat-body" }, this.labels, this.track, this.axis));
    this.listen();
  }

  // Of several clips, shows one, or the difference of the first two.
  chooser() {
    if (this.clips.length < 2) return null;
    const option = (value, textContent) => el("option", { value, textContent });
    this.choice = el("select", { id: "heat-side", "aria-label": "Whose load" }, 
                     ...this.clips.map((_, i) => option(String(i), LETTERS[i])), option("difference", "B − A"));
    this.choice.onchange = () => this.setSide(this.choice.value);
    return this.choice;
  }

  setSide(side) {
    this.side = this.choice.value = side;
    this.draw();
  }

  listen() {
    this.track.addEventListener("pointerdown", (event) => {
      const { time, joint } = this.under(event);
      this.onPress(time, joint);
    });
    this.track.addEventListener("pointermove", (event) => {
      const { time, joint } = this.under(event), value = this.valueAt(time, joint);
      this.track.title = `${nameOf(this.clips[0].joints[joint])}: ${figure(value)} at ${figure(time)} s`;
    });
  }

  under(event) {
    const box = this.track.getBoundingClientRect(), { start, end } = this.player;
    const row = Math.floor(((event.clientY - box.top) / box.height) * this.joints.length);
    return { time: start + ((event.clientX - box.left) / box.width) * (end - start),
             joint: this.joints[Math.min(Math.max(row, 0), this.joints.length - 1)] };
  }

  // The joint of a side that corresponds to a joint of the first clip; -1 for none.
  jointOf(side, joint) {
    return side === 0 ? joint : this.clips[side].match(this.clips[0].joints[joint]);
  }

  valueAt(time, joint) {
    const of = (side) => this.clips[side].value(this.quantity, this.jointOf(side, joint), time);
    return this.side === "difference" ? of(1) - of(0) : of(Number(this.side));
  }

  rowOf(side, joint, count) {
    const clip = this.clips[side], series = clip.series[this.quantity]?.[this.jointOf(side, joint)];
    return series ? columnsOf(clip, series, this.player, count) : new Float32Array(count).fill(NaN);
  }

  coloursOf(joint, count) {
    const range = this.quantity === "utilization" ? 1 : this.range;
    if (this.side !== "difference") return Array.from(this.rowOf(Number(this.side), joint, count), (value) => torqueColour(value / range));
    const a = this.rowOf(0, joint, count), b = this.rowOf(1, joint, count);
    return Array.from(a, (value, x) => differenceColour((2 * (b[x] - value)) / range));
  }

  // quantity: what the body's colours show; flagged frames are hatched in any case.
  setQuantity(tone) {
    this.quantity = tone === "utilization" ? "utilization" : "torque";
    this.draw();
  }

  draw() {
    const width = this.track.clientWidth, height = this.track.clientHeight, ratio = devicePixelRatio;
    if (this.element.hidden || width === 0) return;
    Object.assign(this.canvas, { width: width * ratio, height: height * ratio });
    const context = this.canvas.getContext("2d");
    context.scale(ratio, ratio);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.picture(Math.min(Math.round(width), MAX_COLUMNS)), 0, 0, width, height);
    this.hatchDoubts(context, width, height);
    this.drawAxis();
    this.showTime(this.player.time);
  }

  // One pixel per joint and column.
  picture(count) {
    const picture = el("canvas", { width: count, height: this.joints.length }), context = picture.getContext("2d");
    const image = context.createImageData(count, this.joints.length);
    this.joints.forEach((joint, row) => this.coloursOf(joint, count).forEach((colour, x) =>
      image.data.set([...colour.map((value) => Math.round(255 * value)), 255], 4 * (row * count + x))));
    context.putImageData(image, 0, 0);
    return picture;
  }

  hatchDoubts(context, width, height) {
    const { start, end } = this.player, tall = height / this.joints.length, x = (time) => ((time - start) / (end - start || 1)) * width;
    const sides = this.side === "difference" ? [0, 1] : [Number(this.side)];
    context.fillStyle = hatch(context);
    const fill = (intervals = [], top, high) => pixelsOf(intervals, x, [0, width]).forEach(([left, right]) => context.fillRect(left, top, right - left, high));
    for (const side of sides) {
      fill(this.clips[side].untrusted, 0, height);
      this.joints.forEach((joint, row) => fill(this.clips[side].joints[this.jointOf(side, joint)]?.untrusted, row * tall, tall));
    }
  }

  drawAxis() {
    const { start, end } = this.player;
    this.axis.replaceChildren(...Array.from({ length: TICKS + 1 }, (_, i) =>
      el("span", { textContent: `${short(start + (i / TICKS) * (end - start))}${i === TICKS ? " s" : ""}` })));
  }

  // Highlights the chosen joint.
  show(joint) {
    [...this.labels.children].forEach((label, row) => label.classList.toggle("on", this.joints[row] === joint));
  }

  showTime(time) {
    const { start, end } = this.player;
    this.head.style.transform = `translateX(${((time - start) / (end - start || 1)) * this.track.clientWidth}px)`;
  }
}
