#!/usr/bin/env python3
"""Makes motion files whose labels contradict the body, and clips of floor work, from a BVH file.

usage: make_clips.py KIND [--angle DEGREES] [--factor F] BASE.bvh > OUT.bvh
       make_clips.py list

Changes of the clip: rate (Frame Time divided by --factor), pitch and roll (the world leans by --angle), mirror (mirror
image, names kept), swap (names of left and right exchanged), turn-x, turn-z (another axis points up), in-place (root
constant along the ground), treadmill (mean path removed), no-feet, no-shanks, one-shank (right shank and forearm
missing), legs-only, no-tenth-row (every tenth row missing). cycling: on a saddle, as below.
Cells that are no numbers: nan-leaves, nan-leaf, nan-joint (a forearm) in every row; nan-gaps, large, text in some.
Roots: prop, prop-first, three-roots (objects beside the body), armature (a root turned by 90 degrees), floor-root, reference
(a root at rest on the floor), scale-one, scale-constant, scale (scale channels).
Floor work of the clip's body: the kinds of FLOOR below, 4 s at 60 frames per second, +Y up.
Python 3, standard library."""
import argparse
import math
import sys

# ---- Vectors and quaternions (w, x, y, z) ----


def add(a, b):
    return [x + y for x, y in zip(a, b)]


def sub(a, b):
    return [x - y for x, y in zip(a, b)]


def scale(a, s):
    return [x * s for x in a]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def norm(a):
    return math.sqrt(dot(a, a))


def unit(a):
    n = norm(a)
    return [x / n for x in a] if n > 0 else list(a)


def product(a, b):
    return [a[0] * b[0] - dot(a[1:], b[1:]),
            *add(add(scale(b[1:], a[0]), scale(a[1:], b[0])), cross(a[1:], b[1:]))]


def conjugate(q):
    return [q[0], -q[1], -q[2], -q[3]]


def turn(q, v):
    return product(product(q, [0, *v]), conjugate(q))[1:]


def about(axis, angle):
    return [math.cos(angle / 2), *scale(unit(axis), math.sin(angle / 2))]


def between(a, b):
    """Shortest rotation from direction a to direction b."""
    a, b = unit(a), unit(b)
    w = 1 + dot(a, b)
    if w < 1e-9:
        other = [1, 0, 0] if abs(a[0]) < 0.9 else [0, 1, 0]
        return about(cross(a, other), math.pi)
    q = [w, *cross(a, b)]
    return scale(q, 1 / math.sqrt(sum(x * x for x in q)))


AXES = {"X": [1, 0, 0], "Y": [0, 1, 0], "Z": [0, 0, 1]}


def from_euler(order, degrees):
    q = [1, 0, 0, 0]
    for axis, angle in zip(order, degrees):
        q = product(q, about(AXES[axis], math.radians(angle)))
    return q


def to_euler(order, q):
    """Angles in degrees of three different axes. The first is removed before the last is read: at 90 degrees of the
    middle one only their sum or difference is known, and both together are still the rotation."""
    i, j, k = ("XYZ".index(c) for c in order)
    sign = 1 if (j - i) % 3 == 1 else -1
    column = [turn(q, [float(c == a) for c in range(3)]) for a in range(3)]  # column[a][r]: matrix r, a
    first = math.atan2(-sign * column[k][j], column[k][k])
    rest = product(about(AXES[order[0]], -first), q)
    column = [turn(rest, [float(c == a) for c in range(3)]) for a in range(3)]
    middle = math.atan2(sign * column[k][i], column[k][k])
    last = math.atan2(sign * column[i][j], column[j][j])
    return [math.degrees(x) for x in (first, middle, last)]


# ---- BVH ----


class Joint:
    def __init__(self, name, parent):
        self.name, self.parent, self.offset, self.channels, self.end = name, parent, [0, 0, 0], [], None


class Bvh:
    def __init__(self, path):
        words = open(path, encoding="utf-8", errors="replace").read().split("MOTION")
        self.joints, stack, in_end = [], [], False
        for line in words[0].splitlines():
            w = line.split()
            if not w:
                continue
            if w[0] in ("ROOT", "JOINT"):
                self.joints.append(Joint(" ".join(w[1:]), stack[-1] if stack else None))
                pending = self.joints[-1]
            elif w[0] == "End":
                in_end = True
            elif w[0] == "{":
                stack.append(None if in_end else pending)
            elif w[0] == "}":
                in_end = stack.pop() is not None and in_end
            elif w[0] == "OFFSET":
                values = [float(x) for x in w[1:4]]
                if in_end:
                    stack[-2].end = values
                else:
                    pending.offset = values
            elif w[0] == "CHANNELS":
                pending.channels = w[2:]
        rows = words[1].split("Frame Time:")[1].split()
        self.frame_time, numbers = float(rows[0]), [float(x) for x in rows[1:]]
        width = sum(len(j.channels) for j in self.joints)
        self.frames = [numbers[i:i + width] for i in range(0, len(numbers) - width + 1, width)]

    def size(self):
        """Sum of the offsets of the left leg and the spine: about a stature."""
        return sum(norm(j.offset) for j in self.joints[1:]) / 6

    def columns(self, joint):
        first = 0
        for j in self.joints:
            if j is joint:
                return first
            first += len(j.channels)
        raise KeyError(joint.name)

    def order(self, joint):
        return "".join(c[0] for c in joint.channels if c.endswith("rotation"))

    def write(self, out, digits=5):
        depth = {}
        children = {j: [k for k in self.joints if k.parent is j] for j in self.joints}

        def block(j):
            depth[j] = 0 if j.parent is None else depth[j.parent] + 1
            pad = "\t" * depth[j]
            out.write(f"{pad}{'JOINT' if j.parent else 'ROOT'} {j.name}\n{pad}{{\n")
            out.write(f"{pad}\tOFFSET {' '.join(f'{x:.{digits + 1}f}' for x in j.offset)}\n")
            out.write(f"{pad}\tCHANNELS {len(j.channels)} {' '.join(j.channels)}\n")
            for k in children[j]:
                block(k)
            if j.end is not None:
                out.write(f"{pad}\tEnd Site\n{pad}\t{{\n{pad}\t\tOFFSET {' '.join(f'{x:.{digits + 1}f}' for x in j.end)}\n{pad}\t}}\n")
            out.write(f"{pad}}}\n")

        def cell(x):
            return x if isinstance(x, str) else f"{x:.5g}" if abs(x) > 1e9 else f"{x:.{digits}f}"

        out.write("HIERARCHY\n")
        for j in self.joints:
            if j.parent is None:
                block(j)
        out.write(f"MOTION\nFrames: {len(self.frames)}\nFrame Time: {self.frame_time:.8g}\n")
        for row in self.frames:
            out.write(" ".join(cell(x) for x in row) + "\n")

    def found(self, *names):
        for name in names:
            for j in self.joints:
                if j.name.lower() == name.lower():
                    return j
        return None

    def find(self, *names):
        joint = self.found(*names)
        if joint is None:
            raise SystemExit(f"make_clips.py: no joint {names[0]}")
        return joint


# ---- Changes of a clip ----


def each_root(bvh, change):
    """change(position, quaternion, frame) returns the new ones."""
    root = bvh.joints[0]
    order = bvh.order(root)
    places = [i for i, c in enumerate(root.channels) if c.endswith("position")]
    angles = [i for i, c in enumerate(root.channels) if c.endswith("rotation")]
    axis = ["XYZ".index(root.channels[i][0]) for i in places]
    for f, row in enumerate(bvh.frames):
        position = [0, 0, 0]
        for a, i in zip(axis, places):
            position[a] = row[i]
        position, q = change(position, from_euler(order, [row[i] for i in angles]), f)
        for a, i in zip(axis, places):
            row[i] = position[a]
        for i, x in zip(angles, to_euler(order, q)):
            row[i] = x


def rotate_world(bvh, q):
    each_root(bvh, lambda p, r, f: (turn(q, p), product(q, r)))


def mirror(bvh):
    for j in bvh.joints:
        j.offset[0] = -j.offset[0]
        if j.end is not None:
            j.end[0] = -j.end[0]
        first = bvh.columns(j)
        for i, c in enumerate(j.channels):
            if c in ("Xposition", "Yrotation", "Zrotation"):
                for row in bvh.frames:
                    row[first + i] = -row[first + i]


def swap(bvh):
    for j in bvh.joints:
        name = j.name
        for a, b in (("Left", "Right"), ("left", "right"), ("LHip", "RHip")):
            if name.startswith(a):
                j.name = b + name[len(a):]
            elif name.startswith(b):
                j.name = a + name[len(b):]


def remove_path(bvh, keep_sway):
    """Removes the even part of the path along the ground (+Y up), or all of it."""
    places = []
    each_root(bvh, lambda p, q, f: (places.append(p) or p, q))
    n = len(places)
    speed = [(places[-1][a] - places[0][a]) / (n - 1) for a in range(3)]
    each_root(bvh, lambda p, q, f: ([p[0] - f * speed[0] if keep_sway else places[0][0], p[1],
                                     p[2] - f * speed[2] if keep_sway else places[0][2]], q))


def cut_joints(bvh, keep):
    kept = {j for j in bvh.joints if keep(j)}
    rows = [[] for _ in bvh.frames]
    for j in bvh.joints:
        first = bvh.columns(j)
        if j in kept:
            for row, new in zip(bvh.frames, rows):
                new += row[first:first + len(j.channels)]
        elif j.parent in kept and not any(k in kept and k.parent is j.parent for k in bvh.joints):
            j.parent.end = [0, 0, 0]
    bvh.joints, bvh.frames = [j for j in bvh.joints if j in kept], rows


def below(joint, top):
    while joint:
        if joint is top:
            return True
        joint = joint.parent
    return False


def turn_place(joint, row, first, q):
    """Turns the position channels of a joint below the root."""
    at = {c[0]: first + i for i, c in enumerate(joint.channels) if c.endswith("position")}
    if len(at) == 3:
        for axis, x in zip("XYZ", turn(q, [row[at[axis]] for axis in "XYZ"])):
            row[at[axis]] = x


def turn_axes(bvh, q):
    """Another axis points up: rest pose and root turn."""
    for j in bvh.joints:
        j.offset = turn(q, j.offset)
        if j.end is not None:
            j.end = turn(q, j.end)
    for j in bvh.joints:
        first, order = bvh.columns(j), bvh.order(j)
        at = [i for i, c in enumerate(j.channels) if c.endswith("rotation")]
        for row in bvh.frames:
            r = from_euler(order, [row[first + i] for i in at])
            for i, x in zip(at, to_euler(order, product(product(q, r), conjugate(q)))):
                row[first + i] = x
            if j.parent:
                turn_place(j, row, first, q)
    each_root(bvh, lambda p, r, f: (turn(q, p), r))


# ---- Cells that are no numbers, objects beside the body, joints above it ----


def leaves(bvh):
    return [j for j in bvh.joints if not any(k.parent is j for k in bvh.joints)]


def spoil_cells(bvh, joints, cell, rows=lambda f: True):
    for j in joints:
        first = bvh.columns(j)
        for f, row in enumerate(bvh.frames):
            if rows(f):
                for i, c in enumerate(j.channels):
                    if c.endswith("rotation"):
                        row[first + i] = cell


def add_root(bvh, name, at, place):
    """An object as a ROOT of its own; place(frame, seconds): position and angles in degrees about Z, X, Y."""
    joint = Joint(name, None)
    joint.channels = ["Xposition", "Yposition", "Zposition", "Zrotation", "Xrotation", "Yrotation"]
    joint.end = [0, 0, bvh.size() / 5]
    first = bvh.columns(bvh.joints[at]) if at < len(bvh.joints) else sum(len(j.channels) for j in bvh.joints)
    bvh.joints.insert(at, joint)
    for f, row in enumerate(bvh.frames):
        row[first:first] = place(f * bvh.frame_time)


def swing(bvh):
    size = bvh.size()
    return lambda t: [0.3 * size, 0.5 * size + 0.2 * size * math.sin(5 * t), 0.1 * size * t, 30 * math.sin(4 * t), 20, 40 * t]


def at_rest(bvh):
    return lambda t: [-0.4 * bvh.size(), 0, 0, 0, 0, 90]


def put_above(bvh, name, channels, values):
    old = bvh.joints[0]
    top = Joint(name, None)
    top.channels, old.parent, old.offset = channels, top, [0, 0, 0]
    bvh.joints.insert(0, top)
    bvh.frames = [values(row, old) + row for row in bvh.frames]


def root_on_floor(bvh):
    """The new root takes the path along the floor, the hips keep their height."""
    at = [i for i, c in enumerate(bvh.joints[0].channels) if c.endswith("position")]
    axes = {bvh.joints[0].channels[i][0]: i for i in at}

    def values(row, old):
        path = [row[axes["X"]], 0, row[axes["Z"]]]
        row[axes["X"]] = row[axes["Z"]] = 0
        return path + [0, 0, 0]
    channels = [axis + what for what in ("position", "rotation") for axis in "XYZ"]
    put_above(bvh, "Root", channels, values)


def add_scale(bvh, joints, value):
    for j in joints:
        end = bvh.columns(j) + len(j.channels)
        j.channels = j.channels + ["Xscale", "Yscale", "Zscale"]
        for f, row in enumerate(bvh.frames):
            row[end:end] = [value(f)] * 3


def change_cells(bvh, kind):
    """The kinds of CELLS."""
    def arm():
        return bvh.find(*LIMBS["left_arm"][1])
    if kind == "nan-leaves":
        spoil_cells(bvh, leaves(bvh), "nan")
    elif kind == "nan-leaf":
        spoil_cells(bvh, leaves(bvh)[-1:], "nan")
    elif kind == "nan-joint":
        spoil_cells(bvh, [arm()], "nan")
    elif kind == "nan-gaps":
        spoil_cells(bvh, [arm(), bvh.find(*LIMBS["right_leg"][1])], "-nan(ind)", lambda f: f % 50 in (20, 21, 22))
    elif kind == "large":
        spoil_cells(bvh, [arm()], 1e30, lambda f: f % 40 == 7)
    elif kind == "text":
        spoil_cells(bvh, [arm()], "#REF!", lambda f: f == 33 or f == 60)
    else:
        raise SystemExit(f"make_clips.py: unknown kind {kind}")


def change_roots(bvh, kind):
    """The kinds of ROOTS."""
    if kind == "prop":
        add_root(bvh, "Prop", len(bvh.joints), swing(bvh))
    elif kind == "prop-first":
        add_root(bvh, "Prop", 0, swing(bvh))
    elif kind == "three-roots":
        add_root(bvh, "Ball", 0, at_rest(bvh))
        add_root(bvh, "Stick", len(bvh.joints), swing(bvh))
    elif kind == "armature":
        turn_axes(bvh, about([1, 0, 0], math.pi / 2))
        put_above(bvh, "Armature", ["Zrotation", "Xrotation", "Yrotation"], lambda row, old: [0, -90, 0])
    elif kind == "floor-root":
        root_on_floor(bvh)
    elif kind == "reference":
        put_above(bvh, "Reference", [axis + what for what in ("position", "rotation") for axis in "XYZ"],
                  lambda row, old: [0] * 6)
    elif kind == "scale-one":
        add_scale(bvh, bvh.joints, lambda f: 1)
    elif kind == "scale":
        add_scale(bvh, bvh.joints[:1], lambda f: 1 + 0.1 * math.sin(0.1 * f))
    elif kind == "scale-constant":
        add_scale(bvh, bvh.joints[:1], lambda f: 1.2)
    else:
        raise SystemExit(f"make_clips.py: unknown kind {kind}")


# ---- Floor work ----

# Names of top, middle, end and tip in several vocabularies; {} is the side. The tip of a hand is its farthest point.
LEG = (("{}UpLeg", "{}Hip", "Character1_{}UpLeg"), ("{}Leg", "{}Knee", "Character1_{}Leg"),
       ("{}Foot", "{}Ankle", "Character1_{}Foot"), ("{}ToeBase", "{}Toe", "Character1_{}ToeBase"))
ARM = (("{}Arm", "{}Shoulder", "Character1_{}Arm"), ("{}ForeArm", "{}Elbow", "Character1_{}ForeArm"),
       ("{}Hand", "{}Wrist", "Character1_{}Hand"))
LIMBS = {f"{side.lower()}_{limb}": [[name.format(side) for name in names] for names in parts]
         for side in ("Left", "Right") for limb, parts in (("leg", LEG), ("arm", ARM))}


class Body:
    """Poses the skeleton: the trunk as one piece, limbs by two-bone inverse kinematics."""

    def __init__(self, bvh):
        self.bvh = bvh
        self.limb = {n: [bvh.find(*names) for names in parts[:3]] + [bvh.found(*parts[3]) if len(parts) > 3 else None]
                     for n, parts in LIMBS.items()}
        leg = self.limb["left_leg"]
        self.leg = norm(leg[1].offset) + norm(leg[2].offset)
        arm = self.limb["left_arm"]
        self.arm = norm(arm[1].offset) + norm(arm[2].offset)
        up = unit(sub(self.rest_offset(leg[0]), self.rest_offset(leg[2])))
        if up[1] < 0.8:
            raise SystemExit("make_clips.py: floor work requires a rest pose that stands along +Y")
        self.foot = norm(self.tip_offset(leg[2], None)) if leg[3] is None else (
            norm(leg[3].offset) + (norm(leg[3].end) if leg[3].end else 0))

    def tip_offset(self, last, toe):
        """From the wrist or ankle to the farthest point of the hand or the toe, in axes of the rest pose."""
        if toe:
            return toe.offset
        far = last.end or [0, 0, 0]
        for j in self.bvh.joints:
            if j is not last and below(j, last):
                place = sub(self.rest_offset(j), self.rest_offset(last))
                for tip in ([place] if j.end is None else [place, add(place, j.end)]):
                    far = tip if norm(tip) > norm(far) else far
        return far

    def rest_offset(self, joint):
        """From the root, in the rest pose."""
        place = [0, 0, 0]
        while joint.parent:
            place, joint = add(place, joint.offset), joint.parent
        return place

    def pose(self, root, trunk, targets):
        """root: position; trunk: rotation; targets: limb -> (end position, bend direction, tip direction or None)."""
        world = {}
        for j in self.bvh.joints:
            world[j] = trunk
        for name, (end, bend, tip) in targets.items():
            top, middle, last, toe = self.limb[name]
            start = add(root, turn(trunk, self.rest_offset(top)))
            a, b = norm(middle.offset), norm(last.offset)
            line = sub(end, start)
            reach = min(norm(line), 0.999 * (a + b))
            along = unit(line)
            side = unit(sub(bend, scale(along, dot(bend, along))))
            x = (a * a - b * b + reach * reach) / (2 * reach)
            knee = add(scale(along, x), scale(side, math.sqrt(max(0, a * a - x * x))))
            foot = scale(along, reach)
            world[top] = product(between(turn(trunk, middle.offset), knee), trunk)
            world[middle] = product(between(turn(world[top], last.offset), sub(foot, knee)), world[top])
            world[last] = world[middle]
            if tip and norm(self.tip_offset(last, toe)) > 0:
                world[last] = product(between(turn(world[middle], self.tip_offset(last, toe)), tip), world[middle])
            for j in self.bvh.joints:
                if j is not last and below(j, last):
                    world[j] = world[last]
        row = []
        for j in self.bvh.joints:
            local = product(conjugate(world[j.parent]), world[j]) if j.parent else world[j]
            angles = dict(zip(self.bvh.order(j), to_euler(self.bvh.order(j), local)))
            for c in j.channels:
                place = j.offset if j.parent else root
                row.append(angles[c[0]] if c.endswith("rotation") else place["XYZ".index(c[0])])
        return row

    def shoulder(self, root, trunk, side):
        return add(root, turn(trunk, self.rest_offset(self.limb[side + "_arm"][0])))

    def root_above(self, hips, trunk):
        """Root position for a middle of the hip joints."""
        both = [self.rest_offset(self.limb[side + "_leg"][0]) for side in ("left", "right")]
        return sub(hips, turn(trunk, scale(add(*both), 0.5)))

    def hip(self, root, trunk, side):
        return add(root, turn(trunk, self.rest_offset(self.limb[side + "_leg"][0])))


UP, DOWN, FRONT, BACK = [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]
FRAMES, RATE = 240, 60


def lying(pitch):
    """Rotation of the trunk: 0 stands facing +Z; 90 degrees lies face down with the head to +Z."""
    return about([1, 0, 0], math.radians(pitch))


def floor_clip(body, kind):
    """Frame rows of a kind of floor work. Contacts stay where they are; the rest moves with a period of 2 s."""
    leg, arm = body.leg, body.arm
    rows, fixed = [], {}

    def hold(name, place):
        return fixed.setdefault(name, place)

    for f in range(FRAMES):
        s = 0.5 - 0.5 * math.cos(2 * math.pi * f / (2 * RATE))  # 0..1
        t = math.sin(2 * math.pi * f / (2 * RATE))
        targets = {}
        root, trunk = [0, leg, 0], lying(0)  # root: the middle of the hip joints until placed
        sides = (("left", 1), ("right", -1))
        if kind in ("push-up", "push-up-narrow", "plank", "knee-push-up", "bear", "shoulder-taps"):
            pitch = {"push-up": 76 + 11 * s, "push-up-narrow": 76 + 12 * s, "plank": 78 + 0.4 * t, "knee-push-up": 70 + 14 * s,
                     "bear": 88 + 2 * t, "shoulder-taps": 76 + 0.5 * t}[kind]
            trunk = lying(pitch)
            if kind == "bear":
                root = [0, 0.62 * leg, 0.02 * leg * t]
            elif kind == "knee-push-up":
                thigh = norm(body.limb["left_leg"][1].offset)
                root = [0, 0.05 * leg + thigh * math.cos(math.radians(pitch)), thigh * math.sin(math.radians(pitch))]
            else:
                root = [-0.1 * leg * t if kind == "shoulder-taps" else 0, body.foot + leg * math.cos(math.radians(pitch)), leg * math.sin(math.radians(pitch))]
            root = body.root_above(root, trunk)
            for side, x in sides:
                hip, shoulder = body.hip(root, trunk, side), body.shoulder(root, trunk, side)
                straight = turn(trunk, DOWN)
                if kind == "bear":
                    foot = hold(side + "foot", [hip[0], body.foot, hip[2] - 0.35 * leg])
                    bend = FRONT
                elif kind == "knee-push-up":
                    shank = norm(body.limb["left_leg"][2].offset)
                    knee = hold(side + "knee", [hip[0], 0.05 * leg, 0])
                    foot, bend = add(knee, [0, 0.02 * leg, -shank]), sub(knee, hip)
                else:
                    wide = 0.3 * x * leg if kind == "shoulder-taps" else 0
                    foot = hold(side + "foot", [hip[0] + wide, body.foot, hip[2] + 0.95 * leg * straight[2]])
                    bend = DOWN
                targets[side + "_leg"] = (foot, bend, BACK if kind == "knee-push-up" else DOWN)
                width = 0.3 * arm * x if kind != "push-up-narrow" else 0
                hand = hold(side + "hand", [shoulder[0] + width, 0.04 * leg, shoulder[2] + 0.02 * leg])
                if kind == "shoulder-taps":
                    up = max(0, t * x)
                    hand = add(hand, [-0.5 * up * x * arm, 0.7 * up * arm, 0])
                targets[side + "_arm"] = (hand, [x, 0, -0.7], FRONT)
        elif kind in ("handstand", "handstand-split", "handstand-sway"):
            trunk = product(about([1, 0, 0], math.radians(1.5 * t if kind != "handstand-sway" else 4 * t)), lying(180))
            root = [0, 0.98 * arm + norm(body.rest_offset(body.limb["left_arm"][0])), 0.01 * leg * t]
            root = body.root_above(root, trunk)
            for side, x in sides:
                hip, shoulder = body.hip(root, trunk, side), body.shoulder(root, trunk, side)
                hand = hold(side + "hand", [shoulder[0], 0.03 * leg, shoulder[2]])
                split = (0.5 * x * s * leg if kind == "handstand-split" else 0)
                targets[side + "_leg"] = (add(hip, [0, 0.9 * leg, split]), BACK, UP)
                targets[side + "_arm"] = (hand, [x, 0, 0.3], FRONT)
        elif kind in ("supine", "leg-raise", "sit-up", "glute-bridge", "bicycle"):
            pitch = -88 + (50 * s if kind == "sit-up" else 0) - (18 * s if kind == "glute-bridge" else 0)
            trunk = lying(pitch)
            root = [0, 0.11 * leg, 0]
            if kind == "glute-bridge":
                root = [0, 0.11 * leg + 0.33 * leg * s, 0]
            root = body.root_above(root, trunk)
            for side, x in sides:
                hip, shoulder = body.hip(root, trunk, side), body.shoulder(root, trunk, side)
                if kind in ("sit-up", "glute-bridge"):
                    foot, bend = hold(side + "foot", [hip[0], 0.1 * leg, hip[2] + 0.62 * leg]), UP
                elif kind == "leg-raise":
                    a = math.radians(3 + 65 * s)
                    foot, bend = add(hip, [0, 0.98 * leg * math.sin(a), 0.98 * leg * math.cos(a)]), UP
                elif kind == "bicycle":
                    a = 2 * math.pi * f / (1.2 * RATE) + (math.pi if x < 0 else 0)
                    foot, bend = add(hip, [0, leg * (0.3 + 0.12 * math.sin(a)), leg * (0.6 + 0.25 * math.cos(a))]), UP
                else:
                    foot, bend = hold(side + "foot", [hip[0], 0.07 * leg, hip[2] + 0.97 * leg]), UP
                targets[side + "_leg"] = (foot, bend, [0, 0.9, 0.45])
                hand = [shoulder[0] + 0.3 * x * arm, 0.05 * leg, shoulder[2] + 0.85 * arm]
                if kind == "sit-up":
                    hand = add(shoulder, [0.1 * x * arm, 0.2 * arm, 0.8 * arm])
                elif kind == "supine":
                    hand = [shoulder[0] + x * arm * (0.3 + 0.5 * s), 0.05 * leg, shoulder[2] + 0.8 * arm * (1 - 0.4 * s)]
                targets[side + "_arm"] = (hand, [x, -0.2, 0], FRONT)
        elif kind in ("prone", "cobra"):
            trunk = lying(89 - (35 * s if kind == "cobra" else 0))
            root = [0, 0.12 * leg, 0]
            root = body.root_above(root, trunk)
            for side, x in sides:
                hip, shoulder = body.hip(root, trunk, side), body.shoulder(root, trunk, side)
                targets[side + "_leg"] = (hold(side + "foot", [hip[0], 0.08 * leg, hip[2] - 0.98 * leg]), DOWN, BACK)
                hand = hold(side + "hand", [shoulder[0] + 0.25 * x * arm, 0.04 * leg, shoulder[2] + (0.1 if kind == "cobra" else
                                                                                     -0.7) * arm])
                targets[side + "_arm"] = (hand, [x, 0.3, -1], FRONT)
        elif kind in ("crab", "side-plank", "sitting", "kneeling"):
            if kind == "crab":
                trunk, root = lying(-70 + 6 * s), [0, (0.25 + 0.25 * s) * leg, 0]
            elif kind == "sitting":
                trunk, root = lying(-12 + 4 * t), [0, 0.12 * leg, 0]
            elif kind == "kneeling":
                thigh = norm(body.limb["left_leg"][1].offset)
                trunk, root = lying(10 * s), [0, 0.06 * leg + thigh * 0.97, -0.05 * leg * s]
            else:
                roll = math.radians(72 + 3 * t)
                trunk = about([0, 0, 1], -roll)
                width = norm(sub(body.hip([0, 0, 0], trunk, "left"), body.hip([0, 0, 0], trunk, "right")))
                root = [0, 0.06 * leg + 0.97 * leg * math.cos(roll) + 0.5 * width * math.sin(roll), 0]
            root = body.root_above(root, trunk)
            for side, x in sides:
                hip, shoulder = body.hip(root, trunk, side), body.shoulder(root, trunk, side)
                if kind == "crab":
                    leg_to = (hold(side + "foot", [hip[0], 0.1 * leg, hip[2] + 0.55 * leg]), UP, FRONT)
                    arm_to = (hold(side + "hand", [shoulder[0], 0.03 * leg, shoulder[2] - 0.1 * arm]), BACK, BACK)
                elif kind == "sitting":
                    leg_to = (hold(side + "foot", [hip[0], 0.07 * leg, hip[2] + 0.96 * leg]), UP, [0, 0.95, 0.3])
                    arm_to = (add(shoulder, [0.2 * x * arm, -0.6 * arm + 0.5 * arm * s, 0.6 * arm]), [x, -1, 0], None)
                elif kind == "kneeling":
                    leg_to = (hold(side + "foot", [hip[0], 0.08 * leg, hip[2] - 0.5 * leg]), FRONT, BACK)
                    arm_to = (add(shoulder, [0.2 * x * arm, -0.5 * arm + 0.8 * arm * s, 0.5 * arm]), [x, -1, 0], None)
                else:
                    straight = turn(trunk, DOWN)
                    foot = hold(side + "foot", add(hip, scale(straight, 0.97 * leg)))
                    leg_to = (foot, FRONT, FRONT)
                    reach = [0, -1, 0] if x > 0 else [0, 1, 0]
                    arm_to = (add(shoulder, scale(reach, 0.97 * arm)), FRONT, None)
                    if x > 0:
                        arm_to = (hold("hand", [shoulder[0], 0.05 * leg, shoulder[2]]), FRONT, FRONT)
                targets[side + "_leg"], targets[side + "_arm"] = leg_to, arm_to
        rows.append(body.pose(root, trunk, targets))
    return rows


def cycling_clip(body):
    """Frame rows of a body on a saddle, feet on cranks (80 turns per minute), hands on a bar."""
    leg, arm, rows = body.leg, body.arm, []
    trunk = lying(40)
    saddle = body.root_above([0, 1.05 * leg, 0], trunk)
    for f in range(FRAMES):
        targets = {}
        root = add(saddle, [0.015 * leg * math.sin(2 * math.pi * f * 80 / 60 / RATE), 0, 0])
        for side, x in (("left", 1), ("right", -1)):
            hip, shoulder = body.hip(root, trunk, side), body.shoulder(root, trunk, side)
            a = -2 * math.pi * f * 80 / 60 / RATE + (math.pi if x < 0 else 0)
            foot = [hip[0], leg * (0.42 + 0.2 * math.sin(a)), leg * (0.12 + 0.2 * math.cos(a))]
            targets[side + "_leg"] = (foot, FRONT, [0, -0.25, 1])
            targets[side + "_arm"] = (add(shoulder, [0, -0.75 * arm, 0.55 * arm]), [x, -1, 0], FRONT)
        rows.append(body.pose(root, trunk, targets))
    return rows


FLOOR = ["push-up", "push-up-narrow", "plank", "knee-push-up", "bear", "shoulder-taps", "handstand", "handstand-split",
         "handstand-sway", "supine", "leg-raise", "sit-up", "glute-bridge", "bicycle", "prone", "cobra", "crab",
         "side-plank", "sitting", "kneeling"]
SADDLE = ["cycling"]
CELLS = ["nan-leaves", "nan-leaf", "nan-joint", "nan-gaps", "large", "text"]
ROOTS = ["prop", "prop-first", "three-roots", "armature", "floor-root", "reference", "scale-one",
         "scale-constant", "scale"]
CHANGES = ["rate", "pitch", "roll", "mirror", "swap", "turn-x", "turn-z", "in-place", "treadmill", "no-feet",
           "no-shanks", "one-shank", "legs-only", "no-tenth-row"]


def change(bvh, kind, angle, factor):
    if kind == "rate":
        bvh.frame_time /= factor
    elif kind in ("pitch", "roll"):
        rotate_world(bvh, about([1, 0, 0] if kind == "pitch" else [0, 0, 1], math.radians(angle)))
    elif kind == "mirror":
        mirror(bvh)
    elif kind == "swap":
        swap(bvh)
    elif kind in ("turn-x", "turn-z"):
        turn_axes(bvh, about([0, 0, -1], math.pi / 2) if kind == "turn-x" else about([1, 0, 0], math.pi / 2))
    elif kind in ("in-place", "treadmill"):
        remove_path(bvh, kind == "treadmill")
    elif kind == "no-feet":
        feet = [bvh.find(*LIMBS[side + "_leg"][2]) for side in ("left", "right")]
        cut_joints(bvh, lambda j: not any(below(j, foot) and j is not foot for foot in feet))
        for foot in feet:
            foot.end = [0, 0, 0]
    elif kind == "no-shanks":
        knees = [bvh.find(*LIMBS[side + "_leg"][1]) for side in ("left", "right")]
        cut_joints(bvh, lambda j: not any(below(j, knee) and j is not knee for knee in knees))
        for knee in knees:
            knee.end = [0, 0, 0]
    elif kind == "one-shank":
        tops = [bvh.find(*LIMBS["right_" + limb][1]) for limb in ("leg", "arm")]
        cut_joints(bvh, lambda j: not any(below(j, top) for top in tops))
    elif kind == "no-tenth-row":
        bvh.frames = [row for f, row in enumerate(bvh.frames) if f % 10 != 9]
    elif kind == "cycling":
        bvh.frames, bvh.frame_time = cycling_clip(Body(bvh)), 1 / RATE
    elif kind == "legs-only":
        tops = [bvh.find(*LIMBS[side + "_leg"][0]) for side in ("left", "right")]
        cut_joints(bvh, lambda j: any(below(j, top) or below(top, j) for top in tops))
    elif kind in CELLS:
        change_cells(bvh, kind)
    elif kind in ROOTS:
        change_roots(bvh, kind)
    elif kind in FLOOR:
        bvh.frames, bvh.frame_time = floor_clip(Body(bvh), kind), 1 / RATE
    else:
        raise SystemExit(f"make_clips.py: unknown kind {kind}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("kind")
    parser.add_argument("base", nargs="?")
    parser.add_argument("--angle", type=float, default=15)
    parser.add_argument("--factor", type=float, default=2)
    args = parser.parse_intermixed_args()
    if args.kind == "list":
        print("\n".join(CHANGES + CELLS + ROOTS + SADDLE + FLOOR))
        return
    bvh = Bvh(args.base)
    for kind in args.kind.split("+"):
        change(bvh, kind, args.angle, args.factor)
    bvh.write(sys.stdout)


if __name__ == "__main__":
    main()
