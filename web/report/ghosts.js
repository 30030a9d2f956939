// Ghosts: poses of a clip before and after the current time, at a fixed frame interval, as translucent bodies.
import { Group, MeshStandardMaterial } from "three";
import { poseSkin, skinnedMesh } from "./body.js";

export const GHOST_STEPS = [0, 5, 10, 20, 40]; // frames between ghosts; 0: none
const MAX = 24; // bodies drawn at once

export class Ghosts {
  // geometry: the skin of the clip's body, shared.
  constructor(clip, geometry, colour) {
    Object.assign(this, { clip, geometry, every: 0, group: new Group(), shown: "" });
    this.material = new MeshStandardMaterial({ color: colour, roughness: 1, transparent: true, opacity: 0.14, depthWrite: false });
  }

  // The multiples of the frame interval nearest to a time.
  framesAt(time) {
    const { every, clip } = this, last = Math.floor((clip.frames - 1) / every), here = clip.frame(time) / every;
    const first = Math.max(0, Math.min(Math.round(here) - MAX / 2, last - MAX + 1));
    return Array.from({ length: Math.min(MAX, last + 1) }, (_, i) => (first + i) * every);
  }

  body(i) {
    if (!this.group.children[i]) this.group.add(skinnedMesh(this.clip, this.geometry, this.material));
    return this.group.children[i];
  }

  // Moves the ghosts only when other frames are nearest.
  update(time, shift) {
    const frames = this.every ? this.framesAt(time) : [], shown = `${frames} ${shift.toArray()}`;
    if (shown === this.shown) return;
    this.shown = shown;
    this.group.children.forEach((body, i) => (body.visible = i < frames.length));
    frames.forEach((frame, i) => poseSkin(this.body(i), this.clip, this.clip.start + frame * this.clip.frame_time, shift));
  }
}
