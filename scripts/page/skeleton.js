// A clip as a figure of bones and joints, its ground forces and its centre of mass.
import {
  BackSide, Color, CylinderGeometry, ConeGeometry, DynamicDrawUsage, Group, IcosahedronGeometry, InstancedMesh, Matrix4, Mesh,
  MeshBasicMaterial, MeshLambertMaterial, Quaternion, SphereGeometry, Vector3,
} from "three";
import { torqueColour, UNKNOWN } from "./colour.js";

const GRAVITY = 9.80665;
const UP = new Vector3(0, 1, 0);

// A bone of unit length along +Y: thick near its joint, thin at the end.
function boneGeometry() {
  const geometry = new CylinderGeometry(0.35, 1, 1, 10, 1);
  geometry.translate(0, 0.5, 0);
  return geometry;
}

function instances(geometry, count) {
  const mesh = new InstancedMesh(geometry, new MeshLambertMaterial(), Math.max(count, 1));
  mesh.instanceMatrix.setUsage(DynamicDrawUsage);
  mesh.frustumCulled = false;
  mesh.count = count;
  for (let i = 0; i < count; i++) mesh.setColorAt(i, new Color(1, 1, 1));
  return mesh;
}

class Arrow {
  constructor(size) {
    const material = new MeshLambertMaterial({ color: "#ff7ac6", emissive: "#7a2257" });
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

export class Skeleton {
  // tint: colour of the bones that tells two clips apart, or null; range: torque at the end of the colour scale.
  constructor(clip, size, tint, range) {
    Object.assign(this, { clip, size, range, tint: tint ? new Color(tint) : null });
    this.shift = new Vector3();
    this.group = new Group();
    this.joints = instances(new IcosahedronGeometry(1, 3), clip.joints.length);
    this.bonePoints = clip.bonePoints;
    this.bones = instances(boneGeometry(), this.bonePoints.length);
    this.arrows = clip.supports.map(() => new Arrow(size));
    this.com = new Mesh(new SphereGeometry(0.02 * size, 20, 14), new MeshBasicMaterial({ color: "#ffffff" }));
    this.plumb = new Mesh(new CylinderGeometry(0.0035 * size, 0.0035 * size, 1, 8),
                          new MeshBasicMaterial({ color: "#ffffff", transparent: true, opacity: 0.45 }));
    this.halo = new Mesh(new SphereGeometry(1, 24, 16), new MeshBasicMaterial({ color: "#ffffff", side: BackSide }));
    this.group.add(this.joints, this.bones, this.com, this.plumb, this.halo, ...this.arrows.map((arrow) => arrow.group));
    this.com.visible = this.plumb.visible = clip.has("com");
    this.radii = this.jointRadii();
  }

  // Fingers get small joints: a third of the shortest bone that meets there.
  jointRadii() {
    const points = this.clip.pose(this.clip.start);
    const shortest = this.clip.joints.map(() => 0.08 * this.size);
    for (const point of this.bonePoints) {
      const parent = this.clip.parentOf(point);
      const length = Math.hypot(...[0, 1, 2].map((axis) => points[3 * point + axis] - points[3 * parent + axis]));
      if (length < 0.004 * this.size) continue; // joints in one place
      if (this.clip.joints[point]?.helper) continue;
      shortest[parent] = Math.min(shortest[parent], length);
      if (point < shortest.length) shortest[point] = Math.min(shortest[point], length);
    }
    const radius = (length, joint) => (this.clip.joints[joint].helper ? 0 : Math.max(0.33 * length, 0.006 * this.size));
    return shortest.map(radius);
  }

  colourOf(joint, time, out) {
    const isKnown = this.clip.has("torque") && !this.clip.joints[joint].residual && !this.clip.whyNot(time, joint);
    if (!isKnown) return torqueColour(NaN, out);
    return torqueColour(this.clip.value("torque", joint, time) / this.range, out);
  }

  update(time, selected) {
    this.points = this.clip.pose(time);
    this.group.position.copy(this.shift);
    const colours = this.clip.joints.map((_, joint) => this.colourOf(joint, time, [0, 0, 0]));
    this.drawJoints(colours);
    this.drawBones(colours);
    this.drawHalo(selected);
    this.drawForces(time);
    this.drawCentre(time);
  }

  point(index, out = new Vector3()) {
    return out.fromArray(this.points, 3 * index);
  }

  drawJoints(colours) {
    const matrix = new Matrix4(), place = new Vector3(), turn = new Quaternion(), scale = new Vector3(), colour = new Color();
    this.radii.forEach((radius, joint) => {
      matrix.compose(this.point(joint, place), turn, scale.setScalar(radius));
      this.joints.setMatrixAt(joint, matrix);
      this.joints.setColorAt(joint, colour.setRGB(...colours[joint], "srgb"));
    });
    this.joints.instanceMatrix.needsUpdate = this.joints.instanceColor.needsUpdate = true;
  }

  // The bone from a joint to its child moves with the joint and has a paler shade of its colour.
  drawBones(colours) {
    const matrix = new Matrix4(), from = new Vector3(), along = new Vector3(), turn = new Quaternion(), scale = new Vector3();
    const colour = new Color(), grey = new Color().setRGB(...UNKNOWN, "srgb");
    this.bonePoints.forEach((point, i) => {
      const parent = this.clip.parentOf(point);
      this.point(parent, from);
      this.point(point, along).sub(from);
      const length = Math.max(along.length(), 1e-6);
      const radius = Math.min(0.13 * length, 0.021 * this.size);
      turn.setFromUnitVectors(UP, along.divideScalar(length));
      this.bones.setMatrixAt(i, matrix.compose(from, turn, scale.set(radius, length, radius)));
      colour.setRGB(...colours[parent], "srgb").lerp(this.tint ?? grey, this.tint ? 0.8 : 0.35);
      this.bones.setColorAt(i, colour);
    });
    this.bones.instanceMatrix.needsUpdate = this.bones.instanceColor.needsUpdate = true;
  }

  drawHalo(selected) {
    this.halo.visible = selected >= 0;
    if (selected < 0) return;
    this.point(selected, this.halo.position);
    this.halo.scale.setScalar(this.radii[selected] + 0.009 * this.size);
  }

  // One body weight is half a stature long.
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
