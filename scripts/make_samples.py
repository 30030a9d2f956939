#!/usr/bin/env python3
"""Writes the sample clips of data/: walk, squat, jump and the thesis's two-link pendulum.

usage: scripts/make_samples.py [--check]     (from anywhere; --check compares with the files and writes nothing)

Python 3 with its standard library only. The figure is 1.75 m tall, 70 kg, in centimetres with +Y up and facing +Z. Feet
that stand are held by inverse kinematics of the legs, every path has continuous acceleration. In the jump the centre
of mass of the body that `kane body` gives this figure (BODY below) falls freely while the feet are off the
ground, and the angular momentum about it is zero throughout. The pendulum is integrated, not animated.
"""
import math
import os
import sys

G = 9.80665
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data")

# ---- 3x3 matrices as tuples of rows; rotations are child to parent ----------------------------------------------------


def mul(a, b):
    return tuple(tuple(sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)) for i in range(3))


def apply(m, v):
    return tuple(m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2] for i in range(3))


def transpose(m):
    return tuple(zip(*m))


def add(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def scaled(a, s):
    return (a[0] * s, a[1] * s, a[2] * s)


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(a):
    return scaled(a, 1 / math.sqrt(dot(a, a)))


def rx(a):
    c, s = math.cos(a), math.sin(a)
    return ((1, 0, 0), (0, c, -s), (0, s, c))


def ry(a):
    c, s = math.cos(a), math.sin(a)
    return ((c, 0, s), (0, 1, 0), (-s, 0, c))


def rz(a):
    c, s = math.cos(a), math.sin(a)
    return ((c, -s, 0), (s, c, 0), (0, 0, 1))


IDENTITY = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


def euler_zxy(m):
    """Angles z, x, y in degrees of m = Rz Rx Ry."""
    x = math.asin(max(-1.0, min(1.0, m[2][1])))
    return tuple(math.degrees(a) for a in (math.atan2(-m[0][1], m[1][1]), x, math.atan2(-m[2][0], m[2][2])))


# ---- the figure -------------------------------------------------------------------------------------------------------

THIGH, SHANK, ANKLE, TOE_HEIGHT = 0.425, 0.415, 0.08, 0.02
HEEL = (0.0, -ANKLE, -0.06)          # of the foot, from the ankle
TOE = (0.0, TOE_HEIGHT - ANKLE, 0.14)  # the toe joint, from the ankle
TOE_TIP = (0.0, -TOE_HEIGHT, 0.06)     # from the toe joint

FIGURE = [("Hips", None, (0, 0, 0)), ("Spine", "Hips", (0, 0.10, -0.01)), ("Spine1", "Spine", (0, 0.12, 0)),
          ("Spine2", "Spine1", (0, 0.12, 0)), ("Neck", "Spine2", (0, 0.18, 0)), ("Head", "Neck", (0, 0.10, 0.02))]
for _side, _x in (("Left", 1.0), ("Right", -1.0)):
    FIGURE += [(_side + "Shoulder", "Spine2", (_x * 0.03, 0.14, 0.01)), (_side + "Arm", _side + "Shoulder", (_x * 0.15, 0, 0)),
               (_side + "ForeArm", _side + "Arm", (_x * 0.28, 0, 0)), (_side + "Hand", _side + "ForeArm", (_x * 0.265, 0, 0))]
for _side, _x in (("Left", 1.0), ("Right", -1.0)):
    FIGURE += [(_side + "UpLeg", "Hips", (_x * 0.09, -0.06, 0)), (_side + "Leg", _side + "UpLeg", (0, -THIGH, 0)),
               (_side + "Foot", _side + "Leg", (0, -SHANK, 0)), (_side + "ToeBase", _side + "Foot", TOE)]
ENDS = {"Head": (0, 0.15, 0), "LeftHand": (0.18, 0, 0), "RightHand": (-0.18, 0, 0), "LeftToeBase": TOE_TIP,
        "RightToeBase": TOE_TIP}
NAMES = [row[0] for row in FIGURE]
PARENT = {name: parent for name, parent, _ in FIGURE}
OFFSET = {name: offset for name, _, offset in FIGURE}
HIP = OFFSET["LeftUpLeg"]
STANDING = ANKLE + THIGH + SHANK - HIP[1]  # height of the hips over straight legs


def forward(root, local):
    """World rotation and position of every joint."""
    rotation, position = {}, {}
    for name, parent, offset in FIGURE:
        turn = local.get(name, IDENTITY)
        if parent is None:
            rotation[name], position[name] = turn, root
        else:
            rotation[name] = mul(rotation[parent], turn)
            position[name] = add(position[parent], apply(rotation[parent], offset))
    return rotation, position


def solve_leg(local, root, side, ankle, foot, toe):
    """Sets the leg's joints so that the ankle is at `ankle` and the foot's world rotation is `foot`; toe: local rotation."""
    x = 1.0 if side == "Left" else -1.0
    hips = local["Hips"]
    hip = add(root, apply(hips, (x * HIP[0], HIP[1], HIP[2])))
    line = sub(ankle, hip)
    length = math.sqrt(dot(line, line))
    if length > 0.999 * (THIGH + SHANK):
        raise ValueError("the leg cannot reach: %.4f m" % length)
    down = scaled(line, 1 / length)
    across = apply(hips, (1, 0, 0))
    across = unit(sub(across, scaled(down, dot(across, down))))
    cosine = (THIGH * THIGH + length * length - SHANK * SHANK) / (2 * THIGH * length)
    sine = math.sqrt(1 - cosine * cosine)
    ahead = cross(down, across)  # the knee bends forwards
    thigh = add(scaled(down, cosine), scaled(ahead, sine))
    shank = unit(sub(line, scaled(thigh, THIGH)))

    def axes(direction):
        y = scaled(direction, -1)
        return transpose((across, y, cross(across, y)))

    upper, lower = axes(thigh), axes(shank)
    local[side + "UpLeg"] = mul(transpose(hips), upper)
    local[side + "Leg"] = mul(transpose(upper), lower)
    local[side + "Foot"] = mul(transpose(lower), foot)
    local[side + "ToeBase"] = toe


def set_arms(local, side, swing, elbow, out=math.radians(80)):
    """Arms hang from the T of the rest pose; swing forwards and elbow flexion in rad."""
    x = 1.0 if side == "Left" else -1.0
    local[side + "Arm"] = mul(rx(-swing), rz(-x * out))
    local[side + "ForeArm"] = ry(-x * elbow)


# ---- paths with continuous acceleration -------------------------------------------------------------------------------


def quintic(t, t0, t1, start, end):
    """Polynomial of degree 5 from (value, rate, acceleration) at t0 to the same at t1."""
    d = t1 - t0
    s = (t - t0) / d
    p0, v0, a0 = start[0], start[1] * d, start[2] * d * d
    p1, v1, a1 = end[0], end[1] * d, end[2] * d * d
    c3 = 10 * (p1 - p0) - 6 * v0 - 4 * v1 - 1.5 * a0 + 0.5 * a1
    c4 = -15 * (p1 - p0) + 8 * v0 + 7 * v1 + 1.5 * a0 - a1
    c5 = 6 * (p1 - p0) - 3 * (v0 + v1) - 0.5 * (a0 - a1)
    return p0 + s * (v0 + s * (0.5 * a0 + s * (c3 + s * (c4 + s * c5))))


def path(t, knots):
    """Quintic pieces through knots (time, value, rate, acceleration); constant before and after."""
    if t <= knots[0][0]:
        return knots[0][1]
    for a, b in zip(knots, knots[1:]):
        if t <= b[0]:
            return quintic(t, a[0], b[0], a[1:], b[1:])
    return knots[-1][1]


def step(t, t0, t1, a, b):
    return path(t, [(t0, a, 0, 0), (t1, b, 0, 0)])


def rate_at(function, t, h=1e-3):
    """Value, rate and acceleration of a function, by differences of fourth order."""
    f = [function(t + k * h) for k in (-2, -1, 0, 1, 2)]
    return (f[2], (f[0] - 8 * f[1] + 8 * f[3] - f[4]) / (12 * h),
            (-f[0] + 16 * f[1] - 30 * f[2] + 16 * f[3] - f[4]) / (12 * h * h))


# ---- BVH --------------------------------------------------------------------------------------------------------------


def number(value, digits):
    text = "%.*f" % (digits, value)
    return text[1:] if float(text) == 0 and text[0] == "-" else text


def hierarchy(name, figure, ends, depth=0):
    pad = "  " * depth
    offset = next(row[2] for row in figure if row[0] == name)
    lines = [pad + ("ROOT " if depth == 0 else "JOINT ") + name, pad + "{",
             pad + "  OFFSET " + " ".join(number(100 * v, 4) for v in offset)]
    channels = "Zrotation Xrotation Yrotation"
    lines.append(pad + ("  CHANNELS 6 Xposition Yposition Zposition " if depth == 0 else "  CHANNELS 3 ") + channels)
    children = [row[0] for row in figure if row[1] == name]
    for child in children:
        lines += hierarchy(child, figure, ends, depth + 1)
    if name in ends:
        lines += [pad + "  End Site", pad + "  {", pad + "    OFFSET " + " ".join(number(100 * v, 4) for v in ends[name]),
                  pad + "  }"]
    return lines + [pad + "}"]


def preorder(name, figure):
    return [name] + [n for row in figure if row[1] == name for n in preorder(row[0], figure)]


def bvh(figure, ends, fps, frames, digits=6):
    """frames: list of (root position, local rotations)."""
    root = figure[0][0]
    order = preorder(root, figure)
    lines = ["HIERARCHY"] + hierarchy(root, figure, ends) + ["MOTION", "Frames: %d" % len(frames), "Frame Time: %.8f" % (1.0 / fps)]
    for position, local in frames:
        values = [number(100 * v, digits) for v in position]
        for name in order:
            values += [number(a, digits) for a in euler_zxy(local.get(name, IDENTITY))]
        lines.append(" ".join(values))
    return "\n".join(lines) + "\n"


def check_feet(frames):
    """Nothing of a foot below the ground."""
    for root, local in frames:
        rotation, position = forward(root, local)
        for side in ("Left", "Right"):
            foot, toe = side + "Foot", side + "ToeBase"
            points = [add(position[foot], apply(rotation[foot], HEEL)), add(position[toe], apply(rotation[toe], (0, -TOE_HEIGHT, 0))),
                      add(position[toe], apply(rotation[toe], TOE_TIP))]
            low = min(p[1] for p in points)
            if low < -1e-6:
                raise ValueError("a foot %.2g m below the ground" % -low)


# ---- walk -------------------------------------------------------------------------------------------------------------

STRIDE_TIME, SPEED = 1.1, 1.2
STRIDE = STRIDE_TIME * SPEED
# Parts of a stride: heel down at 0, flat from FLAT, heel up from RISE, toes off at OFF.
FLAT, RISE, OFF = 0.10 * STRIDE_TIME, 0.34 * STRIDE_TIME, 0.62 * STRIDE_TIME
STRIKE_PITCH, STRIKE_RATE = math.radians(16), math.radians(-200)
OFF_PITCH, OFF_RATE = math.radians(-48), math.radians(-170)
PITCH = [(0, STRIKE_PITCH, STRIKE_RATE, 0), (FLAT, 0, 0, 0), (RISE, 0, 0, 0), (OFF, OFF_PITCH, OFF_RATE, 0),
         (STRIDE_TIME, STRIKE_PITCH, STRIKE_RATE, 0)]
TOE_BEND = [(OFF, -OFF_PITCH, -OFF_RATE, 0), (OFF + 0.22 * STRIDE_TIME, 0, 0, 0)]
GROUND_TOE = (0.0, -ANKLE, TOE[2])  # on the sole under the toe joint


def foot_pitch(phase):
    return path(phase, PITCH)


def stance_ankle(phase, heel_z):
    """Ankle (y, z) while the heel, the sole or the toes stand; heel_z: where the heel came down."""
    turn = rx(-foot_pitch(phase))
    if phase <= RISE:
        heel = apply(turn, HEEL)
        return -heel[1], heel_z - heel[2]
    toe = apply(turn, TOE)
    return TOE_HEIGHT - toe[1], heel_z - HEEL[2] + TOE[2] - toe[2]


def walk_foot(t):
    """Ankle (y, z), foot pitch and toe bend of a foot that comes down at z = 0 and t = 0, and again every stride."""
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
    """One-sided: the foot turns about the toe until toe-off."""
    f = [before(OFF - k * h) for k in range(5)]
    return (f[0], (25 * f[0] - 48 * f[1] + 36 * f[2] - 16 * f[3] + 3 * f[4]) / (12 * h),
            (35 * f[0] - 104 * f[1] + 114 * f[2] - 56 * f[3] + 11 * f[4]) / (12 * h * h))


def walk_frame(t):
    w = 2 * math.pi / STRIDE_TIME
    root = (0.022 * math.sin(w * (t - 0.06 * STRIDE_TIME)), STANDING - 0.050 - 0.018 * math.cos(2 * w * (t - 0.06 * STRIDE_TIME)),
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


# ---- squat and jump: the centre of mass leads -------------------------------------------------------------------------

# Mass (kg), COM (m) and inertia about it (kg m2), joint axes: what `kane body` gives this figure at 70 kg.
BODY = {
    "Hips": (8.44085639148, (0, 0.0116508606717, -0.00123535966675),
        ((0.0485199076673, 0, 0), (0, 0.0557232091402, 5.83943438528e-05), (0, 5.83943438528e-05, 0.0591090742846))),
    "Spine": (5.80471247791, (0, 0.0655827602896, 0.00611064206397),
        ((0.0205699788658, 0, 0), (0, 0.0455987056781, -0.000134505932457), (0, -0.000134505932457, 0.0377996806634))),
    "Spine1": (7.08850732845, (0, 0.0598124619071, 0.00414116444988),
        ((0.0262674847401, 0, 0), (0, 0.0614788785121, -9.81183273212e-05), (0, -9.81183273212e-05, 0.0557897072228))),
    "Spine2": (8.77792940245, (0, 0.0863914336457, 0.00161394079921),
        ((0.0342811496117, 0, 0), (0, 0.0919094308846, 3.48974501629e-05), (0, 3.48974501629e-05, 0.0939328813138))),
    "Neck": (1.88005182343, (0, 0.0656246383, 0.005249971064),
        ((0.00564337641553, 0, 0), (0, 0.00795731864511, 0.00028351675221), (0, 0.00028351675221, 0.00443604058266))),
    "Head": (2.88718653848, (0, 0.0659170519558, -0.00672663584354),
        ((0.0104925688488, 0, 0), (0, 0.0122316284352, 0.000290239283221), (0, 0.000290239283221, 0.00862685653757))),
    "LeftArm": (1.8410920546, (0.161364, 0, 0),
        ((0.00338250145467, 0, 0), (0, 0.0101014963422, 2.30728680817e-05), (0, 2.30728680817e-05, 0.0114393248829))),
    "LeftForeArm": (1.05005250263, (0.12101225, 0, 0),
        ((0.000865596250438, 0, 0), (0, 0.00502450599436, 5.09861810438e-06), (0, 5.09861810438e-06, 0.00532013793721))),
    "LeftHand": (0.409520476024, (0.063459, 0, 0),
        ((0.000381945988099, 0, 0), (0, 0.000653485577053, 5.03034064161e-06), (0, 5.03034064161e-06, 0.000945158604256))),
    "RightArm": (1.8410920546, (-0.161364, 0, 0),
        ((0.00338250145467, 0, 0), (0, 0.0101014963422, 2.30728680817e-05), (0, 2.30728680817e-05, 0.0114393248829))),
    "RightForeArm": (1.05005250263, (-0.12101225, 0, 0),
        ((0.000865596250438, 0, 0), (0, 0.00502450599436, 5.09861810438e-06), (0, 5.09861810438e-06, 0.00532013793721))),
    "RightHand": (0.409520476024, (-0.063459, 0, 0),
        ((0.000381945988099, 0, 0), (0, 0.000653485577053, 5.03034064161e-06), (0, 5.03034064161e-06, 0.000945158604256))),
    "LeftUpLeg": (10.1295064753, (0, -0.16377375, 0),
        ((0.220231275969, 0, 0), (0, 0.0443185059394, 0), (0, 0, 0.22358409513))),
    "LeftLeg": (3.199159958, (0, -0.18150025, 0),
        ((0.0357266174313, 0, 0), (0, 0.00519790120441, 0), (0, 0, 0.0369952381143))),
    "LeftFoot": (0.7937373503, (0, -0.0411818088553, 0.0314550863943),
        ((0.00232696116319, 0, 0), (0, 0.0027906015461, -3.2321381301e-05), (0, -3.2321381301e-05, 0.000916518695835))),
    "LeftToeBase": (0.137309202027, (0, 0.000313114393407, 0.0181606348176),
        ((7.28528269175e-05, 0, 0), (0, 0.000153156290453, 9.13197276746e-08), (0, 9.13197276746e-08, 0.00015845126018))),
    "RightUpLeg": (10.1295064753, (0, -0.16377375, 0),
        ((0.220231275969, 0, 0), (0, 0.0443185059394, 0), (0, 0, 0.22358409513))),
    "RightLeg": (3.199159958, (0, -0.18150025, 0),
        ((0.0357266174313, 0, 0), (0, 0.00519790120441, 0), (0, 0, 0.0369952381143))),
    "RightFoot": (0.7937373503, (0, -0.0411818088553, 0.0314550863943),
        ((0.00232696116319, 0, 0), (0, 0.0027906015461, -3.2321381301e-05), (0, -3.2321381301e-05, 0.000916518695835))),
    "RightToeBase": (0.137309202027, (0, 0.000313114393407, 0.0181606348176),
        ((7.28528269175e-05, 0, 0), (0, 0.000153156290453, 9.13197276746e-08), (0, 9.13197276746e-08, 0.00015845126018))),
}
MASS = sum(row[0] for row in BODY.values())
COM_Z = 0.045  # m before the ankles, over the middle of the soles


def centre(rotation, position):
    total = (0.0, 0.0, 0.0)
    for name, (mass, com, _) in BODY.items():
        total = add(total, scaled(add(position[name], apply(rotation[name], com)), mass))
    return scaled(total, 1 / MASS)


def angular_momentum_x(before, after, dt):
    """About the centre of mass, around x, between two poses (rotation, position) dt apart."""
    c0, c1 = centre(*before), centre(*after)
    total = 0.0
    for name, (mass, com, inertia) in BODY.items():
        r0 = sub(add(before[1][name], apply(before[0][name], com)), c0)
        r1 = sub(add(after[1][name], apply(after[0][name], com)), c1)
        total += mass * cross(scaled(add(r0, r1), 0.5), sub(r1, r0))[0]
        turn = mul(after[0][name], transpose(before[0][name]))
        spin = (0.5 * (turn[2][1] - turn[1][2]), 0.5 * (turn[0][2] - turn[2][0]), 0.5 * (turn[1][0] - turn[0][1]))
        local = apply(transpose(after[0][name]), spin)
        total += apply(after[0][name], apply(inertia, local))[0]
    return total / dt


def upper_body(local, pitch, bend, swing, elbow):
    """Hips turned by pitch; bend is shared by the spine and taken back by neck and head."""
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
    """Zero of a function of a few variables; the Jacobian by differences, kept from call to call while it serves."""
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
    """COM height until the apex: rest, dip, push with the ground's force falling to zero, free flight."""
    off = standing + 0.045
    if t > TAKEOFF:
        return off + TAKEOFF_SPEED * (t - TAKEOFF) - 0.5 * G * (t - TAKEOFF) ** 2
    low = TAKEOFF - PUSH
    return path(t, [(low - DIP, standing, 0, 0), (low, standing - 0.26, 0, 9.0), (TAKEOFF, off, TAKEOFF_SPEED, -G)])


def jump_shape(t):
    """Bend of the spine, swing of the arms, elbows, rise of the heels: functions of time until the apex."""
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
    """Poses every dt until three steps beyond take-off, as if the toes stayed: COM as planned, no angular momentum."""
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
    """Symmetric in time about the apex: the landing is the take-off backwards."""
    fps, substeps = 100, 4
    dt, standing = 1.0 / (fps * substeps), standing_height()
    poses = jump_ground(standing, dt)
    history = [leg_angles(local) for _, local in poses]
    first = int(TAKEOFF / dt) + 1
    window = range(first - 4, first + 3)
    start = [rate_at(lambda t, k=k: lagrange([(i * dt, history[i][k]) for i in window], t), TAKEOFF) for k in range(4)]
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


# ---- the thesis's pendulum --------------------------------------------------------------------------------------------

LINK_LENGTH, LINK_RADIUS, LINK_MASS = 0.30, 0.07 / 2, 1.54
PENDULUM = [("Base", None, (0, 0, 0)), ("Upper", "Base", (0, 0, 0)), ("Lower", "Upper", (0, -LINK_LENGTH, 0))]
PENDULUM_ENDS = {"Lower": (0, -LINK_LENGTH, 0)}


def pendulum_rates(state):
    """Two rods that swing in one upright plane (angles from straight down, about the base's +Z): M a = b from Lagrange's equations."""
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
    """Runge-Kutta, fourth order."""
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
        frames.append(((0, 0.6, 0), {"Base": ry(math.pi / 4), "Upper": rz(state[0]), "Lower": rz(state[1] - state[0])}))
        for _ in range(substeps):
            state = pendulum_step(state, 1.0 / (fps * substeps))
    return bvh(PENDULUM, PENDULUM_ENDS, fps, frames, digits=9)


def pendulum_segments():
    across = LINK_MASS * (LINK_LENGTH ** 2 / 12 + LINK_RADIUS ** 2 / 4)
    along = LINK_MASS * LINK_RADIUS ** 2 / 2
    lines = ["# Two solid cylinders of 30 cm x 7 cm (length x diameter), 1.54 kg each, hung at their ends.",
             "joint\tmass\tcom_x\tcom_y\tcom_z\tIxx\tIyy\tIzz\tIxy\tIxz\tIyz"]
    for name in ("Upper", "Lower"):
        lines.append("%s\t%.17g\t0\t%.17g\t0\t%.17g\t%.17g\t%.17g\t0\t0\t0" % (name, LINK_MASS, -LINK_LENGTH / 2, across, along, across))
    return "\n".join(lines) + "\n"


# ---- files ------------------------------------------------------------------------------------------------------------

SAMPLES = {"walk.bvh": walk, "squat.bvh": squat, "jump.bvh": jump, "pendulum.bvh": pendulum,
           "pendulum_segments.tsv": pendulum_segments}


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
