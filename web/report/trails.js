// Trails: paths of joints, of the centre of mass and of the centre of pressure, as lines in the world.
import { Group } from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import { JOINT_TRAILS } from "./tints.js";

const SPAN = 15, STEP = 5; // s: length shown of a longer clip, and step by which it advances
const WIDTH = 2.5;         // pixels

// Centre of pressure of all supports, weighted by their normal forces. NaN in flight.
function pressureCentre(clip, time) {
  const sum = [0, 0, 0];
  let all = 0;
  clip.supports.forEach((_, support) => {
    const force = clip.vector("support_force", 3 * support, time), place = clip.vector("support_place", 3 * support, time);
    const bears = force.reduce((max, value, axis) => max + value * clip.ground_normal[axis], 0);
    if (!(bears > 0) || !Number.isFinite(place[0])) return;
    all += bears;
    place.forEach((value, axis) => (sum[axis] += bears * value));
  });
  return sum.map((value) => value / (all || NaN));
}

// First and last sample shown at a time.
function samplesAt(clip, time) {
  if (clip.end - clip.start <= SPAN) return [0, clip.samples - 1];
  const first = clip.start + STEP * Math.floor((time - clip.start) / STEP) - STEP;
  return [clip.place(first).index, clip.place(first + SPAN).index];
}

// Line segments between consecutive known positions: x y z x y z.
function pieces(places) {
  const out = [];
  for (let i = 1; i < places.length; i++)
    if (Number.isFinite(places[i - 1][0]) && Number.isFinite(places[i][0])) out.push(...places[i - 1], ...places[i]);
  return out;
}

export class Trails {
  constructor(clip) {
    Object.assign(this, { clip, isOn: false, group: new Group(), shown: "" });
  }

  add(places, colour) {
    const positions = pieces(places);
    if (!positions.length) return;
    const material = new LineMaterial({ color: colour, linewidth: WIDTH, transparent: true, opacity: 0.9 });
    const line = new LineSegments2(new LineSegmentsGeometry().setPositions(positions), material);
    line.frustumCulled = false;
    this.group.add(line);
  }

  clear() {
    for (const line of [...this.group.children]) {
      line.geometry.dispose();
      line.material.dispose();
      this.group.remove(line);
    }
  }

  // joints: the chosen joint and those beside it.
  update(time, joints) {
    const [first, last] = samplesAt(this.clip, time), shown = this.isOn ? `${first} ${last} ${joints}` : "";
    if (shown === this.shown) return;
    this.shown = shown;
    this.clear();
    if (this.isOn) this.draw(first, last, joints.filter((joint) => joint >= 0));
  }

  draw(first, last, joints) {
    const { clip } = this, times = Array.from({ length: last - first + 1 }, (_, i) => clip.timeOf(first + i));
    const ways = joints.map(() => []);
    for (const time of times) {
      const points = clip.pose(time);
      joints.forEach((joint, k) => ways[k].push(Array.from(points.subarray(3 * joint, 3 * joint + 3))));
    }
    ways.forEach((way, k) => this.add(way, JOINT_TRAILS[k % JOINT_TRAILS.length]));
    if (clip.has("com")) this.add(times.map((time) => clip.vector("com", 0, time)), "#ffffff");
    if (clip.supports.length) this.add(times.map((time) => pressureCentre(clip, time)), "#ff7ac6");
  }
}
