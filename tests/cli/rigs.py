#!/usr/bin/python3
"""Writes the skeleton of a rig as BVH, with the joints that its program publishes beside those of the body.

usage: rigs.py RIG     (a name of data/rigs/; cm, Y up, a T pose that faces +Z, three frames)

HELPERS: joint and the joint below which it stands; a chain of several is separated by ">". Trunks: the joints from the
pelvis up, with the first of the legs as its parent."""
import os
import sys

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data", "rigs")
# Of a body of 1.7 m: the role's joint from that above it.
OFFSET = {"clavicle": (3, 12, 0), "shoulder": (14, 0, 0), "elbow": (28, 0, 0), "wrist": (25, 0, 0),
          "hip": (9, -5, 0), "knee": (0, -42, 0), "ankle": (0, -41, 0), "toe": (0, -6, 14)}
FINGERS = ("Thumb", "Index", "Middle", "Ring", "Pinky")
TRUNK = {
    "mixamo": "Hips Spine Spine1 Spine2 Neck Head HeadTop_End", "rokoko": "Hips Spine Spine1 Spine2 Neck Head",
    "xsens": "Pelvis L5 L3 T12 T8 Neck Head", "vrm": "hips spine chest upperChest neck head",
    "unreal": "root pelvis spine_01 spine_02 spine_03 spine_04 spine_05 neck_01 neck_02 head",
    "unreal4": "root pelvis spine_01 spine_02 spine_03 neck_01 head",
    "smpl": "Pelvis Spine1 Spine2 Spine3 Neck Head", "smplx": "pelvis spine1 spine2 spine3 neck head",
    "makehuman": "Root Spine1 Spine2 Spine3 Neck Head",
    "soma": "Hips Spine1 Spine2 Chest Neck1 Neck2 Head HeadEnd"}
HELPERS = {
    "mixamo": [f"mixamorig:{s}Hand>mixamorig:{s}Hand{f}1>mixamorig:{s}Hand{f}2>mixamorig:{s}Hand{f}3"
               for s in ("Left", "Right") for f in FINGERS],
    "rokoko": [f"{s}Hand>{s}InHand{f}>{s}Hand{f}1>{s}Hand{f}2" for s in ("Left", "Right") for f in FINGERS],
    "xsens": [],
    "vrm": [f"{s}Hand>{s}{f}Proximal>{s}{f}Intermediate>{s}{f}Distal" for s in ("left", "right") for f in FINGERS] +
           ["head>leftEye", "head>rightEye", "head>jaw"],
    "unreal": [f"hand_{s}>{f.lower()}_01_{s}>{f.lower()}_02_{s}>{f.lower()}_03_{s}" for s in "lr" for f in FINGERS] +
              [f"{bone}_{s}>{bone}_twist_01_{s}" for s in "lr" for bone in ("upperarm", "lowerarm", "thigh", "calf")] +
              ["root>ik_foot_root>ik_foot_l", "ik_foot_root>ik_foot_r", "root>ik_hand_root>ik_hand_gun>ik_hand_l",
               "ik_hand_gun>ik_hand_r"],
    "smpl": [f"{s}_Wrist>{s}_Hand" for s in "LR"],
    "smplx": [f"{s}_wrist>{s}_{f.lower()}1>{s}_{f.lower()}2>{s}_{f.lower()}3" for s in ("left", "right") for f in FINGERS] +
             ["head>jaw", "head>left_eye_smplhf", "head>right_eye_smplhf"],
    "makehuman": [f"Hand_{s}>__{f}1_{s}>{f}1_{s}>{f}2_{s}" for s in "LR" for f in FINGERS] +
                 ["Head>__Jaw>Jaw>__Tongue1>Tongue1", "Head>__Eye_L>Eye_L", "Head>__Eye_R>Eye_R"],
    "soma": [f"{s}Hand>{s}Hand{f}1>{s}Hand{f}2>{s}Hand{f}3>{s}Hand{f}End" for s in ("Left", "Right") for f in FINGERS] +
            ["Head>Jaw", "Head>LeftEye", "Head>RightEye", "LeftToeBase>LeftToeEnd", "RightToeBase>RightToeEnd"]}
HELPERS["unreal4"] = HELPERS["unreal"]


def skeleton(rig):
    """Joints (name, parent, offset), the parents first."""
    with open(os.path.join(DATA, rig + ".tsv")) as file:
        joint = {role: name for name, role in (line.split() for line in list(file)[2:]) if role != "-"}
    prefix = "mixamorig:" if rig == "mixamo" else ""
    trunk = [prefix + name for name in TRUNK[rig].split()]
    rows = []
    for i, name in enumerate(trunk):
        low = name in (joint["hips"], "root")
        rows.append((name, trunk[i - 1] if i else None, (0, 0, 0) if low or not i else (0, 45 / len(trunk), 0)))
    if joint["hips"] not in trunk:
        rows.append((joint["hips"], trunk[0], (0, 0, 0)))
    for side, sign in (("left", 1), ("right", -1)):
        for above, limb in (("chest", ("clavicle", "shoulder", "elbow", "wrist")), ("hips", ("hip", "knee", "ankle", "toe"))):
            parent = joint[above]
            for part in limb:
                x, y, z = OFFSET[part]
                rows.append((joint[side + "_" + part], parent, (sign * x, y, z)))
                parent = rows[-1][0]
    for chain in HELPERS[rig]:
        names = chain.split(">")
        for depth, name in enumerate(names[1:]):
            rows.append((name, names[depth], helper_offset(name, depth)))
    return rows


def helper_offset(name, depth):
    low = name.lower()
    sign = -1 if low.startswith(("right", "mixamorig:right", "r_")) or low.endswith("_r") else 1
    for i, finger in enumerate(FINGERS):
        if finger.lower() in low:
            return (sign * ((3, 8, 9, 8, 6)[i] if depth == 0 else 3), 0, (4 - 2 * i) * (depth == 0) + 2 * (i == 0))
    return {"eye": (3 * sign, 5, 8), "jaw": (0, 2, 5)}.get(low.strip("_")[-3:], (5 * sign, 0, 0) if "hand" in low else (0, 0, 3))


def end_offset(name, offset):
    """Toes forward, hands, fingers and heads onward."""
    x, y, z = offset
    return (0, 0, 5) if y < 0 else (0, 12, 0) if y > 0 else (0.6 * x, 0, 0.6 * z) if x else (0, 0, 3)


def main():
    rows, order = skeleton(sys.argv[1]), []

    def write(row, depth):
        name, parent, offset = row
        order.append(name)
        pad, children = "  " * depth, [r for r in rows if r[1] == name]
        print(f"{pad}{'JOINT' if parent else 'ROOT'} {name}\n{pad}{{\n{pad}  OFFSET %g %g %g" % offset)
        print(f"{pad}  CHANNELS {'3' if parent else '6 Xposition Yposition Zposition'} Zrotation Xrotation Yrotation")
        for child in children:
            write(child, depth + 1)
        if not children:
            print(f"{pad}  End Site\n{pad}  {{\n{pad}    OFFSET %g %g %g\n{pad}  }}" % end_offset(name, offset))
        print(pad + "}")

    print("HIERARCHY")
    write(rows[0], 0)
    print("MOTION\nFrames: 3\nFrame Time: 0.0333333")
    for _ in range(3):
        print("0 94 0" + " 0 0 0" * len(order))


main()
