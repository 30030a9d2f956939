// Stage without WebGL: the skeleton as lines and dots on a 2D canvas, rotated by dragging. Same interface as the WebGL
// stage.
import { css } from "./colour.js";
import { FORCE, PUSH, TINTS } from "./tints.js";
import { jointColour } from "./tone.js";

export class FlatStage {
  constructor(canvas, clips, range, onChange) {
    Object.assign(this, { canvas, clips, range, turn: 0.6, lift: 0.15, tone: "torque", isApart: clips.length > 1, isFollowing: true });
    this.context = canvas.getContext("2d");
    this.size = Math.max(...clips.map((clip) => clip.size()));
    const [x, , z] = clips[0].facing(clips[0].start);
    this.front = Math.atan2(x, z);
    this.listen(onChange);
  }

  listen(onChange) {
    this.canvas.addEventListener("pointermove", (event) => {
      if (!event.buttons) return;
      this.turn -= event.movementX / 120;
      onChange();
    });
  }

  setApart(isApart) {
    this.isApart = isApart && this.clips.length > 1;
  }

  setTone(tone) {
    this.tone = tone;
  }

  setGhosts() {} // not drawn without WebGL

  setTrails() {}

  reframe() {} // each picture is framed anyway

  look(turn, lift) {
    this.turn = turn;
    this.lift = lift;
  }

  resize(width, height) {
    const ratio = Math.min(devicePixelRatio, 2);
    Object.assign(this, { width, height });
    Object.assign(this.canvas, { width: width * ratio, height: height * ratio });
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  // Parallel projection; the picture is centred on the root's projection to the ground.
  project(side, x, y, z) {
    const clip = this.clips[side], root = clip.kinematics.points, angle = this.turn + this.front;
    const dx = x - root[0], dz = z - root[2], scale = (0.66 * Math.min(this.height, this.width)) / this.size;
    const right = dx * Math.cos(angle) - dz * Math.sin(angle), near = dx * Math.sin(angle) + dz * Math.cos(angle);
    const apart = this.isApart ? (side - (this.clips.length - 1) / 2) * 0.8 * this.size : 0;
    return [this.width / 2 + (right + apart) * scale,
            0.82 * this.height - (y - clip.ground_height) * scale * Math.cos(this.lift) + near * scale * Math.sin(this.lift)];
  }

  update(time, selected) {
    this.context.fillStyle = "#1c2129";
    this.context.fillRect(0, 0, this.width, this.height);
    this.clips.forEach((clip, side) => {
      const points = clip.pose(time);
      const places = Array.from({ length: clip.pointCount }, (_, i) => this.project(side, ...points.subarray(3 * i, 3 * i + 3)));
      this.drawBones(clip, side, places);
      this.drawForces(clip, side, time);
      this.drawJoints(clip, places, time, selected[side][0]);
    });
  }

  line(from, to, colour, width) {
    const context = this.context;
    Object.assign(context, { strokeStyle: colour, lineWidth: width, lineCap: "round" });
    context.beginPath();
    context.moveTo(...from);
    context.lineTo(...to);
    context.stroke();
  }

  drawBones(clip, side, places) {
    for (const point of clip.bonePoints)
      this.line(places[clip.parentOf(point)], places[point], this.clips.length > 1 ? TINTS[side] : "#8b94a3", 3);
  }

  drawJoints(clip, places, time, selected) {
    clip.joints.forEach((joint, j) => {
      if (joint.helper && j !== selected) return;
      this.context.beginPath();
      this.context.arc(...places[j], j === selected ? 8 : 5.5, 0, 2 * Math.PI);
      this.context.fillStyle = css(jointColour(this.tone, clip, j, time, this.range));
      this.context.fill();
      if (j !== selected) return;
      Object.assign(this.context, { strokeStyle: "#ffffff", lineWidth: 2 });
      this.context.stroke();
    });
    (this.places ??= [])[this.clips.indexOf(clip)] = places;
  }

  drawForces(clip, side, time) {
    const perNewton = (0.5 * this.size) / ((clip.mass ?? 70) * 9.80665);
    clip.supports.forEach(({ push }, support) => {
      const place = clip.vector("support_place", 3 * support, time);
      const force = clip.vector("support_force", 3 * support, time);
      if (!Number.isFinite(place[0])) return;
      const tip = place.map((value, axis) => value + force[axis] * perNewton);
      this.line(this.project(side, ...place), this.project(side, ...tip), push ? PUSH : FORCE, 4);
    });
  }

  placeOf(side, joint) {
    const place = this.places?.[side]?.[joint];
    return place && Number.isFinite(place[0]) ? { x: place[0], y: place[1] } : null;
  }
}
