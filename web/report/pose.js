// Forward kinematics of a clip: composes local joint rotations from the root outwards.

// w >= 0 of a unit quaternion from x, y, z, for joints whose w the page omits.
const impliedW = (x, y, z) => Math.sqrt(Math.max(1 - x * x - y * y - z * z, 0));

function product(out, at, a, i, bx, by, bz, bw) {
  const ax = a[i], ay = a[i + 1], az = a[i + 2], aw = a[i + 3];
  out[at] = aw * bx + ax * bw + ay * bz - az * by;
  out[at + 1] = aw * by - ax * bz + ay * bw + az * bx;
  out[at + 2] = aw * bz + ax * by - ay * bx + az * bw;
  out[at + 3] = aw * bw - ax * bx - ay * by - az * bz;
}

// q v q* with q = turns[i..i+3] (x y z w).
export function rotate(turns, i, [vx, vy, vz]) {
  const x = turns[i], y = turns[i + 1], z = turns[i + 2], w = turns[i + 3];
  const tx = 2 * (y * vz - z * vy), ty = 2 * (z * vx - x * vz), tz = 2 * (x * vy - y * vx);
  return [vx + w * tx + y * tz - z * ty, vy + w * ty + z * tx - x * tz, vz + w * tz + x * ty - y * tx];
}

// points[at..] = points[from..] + q v q*
function place(points, at, from, turns, i, v) {
  const turned = rotate(turns, i, v);
  for (let axis = 0; axis < 3; axis++) points[at + axis] = points[from + axis] + turned[axis];
}

// World positions (joints, then end sites; xyz) and rotations (joints; x y z w) at a time.
export class Pose {
  constructor(clip) {
    const { joints, ends } = clip;
    this.clip = clip;
    this.points = new Float32Array(3 * (joints.length + ends.length));
    this.turns = new Float32Array(4 * joints.length);
    this.local = new Float32Array(4);
    this.shift = [0, 0, 0];
    let row = 0; // row of the channel shift
    this.shiftRow = joints.map((joint) => (joint.shifting ? 3 * row++ : -1));
  }

  at({ index, part, next }) {
    const { joints, ends, end_offsets: endOffsets, series } = this.clip, { points, turns } = this;
    const value = (of) => (part === 0 ? of[index] : of[index] + part * (of[next] - of[index]));
    for (let axis = 0; axis < 3; axis++) points[axis] = value(series.root[axis]);
    joints.forEach(({ parent, offset }, j) => {
      this.readLocal(series.turn, j, value);
      const [x, y, z, w] = this.local;
      if (parent < 0) turns.set(this.local, 4 * j);
      else {
        product(turns, 4 * j, turns, 4 * parent, x, y, z, w);
        place(points, 3 * j, 3 * parent, turns, 4 * parent, this.offsetOf(j, offset, value));
      }
    });
    ends.forEach((parent, e) => place(points, 3 * (joints.length + e), 3 * parent, turns, 4 * parent, endOffsets[e]));
    return points;
  }

  readLocal(series, j, value) {
    const x = value(series[4 * j + 1]), y = value(series[4 * j + 2]), z = value(series[4 * j + 3]);
    const w = this.clip.joints[j].implied ? impliedW(x, y, z) : value(series[4 * j]);
    const length = Math.hypot(x, y, z, w) || 1;
    this.local[0] = x / length;
    this.local[1] = y / length;
    this.local[2] = z / length;
    this.local[3] = w / length;
  }

  offsetOf(j, offset, value) {
    const row = this.shiftRow[j];
    if (row < 0) return offset;
    for (let axis = 0; axis < 3; axis++) this.shift[axis] = value(this.clip.series.shift[row + axis]);
    return this.shift;
  }
}
