// One clip of a clip page: its metadata, its series by name, and their values at a time.

import { readEvents } from "./events.js";
import { Pose, rotate } from "./pose.js";

// Splits a line of the history into the name of the stage and its options.
const stageOf = (line) => {
  const [name, ...options] = line.split(/ (?=--)/);
  return [OLD_NAMES[name] ?? name, ...options];
};

// Stages that add results and leave the motion unchanged; OLD_NAMES maps their names in earlier versions.
const COMPUTED = ["kinematics", "contact", "torque", "angles"];
const OLD_NAMES = { diff: "kinematics", anatomy: "angles" };

// The last stage in the history of one clip that the history of the other lacks, with its first different option; "" if
// no option differs.
function ownStage({ history }, other) {
  const [own, others] = [history, other.history].map((text) => text.trim().split("\n").map((line) => line.split(" # ")[0]));
  const last = own.filter((line) => !others.includes(line)).at(-1) ?? "";
  const [stage, ...options] = stageOf(last);
  const known = others.map(stageOf).filter(([name]) => name === stage).flat();
  if (COMPUTED.includes(stage) && !known.length) return ""; // the other lacks this stage altogether
  const option = options.find((text) => !known.includes(text));
  return option ? `${stage} ${option.slice(2).replace(/@[0-9a-f]{8}$/, "")}` : "";
}

// Appends the different stage to the labels of two clips with the same name.
export function tellApart(clips) {
  if (clips.length !== 2 || clips[0].label !== clips[1].label) return;
  const stages = [ownStage(clips[0], clips[1]), ownStage(clips[1], clips[0])];
  clips.forEach((clip, i) => (clip.label += stages[i] ? ` · ${stages[i]}` : ""));
}

const between = (series, { index, part, next }) => {
  const here = series[index];
  return part === 0 ? here : here + part * (series[next] - here);
};

// Flags of a sound recording.
const SOUND = ["uncertain", "presumed_support", "airborne_support", "unexplained", "lost_contact"];

export const BAND_90 = 1.645; // half-width of the 90 % band in standard deviations

// An array whose elements are computed at first access.
function lazily(makers) {
  const out = new Array(makers.length);
  makers.forEach((make, i) => Object.defineProperty(out, i, { configurable: true, enumerable: true, get() {
    const value = make();
    Object.defineProperty(out, i, { value, enumerable: true });
    return value;
  } }));
  return out;
}

// The value of the interval that contains a time, in an ordered list of [from, to, value]; undefined if none does.
function valueAt(intervals, time) {
  let low = 0, high = intervals?.length ?? 0; // before low: start <= time; from high on: start > time
  while (low < high) {
    const middle = (low + high) >> 1;
    if (intervals[middle][0] <= time) low = middle + 1;
    else high = middle;
  }
  return low && time < intervals[low - 1][1] ? intervals[low - 1][2] : undefined;
}

const TRAVEL_TIMES = 600; // samples for the travel of a body that begins below helper joints

// Reads the skin as the page stores it (formats/report/page_shapes.h).
function readSkin({ vertices, faces, min, step }, reader) {
  const series = (count, from, by) => reader.next(count, from, by);
  const position = [0, 1, 2].map(() => series(vertices, min, step));
  const joint = [0, 1].map(() => series(vertices, 0, 1)), share = series(vertices, 0, 1 / 64);
  return { position, joint, share, corner: [0, 1, 2].map(() => series(faces, 0, 1)) };
}

// Colour of each vertex of a scene: red, green, blue in 0..1 (sRGB); null without colours.
function readTints({ tints, vertices }) {
  if (!tints) return null;
  const out = new Float32Array(3 * vertices);
  for (let i = 0, v = 0; i < tints.length; i += 4)
    for (const end = v + tints[i]; v < end; v++) out.set(tints.slice(i + 1, i + 4).map((part) => part / 255), 3 * v);
  return out;
}

// Extreme vertices of the skin of each joint along its six axis directions, in joint coordinates: used to frame the
// body.
function outline({ position, joint, bind, vertices }, joints) {
  const max = Array.from({ length: joints }, () => new Float32Array(6).fill(-Infinity)), at = Array.from({ length: joints }, () => []);
  for (let v = 0; v < vertices; v++)
    for (let side = 0; side < 6; side++) {
      const j = joint[0][v], value = (side % 2 ? -1 : 1) * position[side >> 1][v];
      if (value > max[j][side]) [max[j][side], at[j][side]] = [value, v];
    }
  return at.flatMap((all, j) => [...new Set(all)].map((v) => {
    const [px, py, pz, x, y, z, w] = bind.slice(7 * j, 7 * j + 7);
    const off = [position[0][v] - px, position[1][v] - py, position[2][v] - pz];
    return { joint: j, place: rotate([-x, -y, -z, w], 0, off) };
  }));
}

export class Clip {
  constructor(head, reader) {
    Object.assign(this, head);
    this.events = readEvents(head.events);
    this.series = {};
    for (const { name, series } of head.channels)
      this.series[name] = lazily(series.map(([min, step]) => reader.later(head.samples, min, step)));
    this.step = head.stride * head.frame_time;
    this.end = head.start + (head.samples - 1) * this.step;
    this.label = head.controller ? `${head.title} · ${head.controller}` : head.title;
    this.pointCount = head.joints.length + head.ends.length;
    this.kinematics = new Pose(this);
    this.skin = { ...head.skin, ...readSkin(head.skin, reader), tints: readTints(head.skin) };
    this.isPole = []; // per joint: a helper above the body, such as a root on the ground
    head.joints.forEach(({ helper, parent }, j) => (this.isPole[j] = Boolean(helper) && (parent < 0 || this.isPole[parent])));
    this.bodyPoints = Array.from({ length: this.pointCount }, (_, i) => i)
      .filter((point) => !(point < head.joints.length ? this.isPole[point] : this.isPole[this.parentOf(point)]));
    this.outline = outline(this.skin, head.joints.length);
    if (this.outline.some(({ joint }) => joint > 0)) this.outline = this.outline.filter(({ joint }) => joint > 0 || !this.skin.tints); // static parts of a scene may be large
    this.bonePoints = this.bodyPoints.filter((point) => point > 0 && !this.isPole[this.parentOf(point)]);
  }

  has(name) {
    return this.series[name] !== undefined;
  }

  // Names of the three coordinates of a joint: "flexion", ..; empty if it has no anatomical axes.
  motionsOf(joint) {
    return this.coordinates.filter((one) => one.joint === joint).map(({ name }) => name.split("_").at(-1));
  }

  // Index of a coordinate in the clip, by joint and axis: 0 flexion, 1 adduction, 2 rotation, or the joint's
  // equivalents; -1 for none.
  coordinateOf(joint, axis) {
    const first = this.coordinates.findIndex((one) => one.joint === joint);
    return first < 0 || axis < 0 ? -1 : first + axis;
  }

  timeOf(sample) {
    return this.start + sample * this.step;
  }

  // Neighbouring samples of a time and the interpolation factor; times outside the clip are clamped.
  place(time) {
    const at = this.samples > 1 ? Math.min(Math.max((time - this.start) / this.step, 0), this.samples - 1) : 0;
    const index = Math.floor(at + 1e-6);
    const part = Math.max(at - index, 0);
    return { index, part: part < 1e-3 ? 0 : part, next: Math.min(index + 1, this.samples - 1) };
  }

  valueOf(series, time) {
    return between(series, this.place(time));
  }

  value(name, series, time) {
    const of = this.series[name]?.[series];
    return of ? this.valueOf(of, time) : NaN;
  }

  // Source frame at a time.
  frame(time) {
    return Math.min(Math.max(Math.round((time - this.start) / this.frame_time), 0), this.frames - 1);
  }

  // World positions of joints, then end sites: a view of one array, which the next call overwrites.
  pose(time) {
    return this.kinematics.at(this.place(time));
  }

  // Rotation from joint to world at the time of the last pose: x y z w per joint.
  get turns() {
    return this.kinematics.turns;
  }

  vector(name, first, time) {
    const at = this.place(time);
    const of = this.series[name];
    return of ? [0, 1, 2].map((axis) => between(of[first + axis], at)) : null;
  }

  parentOf(point) {
    const joints = this.joints.length;
    return point < joints ? this.joints[point].parent : this.ends[point - joints];
  }

  // The joint with a role or name; -1 for none.
  find(name) {
    return name ? this.joints.findIndex((joint) => joint.role === name || joint.name === name) : -1;
  }

  // Whether a joint is `above` or one of its descendants.
  isBelow(joint, above) {
    while (joint > above) joint = this.joints[joint].parent;
    return joint === above;
  }

  // Flags at a time, and those of a joint if given: "flip, edge"; "" for none.
  whyNot(time, joint = -1) {
    return [valueAt(this.untrusted, time), joint >= 0 && valueAt(this.joints[joint].untrusted, time)].filter(Boolean).join(", ");
  }

  // Whether a torque has a band, and its flags are those of an uncertain estimate or of what no body does.
  isOnlyUncertain(time, joint) {
    return this.whyNot(time, joint) !== "" && this.isSound(time, joint) && this.has("torque_sd");
  }

  // Whether the recording is sound: statistics count the joint at that time.
  isSound(time, joint = -1) {
    const why = this.whyNot(time, joint);
    return why === "" || why.split(", ").every((flag) => SOUND.includes(flag));
  }

  // Lower end of the 90 % band of a torque, at min 0.
  lowTorque(joint, time) {
    return Math.max(0, this.value("torque", joint, time) - BAND_90 * this.value("torque_sd", joint, time));
  }

  // Whether a joint can be ranked: neither the floating base nor a massless helper.
  ranks(joint) {
    return !this.joints[joint].residual && !this.joints[joint].helper;
  }

  // The ranked joint with the largest torque; 0 if no torque is known.
  hardestJoint() {
    let hardest = -1;
    this.joints.forEach((joint, j) => {
      if (this.ranks(j) && joint.peak_nm_kg > (hardest < 0 ? 0 : this.joints[hardest].peak_nm_kg)) hardest = j;
    });
    if (hardest < 0 && this.has("torque")) hardest = this.hardestSeries();
    return hardest < 0 ? 0 : hardest;
  }

  hardestSeries() {
    const max = this.series.torque.map((series, j) =>
      this.ranks(j) ? series.reduce((largest, value) => (value > largest ? value : largest), 0) : -1);
    return max.indexOf(Math.max(...max));
  }

  // Time of the largest torque of a joint; null if unknown. A controller's clip has no statistics: its series is
  // searched.
  peakTime(joint) {
    const time = joint < 0 ? null : this.joints[joint].peak_t;
    const series = time === undefined ? this.series.torque?.[joint] : undefined;
    if (!series) return time ?? null;
    const max = series.reduce((largest, value, i) => (value > (series[largest] || 0) ? i : largest), 0);
    return series[max] > 0 ? this.timeOf(max) : null;
  }

  // The joint that corresponds to a joint of another clip: same role, else same name; -1 for none.
  match(joint) {
    const byRole = joint.role ? this.joints.findIndex((own) => own.role === joint.role) : -1;
    return byRole >= 0 ? byRole : this.joints.findIndex((own) => own.name === joint.name);
  }

  // Extreme points of the body at a time, xyz each: of its skin, or its joints without a skin.
  reach(time) {
    const points = this.pose(time), { turns } = this, loose = this.loosePlaces(time);
    if (!this.outline.length && loose.length) return loose;
    if (!this.outline.length) return this.bodyPoints.map((point) => Array.from(points.subarray(3 * point, 3 * point + 3)));
    return this.outline.map(({ joint, place }) => rotate(turns, 4 * joint, place).map((value, axis) => value + points[3 * joint + axis])).concat(loose);
  }

  // World positions of the points of each spring and tendon at the time of the last pose.
  linePlaces(time) {
    const { points, turns } = this.kinematics;
    return this.lines.map((line) => line.points.map(([joint, particle, ...local]) => {
      if (particle >= 0) return this.vector("particle", 3 * particle, time) ?? [NaN, NaN, NaN];
      return rotate(turns, 4 * joint, local).map((value, axis) => value + points[3 * joint + axis]);
    }));
  }

  // Ends of springs and tendons, a subset of the particles, and a ball in flight.
  loosePlaces(time) {
    const count = (this.series.particle?.length ?? 0) / 3, step = Math.ceil(count / 60) || 1;
    const particles = Array.from({ length: Math.ceil(count / step) }, (_, i) => this.vector("particle", 3 * step * i, time));
    const lines = this.lines.filter(({ points }) => points.some(([, particle]) => particle < 0)).length ? this.linePlaces(time).flat() : [];
    return [...lines, ...particles].filter((place) => Number.isFinite(place[0]));
  }

  // Axis-aligned bounding box of the body at a time.
  box(time) {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (const place of this.reach(time))
      place.forEach((value, axis) => {
        low[axis] = Math.min(low[axis], value);
        high[axis] = Math.max(high[axis], value);
      });
    return { low, high };
  }

  // Times spread evenly over the whole clip, at most `most`.
  times(max) {
    const count = Math.min(max, this.samples);
    return Array.from({ length: count }, (_, i) => this.start + (i * (this.end - this.start)) / Math.max(count - 1, 1));
  }

  // Largest extent of the bounding box at the start, m.
  size() {
    const { low, high } = this.box(this.start);
    const size = Math.max(...high.map((value, axis) => value - low[axis]));
    return Number.isFinite(size) && size > 0 ? size : 1;
  }

  // Smallest and largest position along an axis of the first joint of the body.
  travel(axis) {
    let min = Infinity, largest = -Infinity;
    const begin = this.bodyPoints[0] ?? 0;
    const places = begin > 0 ? this.times(TRAVEL_TIMES).map((time) => this.pose(time)[3 * begin + axis]) : this.series.root[axis];
    places.forEach((value) => {
      if (!Number.isFinite(value)) return;
      min = Math.min(min, value);
      largest = Math.max(largest, value);
    });
    return min > largest ? [0, 0] : [min, largest];
  }

  // Horizontal unit vector of the facing direction at a time, from the hips; +Z without hips.
  facing(time) {
    const find = (role) => this.joints.findIndex((joint) => joint.role === role);
    const left = find("left_hip"), right = find("right_hip");
    if (left < 0 || right < 0) return [0, 0, 1];
    const p = this.pose(time);
    const x = p[3 * left] - p[3 * right], z = p[3 * left + 2] - p[3 * right + 2];
    const length = Math.hypot(x, z);
    return length > 1e-6 ? [-z / length, 0, x / length] : [0, 0, 1]; // left x up
  }
}
