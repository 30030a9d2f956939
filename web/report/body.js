// Body of a clip: skin deformed by the joints and coloured by load, ground reaction forces and centre of mass.
import {
  BufferAttribute, BufferGeometry, Color, ConeGeometry, CylinderGeometry, Group, Matrix4, Mesh, MeshBasicMaterial,
  MeshStandardMaterial, Bone, Quaternion, Skeleton, SkinnedMesh, SphereGeometry, Vector3,
} from "three";
import { FORCE, PUSH } from "./tints.js";
import { jointColour } from "./tone.js";

const GRAVITY = 9.80665;
const UP = new Vector3(0, 1, 0), ONE = new Vector3(1, 1, 1);

class Arrow {
  constructor(size, colour) {
    const material = new MeshStandardMaterial({ color: colour, emissive: new Color(colour).multiplyScalar(0.2), depthTest: false, transparent: true, opacity: 0.88 });
    this.shaft = new Mesh(new CylinderGeometry(0.009 * size, 0.009 * size, 1, 12), material);
    this.head = new Mesh(new ConeGeometry(0.026 * size, 0.075 * size, 16), material);
    this.group = new Group().add(this.shaft, this.head);
    this.headLength = 0.075 * size;
  }

  show(place, vector) {
    const length = Math.hypot(...vector);
    this.group.visible = length > 0.2 * this.headLength && Number.isFinite(place[0]);
    if (!this.group.visible) return;
    const shaft = Math.max(length - this.headLength, 1e-4);
    this.group.position.fromArray(place);
    this.group.quaternion.setFromUnitVectors(UP, new Vector3(...vector).divideScalar(length));
    this.shaft.scale.y = shaft;
    this.shaft.position.y = shaft / 2;
    this.head.position.y = shaft + this.headLength / 2;
  }
}

// Vertices, faces and skin weights of a clip; each Body has its own vertex colours.
function skinGeometry({ vertices, faces, position, joint, share, corner }) {
  const geometry = new BufferGeometry();
  const places = new Float32Array(3 * vertices), bones = new Uint16Array(4 * vertices), weights = new Float32Array(4 * vertices);
  for (let v = 0; v < vertices; v++) {
    places.set([position[0][v], position[1][v], position[2][v]], 3 * v);
    bones.set([joint[0][v], joint[1][v]], 4 * v);
    weights.set([1 - share[v], share[v]], 4 * v);
  }
  const index = new Uint16Array(3 * faces);
  for (let f = 0; f < faces; f++) index.set([corner[0][f], corner[1][f], corner[2][f]], 3 * f);
  geometry.setAttribute("position", new BufferAttribute(places, 3));
  geometry.setAttribute("skinIndex", new BufferAttribute(bones, 4));
  geometry.setAttribute("skinWeight", new BufferAttribute(weights, 4));
  geometry.setAttribute("color", new BufferAttribute(new Float32Array(3 * vertices), 3));
  geometry.setIndex(new BufferAttribute(index, 1));
  geometry.computeVertexNormals();
  return geometry;
}

// The skin on bones without parents, whose world matrices poseSkin sets.
export function skinnedMesh(clip, geometry, material) {
  const { bind } = clip.skin, place = new Vector3(), turn = new Quaternion();
  const bones = clip.joints.map(() => Object.assign(new Bone(), { matrixAutoUpdate: false, matrixWorldAutoUpdate: false }));
  const inverses = clip.joints.map((_, j) => {
    place.fromArray(bind, 7 * j);
    turn.fromArray(bind, 7 * j + 3);
    return new Matrix4().compose(place, turn, ONE).invert();
  });
  const mesh = new SkinnedMesh(geometry, material);
  mesh.bindMode = "detached";
  mesh.bind(new Skeleton(bones, inverses), new Matrix4());
  mesh.frustumCulled = false;
  return mesh;
}

// Sets the bones of a skin to the pose of a clip at a time.
export function poseSkin(mesh, clip, time, shift) {
  const points = clip.pose(time), place = new Vector3(), turn = new Quaternion();
  mesh.skeleton.bones.forEach((bone, j) => {
    place.fromArray(points, 3 * j).add(shift);
    turn.fromArray(clip.turns, 4 * j);
    bone.matrixWorld.compose(place, turn, ONE);
  });
  return points;
}

export class Body {
  // tint: colour that distinguishes two clips, or null; range: torque at the end of the colour scale, N m/kg.
  constructor(clip, size, tint, range) {
    Object.assign(this, { clip, size, range, tint: tint ? new Color(tint) : null, tone: clip.skin.tints ? "scene" : "torque" });
    this.shift = new Vector3();
    this.group = new Group();
    this.geometry = skinGeometry(clip.skin);
    this.skin = skinnedMesh(clip, this.geometry, new MeshStandardMaterial({ vertexColors: true, roughness: 0.62, metalness: 0, transparent: true }));
    this.skin.renderOrder = 1; // over its ghosts, even those in front of it
    this.skin.castShadow = this.skin.receiveShadow = true;
    this.arrows = clip.supports.map(({ push }) => new Arrow(size, push ? PUSH : FORCE));
    const seenThrough = { depthTest: false, transparent: true };
    this.com = new Mesh(new SphereGeometry(0.016 * size, 20, 14), new MeshBasicMaterial({ color: "#ffffff", ...seenThrough, opacity: 0.9 }));
    this.plumb = new Mesh(new CylinderGeometry(0.003 * size, 0.003 * size, 1, 8), new MeshBasicMaterial({ color: "#ffffff", ...seenThrough, opacity: 0.35 }));
    this.chosen = new Mesh(new SphereGeometry(0.012 * size, 20, 14), new MeshBasicMaterial({ color: "#ffffff", ...seenThrough }));
    this.core = new Mesh(new SphereGeometry(0.0085 * size, 20, 14), new MeshBasicMaterial({ ...seenThrough }));
    for (const mark of [this.com, this.plumb, ...this.arrows.flatMap(({ shaft, head }) => [shaft, head])]) mark.renderOrder = 2;
    this.chosen.renderOrder = 3;
    this.core.renderOrder = 4;
    this.group.add(this.com, this.plumb, this.chosen, this.core, ...this.arrows.map((arrow) => arrow.group));
    this.com.visible = this.plumb.visible = clip.has("com");
  }

  update(time, selected) {
    this.points = poseSkin(this.skin, this.clip, time, this.shift);
    this.group.position.copy(this.shift);
    const colours = this.clip.joints.map((_, joint) => this.colourOf(joint, time));
    this.paint(colours);
    this.drawChosen(selected, colours);
    this.drawForces(time);
    this.drawCentre(time);
  }

  point(index, out = new Vector3()) {
    return out.fromArray(this.points, 3 * index);
  }

  // A joint without mass, such as a finger, has the colour of the segment that it moves with.
  colourOf(joint, time) {
    let from = joint;
    const { joints } = this.clip;
    while (joints[from].helper && !joints[from].residual && joints[from].parent >= 0) from = joints[from].parent;
    const colour = new Color().setRGB(...jointColour(this.tone, this.clip, from, time, this.range), "srgb");
    return this.tint ? colour.lerp(this.tint, 0.6) : colour;
  }

  paint(colours) {
    const { joint: [first, second], share, vertices, tints } = this.clip.skin, { array } = this.geometry.attributes.color;
    if (this.tone === "scene" && tints && !this.tint) {
      this.paintScene(tints, array);
      return;
    }
    this.isPainted = false;
    for (let v = 0; v < vertices; v++) {
      const a = colours[first[v]], b = colours[second[v]], part = share[v];
      array[3 * v] = a.r + part * (b.r - a.r);
      array[3 * v + 1] = a.g + part * (b.g - a.g);
      array[3 * v + 2] = a.b + part * (b.b - a.b);
    }
    this.geometry.attributes.color.needsUpdate = true;
  }

  // Paints the fixed colours of a scene, once.
  paintScene(tints, array) {
    if (this.isPainted) return;
    const colour = new Color();
    for (let v = 0; v < tints.length; v += 3) colour.setRGB(tints[v], tints[v + 1], tints[v + 2], "srgb").toArray(array, v);
    this.geometry.attributes.color.needsUpdate = true;
    this.isPainted = true;
  }

  drawChosen(selected, colours) {
    this.chosen.visible = this.core.visible = selected >= 0;
    if (selected < 0) return;
    this.point(selected, this.chosen.position);
    this.core.position.copy(this.chosen.position);
    this.core.material.color.copy(colours[selected]);
  }

  // Scale: one body weight is an arrow of half the body height.
  drawForces(time) {
    const perNewton = (0.5 * this.size) / ((this.clip.mass ?? 70) * GRAVITY);
    this.arrows.forEach((arrow, support) => {
      const force = this.clip.vector("support_force", 3 * support, time);
      const place = this.clip.vector("support_place", 3 * support, time);
      arrow.show(place, force.map((value) => value * perNewton));
    });
  }

  drawCentre(time) {
    const com = this.clip.vector("com", 0, time);
    if (!com) return;
    const ground = this.groundBelow(com);
    this.com.position.fromArray(com);
    this.plumb.position.set(com[0], (com[1] + ground) / 2, com[2]);
    this.plumb.scale.y = Math.max(Math.abs(com[1] - ground), 1e-4);
  }

  groundBelow([x, , z]) {
    const [nx, ny, nz] = this.clip.ground_normal;
    return this.clip.ground_height - (nx * x + nz * z) / (Math.abs(ny) > 0.1 ? ny : 1);
  }
}
