// Stage: ground grid, lights, camera and bodies. Redraws only after a change.
import {
  Box3, Color, DirectionalLight, HemisphereLight, PerspectiveCamera, Scene, Vector3, VSMShadowMap, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { Body } from "./body.js";
import { Chase } from "./chase.js";
import { niceAbove } from "./colour.js";
import { Ghosts } from "./ghosts.js";
import { Lines } from "./lines.js";
import { groundGrid, shadowCatcher } from "./ground.js";
import { TINTS } from "./tints.js";
import { Trails } from "./trails.js";

const BACKGROUND = "#1c2129";
const SHADOW_PIXELS = 512;
const ACTION_TIMES = 300; // time samples over all clips, used to frame the action
const MARGIN = 1.06;     // margin around the body, relative to its extent

// Renderer on a canvas; null without WebGL.
export function rendererOn(canvas) {
  const context = canvas.getContext("webgl2");
  return context && new WebGLRenderer({ canvas, context });
}

export class Stage {
  constructor(renderer, clips, range, onChange) {
    this.renderer = renderer;
    this.clips = clips;
    this.size = Math.max(...clips.map((clip) => clip.size()));
    this.forward = new Vector3(...clips[0].facing(clips[0].start));
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.scene = new Scene();
    this.scene.background = new Color(BACKGROUND);
    this.camera = new PerspectiveCamera(36, 1, 0.01 * this.size, 200 * this.size);
    this.lights();
    this.catcher = shadowCatcher(clips[0], this.size);
    this.scene.add(groundGrid(clips[0], this.size, niceAbove(0.2 * this.size)), this.catcher);
    this.figures = clips.map((clip, i) => new Body(clip, this.size, clips.length > 1 ? TINTS[i] : null, range));
    this.ghosts = this.figures.map((figure, i) => new Ghosts(clips[i], figure.geometry, clips.length > 1 ? TINTS[i] : "#c9d6e8"));
    this.trails = clips.map((clip) => new Trails(clip));
    this.lines = clips.map((clip) => new Lines(clip, this.size));
    this.figures.forEach((figure, i) => this.scene.add(figure.skin, figure.group, this.ghosts[i].group, this.trails[i].group, this.lines[i].group));
    this.controls = new OrbitControls(this.camera, renderer.domElement);
    this.controls.maxDistance = 60 * this.size;
    this.controls.minDistance = 0.2 * this.size;
    this.controls.addEventListener("change", onChange);
    this.controls.addEventListener("start", () => (this.isFramed = false));
    this.isFollowing = this.travels();
    this.isChasing = false;
    this.setApart(true);
  }

  // A key light with a soft shadow, and a weak rim light that separates the body from the dark background.
  lights() {
    const rim = new DirectionalLight("#bcd4ff", 1.4);
    rim.position.set(-3, 2.5, -3);
    this.key = new DirectionalLight("#fff6ea", 2.7);
    this.key.castShadow = true;
    const { shadow } = this.key, half = 1.15 * this.size * (this.clips.length > 1 ? 1.6 : 1);
    shadow.mapSize.set(SHADOW_PIXELS, SHADOW_PIXELS);
    Object.assign(shadow, { radius: 5, blurSamples: 10, bias: -0.0006, normalBias: 0.012 * this.size });
    Object.assign(shadow.camera, { left: -half, right: half, top: half, bottom: -half, near: 0.1 * this.size, far: 8 * this.size });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = VSMShadowMap;
    this.scene.add(new HemisphereLight("#eef3ff", "#4a5567", 1.9), rim, this.key, this.key.target);
  }

  // Moves the light with the body, which keeps the shadow map sharp.
  lightUp(time) {
    const centre = this.centre(time);
    this.key.target.position.copy(centre);
    this.key.position.copy(centre).add(new Vector3(1.1, 3.4, 1.5).multiplyScalar(this.size));
    this.catcher.position.set(centre.x, this.catcher.position.y, centre.z);
  }

  setGhosts(every) {
    this.ghosts.forEach((ghosts) => (ghosts.every = every));
  }

  setTrails(isOn) {
    this.trails.forEach((trails) => (trails.isOn = isOn));
  }

  setTone(tone) {
    this.figures.forEach((figure) => (figure.tone = tone));
  }

  // Whether a body moves by more than 1.2 times its size.
  travels() {
    return this.clips.some((clip) => [0, 2].some((axis) => {
      const [min, largest] = clip.travel(axis);
      return largest - min > 1.2 * this.size;
    }));
  }

  // Places bodies side by side, along the horizontal axis in which they move less, or in the same place.
  setApart(isApart) {
    this.isApart = isApart && this.clips.length > 1;
    const [wide, deep] = [0, 2].map((axis) => Math.max(...this.clips.map((clip) => clip.travel(axis)[1] - clip.travel(axis)[0])));
    const shift = new Vector3();
    if (this.isApart) shift.setComponent(wide <= deep ? 0 : 2, 0.75 * this.size + Math.min(wide, deep, 3 * this.size));
    this.figures.forEach((figure, i) => figure.shift.copy(shift).multiplyScalar(i));
  }

  // Mean of the bounding-box centres of the bodies.
  centre(time) {
    const centre = new Vector3();
    this.figures.forEach((figure) => {
      const { low, high } = figure.clip.box(time);
      const middle = new Vector3(...low).add(new Vector3(...high)).multiplyScalar(0.5).add(figure.shift);
      centre.addScaledVector(middle, 1 / this.figures.length);
    });
    return Number.isFinite(centre.lengthSq()) ? centre : new Vector3(0, 0.5 * this.size, 0);
  }

  // Points of all bodies over the whole clip, from a fixed camera or one that moves with the bodies.
  action(time) {
    const here = this.centre(time), points = [];
    for (const at of this.clips.flatMap((clip) => clip.times(ACTION_TIMES / this.clips.length))) {
      const shift = this.isFollowing ? here.clone().sub(this.centre(at)).setY(0) : new Vector3();
      for (const figure of this.figures) {
        for (const point of figure.clip.reach(at)) {
          const place = new Vector3(...point).add(figure.shift).add(shift);
          if (Number.isFinite(place.lengthSq())) points.push(place);
        }
      }
    }
    return points;
  }

  // turn: azimuth from the front, lift: elevation; rad. The camera moves as far away as the whole action requires,
  // which it centres.
  look(turn, lift, time) {
    const direction = this.forward.clone().applyAxisAngle(new Vector3(0, 1, 0), turn).multiplyScalar(Math.cos(lift));
    direction.y = Math.sin(lift);
    this.frame(direction, time);
  }

  // Frames the whole action again from the current direction; after a drag only if the user requests it.
  reframe(time, isAsked) {
    if (this.isChasing && !isAsked) return;
    if (isAsked || this.isFramed) this.frame(this.camera.position.clone().sub(this.controls.target).normalize(), time);
  }

  frame(direction, time) {
    this.isChasing = false;
    const centre = this.centre(time), points = this.action(time);
    if (points.length) new Box3().setFromPoints(points).getCenter(centre);
    this.camera.position.copy(centre).addScaledVector(direction, this.distanceFor(points, centre, direction));
    this.controls.target.copy(centre);
    this.followed = this.centre(time);
    this.isFramed = true;
    this.controls.update();
  }

  // Distance from the centre at which all points are in the picture, with a margin for joints and labels.
  distanceFor(points, centre, direction) {
    const across = new Vector3(0, 1, 0).cross(direction).normalize(), up = direction.clone().cross(across);
    const high = Math.tan((0.5 * this.camera.fov * Math.PI) / 180) / MARGIN, wide = high * this.camera.aspect;
    const near = 1.1 * this.size;
    return points.reduce((max, point) => {
      const from = point.clone().sub(centre);
      const needed = Math.max(Math.abs(from.dot(across)) / wide, Math.abs(from.dot(up)) / high);
      return Math.max(max, needed + from.dot(direction));
    }, near);
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

  // Camera on damped springs behind the first body.
  chase(time) {
    this.chaser ??= new Chase(this.clips[0], this.size);
    const { position, towards } = this.chaser.at(time);
    this.camera.position.set(...position);
    this.camera.lookAt(...towards);
    this.followed = this.centre(time);
  }

  resize(width, height) {
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  // selected: per clip the chosen joint, then those beside it. The body is updated after ghosts and trails, so that its
  // clip has the pose of the time.
  update(time, selected) {
    this.figures.forEach((figure, i) => {
      this.ghosts[i].update(time, figure.shift);
      this.trails[i].update(time, selected[i]);
      this.trails[i].group.position.copy(figure.shift);
      figure.update(time, selected[i][0]);
      this.lines[i].update(time);
      this.lines[i].group.position.copy(figure.shift);
    });
    this.controls.enabled = !this.isChasing;
    if (this.isChasing) this.chase(time);
    else this.follow(time);
    this.lightUp(time);
    if (!this.isChasing) this.controls.update();
    this.renderer.render(this.scene, this.camera);
  }

  // Position of a joint on the canvas, pixels; null if it is not visible.
  placeOf(side, joint) {
    const { clientWidth, clientHeight } = this.renderer.domElement;
    const figure = this.figures[side];
    const place = figure.point(joint).add(figure.shift).project(this.camera);
    if (!(Math.abs(place.z) <= 1)) return null; // also if a position is NaN
    return { x: ((place.x + 1) / 2) * clientWidth, y: ((1 - place.y) / 2) * clientHeight };
  }
}
