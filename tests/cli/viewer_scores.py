#!/usr/bin/python3
"""Measures what a viewer sees of a retargeted motion in its BVH, by positions, apart from kane.

usage: viewer_scores.py TARGET.bvh SOURCE.bvh SCORES.h5 FLOOR [sink|turn|root]
FLOOR: m, height of the source's ground. A fault is planted in the target first: its body is 6 cm lower in ten frames, its
chest is turned by 40 degrees, or its root moves away by 80 cm. Prints one line per score: equal, or both figures."""
import sys

import h5py
import numpy


def read(path):
    """Joints (name, parent, offset), ends (parent, offset), columns of each joint, rows, all in the file's unit."""
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
        rows = numpy.array([line.split() for line in list(file)[2:]], float)
    return joints, ends, columns, rows


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
        joints, self.ends, columns, rows = read(path)
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


def unit(v):
    return v / numpy.linalg.norm(v, axis=-1, keepdims=True)


def carried(body, joint, left, right):
    """The line between two joints at rest, as a joint carries it."""
    line = unit(body.rest[body.name.index(left)] - body.rest[body.name.index(right)])
    return body.turn[body.name.index(joint)] @ line


def width(body, left, right):
    rest = numpy.linalg.norm(body.rest[body.name.index(left)] - body.rest[body.name.index(right)]) / 100
    return numpy.linalg.norm(body.at(left) - body.at(right), axis=1) / rest


def plant(target, fault):
    if fault == "sink":
        for place in target.position:
            place[40:50, 1] -= 6
    if fault == "turn":
        chest = target.name.index("Spine2")
        target.turn[chest] = target.turn[chest] @ about("Y", numpy.full(len(target.turn[chest]), 40.0))
    if fault == "root":
        target.position[0] = target.position[0] + numpy.linspace(0, 80, len(target.position[0]))[:, None]


def measure(target, source, scale, floor):
    frames = range(len(source.position[0]))
    depth = [max(0, scale * floor - target.foot(f)) - scale * max(0, floor - source.foot(f)) for f in frames]
    angle = {}
    for name, joint, left, right in (("chest", "Spine2", "LeftArm", "RightArm"), ("pelvis", "Hips", "LeftUpLeg", "RightUpLeg")):
        cosine = (carried(target, joint, left, right) * carried(source, joint, left, right)).sum(1)
        angle[name] = numpy.degrees(numpy.arccos(numpy.clip(cosine, -1, 1)))
    girdle = abs(width(target, "LeftArm", "RightArm") / width(source, "LeftArm", "RightArm") - 1)
    away = target.at("Hips") - scale * source.at("Hips")
    return {"sink_increase_cm": (100 * max(depth), 0.3), "facing_chest_deg": (angle["chest"].mean(), 0.1),
            "facing_pelvis_deg": (angle["pelvis"].mean(), 0.1),
            "girdle_width_change": (numpy.quantile(girdle, 0.98), 0.005),
            "root_height_cm": (100 * abs(away[:, 1] - numpy.median(away[:, 1])).max(), 0.1),
            "root_path_cm": (100 * numpy.linalg.norm((away - away[0])[:, [0, 2]], axis=1).max(), 0.1)}


def main():
    target, source = Body(sys.argv[1]), Body(sys.argv[2])
    plant(target, sys.argv[5] if len(sys.argv) > 5 else "")
    with h5py.File(sys.argv[3]) as clip:
        score = {name: float(value) for name, value in clip["retarget"].attrs.items() if numpy.shape(value) in ((), (1,))}
    for name, (seen, bound) in measure(target, source, score["scale"], float(sys.argv[4])).items():
        same = abs(seen - score[name]) < bound
        print(name, "equal" if same else f"seen {seen:.2f}, score {score[name]:.2f}")


main()
