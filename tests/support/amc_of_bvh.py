#!/usr/bin/env python3
"""Writes a BVH file as ASF and AMC with the same motion: a bone for each OFFSET, and one of no length that turns.
usage: amc_of_bvh.py FILE.bvh SKELETON.asf MOTION.amc"""
import math
import re
import sys

head, motion = open(sys.argv[1]).read().split("MOTION")
words, names, joints, stack = head.split(), [], {}, []
for i, word in enumerate(words):
    if word in ("ROOT", "JOINT"):
        names.append(words[i + 1])
        joints[names[-1]] = {"parent": stack[-1] if stack else None, "channels": []}
        stack.append(names[-1])
    elif word == "End":
        stack.append(None)
    elif word == "}":
        stack.pop()
    elif word == "OFFSET":
        offset = [float(v) for v in words[i + 1:i + 4]]
        if stack[-1]:
            joints[stack[-1]]["offset"] = offset
        else:
            joints[stack[-2]]["end"] = offset
    elif word == "CHANNELS":
        joints[stack[-1]]["channels"] = words[i + 2:i + 2 + int(words[i + 1])]


def dof(channel):
    return ("t" if channel.endswith("position") else "r") + channel[0].lower()


# Acclaim applies the first angle first, BVH the last one.
def order(channels):
    turns = [c for c in channels if c.endswith("rotation")]
    return [c for c in channels if c not in turns] + turns[::-1]


def bone(name, vector, dofs):
    length = math.sqrt(sum(v * v for v in vector))
    unit = [v / length for v in vector] if length else vector
    text = f"  begin\n    name {name}\n    direction {unit[0]!r} {unit[1]!r} {unit[2]!r}\n    length {length!r}\n"
    return text + "    axis 0 0 0 XYZ\n" + (f"    dof {' '.join(dofs)}\n" if dofs else "") + "  end\n"


root = names[0]
bones, tree = "", ""
for name in names[1:]:
    j = joints[name]
    parent = "root" if j["parent"] == root else j["parent"]
    bones += bone(f"at{names.index(name)}", j["offset"], []) + bone(name, [0, 0, 0], [dof(c) for c in order(j["channels"])])
    tree += f"    {parent} at{names.index(name)}\n    at{names.index(name)} {name}\n"
    if "end" in j:
        bones += bone(name + "_end", j["end"], [])
        tree += f"    {name} {name}_end\n"
with open(sys.argv[2], "w") as asf:
    dofs = " ".join(dof(c).upper() for c in order(joints[root]["channels"]))
    asf.write(f":version 1.10\n:name {root}\n:units\n  mass 1\n  length 1\n  angle deg\n:root\n  order {dofs}\n"
              f"  axis XYZ\n  position 0 0 0\n  orientation 0 0 0\n:bonedata\n{bones}:hierarchy\n  begin\n{tree}  end\n")
rows = re.split(r"Frame Time:.*\n", motion)[1].strip().split("\n")
with open(sys.argv[3], "w") as amc:
    amc.write(":FULLY-SPECIFIED\n:DEGREES\n")
    for number, row in enumerate(rows, 1):
        values, at = row.split(), 0
        amc.write(f"{number}\n")
        for name in names:
            channels = joints[name]["channels"]
            value = dict(zip(channels, values[at:at + len(channels)]))
            at += len(channels)
            amc.write(f"{'root' if name == root else name} {' '.join(value[c] for c in order(channels))}\n")
