#!/usr/bin/env python3
"""Writes the sample clips of data/: walk, squat, jump and the thesis's two-link pendulum.

usage: data/make_samples.py [--check]     (from any folder; --check compares with the files and writes nothing)

Python 3, standard library only. The human model is 1.75 m tall and 70 kg; files are in centimetres, +Y up, facing +Z.
Inverse kinematics of the legs keeps stance feet fixed, and each trajectory has continuous acceleration. In the flight
of the jump, the centre of mass (with the segment inertias of `kane body`: BODY in sample_figure.py) is in free fall
and the angular momentum about it is zero. The pendulum is integrated from its equations of motion."""
import math
import os
import sys

sys.dont_write_bytecode = True
from sample_figure import (ANKLE, BODY, ENDS, FIGURE, HEEL, HIP, MASS, STANDING, TOE, TOE_HEIGHT, add, apply, bvh,
                           check_feet, cross, forward, mul, path, quintic, rate_at, rx, ry, rz, scaled, set_arms,
                           solve_leg, sub, transpose, turn_inertia)

G = 9.80665
DATA = os.path.dirname(os.path.abspath(__file__))

# ---- walk ----------------------------------------------------------------------------------------------------------

STRIDE_TIME, SPEED = 1.1, 1.2
STRIDE = STRIDE_TIME * SPEED
# Fractions of a stride: heel strike at 0, foot flat at FLAT, heel rise at RISE, toe-off at OFF.
FLAT, RISE, OFF = 0.10 * STRIDE_TIME, 0.34 * STRIDE_TIME, 0.62 * STRIDE_TIME
STRIKE_PITCH, STRIKE_RATE = math.radians(16), math.radians(-200)
OFF_PITCH, OFF_RATE = math.radians(-48), math.radians(-170)
PITCH = [(0, STRIKE_PITCH, STRIKE_RATE, 0), (FLAT, 0, 0, 0), (RISE, 0, 0, 0), (OFF, OFF_PITCH, OFF_RATE, 0),
         (STRIDE_TIME, STRIKE_PITCH, STRIKE_RATE, 0)]
TOE_BEND = [(OFF, -OFF_PITCH, -OFF_RATE, 0), (OFF + 0.22 * STRIDE_TIME, 0, 0, 0)]


def foot_pitch(phase):
    return path(phase, PITCH)


def stance_ankle(phase, heel_z):
    """Ankle (y, z) in stance, while heel, sole or toes are on the ground; heel_z: position of the heel at strike."""
    turn = rx(-foot_pitch(phase))
    if phase <= RISE:
        heel = apply(turn, HEEL)
        return -heel[1], heel_z - heel[2]
    toe = apply(turn, TOE)
    return TOE_HEIGHT - toe[1], heel_z - HEEL[2] + TOE[2] - toe[2]


def walk_foot(t):
    """Ankle (y, z), foot pitch and toe bend of a foot with its strike at z = 0 and t = 0, periodic with the stride."""
    stride = math.floor(t / STRIDE_TIME)
    phase, heel = t - stride * STRIDE_TIME, stride * STRIDE
    if phase <= OFF:
        y, z = stance_ankle(phase, heel)
        bend = -foot_pitch(phase) if phase > RISE else 0.0
        return y, z, foot_pitch(phase), bend
    h = 1e-4
    value = []
    for axis in (0, 1):
        def before(p, axis=axis):
            turn = rx(-path(p, PITCH[2:4] + [(2 * OFF - RISE, 2 * OFF_PITCH, 0, 0)]))
            toe = apply(turn, TOE)
            return (TOE_HEIGHT - toe[1], heel - HEEL[2] + TOE[2] - toe[2])[axis]

        def after(p, axis=axis):
            turn = rx(-(STRIKE_PITCH + STRIKE_RATE * p))
            point = apply(turn, HEEL)
            return (-point[1], heel + STRIDE - point[2])[axis]

        value.append(quintic(phase, OFF, STRIDE_TIME, swing_start(before, h), rate_at(after, 0, h)))
    s = (phase - OFF) / (STRIDE_TIME - OFF)
    lift = 0.05 * 64 * (s * (1 - s)) ** 3
    return value[0] + lift, value[1], foot_pitch(phase), path(phase, TOE_BEND)


def swing_start(before, h):
    """Value, rate and acceleration at toe-off, by one-sided differences: before it the foot rotates about the toe."""
    f = [before(OFF - k * h) for k in range(5)]
    return (f[0], (25 * f[0] - 48 * f[1] + 36 * f[2] - 16 * f[3] + 3 * f[4]) / (12 * h),
            (35 * f[0] - 104 * f[1] + 114 * f[2] - 56 * f[3] + 11 * f[4]) / (12 * h * h))


def walk_frame(t):
    w = 2 * math.pi / STRIDE_TIME
    late = t - 0.06 * STRIDE_TIME
    root = (0.022 * math.sin(w * late), STANDING - 0.050 - 0.018 * math.cos(2 * w * late),
            SPEED * t - 0.20 * STRIDE + 0.012 * math.sin(2 * w * t))
    yaw = 0.08 * math.cos(w * t)
    local = {"Hips": mul(ry(-yaw), rz(0.03 * math.sin(w * t))), "Spine": rx(0.03), "Spine1": ry(yaw),
             "Spine2": mul(ry(0.8 * yaw), rz(-0.03 * math.sin(w * t))), "Neck": ry(-0.8 * yaw), "Head": rx(-0.03)}
    for side, lag in (("Left", 0.0), ("Right", 0.5 * STRIDE_TIME)):
        y, z, pitch, bend = walk_foot(t + lag)
        x = HIP[0] if side == "Left" else -HIP[0]
        solve_leg(local, root, side, (x, y, z - lag * SPEED), rx(-pitch), rx(-bend))
        phase = w * (t + lag)
        set_arms(local, side, -0.35 * math.cos(phase) + 0.05, 0.35 - 0.15 * math.cos(phase))
    return root, local


def walk():
    fps = 60
    frames = [walk_frame(i / fps) for i in range(181)]
    check_feet(frames)
    return bvh(FIGURE, ENDS, fps, frames)


# ---- squat and jump: driven by the centre of mass ------------------------------------------------------------------

COM_Z = 0.045  # m ahead of the ankles, over the middle of the soles


def centre(rotation, position):
    total = (0.0, 0.0, 0.0)
    for name, (mass, com, _) in BODY.items():
        total = add(total, scaled(add(position[name], apply(rotation[name], com)), mass))
    return scaled(total, 1 / MASS)


def angular_momentum_x(before, after, dt):
    """Angular momentum about the centre of mass, x component, between two poses (rotation, position) dt apart."""
    c0, c1 = centre(*before), centre(*after)
    total = 0.0
    for name, (mass, com, inertia) in BODY.items():
        r0 = sub(add(before[1][name], apply(before[0][name], com)), c0)
        r1 = sub(add(after[1][name], apply(after[0][name], com)), c1)
        total += mass * cross(scaled(add(r0, r1), 0.5), sub(r1, r0))[0]
        turn = mul(after[0][name], transpose(before[0][name]))
        spin = (0.5 * (turn[2][1] - turn[1][2]), 0.5 * (turn[0][2] - turn[2][0]), 0.5 * (turn[1][0] - turn[0][1]))
        local = apply(transpose(after[0][name]), spin)
        total += apply(after[0][name], turn_inertia(inertia, local))[0]
    return total / dt


def upper_body(local, pitch, bend, swing, elbow):
    """Pitches the hips; distributes bend over the spine and compensates it in neck and head."""
    local["Hips"] = rx(pitch)
    for name in ("Spine", "Spine1", "Spine2"):
        local[name] = rx(bend / 3)
    local["Neck"] = local["Head"] = rx(-0.3 * bend)
    for side in ("Left", "Right"):
        set_arms(local, side, swing, elbow)


def planted(root_y, root_z, pitch, shape):
    """The pose with toes or soles on the ground at z = 0 (ankles of the flat foot)."""
    bend, swing, elbow, rise = shape
    local = {}
    upper_body(local, pitch, bend, swing, elbow)
    toe = apply(rx(rise), TOE)
    for side, x in (("Left", HIP[0]), ("Right", -HIP[0])):
        ankle = (x, TOE_HEIGHT - toe[1] if rise > 0 else ANKLE, TOE[2] - toe[2] if rise > 0 else 0.0)
        solve_leg(local, (0.0, root_y, root_z), side, ankle, rx(rise), rx(-rise))
    return (0.0, root_y, root_z), local


def newton(residual, guess, jacobian=None):
    """Newton's method for a few variables; the finite-difference Jacobian is kept between calls while it converges."""
    n, h = len(guess), 1e-6
    x = list(guess)
    for tries in range(40):
        f = residual(x)
        if max(abs(v) for v in f) < 1e-12:
            return x, jacobian
        if jacobian is None or tries % 6 == 5:
            columns = []
            for k in range(n):
                moved = list(x)
                moved[k] += h
                columns.append([(a - b) / h for a, b in zip(residual(moved), f)])
            jacobian = [[columns[k][i] for k in range(n)] for i in range(n)]
        step_ = solve(jacobian, f)
        x = [a - b for a, b in zip(x, step_)]
    raise ValueError("no pose found")


def solve(matrix, right):
    """Gaussian elimination with pivoting."""
    n = len(right)
    rows = [list(matrix[i]) + [right[i]] for i in range(n)]
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[best] = rows[best], rows[k]
        for i in range(k + 1, n):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k])]
    x = [0.0] * n
    for k in reversed(range(n)):
        x[k] = (rows[k][n] - sum(rows[k][j] * x[j] for j in range(k + 1, n))) / rows[k][k]
    return x


def standing_height():
    root, local = planted(STANDING - 0.02, 0.0, 0.0, (0.0, 0.0, 0.2, 0.0))
    return centre(*forward(root, local))[1]


def squat():
    fps, height = 60, standing_height()
    depth = [(0.3, 0, 0, 0), (1.4, 1, 0, 0), (1.6, 1, 0, 0), (2.7, 0, 0, 0)]
    frames, guess, jacobian = [], [STANDING - 0.02, 0.0], None
    for i in range(181):
        part = path(i / fps, depth)
        shape = (0.25 * part, 1.3 * part, 0.2, 0.0)

        def residual(x, part=part, shape=shape):
            com = centre(*forward(*planted(x[0], x[1], 0.55 * part, shape)))
            return [com[1] - height + 0.30 * part, com[2] - COM_Z]

        guess, jacobian = newton(residual, guess, jacobian)
        frames.append(planted(guess[0], guess[1], 0.55 * part, shape))
    check_feet(frames)
    return bvh(FIGURE, ENDS, fps, frames)


TAKEOFF_SPEED, APEX, DIP, PUSH = 1.8, 1.40, 0.55, 0.36
TAKEOFF = APEX - TAKEOFF_SPEED / G


def jump_height(t, standing):
    """Height of the centre of mass up to the apex: rest, dip, push with the ground force decreasing to zero, flight."""
    off = standing + 0.045
    if t > TAKEOFF:
        return off + TAKEOFF_SPEED * (t - TAKEOFF) - 0.5 * G * (t - TAKEOFF) ** 2
    low = TAKEOFF - PUSH
    return path(t, [(low - DIP, standing, 0, 0), (low, standing - 0.26, 0, 9.0), (TAKEOFF, off, TAKEOFF_SPEED, -G)])


def jump_shape(t):
    """Spine bend, arm swing, elbows and heel rise as functions of time, up to the apex."""
    low = TAKEOFF - PUSH
    bend = path(t, [(low - DIP, 0, 0, 0), (low, 0.5, 0, 0), (TAKEOFF + 0.04, 0.0, 0, 0)])
    swing = path(t, [(low - DIP, 0, 0, 0), (low - 0.05, -0.7, 0, 0), (TAKEOFF + 0.08, 1.5, 0, 0)])
    elbow = path(t, [(low - DIP, 0.2, 0, 0), (low, 0.5, 0, 0), (TAKEOFF + 0.05, 0.3, 0, 0)])
    rise = path(t, [(TAKEOFF - 0.16, 0, 0, 0), (TAKEOFF + 0.10, math.radians(75), 0, 0)])
    return bend, swing, elbow, rise


LEG_JOINTS = ("UpLeg", "Leg", "Foot", "ToeBase")


def leg_angles(local):
    return [math.atan2(local["Left" + name][2][1], local["Left" + name][1][1]) for name in LEG_JOINTS]


def lagrange(points, t):
    total = 0.0
    for i, (ti, yi) in enumerate(points):
        weight = 1.0
        for k, (tk, _) in enumerate(points):
            if k != i:
                weight *= (t - tk) / (ti - tk)
        total += weight * yi
    return total


def jump_ground(standing, dt):
    """Poses every dt until three steps after take-off, as if the toes stayed on the ground: planned centre of mass,
    zero angular momentum."""
    def at_rest(x):
        com = centre(*forward(*planted(x[0], x[1], 0.0, jump_shape(0))))
        return [com[1] - standing, com[2] - COM_Z]

    start, _ = newton(at_rest, [STANDING - 0.02, 0.0])
    x, jacobian = start + [0.0], None
    poses = [planted(x[0], x[1], x[2], jump_shape(0))]
    before = forward(*poses[0])
    count = int(TAKEOFF / dt) + 4
    for i in range(1, count):
        target, shape = jump_height(i * dt, standing), jump_shape(i * dt)

        def residual(v):
            after = forward(*planted(v[0], v[1], v[2], shape))
            com = centre(*after)
            return [com[1] - target, com[2] - COM_Z, angular_momentum_x(before, after, dt) / MASS * dt]

        x, jacobian = newton(residual, x, jacobian)
        poses.append(planted(x[0], x[1], x[2], shape))
        before = forward(*poses[-1])
    return poses


def flying(pitch, shape, angles, target):
    bend, swing, elbow, _ = shape
    local = {}
    upper_body(local, pitch, bend, swing, elbow)
    for side in ("Left", "Right"):
        for name, angle in zip(LEG_JOINTS, angles):
            local[side + name] = rx(angle)
    com = centre(*forward((0.0, 0.0, 0.0), local))
    return (0.0, target - com[1], COM_Z - com[2]), local


def jump():
    """The jump is symmetric in time about the apex: the landing is the reversed take-off."""
    fps, substeps = 100, 4
    dt, standing = 1.0 / (fps * substeps), standing_height()
    poses = jump_ground(standing, dt)
    history = [leg_angles(local) for _, local in poses]
    first = int(TAKEOFF / dt) + 1
    window = range(first - 4, first + 3)
    tracks = [[(i * dt, history[i][k]) for i in window] for k in range(4)]
    start = [rate_at(lambda t, track=track: lagrange(track, t), TAKEOFF) for track in tracks]
    tuck = [math.radians(a) for a in (-30, 40, 25, 0)]
    poses, settle = poses[:first], APEX - 0.004
    pitch = math.atan2(poses[-1][1]["Hips"][2][1], poses[-1][1]["Hips"][1][1])
    jacobian = None
    for i in range(first, int(round(APEX / dt)) + 1):
        t, shape = i * dt, jump_shape(i * dt)
        angles = [quintic(t, TAKEOFF, settle, s, (e, 0, 0)) if t < settle else e for s, e in zip(start, tuck)]
        before = forward(*poses[-1])

        def residual(v):
            after = forward(*flying(v[0], shape, angles, jump_height(t, standing)))
            return [angular_momentum_x(before, after, dt) / MASS * dt]

        (pitch,), jacobian = newton(residual, [pitch], jacobian)
        poses.append(flying(pitch, shape, angles, jump_height(t, standing)))
    half = poses[::substeps]
    frames = half + half[-2::-1]
    check_feet(frames)
    return bvh(FIGURE, ENDS, fps, frames)


# ---- the thesis's pendulum -----------------------------------------------------------------------------------------

LINK_LENGTH, LINK_RADIUS, LINK_MASS = 0.30, 0.07 / 2, 1.54
PENDULUM = [("Base", None, (0, 0, 0)), ("Upper", "Base", (0, 0, 0)), ("Lower", "Upper", (0, -LINK_LENGTH, 0))]
PENDULUM_ENDS = {"Lower": (0, -LINK_LENGTH, 0)}


def pendulum_rates(state):
    """Two rods in a vertical plane: M a = b from Lagrange's equations.

    Angles from straight down, about +Z of the base."""
    a, b, wa, wb = state
    m, length = LINK_MASS, LINK_LENGTH
    own = m * length * length / 12 + m * LINK_RADIUS ** 2 / 4
    half = 0.5 * length
    c, s = math.cos(a - b), math.sin(a - b)
    m11 = own + m * half * half + m * length * length
    m12 = m * length * half * c
    m22 = own + m * half * half
    f1 = -m * length * half * s * wb * wb - m * G * (half + length) * math.sin(a)
    f2 = m * length * half * s * wa * wa - m * G * half * math.sin(b)
    det = m11 * m22 - m12 * m12
    return wa, wb, (m22 * f1 - m12 * f2) / det, (m11 * f2 - m12 * f1) / det


def pendulum_step(state, h):
    """Fourth-order Runge-Kutta step."""
    def moved(rates, part):
        return tuple(x + part * h * r for x, r in zip(state, rates))

    k1 = pendulum_rates(state)
    k2 = pendulum_rates(moved(k1, 0.5))
    k3 = pendulum_rates(moved(k2, 0.5))
    k4 = pendulum_rates(moved(k3, 1.0))
    return tuple(x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(state, k1, k2, k3, k4))


def pendulum():
    fps, substeps = 200, 20
    state, frames = (math.radians(70), math.radians(20), 0.0, 0.0), []
    for _ in range(601):
        local = {"Base": ry(math.pi / 4), "Upper": rz(state[0]), "Lower": rz(state[1] - state[0])}
        frames.append(((0, 0.6, 0), local))
        for _ in range(substeps):
            state = pendulum_step(state, 1.0 / (fps * substeps))
    return bvh(PENDULUM, PENDULUM_ENDS, fps, frames, digits=9)


def pendulum_segments():
    across = LINK_MASS * (LINK_LENGTH ** 2 / 12 + LINK_RADIUS ** 2 / 4)
    along = LINK_MASS * LINK_RADIUS ** 2 / 2
    lines = ["# Two solid cylinders of 30 cm x 7 cm (length x diameter), 1.54 kg each, hung at their ends.",
             "joint\tmass\tcom_x\tcom_y\tcom_z\tIxx\tIyy\tIzz\tIxy\tIxz\tIyz"]
    for name in ("Upper", "Lower"):
        values = (name, LINK_MASS, -LINK_LENGTH / 2, across, along, across)
        lines.append("%s\t%.17g\t0\t%.17g\t0\t%.17g\t%.17g\t%.17g\t0\t0\t0" % values)
    return "\n".join(lines) + "\n"


# ---- scenes --------------------------------------------------------------------------------------------------------

def two_links(name, about, keys):
    '''The thesis's two cylinders on hinges about Z (analysis/control/scene_reference.h), +Y up.'''
    length, radius, mass = 0.3, 0.07 / 2, 1.54
    across = mass * (3 * radius * radius + length * length) / 12
    inertial = '<inertial pos="%.17g 0 0" mass="%.17g" diaginertia="%.17g %.17g %.17g"/>' % (
        length / 2, mass, mass * radius * radius / 2, across, across)
    lines = ["<!-- %s -->" % about, '<mujoco model="%s">' % name, '  <compiler angle="radian"/>',
             '  <option gravity="0 -9.80665 0"/>', "  <worldbody>", '    <body name="A" pos="0 1 0">',
             '      <joint name="a" axis="0 0 1"/>', "      " + inertial, '      <body name="B" pos="%.17g 0 0">' % length,
             '        <joint name="b" axis="0 0 1"/>', "        " + inertial, "      </body>", "    </body>",
             "  </worldbody>", "  <keyframe>"]
    lines += ['    <key time="%.17g" qpos="%.17g %.17g"/>' % ((time,) + angles) for time, angles in keys]
    return "\n".join(lines + ["  </keyframe>", "</mujoco>", ""])


def two_links_steady():
    pose = (math.radians(45), math.radians(90))
    return two_links("two_links_steady", "Two cylinders that are to take a pose (thesis 3.9).", [(0, pose), (6, pose)])


def two_links_moving():
    keys = []
    for step in range(601):
        t = step * 0.01
        keys.append((t, (math.radians(45 + 30 * math.sin(2 * math.pi * t / 2)),
                         math.radians(90 + 60 * math.sin(2 * math.pi * t)))))
    return two_links("two_links_moving", "Two cylinders that are to follow a motion (thesis 3.9).", keys)


# ---- files ---------------------------------------------------------------------------------------------------------

SAMPLES = {"walk.bvh": walk, "squat.bvh": squat, "jump.bvh": jump, "pendulum.bvh": pendulum,
           "pendulum_segments.tsv": pendulum_segments, "scenes/two_links_steady.xml": two_links_steady,
           "scenes/two_links_moving.xml": two_links_moving}


def main(arguments):
    if arguments not in ([], ["--check"]):
        print(__doc__.strip().split("\n\n")[1], file=sys.stderr)
        return 2
    wrong = 0
    for name, make in SAMPLES.items():
        text, target = make().encode(), os.path.join(DATA, name)
        if arguments:
            with open(target, "rb") as file:
                same = file.read() == text
            wrong += not same
            print("%s: %s" % (name, "as generated" if same else "differs from what this script writes"))
        else:
            with open(target, "wb") as file:
                file.write(text)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
