// Camera on damped springs behind the body, the same as `kane export --camera follow`
// (analysis/motion/follow_camera.h).
const LONGEST_STEP = 1 / 480, NEAREST = 0.05, STEEPEST = (85 * Math.PI) / 180, MIN_LEVEL = 0.05;

// Exact state after a step dt of a damped spring: x'' = -omega^2 x - 2 zeta omega x'.
export function springStep(omega, zeta, dt) {
  if (zeta < 1) {
    const root = Math.sqrt((1 - zeta) * (1 + zeta)), angle = omega * root * dt, e = Math.exp(-zeta * omega * dt);
    const s = angle > 0 ? (dt * Math.sin(angle)) / angle : dt, c = Math.cos(angle);
    return [e * (c + zeta * omega * s), e * s, -omega * omega * e * s, e * (c - zeta * omega * s)];
  }
  const root = Math.sqrt((zeta - 1) * (zeta + 1)), u = 2 * omega * root * dt, slow = -omega / (zeta + root);
  const s = u > 0 ? (dt * -Math.expm1(-u)) / u : dt, e = Math.exp(slow * dt);
  return [e * (1 - slow * s), e * s, -omega * omega * e * s, e * (Math.exp(-u) + slow * s)];
}

const nearestTurn = (angle, near) => angle - 2 * Math.PI * Math.round((angle - near) / (2 * Math.PI));
const held = (value, min, max) => Math.max(min, Math.min(max, value));
const level = ([x, , z]) => Math.hypot(x, z);
const direction = (yaw, pitch) => [Math.cos(pitch) * Math.sin(yaw), Math.sin(pitch), Math.cos(pitch) * Math.cos(yaw)];
const plus = (a, part, b) => a.map((value, axis) => value + part * b[axis]);

class Sprung {
  constructor(value) {
    Object.assign(this, { value, rate: 0 });
  }

  advance([xx, xv, vx, vv], rest) {
    const x = this.value - rest, v = this.rate;
    this.value = rest + (xx * x + xv * v);
    this.rate = vx * x + vv * v;
  }

  hold(min, max) {
    const value = held(this.value, min, max);
    if (value !== this.value) Object.assign(this, { value, rate: 0 });
  }
}

// Camera position, yaw and pitch per frame: 5 numbers each.
export function chase(targets, frameTime, { distance, pitch, frequency = 1, damping = 1 }) {
  const steps = Math.max(1, Math.ceil(frameTime / LONGEST_STEP - 1e-9)), step = springStep(2 * Math.PI * frequency, damping, frameTime / steps);
  const [{ focus, heading }] = targets, radius = new Sprung(distance), yaw = new Sprung(heading + Math.PI), lift = new Sprung(pitch);
  const viewYaw = new Sprung(heading), viewPitch = new Sprung(-pitch);
  let position = plus(focus, distance, direction(yaw.value, pitch));

  const updateOffset = (at) => {
    const offset = plus(position, -1, at), length = Math.hypot(...offset);
    if (!(length > NEAREST)) return;
    radius.value = length;
    lift.value = Math.asin(held(offset[1] / length, -1, 1));
    if (level(offset) > MIN_LEVEL * length) yaw.value = nearestTurn(Math.atan2(offset[0], offset[2]), yaw.value);
  };
  const move = (at, facing) => {
    updateOffset(at);
    radius.advance(step, distance);
    lift.advance(step, pitch);
    yaw.advance(step, nearestTurn(facing + Math.PI, yaw.value));
    radius.hold(NEAREST, Infinity);
    lift.hold(-STEEPEST, STEEPEST);
    position = plus(at, radius.value, direction(yaw.value, lift.value));
  };
  const turnView = (at) => {
    const towards = plus(at, -1, position), length = Math.hypot(...towards);
    if (!(length > NEAREST)) return;
    viewPitch.advance(step, Math.asin(held(towards[1] / length, -1, 1)));
    if (level(towards) > MIN_LEVEL * length) viewYaw.advance(step, nearestTurn(Math.atan2(towards[0], towards[2]), viewYaw.value));
    viewPitch.hold(-STEEPEST, STEEPEST);
  };

  const path = new Float64Array(5 * targets.length);
  targets.forEach((to, f) => {
    const from = targets[Math.max(f - 1, 0)];
    for (let k = 1; f > 0 && k <= steps; k++) {
      const at = plus(from.focus, k / steps, plus(to.focus, -1, from.focus)), facing = from.heading + (k / steps) * (to.heading - from.heading);
      move(at, facing);
      turnView(at);
    }
    path.set([...position, viewYaw.value, viewPitch.value], 5 * f);
  });
  return path;
}

// Target of the camera: position of the clip's root joint and heading of its hips.
function targetsOf(clip, count) {
  let heading = 0;
  return Array.from({ length: count }, (_, i) => {
    const time = clip.start + (i * (clip.end - clip.start)) / Math.max(count - 1, 1), [x, , z] = clip.facing(time);
    heading = nearestTurn(Math.atan2(x, z), heading);
    const focus = [0, 1, 2].map((axis) => clip.pose(time)[axis]);
    return { focus: focus.every(Number.isFinite) ? focus : [0, 0, 0], heading };
  });
}

const MAX_FRAMES = 20000; // of a long clip: coarser than its frames

export class Chase {
  constructor(clip, size) {
    this.clip = clip;
    const count = Math.min(clip.samples, MAX_FRAMES), step = (clip.end - clip.start) / Math.max(count - 1, 1);
    this.count = count;
    this.path = chase(targetsOf(clip, count), step, { distance: 2.3 * size, pitch: (15 * Math.PI) / 180 });
  }

  // Position of the camera and the point that it looks at, at a time.
  at(time) {
    const { clip, path, count } = this, exact = (held((time - clip.start) / (clip.end - clip.start || 1), 0, 1)) * (count - 1);
    const index = Math.min(Math.floor(exact), Math.max(count - 2, 0)), part = exact - index, next = Math.min(index + 1, count - 1);
    const [x, y, z, yaw, pitch] = Array.from({ length: 5 }, (_, i) => path[5 * index + i] + part * (path[5 * next + i] - path[5 * index + i]));
    return { position: [x, y, z], towards: plus([x, y, z], 1, direction(yaw, pitch)) };
  }
}
