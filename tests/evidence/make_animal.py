#!/usr/bin/env python3
"""Makes a motion file of an animal whose joints have the names of a person's, cm, +Y up, facing +Z.

usage: make_animal.py NAME [--nameless] > OUT.bvh
       make_animal.py list

Proportions after skeletons in text books of anatomy; legs swing, two steps per second. Python 3, standard library."""
import math
import sys

TREE = {"Hips": None, "Spine": "Hips", "Spine1": "Spine", "Neck": "Spine1", "Head": "Neck"}
LIMBS = {"Arm": "Spine1", "ForeArm": "Arm", "Hand": "ForeArm",
         "UpLeg": "Hips", "Leg": "UpLeg", "Foot": "Leg", "ToeBase": "Foot"}
# Offsets of Hips, Spine, Spine1, Neck, Head; of the left arm; of the left leg. Wings do not swing.
ANIMALS = {
    "chicken": ([(0, 28, 0), (0, 2, 5), (0, 2, 7), (0, 5, 3), (0, 10, 2)], [(4, 1, 2), (1, -2, -7), (0, 1, 7)],
                [(3.5, -2, 2), (1, -6, 5), (0, -9, -7), (0, -8, 3)]),
    "chicken-spread": ([(0, 28, 0), (0, 2, 5), (0, 2, 7), (0, 5, 3), (0, 10, 2)], [(4, 1, 2), (7, 0, -1), (8, 0, 0)],
                       [(3.5, -2, 2), (1, -6, 5), (0, -9, -7), (0, -8, 3)]),
    "chicken-plucked": ([(0, 28, 0), (0, 2, 5), (0, 2, 7), (0, 5, 3), (0, 10, 2)], [],
                        [(3.5, -2, 2), (1, -6, 5), (0, -9, -7), (0, -8, 3)]),
    "ostrich": ([(0, 120, 0), (0, 3, 20), (0, 3, 25), (0, 15, 10), (0, 70, 5)], [(11, 0, 0), (3, -10, -25), (0, -5, 20)],
                [(12, -5, 5), (3, -20, 20), (0, -45, -20), (0, -42, 8)]),
    "dog": ([(0, 55, 0), (0, 1, 18), (0, 1, 22), (0, 6, 12), (0, 14, 12)], [(6, -12, 12), (0, -16, -8), (0, -18, 2)],
            [(5, -3, -3), (0, -19, 7), (0, -18, -12), (0, -13, 3)]),
    "cat": ([(0, 24, 0), (0, 1, 10), (0, 0, 12), (0, 2, 6), (0, 5, 6)], [(2.5, -5, 4), (0, -8, -5), (0, -8, 0)],
            [(2.5, -1, -1), (0, -8, 5), (0, -7, -8), (0, -6, 2)]),
    "horse": ([(0, 150, 0), (0, 0, 45), (0, 0, 45), (0, 15, 30), (0, 60, 50)], [(16, -35, 30), (0, -25, -20), (0, -42, 0)],
              [(15, -15, -5), (0, -40, 15), (0, -40, -22), (0, -45, 5)]),
    "crocodile": ([(0, 25, 0), (0, 0, 35), (0, 0, 35), (0, 0, 20), (0, 0, 20)], [(10, 0, 0), (14, -3, 0), (4, -12, 0)],
                  [(8, 0, 0), (16, -3, 0), (5, -14, 0), (2, -5, 8)]),
}
FRAMES, FPS = 90, 30


def joints_of(animal):
    """Rows (name, parent, offset), each joint after its parent, depth first."""
    trunk, arm, leg = ANIMALS[animal]
    rows = [(name, TREE[name], trunk[i]) for i, name in enumerate(TREE)]
    offsets = dict(zip(LIMBS, [*arm, *leg] if arm else [None] * 3 + leg))
    for side, sign in (("Left", 1), ("Right", -1)):
        for name, parent in LIMBS.items():
            if offsets[name]:
                x, y, z = offsets[name]
                rows.append((side + name, side + parent if parent in LIMBS else parent, (sign * x, y, z)))
    return rows


def write(animal, nameless, out):
    rows, order = joints_of(animal), []

    def block(name, depth):
        pad, offset = "\t" * depth, next(r[2] for r in rows if r[0] == name)
        shown = f"b{[r[0] for r in rows].index(name):02d}" if nameless else name
        order.append(name)
        out.write(f"{pad}{'JOINT' if depth else 'ROOT'} {shown}\n{pad}{{\n{pad}\tOFFSET {offset[0]} {offset[1]} {offset[2]}\n")
        place = "" if depth else "Xposition Yposition Zposition "
        out.write(f"{pad}\tCHANNELS {3 if depth else 6} {place}Zrotation Xrotation Yrotation\n")
        children = [r[0] for r in rows if r[1] == name]
        for child in children:
            block(child, depth + 1)
        if not children:
            out.write(f"{pad}\tEnd Site\n{pad}\t{{\n{pad}\t\tOFFSET 0 0 4\n{pad}\t}}\n")
        out.write(f"{pad}}}\n")

    out.write("HIERARCHY\n")
    block("Hips", 0)
    out.write(f"MOTION\nFrames: {FRAMES}\nFrame Time: {1 / FPS:.7f}\n")
    height = rows[0][2][1]
    for f in range(FRAMES):
        phase = 2 * math.pi * f / FPS
        row = [0, height * (1 + 0.01 * math.sin(2 * phase)), 0.6 * height * f / FPS]
        for name in order:
            swing = math.sin(phase) * (1 if name.startswith("Left") else -1)
            row += [0, 20 * swing if name.endswith("UpLeg") else 0, 0]
        out.write(" ".join(f"{x:.4f}" for x in row) + "\n")


if __name__ == "__main__":
    if sys.argv[1:] == ["list"]:
        print("\n".join(ANIMALS))
    elif len(sys.argv) > 1 and sys.argv[1] in ANIMALS:
        write(sys.argv[1], "--nameless" in sys.argv, sys.stdout)
    else:
        sys.exit(__doc__)
