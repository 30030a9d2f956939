// The stage: ground grid, lights, camera and the figures. Draws when something has changed, and only then.
import {
  AmbientLight, Color, DirectionalLight, HemisphereLight, PerspectiveCamera, Scene, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { niceAbove } from "./colour.js";
import { groundGrid } from "./ground.js";
import { Skeleton } from "./skeleton.js";
import { TINTS } from "./tints.js";

const BACKGROUND = "#1c2129";

export function hasWebGL() {
  try {
    return Boolean(document.createElement("canvas").getContext("webgl2"));
  } catch {
    return false;
  }
}

export class Stage {
  constructor(canvas, clips, range, onChange) {
    this.clips = clips;
    this.size = Math.max(...clips.map((clip) => clip.size()));
    this.forward = new Vector3(...clips[0].facing(clips[0].start));
    this.renderer = new WebGLRenderer({ canvas, antialias: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.scene = new Scene();
    this.scene.background = new Color(BACKGROUND);
    this.camera = new PerspectiveCamera(36, 1, 0.01 * this.size, 200 * this.size);
    this.lights();
    this.scene.add(groundGrid(clips[0], this.size, niceAbove(0.2 * this.size)));
    this.figures = clips.map((clip, i) => new Skeleton(clip, this.size, clips.length > 1 ? TINTS[i] : null, range));
    this.figures.forEach((figure) => this.scene.add(figure.group));
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.maxDistance = 60 * this.size;
    this.controls.minDistance = 0.2 * this.size;
    this.controls.addEventListener("change", onChange);
    this.isFollowing = this.travels();
    this.setApart(true);
  }

  lights() {
    const key = new DirectionalLight("#ffffff", 1.7);
    key.position.set(2, 4, 3);
    this.scene.add(new HemisphereLight("#ffffff", "#5a6472", 1.5), new AmbientLight("#ffffff", 0.35), key);
  }

  // Whether the figure leaves the place where it began.
  travels() {
    return [0, 2].some((axis) => {
      const [least, largest] = this.clips[0].travel(axis);
      return largest - least > 1.2 * this.size;
    });
  }

  // Two figures stand side by side, across the way they go, or in one place.
  setApart(isApart) {
    this.isApart = isApart && this.clips.length > 1;
    const [wide, deep] = [0, 2].map((axis) => Math.max(...this.clips.map((clip) => clip.travel(axis)[1] - clip.travel(axis)[0])));
    const shift = new Vector3();
    if (this.isApart) shift.setComponent(wide <= deep ? 0 : 2, 0.75 * this.size + Math.min(wide, deep, 3 * this.size));
    this.figures.forEach((figure, i) => figure.shift.copy(shift).multiplyScalar(i));
  }

  // Middle of the figures, at the height of their middle.
  centre(time) {
    const centre = new Vector3();
    this.figures.forEach((figure) => {
      const points = figure.clip.pose(time);
      const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
      points.forEach((value, i) => {
        low[i % 3] = Math.min(low[i % 3], value);
        high[i % 3] = Math.max(high[i % 3], value);
      });
      const middle = new Vector3(...low).add(new Vector3(...high)).multiplyScalar(0.5).add(figure.shift);
      centre.addScaledVector(middle, 1 / this.figures.length);
    });
    return Number.isFinite(centre.lengthSq()) ? centre : new Vector3(0, 0.5 * this.size, 0);
  }

  // turn: angle about the vertical from the front, lift: above the horizontal; rad.
  look(turn, lift, time) {
    const centre = this.centre(time);
    const narrow = Math.min(1, this.camera.aspect * (this.isApart ? 0.62 : 1.15));
    const distance = ((this.isApart ? 2.5 : 1.85) * this.size) / narrow;
    const direction = this.forward.clone().applyAxisAngle(new Vector3(0, 1, 0), turn).multiplyScalar(Math.cos(lift));
    direction.y = Math.sin(lift);
    this.camera.position.copy(centre).addScaledVector(direction, distance);
    this.controls.target.copy(centre);
    this.followed = centre.clone();
    this.controls.update();
  }

  follow(time) {
    const centre = this.centre(time);
    const step = centre.clone().sub(this.followed ?? centre);
    step.y = 0;
    this.followed = centre;
    if (!this.isFollowing || step.lengthSq() === 0) return;
    this.controls.target.add(step);
    this.camera.position.add(step);
  }

  resize(width, height) {
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  update(time, selected) {
    this.figures.forEach((figure, i) => figure.update(time, selected[i]));
    this.follow(time);
    this.controls.update();
    this.renderer.render(this.scene, this.camera);
  }

  // Place of a joint on the canvas, in its pixels; null for one that is not seen.
  placeOf(side, joint) {
    const { clientWidth, clientHeight } = this.renderer.domElement;
    const figure = this.figures[side];
    const place = figure.point(joint).add(figure.shift).project(this.camera);
    if (!(Math.abs(place.z) <= 1)) return null; // also where a joint's place is not known
    return { x: ((place.x + 1) / 2) * clientWidth, y: ((1 - place.y) / 2) * clientHeight };
  }
}
