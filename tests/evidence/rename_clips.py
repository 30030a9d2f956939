#!/usr/bin/env python3
"""Renames the joints of BVH files, shuffles their children, mirrors and turns them: the torques must follow.

usage: rename_clips.py write CHANGE[+CHANGE...] --roles INFO IN.bvh > OUT.bvh
       rename_clips.py compare KANE CHANGES IN.bvh...
       rename_clips.py list

CHANGE: a vocabulary or scheme of names (VOCABULARIES, SCHEMES), random (random words), exchanged (left and right
exchanged in the names), shuffle (children in another order), mirror (mirror image, names exchanged with it),
mirror-kept (the same, names kept), yaw (turned by 37 degrees about the up axis), yaw-N (by N degrees), z-up (another axis points up), tilt
(the world leans by 20 degrees). CHANGES: separated by commas, or all. INFO: what `kane info` prints of the clip.

compare runs KANE on each clip and its changed copies. Prints clip, change, the largest difference of a joint's torque
over the peak of the clip, the number of knees and elbows whose flexion is reversed, and the warning of its cause. Fails
if torques differ by more than 1e-6 without a warning, or a flexion is reversed (of misleading names: without a
warning). At the end: how often roles and sides are right, by the confidence of `kane info`.
Python 3; compare: h5py, NumPy."""
import argparse
import math
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from make_clips import Bvh, about, mirror, rotate_world, turn_axes  # noqa: E402

PAIRED = ("clavicle", "shoulder", "elbow", "wrist", "hip", "knee", "ankle", "toe")
MIDLINE = ("hips", "spine", "chest", "neck", "head")

# Midline roles; paired roles with {} for the side; words of left and right; a finger and other joints, {} a number.
VOCABULARIES = {
    "german": (
        "Becken Wirbelsäule Brust Hals Kopf",
        "Schlüsselbein.{} Oberarm.{} Unterarm.{} Hand.{} Oberschenkel.{} Unterschenkel.{} Fuß.{} Zehen.{}",
        "L R", "Finger{}", "Wirbel{}"),
    "german-long": (
        "Hüfte Bauch Brustkorb Nacken Kopf",
        "{}e_Schulter {}er_Oberarm {}er_Ellenbogen {}es_Handgelenk {}e_Hüfte {}es_Knie {}er_Knöchel {}e_Zehe",
        "Link Recht", "Fingerglied{}", "Zusatz{}"),
    "french": (
        "Bassin Colonne Poitrine Cou Tête",
        "Clavicule_{} Bras_{} AvantBras_{} Main_{} Cuisse_{} Jambe_{} Pied_{} Orteils_{}",
        "G D", "Doigt{}", "Os{}"),
    "chinese": ("骨盆 脊柱 胸 颈 头", "{}锁骨 {}上臂 {}前臂 {}手 {}大腿 {}小腿 {}脚 {}脚趾", "左 右", "手指{}", "骨骼{}"),
    "chinese-short": ("臀 腰 胸 脖 头", "{}肩 {}臂 {}肘 {}腕 {}腿 {}膝 {}足 {}趾", "左 右", "指{}", "骨{}"),
    "japanese": ("腰 背骨 胸 首 頭", "{}肩 {}腕 {}ひじ {}手首 {}足 {}ひざ {}足首 {}つま先", "左 右", "指{}", "骨{}"),
    "spanish": (
        "Cadera Columna Pecho Cuello Cabeza",
        "Clavicula{} Brazo{} Antebrazo{} Mano{} Muslo{} Pantorrilla{} Pie{} Dedos{}",
        "Izq Der", "Falange{}", "Hueso{}"),
    "russian": (
        "Таз Позвоночник Грудь Шея Голова",
        "Ключица_{} Плечо_{} Предплечье_{} Кисть_{} Бедро_{} Голень_{} Стопа_{} Носок_{}",
        "Л П", "Палец{}", "Кость{}"),
    "mixamo": (
        "Hips Spine Spine2 Neck Head", "{}Shoulder {}Arm {}ForeArm {}Hand {}UpLeg {}Leg {}Foot {}ToeBase",
        "Left Right", "HandIndex{}", "Extra{}"),
    "cmu": (
        "Hips LowerBack Spine1 Neck1 Head", "{}Shoulder {}Arm {}ForeArm {}Hand {}UpLeg {}Leg {}Foot {}ToeBase",
        "Left Right", "FingerBase{}", "Joint{}"),
    "biped": (
        "Bip01_Pelvis Bip01_Spine Bip01_Spine2 Bip01_Neck Bip01_Head",
        "Bip01_{0}_Clavicle Bip01_{0}_UpperArm Bip01_{0}_Forearm Bip01_{0}_Hand Bip01_{0}_Thigh Bip01_{0}_Calf "
        "Bip01_{0}_Foot Bip01_{0}_Toe0", "L R", "Bip01_Finger{}", "Bip01_Dummy{}"),
    "italian": (
        "Bacino Schiena Petto Collo Testa",
        "Clavicola{} Braccio{} Avambraccio{} Mano{} Coscia{} Gamba{} Piede{} Dita{}",
        "Sx Dx", "Falange{}", "Osso{}"),
    "korean": ("골반 척추 가슴 목 머리", "{}쇄골 {}위팔 {}아래팔 {}손 {}허벅지 {}종아리 {}발 {}발가락", "왼 오른", "손가락{}", "뼈{}"),
    "romaji": (
        "Koshi Sebone Mune Kubi Atama",
        "{}Sakotsu {}Jouwan {}Zenwan {}Te {}Momo {}Sune {}Ashi {}Tsumasaki",
        "Hidari Migi", "Yubi{}", "Hone{}"),
    "russian-latin": (
        "Taz Pozvonochnik Grud Sheya Golova",
        "Klyuchitsa_{} Plecho_{} Predplechye_{} Kist_{} Bedro_{} Golen_{} Stopa_{} Nosok_{}",
        "L P", "Palets{}", "Kost{}"),
    "spanish-long": (
        "Pelvis Columna Torax Cuello Cabeza",
        "Hombro{} BrazoSuperior{} Codo{} Muneca{} Cadera{} Rodilla{} Tobillo{} PuntaDelPie{}",
        "Izquierdo Derecho", "Dedo{}", "Hueso{}"),
    "unreal": (
        "pelvis spine_01 spine_03 neck_01 head",
        "clavicle_{} upperarm_{} lowerarm_{} hand_{} thigh_{} calf_{} foot_{} ball_{}",
        "l r", "index_0{}", "helper_{}"),
    "vrm": (
        "J_Bip_C_Hips J_Bip_C_Spine J_Bip_C_UpperChest J_Bip_C_Neck J_Bip_C_Head",
        "J_Bip_{0}_Shoulder J_Bip_{0}_UpperArm J_Bip_{0}_LowerArm J_Bip_{0}_Hand J_Bip_{0}_UpperLeg J_Bip_{0}_LowerLeg "
        "J_Bip_{0}_Foot J_Bip_{0}_ToeBase", "L R", "J_Bip_Index{}", "J_Sec_{}"),
    "xsens": (
        "Pelvis L5 T8 Neck Head", "{}Shoulder {}UpperArm {}ForeArm {}Hand {}UpperLeg {}LowerLeg {}Foot {}Toe",
        "Left Right", "Finger{}", "Prop{}"),
    "neuron": (
        "Robot_Hips Robot_Spine Robot_Spine2 Robot_Neck Robot_Head",
        "Robot_{0}Shoulder Robot_{0}Arm Robot_{0}ForeArm Robot_{0}Hand Robot_{0}UpLeg Robot_{0}Leg Robot_{0}Foot "
        "Robot_{0}ToeBase", "Left Right", "Robot_HandIndex{}", "Robot_Extra{}"),
    "rokoko": (
        "Hips Spine1 Spine4 Neck Head", "{}Shoulder {}Arm {}ForeArm {}Hand {}Thigh {}Shin {}Foot {}Toe",
        "Left Right", "DigitIndex{}", "Newton{}"),
    "smpl": (
        "Pelvis Spine1 Spine3 Neck Head", "{}_Collar {}_Shoulder {}_Elbow {}_Wrist {}_Hip {}_Knee {}_Ankle {}_Foot",
        "L R", "index{}", "extra{}"),
    "misleading": (  # names of arms on legs and of legs on arms
        "Root Leg Arm Hand Foot", "{}Neck {}Hip {}Knee {}Foot {}Arm {}ForeArm {}Hand {}Finger",
        "Left Right", "Toe{}", "Spine{}"),
}
SCHEMES = {"numbers": "Bone.{:03d}", "letters": "j{:02d}", "underscores": "joint_{}"}
OTHERS = ("random", "exchanged", "shuffle", "mirror", "mirror-kept", "yaw", "z-up", "tilt")
ALL = [*VOCABULARIES, *SCHEMES, *OTHERS[:-1], "random+shuffle+mirror+yaw"]  # tilt requires a path


def exchange(role):
    return ("right" + role[4:]) if role.startswith("left") else ("left" + role[5:]) if role.startswith("right") else role


def vocabulary_name(words, role):
    midline, paired, sides = (w.split() for w in words[:3])
    if role in MIDLINE:
        return midline[MIDLINE.index(role)]
    side, part = role.split("_")
    return paired[PAIRED.index(part)].format(sides[side == "right"])


def is_below(joint, tops):
    while joint:
        if joint in tops:
            return True
        joint = joint.parent
    return False


def rename(bvh, role, kind):
    """role: joint -> role. Other joints: fingers below the wrists, numbered bones elsewhere; all names differ."""
    rng = random.Random(1)
    wrists = [j for j, r in role.items() if r.endswith("wrist")]
    for i, joint in enumerate(bvh.joints):
        if kind in SCHEMES:
            joint.name = SCHEMES[kind].format(i)
        elif kind == "random":
            joint.name = "".join(rng.choice("bdfgkmnpstvz") + rng.choice("aeiou") for _ in range(4))
        elif joint in role:
            joint.name = vocabulary_name(VOCABULARIES[kind], role[joint])
        else:
            joint.name = VOCABULARIES[kind][3 if is_below(joint, wrists) else 4].format(i)


def exchange_names(bvh, role):
    name = {r: j.name for j, r in role.items()}
    for joint, r in role.items():
        if exchange(r) in name:
            joint.name = name[exchange(r)]


def shuffle(bvh):
    """Children in another order, with their columns."""
    rng = random.Random(2)
    order = []

    def visit(joint):
        order.append(joint)
        children = [j for j in bvh.joints if j.parent is joint]
        rng.shuffle(children)
        for child in children:
            visit(child)

    visit(bvh.joints[0])
    first = {j: bvh.columns(j) for j in bvh.joints}
    bvh.frames = [[x for j in order for x in row[first[j]:first[j] + len(j.channels)]] for row in bvh.frames]
    bvh.joints = order


def apply(bvh, role, change, up):
    if change in VOCABULARIES or change in SCHEMES or change == "random":
        rename(bvh, role, change)
    elif change == "exchanged":
        exchange_names(bvh, role)
    elif change == "shuffle":
        shuffle(bvh)
    elif change in ("mirror", "mirror-kept"):
        mirror(bvh)
        if change == "mirror":
            exchange_names(bvh, role)
    elif change.split("-")[0] == "yaw":
        rotate_world(bvh, about(up, math.radians(float(change[4:] or 37))))
    elif change == "tilt":
        rotate_world(bvh, about([up[2], up[0], up[1]], math.radians(20)))
    elif change == "z-up":
        turn_axes(bvh, about([1, 0, 0], math.radians(90)))
    else:
        raise SystemExit(f"rename_clips.py: no change {change}")


def changed(path, role_of_name, changes, up=(0, 1, 0)):
    """up: axis of the file. Returns the changed clip, and for each of its joints the number of the joint in the original."""
    bvh = Bvh(path)
    role = {j: role_of_name[j.name] for j in bvh.joints if j.name in role_of_name}
    number = {j: i for i, j in enumerate(bvh.joints)}
    for change in changes.split("+"):
        apply(bvh, role, change, up)
    return bvh, [number[j] for j in bvh.joints]


def read_roles(lines):
    names = {side + part for side in ("left_", "right_") for part in PAIRED} | set(MIDLINE)
    found = {}
    for line in lines:
        words = line.split(None, 1)
        if len(words) == 2 and line.startswith("  ") and words[0] in names:
            found[words[1].strip()] = words[0]
    return found


def run(kane, path, out):
    done = subprocess.run([kane, "run", path, "-o", out, "--force"], capture_output=True, text=True)
    return done.stderr if done.returncode == 0 else "warning: failed: " + done.stderr.replace("\n", " ")


def torques(path):
    """Norm of the torque of each joint and frame; NaN where there is none."""
    import h5py
    import numpy
    with h5py.File(path) as clip:
        return numpy.linalg.norm(numpy.array(clip["dynamics/torque"]), axis=2)


def flexions(path, number):
    """Flexion of knees and elbows by the joint's number in the original; number: of each joint of the clip."""
    import h5py
    import numpy
    with h5py.File(path) as clip:
        names = [n.decode() for n in clip["coordinate"]] if "coordinate" in clip else []
        return {number[int(clip["angles/joint_index"][i])]: numpy.array(clip["angles/angle"])[:, i]
                for i, name in enumerate(names) if name.endswith(("knee_flexion", "elbow_flexion"))}


def count_reversed(original, new):
    """Joints whose flexion has the other sign than in the original."""
    import numpy
    return sum(int(numpy.nansum(original[j] * new[j]) < 0) for j in original if j in new)


def warning_of_roles(text):
    for line in text.splitlines():
        for word in ("warning: failed", "roles uncertain", "left and right are exchanged", "the world leans"):
            if word in line:
                return line[line.index(word):][:150]
    return ""


def read_up(text):
    found = re.search(r" (-?)([XYZ]) up", text)
    return [(-1 if found[1] else 1) * (axis == found[2]) for axis in "XYZ"]


def difference(original, new, number):
    """The largest difference of torques over the peak; infinite if other joints have torques."""
    import numpy
    ordered = original[:, number]
    if new.shape != ordered.shape or (numpy.isnan(new) != numpy.isnan(ordered)).any():
        return math.inf
    return numpy.nanmax(numpy.abs(new - ordered)) / numpy.nanmax(original)


def confidence_of(kane, path, subject, is_right):
    """[(confidence that `kane info` prints of the subject, whether it is right)], or nothing if it was not decided."""
    text = subprocess.run([kane, "info", path], capture_output=True, text=True).stdout if os.path.exists(path) else ""
    found = re.search(rf"^ +{subject} .*\(([<>]?)(\d+) %\)$", text, re.M)
    return [(int(found[2]) / 100 + {">": 0.005, "<": -0.005, "": 0}[found[1]], is_right)] if found else []


def print_calibration(subject, decisions):
    bounds = (0, 0.5, 0.8, 0.9, 0.95, 0.99, 1)
    cells = []
    for low, high in zip(bounds, bounds[1:]):
        right = [r for c, r in decisions if low <= c < high]
        cells.append(f"{sum(right)} of {len(right)}" if right else "-")
    print(f"{subject}, right at {', '.join(f'{b:g}' for b in bounds[:-1])} and above: " + ", ".join(cells))


def compare(kane, changes, paths):
    folder = tempfile.mkdtemp()
    silent = reverse = 0
    sure = {"roles": [], "front": []}
    for path in paths:
        base, copy, out = (os.path.join(folder, n) for n in ("base.h5", "copy.bvh", "copy.h5"))
        run(kane, path, base)
        info = subprocess.run([kane, "info", base], capture_output=True, text=True).stdout
        roles, up = read_roles(info.splitlines()), read_up(info)
        with open(copy, "w", encoding="utf-8") as stream:
            Bvh(path).write(stream, 10)  # the digits of a copy
        print(os.path.basename(path), "original", 0, 0, warning_of_roles(run(kane, copy, base)), sep="\t", flush=True)
        original = torques(base)
        angles = flexions(base, range(original.shape[1]))
        for change in changes:
            bvh, number = changed(path, roles, change, up)
            with open(copy, "w", encoding="utf-8") as stream:
                bvh.write(stream, 10)
            if os.path.exists(out):
                os.unlink(out)
            warning = warning_of_roles(run(kane, copy, out))
            is_made = os.path.exists(out)
            off = difference(original, torques(out), number) if is_made else math.inf
            wrong = count_reversed(angles, flexions(out, number)) if is_made else 0
            silent += off > 1e-6 and not warning
            reverse += wrong if change != "misleading" or not warning else 0
            for subject, decisions in sure.items() if change != "tilt" else ():
                decisions += confidence_of(kane, out, subject, off <= 1e-6 and not wrong)
            print(os.path.basename(path), change, f"{off:.2g}", wrong,
                  "SILENT" if off > 1e-6 and not warning else warning, sep="\t", flush=True)
    for subject, decisions in sure.items():
        print_calibration(subject, decisions)
    print(f"{silent} differ without a warning, {reverse} flexions are reversed")
    return int(silent > 0 or reverse > 0)


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("command")
    parser.add_argument("rest", nargs="*")
    parser.add_argument("--roles")
    given = parser.parse_intermixed_args()
    if given.command == "list":
        print("\n".join(ALL))
        return 0
    if given.command == "write":
        bvh, _ = changed(given.rest[1], read_roles(open(given.roles, encoding="utf-8")), given.rest[0])
        bvh.write(sys.stdout)
        return 0
    changes = ALL if given.rest[1] == "all" else given.rest[1].split(",")
    return compare(given.rest[0], changes, given.rest[2:])


if __name__ == "__main__":
    sys.exit(main())
