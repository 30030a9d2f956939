// Springs, tendons and particles of a scene, and the ball thrown at a controlled body.
import {
  Color, CylinderGeometry, Group, InstancedMesh, Matrix4, Mesh, MeshStandardMaterial, Quaternion, SphereGeometry, Vector3,
} from "three";

const UP = new Vector3(0, 1, 0);
const GRID = "#7fb8a8", BALL = "#e08c1e";
const THICK = { spring: 0.008, tendon: 0.006 }; // fractions of the size of what is shown

// Places a cylinder between two points; hides it if one is unknown.
function along(out, from, to, radius) {
  const way = to.clone().sub(from), length = way.length();
  if (!(length > 0)) return out.makeScale(0, 0, 0);
  const turn = new Quaternion().setFromUnitVectors(UP, way.divideScalar(length));
  return out.compose(from.clone().add(to).multiplyScalar(0.5), turn, new Vector3(radius, length, radius));
}

const instances = (geometry, count, colour) => {
  const mesh = new InstancedMesh(geometry, new MeshStandardMaterial({ color: colour, roughness: 0.6 }), count);
  mesh.frustumCulled = false;
  mesh.castShadow = true;
  return mesh;
};

export class Lines {
  constructor(clip, size) {
    Object.assign(this, { clip, size, group: new Group() });
    this.pieces = clip.lines.flatMap(({ kind, color, points }, line) => points.slice(1).map((_, k) => ({ kind, color, line, k })));
    this.particles = (clip.series.particle?.length ?? 0) / 3;
    if (this.pieces.length) this.addPieces();
    if (this.particles) this.group.add((this.dots = instances(new SphereGeometry(1, 12, 8), this.particles, GRID)));
    if (clip.has("ball")) {
      this.ball = new Mesh(new SphereGeometry(clip.ball_radius, 24, 16), new MeshStandardMaterial({ color: BALL, roughness: 0.5 }));
      this.ball.castShadow = true;
      this.group.add(this.ball);
    }
  }

  addPieces() {
    this.rods = instances(new CylinderGeometry(1, 1, 1, 10), this.pieces.length, "#ffffff");
    this.pieces.forEach(({ color: [r, g, b] }, i) => this.rods.setColorAt(i, new Color(`rgb(${r}, ${g}, ${b})`)));
    this.group.add(this.rods);
  }

  // Call after the body's update, which leaves the pose of the time in the clip. Lines between particles are thinner.
  update(time) {
    const matrix = new Matrix4(), places = this.clip.linePlaces(time).map((line) => line.map((place) => new Vector3(...place)));
    this.pieces.forEach(({ kind, line, k }, i) => {
      const isGrid = this.clip.lines[line].points.every(([, particle]) => particle >= 0);
      this.rods.setMatrixAt(i, along(matrix, places[line][k], places[line][k + 1], this.size * (isGrid ? 0.003 : THICK[kind])));
    });
    if (this.rods) this.rods.instanceMatrix.needsUpdate = true;
    for (let p = 0; p < this.particles; p++) this.dots.setMatrixAt(p, this.dot(matrix, this.clip.vector("particle", 3 * p, time)));
    if (this.dots) this.dots.instanceMatrix.needsUpdate = true;
    if (this.ball) this.placeBall(time);
  }

  dot(matrix, place) {
    const radius = 0.011 * this.size;
    return matrix.makeScale(radius, radius, radius).setPosition(...place);
  }

  placeBall(time) {
    const place = this.clip.vector("ball", 0, time);
    this.ball.visible = Number.isFinite(place[0]);
    if (this.ball.visible) this.ball.position.fromArray(place);
  }
}
