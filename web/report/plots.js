// Plots of the chosen joint over time: one per quantity, with a common time axis and playhead.
import uPlot from "uplot";
import { BAND_90 } from "./clip.js";
import { isDense, paintBars } from "./columns.js";
import { el, figure, hatch, token } from "./dom.js";
import { OF_COORDINATE, OF_JOINT, PARTS, STACK, titleOf, TORQUE } from "./quantities.js";
import { joined, pixelsOf } from "./intervals.js";
import { JOINT_LINES, LINES } from "./tints.js";

// Common time samples of all clips, at the finest step.
function commonTimes(clips) {
  const start = Math.min(...clips.map((clip) => clip.start)), end = Math.max(...clips.map((clip) => clip.end));
  const step = Math.min(...clips.map((clip) => clip.step));
  return Array.from({ length: Math.round((end - start) / step) + 1 }, (_, i) => start + i * step);
}

// Values of a series at the given times, null where unknown; all null if the clip has no such series.
function line(clip, { name, scale }, number, times) {
  const series = clip.series[name]?.[number];
  const plain = (value) => (Number.isFinite(value) ? value * scale : null);
  if (!series) return times.map(() => null);
  if (times.length === series.length && Math.abs(times[0] - clip.start) < 1e-9) return Array.from(series, plain);
  return times.map((time) =>
    time < clip.start - 1e-9 || time > clip.end + 1e-9 ? null : plain(clip.value(name, number, time)));
}

// Upper and lower edge of the 90 % band about a line.
function edges(clip, { spread, scale }, number, times, values) {
  const sd = spread && clip.has(spread) ? line(clip, { name: spread, scale }, number, times) : null;
  const edge = (sign) => values.map((value, i) => (sd && value !== null && sd[i] !== null ? value + sign * BAND_90 * sd[i] : null));
  return [edge(1), edge(-1)];
}

// B - A where both are known.
const less = (a, b) => a.map((value, i) => (value === null || b[i] === null ? null : b[i] - value));

// Root mean square of the known values.
function rms(values) {
  const known = values.filter((value) => value !== null);
  return Math.sqrt(known.reduce((sum, value) => sum + value * value, 0) / known.length);
}

// Width of the axis labels, pixels: the same for all plots unless one has longer labels.
function labelRoom(plot, labels) {
  const longest = Math.max(...(labels ?? []).map((label) => label?.length ?? 0), 0);
  return Math.max(42, 12 + 6.6 * longest);
}

// Spacing of ticks on the value axis, pixels: small enough that a low plot has more than one.
const tickRoom = (_plot, _axis, _min, _max, height) => Math.min(Math.max(height / 5, 16), 30);

const WIDTH = 1.6; // line width, CSS pixels
const linear = uPlot.paths.linear();
const sparse = (plot, i, first, last) => (isDense(plot, first, last) ? null : linear(plot, i, first, last));
const EDGE = { stroke: "transparent", width: 0, points: { show: false }, paths: sparse };

// Draws a line, or one bar per pixel if it is dense: stroking thousands of points takes a browser tenths of a second.
const lineOrBars = (colour) => (plot, i, first, last) => {
  if (!isDense(plot, first, last)) return linear(plot, i, first, last);
  paintBars(plot, plot.data[i], plot.data[i], [first, last], { colour, room: (WIDTH / 2) * devicePixelRatio });
  return null;
};

// Paints the bands of a dense plot instead of uPlot.
function paintBands(plot, bands) {
  const [first, last] = plot.series[0].idxs;
  if (!isDense(plot, first, last)) return;
  for (const { series: [above, below], fill } of bands)
    paintBars(plot, plot.data[below], plot.data[above], [first, last], { colour: fill, room: 0 });
}

const faint = (colour) => `color-mix(in srgb, ${colour} 22%, transparent)`;
const SHADES = { left: "--left-shade", right: "--right-shade", "": "--other-shade" };

// The supports whose contact intervals are shaded behind a joint's lines: the foot of its side, else both feet; for a
// creature without feet the limb that the joint belongs to.
function shadesOf(clip, number) {
  const side = /^(left|right)_/.exec(clip.joints[number]?.segment ?? "")?.[1];
  const feet = clip.supports.filter((support) => support.foot);
  if (feet.length) return feet.filter((support) => !side || support.foot === side);
  return clip.supports.filter((support) => clip.isBelow(support.joint, number));
}

export class Plots {
  // onDrawn() is called after the plots have been drawn.
  constructor(clips, player, onDrawn) {
    Object.assign(this, { clips, player, onDrawn, plots: [], isDifference: false, axis: -1 });
    this.setJoints(clips.map(() => [-1]));
    this.times = commonTimes(clips);
    this.shaded = clips.find((clip) => clip.supports.length) ?? clips[0]; // its contacts are shaded
    this.element = el("div", { className: "plots", id: "plots" });
    this.makeCards();
  }

  // Makes one plot per quantity, of the joint or of its chosen coordinate.
  makeCards() {
    const quantities = this.axis < 0 ? OF_JOINT : OF_COORDINATE;
    this.cards = quantities.filter(({ name }) => this.clips.some((clip) => clip.has(name))).map((quantity) => this.card(quantity));
    const note = this.clips.some((clip) => clip.has("torque")) ? [] : [el("p", { className: "note",
      textContent: "This clip holds no torques yet: `kane run`, or the stages `kane body | smooth | kinematics | contact | torque`, computes them." })];
    this.element.replaceChildren(...note, ...this.cards.map((card) => card.element));
  }

  card(quantity) {
    const values = quantity === STACK ? PARTS.map(([, colour]) => {
      const value = el("b", { className: "value" });
      value.style.color = colour;
      return value;
    }) : this.clips.map((_, i) => {
      const value = el("b", { className: "value" });
      value.style.color = `var(${LINES[i]})`;
      return value;
    });
    const title = titleOf(quantity, this.clips[0].motionsOf(this.joints[0])[this.axis]);
    const head = el("div", { className: "plot-head" }, el("span", { textContent: title }),
                    el("span", { className: "unit", textContent: quantity.unit }), el("span", { className: quantity === STACK ? "values parts" : "values" }, ...values));
    const body = el("div", { className: "plot-body" });
    return { quantity, values, body, element: el("section", { className: "plot", "aria-label": title }, head, body) };
  }

  // shown: per clip, indices of the chosen joint and those beside it, -1 for none; axis: coordinate, -1 for whole
  // joints.
  show(shown, axis) {
    const isOther = axis !== this.axis || axis >= 0; // the titles contain the motion's name
    this.axis = axis;
    this.setJoints(shown);
    if (isOther) this.makeCards();
    this.draw();
  }

  // Index of the series of a quantity for a joint.
  numberOf(i, { ofCoordinate }, joint) {
    return ofCoordinate ? this.clips[i].coordinateOf(joint, this.axis) : joint;
  }

  setJoints(shown) {
    Object.assign(this, { shown, joints: shown.map(([joint]) => joint) });
  }

  // Shows the difference of two clips instead of both.
  setDifference(isDifference) {
    this.isDifference = isDifference && this.clips.length > 1;
    this.draw();
  }

  // The lines of a plot, {values, colour, dash, sides: [[clip, joint] ...]}: one per joint and clip, or B - A per
  // joint.
  linesOf(quantity) {
    const of = (i, k) => line(this.clips[i], quantity, this.numberOf(i, quantity, this.shown[i][k]), this.times), side = (i, k) => [this.clips[i], this.shown[i][k]];
    if (quantity === STACK) // the parts sum to the torque
      return [{ values: line(this.clips[0], TORQUE, this.joints[0], this.times), colour: LINES[0], sides: [side(0, 0)] }];
    const rows = this.shown[0].map((_, k) => k);
    if (this.isDifference)
      return rows.map((k) => ({ values: less(of(0, k), of(1, k)), colour: k ? JOINT_LINES[k] : "--ink", sides: [side(0, k), side(1, k)] }));
    return rows.flatMap((k) => this.clips.map((_, i) => (
      { values: of(i, k), colour: k ? JOINT_LINES[k] : LINES[i], dash: i ? [6, 3] : undefined, sides: [side(i, k)] })));
  }

  // Schedules one redraw for all changes of a task.
  draw() {
    if (this.isDue) return;
    this.isDue = true;
    queueMicrotask(() => {
      this.isDue = false;
      if (!this.element.hidden) this.drawCards();
    });
  }

  drawCards() {
    this.plots.forEach((plot) => plot.destroy());
    this.heads = [];
    this.plots = this.cards.map((card) => this.plot(card));
    this.showTime(this.player.time);
    this.onDrawn();
  }

  // Limits of the value axis, from zero if no value is negative. Untrusted values are shown up to twice the trusted
  // range.
  rangeOf({ quantity }, lines) {
    if (quantity === STACK) {
      const ends = this.stackEnds();
      return () => ends;
    }
    const { fromZero, min: floor } = quantity, within = this.reach(lines).map((value) => 2 * value);
    if (fromZero && !this.isDifference) return (_, __, max) => [0, Math.max(Math.min(max ?? 0, within[1]) * 1.08, floor)];
    return (_, min, max) => uPlot.rangeNum(Math.min(Math.max(min ?? 0, within[0]), -floor),
                                              Math.max(Math.min(max ?? 0, within[1]), floor), 0.1, true);
  }

  // Whether a plot has bands; they are drawn behind all lines, for the chosen joint of each clip.
  hasBands({ quantity }) {
    return Boolean(quantity.spread) && !this.isDifference;
  }

  options(card, lines) {
    const grid = { stroke: token("--grid"), width: 1 }, stroke = token("--quiet");
    const axis = { stroke, grid, ticks: { show: false }, font: "11px system-ui, sans-serif" };
    const isOne = this.times.length === 1, half = 0.5 * this.clips[0].step, hasBands = this.hasBands(card);
    const bands = hasBands ? this.clips.map((_, i) => {
      const above = 1 + lines.length + 2 * i;
      return { series: [above, above + 1], fill: faint(token(LINES[i])) };
    }) : [];
    const time = { time: false, ...(isOne && { range: [this.times[0] - half, this.times[0] + half] }) };
    return {
      width: Math.max(card.body.clientWidth, 100), height: Math.max(card.body.clientHeight, 60),
      padding: [6, 8, 0, 0], legend: { show: false },
      cursor: { sync: { key: "kane" }, points: { size: 6 }, drag: { x: true, y: false, setScale: true }, y: false },
      scales: { x: time, y: { range: this.rangeOf(card, lines) } },
      axes: [{ ...axis, size: 20, gap: 2, space: 60 }, { ...axis, size: labelRoom, gap: 4, space: tickRoom }],
      series: [{}, ...lines.map(({ colour, dash }) => ({
        stroke: token(colour), width: WIDTH, dash, points: { show: isOne, size: 9, fill: token(colour) }, paths: lineOrBars(token(colour)),
      })), ...(hasBands ? this.clips.flatMap(() => [EDGE, EDGE]) : [])],
      bands,
      hooks: { drawClear: [(plot) => this.shade(plot), (plot) => card.quantity === STACK && this.paintStack(plot), (plot) => paintBands(plot, bands)],
               setScale: [(plot, key) => key === "x" && this.zoom(plot)], ready: [(plot) => this.listen(plot)] },
    };
  }

  // Range of the lines where the recording is sound; over all times if it nowhere is.
  reach(lines) {
    let min = Infinity, max = -Infinity;
    lines.forEach(({ values, sides }) => values.forEach((value, k) => {
      if (value === null || sides.some(([clip, joint]) => !clip.isSound(this.times[k], joint))) return;
      min = Math.min(min, value);
      max = Math.max(max, value);
    }));
    return min > max ? [-Infinity, Infinity] : [min, max];
  }

  // Edges of the stacked area of each part over time; positive and negative parts stack apart: [[base, top] ...].
  stack() {
    const joint = this.joints[0], up = this.times.map(() => 0), down = this.times.map(() => 0);
    return PARTS.map((_, k) => {
      const values = joint < 0 ? [] : line(this.clips[0], STACK, joint * PARTS.length + k, this.times);
      return this.times.map((_time, i) => {
        const side = (values[i] ?? 0) < 0 ? down : up, base = side[i];
        return [base, (side[i] += values[i] ?? 0)];
      });
    });
  }

  // Range of the stacked edges where the recording is sound, with a margin; over all times if it nowhere is.
  stackEnds() {
    const edges = this.stack(), sound = this.times.map((time) => this.clips[0].isSound(time, this.joints[0]));
    const all = (keep) => edges.flatMap((part) => part.filter((_, i) => keep(i)).flat());
    const of = all((i) => sound[i]), values = of.length ? of : all(() => true);
    const min = values.reduce((a, b) => Math.min(a, b), -STACK.min), max = values.reduce((a, b) => Math.max(a, b), STACK.min);
    return [min - 0.06 * (max - min), max + 0.06 * (max - min)];
  }

  paintStack(plot) {
    const { ctx } = plot, x = this.times.map((time) => plot.valToPos(time, "x", true));
    const y = (value) => plot.valToPos(value, "y", true);
    ctx.save();
    ctx.beginPath();
    ctx.rect(plot.bbox.left, plot.bbox.top, plot.bbox.width, plot.bbox.height);
    ctx.clip();
    ctx.globalAlpha = 0.75;
    this.stack().forEach((edges, k) => {
      ctx.beginPath();
      edges.forEach(([, top], i) => ctx.lineTo(x[i], y(top)));
      for (let i = edges.length - 1; i >= 0; i--) ctx.lineTo(x[i], y(edges[i][0]));
      ctx.fillStyle = PARTS[k][1];
      ctx.fill();
    });
    ctx.restore();
  }

  plot(card) {
    const lines = this.linesOf(card.quantity);
    const bands = this.hasBands(card)
      ? this.clips.flatMap((clip, i) => edges(clip, card.quantity, this.numberOf(i, card.quantity, this.joints[i]), this.times, lines[i].values)) : [];
    card.rms = this.isDifference ? rms(lines[0].values) : NaN;
    const plot = new uPlot(this.options(card, lines), [this.times, ...lines.map(({ values }) => values), ...bands], card.body);
    const head = el("div", { className: "playhead" });
    plot.over.append(head);
    this.heads.push(head);
    return plot;
  }

  // Shades contact intervals in the colour of the foot and hatches frames that are not trusted.
  shade(plot) {
    const { ctx, bbox } = plot;
    const fill = (intervals, colour) => {
      ctx.fillStyle = colour;
      const ends = [bbox.left, bbox.left + bbox.width];
      for (const [left, right] of pixelsOf(intervals, (time) => plot.valToPos(time, "x", true), ends))
        ctx.fillRect(left, bbox.top, right - left, bbox.height);
    };
    ctx.save();
    const joint = this.joints[this.clips.indexOf(this.shaded)];
    if (joint >= 0)
      for (const support of shadesOf(this.shaded, joint)) fill(support.down, token(SHADES[support.foot]));
    const doubts = this.clips.flatMap((clip, i) => [...clip.untrusted, ...(clip.joints[this.joints[i]]?.untrusted ?? [])]);
    fill(joined(doubts), hatch(ctx));
    ctx.restore();
  }

  listen(plot) {
    plot.over.addEventListener("pointermove", () => (plot.over.title = this.whyNot(plot.posToVal(plot.cursor.left, "x"))));
    plot.over.addEventListener("click", () => {
      if (plot.select.width === 0 && plot.cursor.left >= 0) this.player.seek(plot.posToVal(plot.cursor.left, "x"));
    });
  }

  // Why a time is not trusted; "" if it is.
  whyNot(time) {
    const why = this.clips.map((clip, i) => clip.whyNot(time, this.joints[i])).filter(Boolean);
    return why.length ? `not trusted: ${[...new Set(why)].join("; ")}` : "";
  }

  // Applies the zoom of one plot to all.
  zoom(plot) {
    if (this.isZooming || !this.plots.includes(plot)) return;
    const { min, max } = plot.scales.x;
    this.setRange(min, max, plot);
  }

  setRange(min, max, except = null) {
    this.isZooming = true;
    this.plots.filter((other) => other !== except).forEach((other) => other.setScale("x", { min, max }));
    this.isZooming = false;
    queueMicrotask(() => this.placeHeads(this.player.time));
  }

  showTime(time) {
    const range = this.plots[0]?.scales.x;
    if (range && this.player.isPlaying && (time > range.max || time < range.min)) this.setRange(time, time + range.max - range.min);
    this.placeHeads(time);
    this.cards.forEach((card) => this.showValues(card, time));
  }

  // Shows the values of the chosen joint at a time: parts, value per clip, or difference and RMS.
  showValues({ quantity, values, rms: mean }, time) {
    if (quantity === STACK) return this.showParts(values, time);
    const of = (i) => this.clips[i].value(quantity.name, this.numberOf(i, quantity, this.joints[i]), time) * quantity.scale;
    if (this.isDifference) {
      values[0].textContent = `B − A ${figure(of(1) - of(0))}`;
      values[1].textContent = `RMS ${figure(mean)}`;
      return;
    }
    values.forEach((value, i) => {
      const clip = this.clips[i], joint = this.joints[i];
      value.textContent = joint < 0 ? "" : figure(of(i));
      value.title = this.whyNot(time);
      value.classList.toggle("doubtful", joint >= 0 && clip.whyNot(time, joint) !== "");
    });
  }

  showParts(values, time) {
    const joint = this.joints[0];
    values.forEach((value, k) => {
      const part = this.clips[0].value(STACK.name, joint * PARTS.length + k, time);
      value.textContent = joint < 0 || !Number.isFinite(part) ? "" : `${PARTS[k][0]} ${figure(part)}`;
    });
  }

  placeHeads(time) {
    this.plots.forEach((plot, i) => {
      const x = plot.valToPos(time, "x");
      this.heads[i].hidden = !(x >= 0 && x <= plot.over.clientWidth);
      this.heads[i].style.transform = `translateX(${x}px)`;
    });
  }
}
