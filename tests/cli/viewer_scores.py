#!/usr/bin/python3
"""Measures what a viewer sees of a retargeted motion in its BVH, by positions, apart from kane.

usage: viewer_scores.py TARGET.bvh SOURCE.bvh SCORES.h5 FLOOR [sink|turn|root|slide|hand]
       viewer_scores.py --clap CLIP.bvh
FLOOR: m, height of the source's ground. A fault is planted in the target first: its body is 6 cm lower in ten frames, its
chest is turned by 40 degrees, its root moves away by 80 cm, its left foot slides at 4 cm/s, or its left wrist is 3 cm
farther out. Prints one line per score: equal, or both figures. --clap prints the clip with hands that clap."""
import sys

import h5py
import numpy


def read(path):
    """Joints (name, parent, offset), ends (parent, offset), columns of each joint, rows, all in the file's unit, and s a frame."""
    joints, ends, stack, columns, at = [], [], [], [], 0
    with open(path) as file:
        for line in file:
            words = line.split()
            if words[0] in ("ROOT", "JOINT"):
                joints.append([words[1], stack[-1] if stack else -1, None])
                columns.append([])
            elif words[0] == "End":
                ends.append([stack[-1], None])
            elif words[0] == "{":
                stack.append(len(joints) - 1 if not ends or ends[-1][1] is not None else -2)
            elif words[0] == "}":
                stack.pop()
            elif words[0] == "OFFSET":
                (ends[-1] if stack[-1] == -2 else joints[-1])[-1] = numpy.array(words[1:4], float)
            elif words[0] == "CHANNELS":
                columns[-1] = [(name, at + i) for i, name in enumerate(words[2:])]
                at += len(words) - 2
            elif words[0] == "MOTION":
                break
        lines = list(file)
    rows = numpy.array([line.split() for line in lines[2:]], float)
    return joints, ends, columns, rows, float(lines[1].split(":")[1])


def about(axis, degrees):
    c, s = numpy.cos(numpy.radians(degrees)), numpy.sin(numpy.radians(degrees))
    i, k = {"X": (1, 2), "Y": (2, 0), "Z": (0, 1)}[axis]
    turn = numpy.zeros((len(degrees), 3, 3))
    turn[:, range(3), range(3)] = 1
    turn[:, i, i] = turn[:, k, k] = c
    turn[:, k, i], turn[:, i, k] = s, -s
    return turn


class Body:
    """Positions of joints, m, and ends of feet in all frames."""

    def __init__(self, path):
        joints, self.ends, columns, rows, self.frame_time = read(path)
        self.name, self.parent = [j[0] for j in joints], [j[1] for j in joints]
        self.turn, self.position, self.rest = [], [], []
        for joint, (_, parent, offset) in enumerate(joints):
            turn, place = numpy.tile(numpy.eye(3), (len(rows), 1, 1)), numpy.tile(offset, (len(rows), 1))
            for name, column in columns[joint]:
                if name.endswith("rotation"):
                    turn = turn @ about(name[0], rows[:, column])
                else:
                    place[:, "XYZ".index(name[0])] = rows[:, column]
            if parent >= 0:
                place = self.position[parent] + (self.turn[parent] @ place[:, :, None])[:, :, 0]
                turn = self.turn[parent] @ turn
            self.turn.append(turn)
            self.position.append(place)
            self.rest.append((self.rest[parent] if parent >= 0 else 0) + offset)

    def offset(self, name):
        joint = self.name.index(name)
        return self.rest[joint] - self.rest[self.parent[joint]]

    def at(self, name):
        return self.position[self.name.index(name)] / 100

    def foot(self, frame):
        """Height of the lowest joint or end below both ankles, m."""
        lows = []
        for joint, name in enumerate(self.name):
            if "Foot" in name or "Toe" in name:
                lows.append(self.position[joint][frame, 1])
        for parent, offset in self.ends:
            if "Toe" in self.name[parent]:
                lows.append((self.position[parent] + self.turn[parent] @ offset)[frame, 1])
        return min(lows) / 100


    def sole(self, side, floor):
        """Heel, ball and tip of a foot in all frames, m. The heel is below the ankle, as deep as the sole over the clip."""
        ankle, toe = self.name.index(side + "Foot"), self.name.index(side + "ToeBase")
        points = [self.position[ankle], self.position[toe]]
        points += [self.position[p] + self.turn[p] @ offset for p, offset in self.ends if p == toe]
        flat = numpy.argmin(abs(points[0] - points[1])[:, 1] + abs(points[0][:, 1] - points[0][:, 1].min()))
        down = numpy.array([0, 100 * floor - points[0][flat, 1], 0])
        points[0] = points[0] + self.turn[ankle] @ (self.turn[ankle][flat].T @ down)
        return numpy.array(points) / 100


LOW, SLOW = 0.025, 0.6  # m, m/s: a point of a sole that is lower and slower is on the ground


def unit(v):
    return v / numpy.linalg.norm(v, axis=-1, keepdims=True)


def carried(body, joint, left, right):
    """The line between two joints at rest, as a joint carries it."""
    line = unit(body.rest[body.name.index(left)] - body.rest[body.name.index(right)])
    return body.turn[body.name.index(joint)] @ line


def width(body, left, right):
    rest = numpy.linalg.norm(body.rest[body.name.index(left)] - body.rest[body.name.index(right)]) / 100
    return numpy.linalg.norm(body.at(left) - body.at(right), axis=1) / rest


def plant(target, fault, frame_time):
    if fault == "sink":
        for place in target.position:
            place[40:50, 1] -= 6
    if fault == "turn":
        chest = target.name.index("Spine2")
        target.turn[chest] = target.turn[chest] @ about("Y", numpy.full(len(target.turn[chest]), 40.0))
    if fault == "slide":
        for joint, name in enumerate(target.name):
            if name in ("LeftFoot", "LeftToeBase"):
                target.position[joint][:, 2] += 4 * frame_time * numpy.arange(len(target.position[joint]))
    if fault == "hand":
        target.position[target.name.index("LeftHand")][:, 0] += 3
    if fault == "root":
        target.position[0] = target.position[0] + numpy.linspace(0, 80, len(target.position[0]))[:, None]


def mean_slide(target, source, scale, floor, frame_time):
    """Mean speed of the slowest point of a sole that is down in the source, over the source's, m/s."""
    added = []
    for side in ("Left", "Right"):
        seen, points = target.sole(side, scale * floor), source.sole(side, floor)
        speed = numpy.linalg.norm(numpy.diff(points, axis=1), axis=2) / frame_time
        down = (points[:, 1:, 1] < floor + LOW) & (points[:, :-1, 1] < floor + LOW) & (speed < SLOW)
        along = [numpy.linalg.norm(numpy.diff(p[:, :, [0, 2]], axis=1), axis=2) / frame_time for p in (seen, points)]
        slow = [numpy.where(down, a, numpy.inf).min(0) for a in along]
        held = down.any(0)
        added += list(slow[0][held] - scale * slow[1][held])
    return numpy.mean(added)


def hands_apart(target, source):
    """Mean difference of the wrists' distance, scaled by the arms, while closer than the shoulders at rest, m."""
    arms = [sum(numpy.linalg.norm(body.offset(side + part)) for side in ("Left", "Right") for part in ("ForeArm", "Hand"))
            for body in (target, source)]
    apart = [numpy.linalg.norm(body.at("LeftHand") - body.at("RightHand"), axis=1) for body in (target, source)]
    line = source.rest[source.name.index("LeftArm")] - source.rest[source.name.index("RightArm")]
    near = apart[1] < numpy.linalg.norm(line) / 100
    return abs(apart[0] - arms[0] / arms[1] * apart[1])[near].mean() if near.any() else None


def measure(target, source, scale, floor, frame_time):
    frames = range(len(source.position[0]))
    depth = [max(0, scale * floor - target.foot(f)) - scale * max(0, floor - source.foot(f)) for f in frames]
    angle = {}
    for name, joint, left, right in (("chest", "Spine2", "LeftArm", "RightArm"), ("pelvis", "Hips", "LeftUpLeg", "RightUpLeg")):
        cosine = (carried(target, joint, left, right) * carried(source, joint, left, right)).sum(1)
        angle[name] = numpy.degrees(numpy.arccos(numpy.clip(cosine, -1, 1)))
    girdle = abs(width(target, "LeftArm", "RightArm") / width(source, "LeftArm", "RightArm") - 1)
    away = target.at("Hips") - scale * source.at("Hips")
    hands = hands_apart(target, source)
    score = {} if hands is None else {"hands_apart_cm": (100 * hands, 0.3)}
    return score | {
        "slide_increase_cm_s": (100 * mean_slide(target, source, scale, floor, frame_time), 0.3),
        "sink_increase_cm": (100 * max(depth), 0.3), "facing_chest_deg": (angle["chest"].mean(), 0.1),
            "facing_pelvis_deg": (angle["pelvis"].mean(), 0.1),
            "girdle_width_change": (numpy.quantile(girdle, 0.98), 0.005),
            "root_height_cm": (100 * abs(away[:, 1] - numpy.median(away[:, 1])).max(), 0.1),
            "root_path_cm": (100 * numpy.linalg.norm((away - away[0])[:, [0, 2]], axis=1).max(), 0.1)}


def clap(path):
    """Prints the clip with straight arms in front that come together and part."""
    joints, _, columns, rows, _ = read(path)
    name = [j[0] for j in joints]
    angle = 14 + 5 * numpy.cos(numpy.arange(len(rows)) / 9)
    for side, sign in (("Left", -1), ("Right", 1)):
        for part in ("Arm", "ForeArm", "Hand"):
            for _, column in columns[name.index(side + part)]:
                rows[:, column] = 0
        for channel, column in columns[name.index(side + "Arm")]:
            if channel[0] == "Y":
                rows[:, column] = sign * (90 + angle)
    text = open(path).read()
    head = text[:text.index("Frame Time:")] + "Frame Time: " + text.split("Frame Time:")[1].split()[0]
    print(head)
    for row in rows:
        print(" ".join(f"{value:.4f}" for value in row))


def main():
    if sys.argv[1] == "--clap":
        return clap(sys.argv[2])
    target, source = Body(sys.argv[1]), Body(sys.argv[2])
    frame_time = source.frame_time
    plant(target, sys.argv[5] if len(sys.argv) > 5 else "", frame_time)
    with h5py.File(sys.argv[3]) as clip:
        score = {name: float(value) for name, value in clip["retarget"].attrs.items() if numpy.shape(value) in ((), (1,))}
    for name, (seen, bound) in measure(target, source, score["scale"], float(sys.argv[4]), frame_time).items():
        same = abs(seen - score[name]) < bound
        print(name, "equal" if same else f"seen {seen:.2f}, score {score[name]:.2f}")


main()
