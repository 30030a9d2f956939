"""Human model of the sample clips: joints and masses, inverse kinematics, smooth trajectories, and a BVH writer.

Used by make_samples.py. Metres, radians, +Y up, facing +Z."""
import math

# ---- 3x3 matrices as tuples of rows; rotations map child to parent coordinates -------------------------------------


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


# ---- the body ------------------------------------------------------------------------------------------------------

THIGH, SHANK, ANKLE, TOE_HEIGHT = 0.425, 0.415, 0.08, 0.02
HEEL = (0.0, -ANKLE, -0.06)          # of the foot, from the ankle
TOE = (0.0, TOE_HEIGHT - ANKLE, 0.14)  # the toe joint, from the ankle
TOE_TIP = (0.0, -TOE_HEIGHT, 0.06)     # from the toe joint

FIGURE = [("Hips", None, (0, 0, 0)), ("Spine", "Hips", (0, 0.10, -0.01)), ("Spine1", "Spine", (0, 0.12, 0)),
          ("Spine2", "Spine1", (0, 0.12, 0)), ("Neck", "Spine2", (0, 0.18, 0)), ("Head", "Neck", (0, 0.10, 0.02))]
for _side, _x in (("Left", 1.0), ("Right", -1.0)):
    FIGURE += [(_side + "Shoulder", "Spine2", (_x * 0.03, 0.14, 0.01)),
               (_side + "Arm", _side + "Shoulder", (_x * 0.15, 0, 0)),
               (_side + "ForeArm", _side + "Arm", (_x * 0.28, 0, 0)),
               (_side + "Hand", _side + "ForeArm", (_x * 0.265, 0, 0))]
for _side, _x in (("Left", 1.0), ("Right", -1.0)):
    FIGURE += [(_side + "UpLeg", "Hips", (_x * 0.09, -0.06, 0)), (_side + "Leg", _side + "UpLeg", (0, -THIGH, 0)),
               (_side + "Foot", _side + "Leg", (0, -SHANK, 0)), (_side + "ToeBase", _side + "Foot", TOE)]
ENDS = {"Head": (0, 0.15, 0), "LeftHand": (0.18, 0, 0), "RightHand": (-0.18, 0, 0), "LeftToeBase": TOE_TIP,
        "RightToeBase": TOE_TIP}
NAMES = [row[0] for row in FIGURE]
OFFSET = {name: offset for name, _, offset in FIGURE}
HIP = OFFSET["LeftUpLeg"]
STANDING = ANKLE + THIGH + SHANK - HIP[1]  # height of the hips with straight legs


def forward(root, local):
    """World rotation and position of each joint."""
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
    """Inverse kinematics of a leg: sets its joints for the ankle position `ankle` and the world rotation `foot`; toe:
    local rotation."""
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
    ahead = cross(down, across)  # the knee flexes forwards
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
    """Lowers the arms from the T-pose; forward swing and elbow flexion in rad."""
    x = 1.0 if side == "Left" else -1.0
    local[side + "Arm"] = mul(rx(-swing), rz(-x * out))
    local[side + "ForeArm"] = ry(-x * elbow)


# Mass (kg), centre of mass (m) and inertia about it (xx yy zz xy xz yz, kg m2) in joint axes: output of `kane body` for
# this model at 70 kg.
BODY = {
    "Hips": (8.44834472416, (0, 0.0108676656818, -0.0160413367136),
        (0.0485843113, 0.0557739612, 0.0591794683, 0, 0, 0.000213678873)),
    "Spine": (5.81071910101, (0, 0.065479508057, -0.0115227197229),
        (0.0205880269, 0.0456314905, 0.0378269304, 0, 0, 7.95960434e-06)),
    "Spine1": (7.08867953437, (0, 0.0597471967784, -0.0115285659053),
        (0.0262652334, 0.0614951273, 0.0558277697, 0, 0, 5.77994452e-06)),
    "Spine2": (8.76426224074, (0, 0.0861839462436, -0.0115894939403),
        (0.0341604221, 0.0917321294, 0.0936980705, 0, 0, 0)),
    "Neck": (1.87983004401, (0, 0.0656188677987, 0.00503991489205),
        (0.00563948794, 0.00795393633, 0.00443117058, 0, 0, 0.000272174721)),
    "Head": (2.88740831791, (0, 0.0659475853364, -0.0069060977339),
        (0.0104883681, 0.0122248414, 0.00862475928, 0, 0, 0.000297808288)),
    "LeftArm": (1.8410920546, (0.161364, 0, 0),
        (0.00338250145, 0.0101011281, 0.0114396931, 0, 0, 6.28958257e-06)),
    "LeftForeArm": (1.05005250263, (0.12101225, 0, 0),
        (0.00086559625, 0.00502442462, 0.00532021931, 0, 0, 1.38986534e-06)),
    "LeftHand": (0.409520476024, (0.063459, 0, 0),
        (0.000381945988, 0.00065340529, 0.000945238891, 0, 0, 1.37125314e-06)),
    "RightArm": (1.8410920546, (-0.161364, 0, 0),
        (0.00338250145, 0.0101011281, 0.0114396931, 0, 0, 6.28958257e-06)),
    "RightForeArm": (1.05005250263, (-0.12101225, 0, 0),
        (0.00086559625, 0.00502442462, 0.00532021931, 0, 0, 1.38986534e-06)),
    "RightHand": (0.409520476024, (-0.063459, 0, 0),
        (0.000381945988, 0.00065340529, 0.000945238891, 0, 0, 1.37125314e-06)),
    "LeftUpLeg": (10.1295064753, (0, -0.16377375, 0),
        (0.220231276, 0.0443185059, 0.223584095, 0, 0, 0)),
    "LeftLeg": (3.199159958, (0, -0.18150025, 0),
        (0.0357266174, 0.0051979012, 0.0369952381, 0, 0, 0)),
    "LeftFoot": (0.793922719753, (0, -0.0400004053334, 0.0309825389926),
        (0.00236203705, 0.00283295126, 0.000929214634, 0, 0, -1.91832247e-08)),
    "LeftToeBase": (0.137123832574, (0, 7.40592661607e-09, 0.0182578671661),
        (7.37117234e-05, 0.000155046542, 0.000160491026, 0, 0, 0)),
    "RightUpLeg": (10.1295064753, (0, -0.16377375, 0),
        (0.220231276, 0.0443185059, 0.223584095, 0, 0, 0)),
    "RightLeg": (3.199159958, (0, -0.18150025, 0),
        (0.0357266174, 0.0051979012, 0.0369952381, 0, 0, 0)),
    "RightFoot": (0.793922719753, (0, -0.0400004053334, 0.0309825389926),
        (0.00236203705, 0.00283295126, 0.000929214634, 0, 0, -1.91832247e-08)),
    "RightToeBase": (0.137123832574, (0, 7.40592661607e-09, 0.0182578671661),
        (7.37117234e-05, 0.000155046542, 0.000160491026, 0, 0, 0)),
}
MASS = sum(row[0] for row in BODY.values())


def turn_inertia(inertia, v):
    """Inertia times a vector, joint axes."""
    xx, yy, zz, xy, xz, yz = inertia
    return (xx * v[0] + xy * v[1] + xz * v[2], xy * v[0] + yy * v[1] + yz * v[2], xz * v[0] + yz * v[1] + zz * v[2])


# ---- trajectories with continuous acceleration ---------------------------------------------------------------------


def quintic(t, t0, t1, start, end):
    """Quintic polynomial from (value, rate, acceleration) at t0 to the same at t1."""
    d = t1 - t0
    s = (t - t0) / d
    p0, v0, a0 = start[0], start[1] * d, start[2] * d * d
    p1, v1, a1 = end[0], end[1] * d, end[2] * d * d
    c3 = 10 * (p1 - p0) - 6 * v0 - 4 * v1 - 1.5 * a0 + 0.5 * a1
    c4 = -15 * (p1 - p0) + 8 * v0 + 7 * v1 + 1.5 * a0 - a1
    c5 = 6 * (p1 - p0) - 3 * (v0 + v1) - 0.5 * (a0 - a1)
    return p0 + s * (v0 + s * (0.5 * a0 + s * (c3 + s * (c4 + s * c5))))


def path(t, knots):
    """Quintic spline through knots (time, value, rate, acceleration); constant before and after."""
    if t <= knots[0][0]:
        return knots[0][1]
    for a, b in zip(knots, knots[1:]):
        if t <= b[0]:
            return quintic(t, a[0], b[0], a[1:], b[1:])
    return knots[-1][1]


def step(t, t0, t1, a, b):
    return path(t, [(t0, a, 0, 0), (t1, b, 0, 0)])


def rate_at(function, t, h=1e-3):
    """Value, rate and acceleration of a function, by fourth-order differences."""
    f = [function(t + k * h) for k in (-2, -1, 0, 1, 2)]
    return (f[2], (f[0] - 8 * f[1] + 8 * f[3] - f[4]) / (12 * h),
            (-f[0] + 16 * f[1] - 30 * f[2] + 16 * f[3] - f[4]) / (12 * h * h))


# ---- BVH -----------------------------------------------------------------------------------------------------------


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
        offset = " ".join(number(100 * v, 4) for v in ends[name])
        lines += [pad + "  End Site", pad + "  {", pad + "    OFFSET " + offset, pad + "  }"]
    return lines + [pad + "}"]


def preorder(name, figure):
    return [name] + [n for row in figure if row[1] == name for n in preorder(row[0], figure)]


def bvh(figure, ends, fps, frames, digits=6):
    """frames: list of (root position, local rotations)."""
    root = figure[0][0]
    order = preorder(root, figure)
    lines = ["HIERARCHY"] + hierarchy(root, figure, ends)
    lines += ["MOTION", "Frames: %d" % len(frames), "Frame Time: %.8f" % (1.0 / fps)]
    for position, local in frames:
        values = [number(100 * v, digits) for v in position]
        for name in order:
            values += [number(a, digits) for a in euler_zxy(local.get(name, IDENTITY))]
        lines.append(" ".join(values))
    return "\n".join(lines) + "\n"


def check_feet(frames):
    """Checks that no point of a foot is below the ground."""
    for root, local in frames:
        rotation, position = forward(root, local)
        for side in ("Left", "Right"):
            foot, toe = side + "Foot", side + "ToeBase"
            points = [add(position[foot], apply(rotation[foot], HEEL)),
                      add(position[toe], apply(rotation[toe], (0, -TOE_HEIGHT, 0))),
                      add(position[toe], apply(rotation[toe], TOE_TIP))]
            low = min(p[1] for p in points)
            if low < -1e-6:
                raise ValueError("a foot %.2g m below the ground" % -low)
