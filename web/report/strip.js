// Timeline of the verdict, events, contact phases, residual and confidence over the whole clip; also used for scrubbing.
import { columnsOf } from "./columns.js";
import { el, figure, hatch, token } from "./dom.js";
import { concerns, nameOf, tell } from "./events.js";
import { pixelsOf } from "./intervals.js";
import { LETTERS } from "./tints.js";

const FOOT = { left: "--left", right: "--right", "": "--other" };
const VERDICTS = ["possible", "hard", "impossible"];
const PHASES = 6, PHASE = 11, CURVE = 26, EVENTS = 13, GAP = 3;
const NEAR = 7; // distance from an event within which a click selects it, pixels

// Pushes, and the supports with the longest contact, in their original order.
function mostUsed(clip) {
  const seconds = ({ down }) => down.reduce((sum, [t0, t1]) => sum + t1 - t0, 0);
  const longest = clip.supports.toSorted((a, b) => seconds(b) - seconds(a)).slice(0, PHASES);
  return clip.supports.filter((support) => support.push || longest.includes(support));
}

// The rows of a clip: label, height, and their content.
function rowsOf(clip, name) {
  const prefix = name ? `${name} ` : "", events = clip.events.filter(({ kind }) => kind !== "foot_contact"); // other rows
  const title = clip.controller ? "loss of balance, rest" : "peaks of torque, flights";
  const rows = events.length ? [{ clip, height: EVENTS, events, label: `${prefix}events`, title }] : [];
  if (clip.verdicts?.length) rows.unshift({ clip, height: PHASE, verdicts: clip.verdicts, label: `${prefix}verdict`, title: "what a person can do; hatched: the recording is bad" });
  rows.push(...mostUsed(clip).map((support) => ({
    clip, height: PHASE, support, title: support.push ? "push" : clip.controller ? "contact" : "contact with the ground",
    label: `${prefix}${support.push ? "push, " : ""}${support.foot ? `${support.foot} foot` : clip.joints[support.joint].name}`,
  })));
  if (clip.has("residual_force")) {
    const largest = clip.series.residual_force[0].reduce((max, value) => (value > max ? value : max), 0);
    const range = Math.max(largest, 0.1);
    rows.push({ clip, height: CURVE, curve: clip.series.residual_force[0], range, colour: "--residual",
                label: `${prefix}residual`, unit: `${figure(range, 2)} BW` });
  }
  if (clip.has("confidence"))
    rows.push({ clip, height: CURVE, curve: clip.series.confidence[0], range: 1, colour: "--confidence",
                label: `${prefix}confidence`, unit: "1" });
  return rows;
}

export class Strip {
  // onEvent(event, side) is called when an event is clicked.
  constructor(clips, player, onEvent) {
    Object.assign(this, { clips, player, onEvent, joints: clips.map(() => -1) });
    this.rows = clips.flatMap((clip, i) => rowsOf(clip, clips.length > 1 ? LETTERS[i] : ""));
    this.canvas = el("canvas", { id: "strip-canvas" });
    this.head = el("div", { className: "playhead" });
    this.track = el("div", { className: "track" }, this.canvas, this.head);
    this.labels = el("div", { className: "labels", "aria-hidden": "true" },
                     ...this.rows.map((row) => this.label(row)));
    this.element = el("div", { className: "strip", id: "strip", role: "img",
                               "aria-label": "Verdict, events, ground contact, residual force and confidence over time" }, this.labels, this.track);
    this.element.hidden = this.rows.length === 0;
    this.listen();
  }

  label(row) {
    const label = el("span", { textContent: row.label, title: row.title ?? `0 to ${row.unit}` });
    label.style.height = label.style.lineHeight = `${row.height}px`;
    label.style.marginBottom = `${GAP}px`;
    return label;
  }

  listen() {
    const seek = (event) => {
      const box = this.track.getBoundingClientRect();
      const part = (event.clientX - box.left) / box.width;
      this.player.seek(this.player.start + part * (this.player.end - this.player.start));
    };
    this.track.addEventListener("pointerdown", (event) => {
      const pressed = this.eventAt(event);
      if (pressed) return this.onEvent(pressed, this.clips.indexOf(this.rowAt(event).clip));
      this.track.setPointerCapture(event.pointerId);
      seek(event);
    });
    this.track.addEventListener("pointermove", (event) => {
      if (event.buttons && this.track.hasPointerCapture(event.pointerId)) seek(event);
      this.tellWhy(event);
    });
  }

  rowAt({ clientY }) {
    const y = clientY - this.track.getBoundingClientRect().top;
    return this.rows.find((row) => y >= row.top && y < row.top + row.height);
  }

  // The event under the cursor, preferring the chosen joint; null for none.
  eventAt(cursor) {
    const row = this.rowAt(cursor), x = cursor.clientX - this.track.getBoundingClientRect().left;
    if (!row?.events) return null;
    const away = ({ t0, t1 }) => Math.max(this.x(t0) - x, x - this.x(t1), 0), joint = this.joints[this.clips.indexOf(row.clip)];
    const rank = (event) => [event.kind === "torque_peak" && event.joint === joint ? 0 : 1, event.kind === "flight" ? 1 : 0, away(event)];
    const near = row.events.filter((event) => away(event) <= (event.kind === "flight" ? 0 : NEAR));
    const before = (a, b) => a.map((value, i) => value - b[i]).find((difference) => difference !== 0) ?? 0;
    return near.sort((a, b) => before(rank(a), rank(b)))[0] ?? null;
  }

  // Shows which event is under the cursor, or why its frame is not trusted.
  tellWhy(event) {
    const under = this.eventAt(event);
    this.track.style.cursor = under ? "pointer" : "";
    if (under) return void (this.track.title = tell(this.rowAt(event).clip, under));
    const box = this.track.getBoundingClientRect(), { start, end } = this.player;
    const time = start + ((event.clientX - box.left) / box.width) * (end - start);
    const verdict = this.rowAt(event)?.verdicts?.findLast(([t0]) => t0 <= time);
    if (verdict) return void (this.track.title = this.tellVerdict(this.rowAt(event).clip, verdict));
    const why = [...new Set(this.clips.map((clip) => clip.whyNot(time)).filter(Boolean))].join(", ");
    this.track.title = why && `not trusted: ${why}`;
  }

  tellVerdict(clip, [, , word, joint, factor, band]) {
    return joint < 0 ? "unknown: the recording is bad" : `${word}: up to ${factor.toFixed(2)} ± ${band.toFixed(2)} times a strong person, ${nameOf(clip.joints[joint])}`;
  }

  x(time) {
    const { start, end } = this.player;
    if (end > start) return ((time - start) / (end - start)) * this.width;
    return time > start ? this.width : 0; // one frame
  }

  // joints: the chosen joint per clip, -1 for none.
  show(joints) {
    this.joints = joints;
    this.draw();
  }

  draw() {
    this.width = this.track.clientWidth;
    const height = this.rows.reduce((sum, row) => sum + row.height + GAP, 0);
    const ratio = devicePixelRatio;
    Object.assign(this.canvas, { width: this.width * ratio, height: height * ratio });
    this.canvas.style.height = `${height}px`;
    const context = this.canvas.getContext("2d");
    context.scale(ratio, ratio);
    let top = 0;
    for (const row of this.rows) {
      row.top = top;
      this.drawRow(context, row, top);
      top += row.height + GAP;
    }
    this.showTime(this.player.time);
  }

  drawRow(context, row, top) {
    context.fillStyle = token("--well");
    context.fillRect(0, top, this.width, row.height);
    if (row.verdicts) return this.drawVerdicts(context, row, top);
    if (row.events) this.drawEvents(context, row, top);
    else if (row.support) this.drawIntervals(context, row.support.down, token(row.support.push ? "--push" : FOOT[row.support.foot]), top, row.height);
    else this.drawCurve(context, row, top);
    this.drawIntervals(context, row.clip.untrusted, hatch(context), top, row.height);
  }

  // Draws flights as bars, the loss of balance and rest as lines, peaks of the chosen joint as marks, and those of other
  // joints as faint lines.
  drawEvents(context, { clip, events, height }, top) {
    const joint = this.joints[this.clips.indexOf(clip)], peaks = events.filter(({ kind }) => kind === "torque_peak");
    const flights = events.filter(({ kind }) => kind === "flight").map(({ t0, t1 }) => [t0, t1]);
    this.drawIntervals(context, flights, token("--flight"), top + 3, height - 6);
    for (const { kind, t0 } of events.filter((event) => event.kind === "lost" || event.kind === "rest")) {
      context.fillStyle = token(kind === "lost" ? "--push" : "--other");
      context.fillRect(this.x(t0) - 1.5, top, 3, height);
    }
    context.fillStyle = token("--other");
    context.globalAlpha = 0.45;
    for (const { t0 } of peaks.filter((event) => !concerns(event, joint))) context.fillRect(this.x(t0) - 0.5, top + 2, 1, height - 4);
    context.globalAlpha = 1;
    context.fillStyle = token("--head");
    for (const { t0 } of peaks.filter((event) => concerns(event, joint))) {
      const x = this.x(t0), middle = top + height / 2, half = height / 2 - 1;
      context.beginPath();
      for (const [dx, dy] of [[0, -half], [half, 0], [0, half], [-half, 0]]) context.lineTo(x + dx, middle + dy);
      context.fill();
    }
  }

  // Bars taller with the word: colours are not all.
  drawVerdicts(context, { verdicts, height }, top) {
    VERDICTS.forEach((word, i) => {
      const tall = ((i + 1) * height) / VERDICTS.length;
      this.drawIntervals(context, verdicts.filter((one) => one[2] === word), token(`--${word}`), top + height - tall, tall);
    });
    this.drawIntervals(context, verdicts.filter((one) => one[2] === "unknown"), hatch(context), top, height);
  }

  drawIntervals(context, intervals, colour, top, height) {
    context.fillStyle = colour;
    for (const [left, right] of pixelsOf(intervals, (time) => this.x(time), [0, this.width]))
      context.fillRect(left, top, Math.max(right - left, 0.5), height);
  }

  drawCurve(context, { clip, curve, range, colour, height }, top) {
    context.fillStyle = token(colour);
    columnsOf(clip, curve, this.player, Math.max(Math.ceil(this.width), 1)).forEach((value, x) => {
      const tall = Math.min(value / range, 1) * height;
      if (tall > 0) context.fillRect(x, top + height - tall, 1.05, tall);
    });
  }

  showTime(time) {
    this.head.style.transform = `translateX(${this.x(time)}px)`;
  }
}
