#!/usr/bin/python3
"""Anatomical angles and moments against those of the trials: tests/groundtruth/test_angles.py KANE

Runs each trial of ../shared/groundtruth (or $KANE_SHARED) with its exact skeleton, segments and measured forces,
without smoothing. Compares moments with moments_net . w, w being axes_* normalised, RMS in N m/kg; and angles with the
Z channel of UpLeg, Leg and Foot, in degrees. Values are means of both sides. Then retargets one walk to skeletons
with other rest poses without planting, and compares its angles there with its own. With OpenSim's names, pelvis and
arms are compared with the model's own coordinates, the channels of the BVH file. Prints one row per trial; exit code
1 if a bound is missed."""
import glob
import json
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np

SHARED = os.environ.get("KANE_SHARED", "../shared")
TRIALS = SHARED + "/groundtruth/trials/"
SIDES = (("_r", "Right", "right_"), ("_l", "Left", "left_"))
# coordinate: OpenSim's name, joint of the BVH file, sign of its Z channel (0: not compared), bound in N m/kg
MOMENTS = {
    "hip_flexion": ("hip_flexion", "UpLeg", 1, 0.05),
    "hip_adduction": ("hip_adduction", "UpLeg", 0, 0.08),
    "knee_flexion": ("knee_angle", "Leg", -1, 0.03),
    "ankle_dorsiflexion": ("ankle_angle", "Foot", 1, 0.04),
}
STAIRS_ANKLE = 0.09
FLAT_ENOUGH = 0.02  # s
MOST_SPREAD, MOST_OFFSET = 3, 5  # degrees: RMS about the mean difference, and that
DIALECTS = {  # retargeting targets of the walk; all but one have legs and soles in their rest pose
    "CMU": "cmu_cgspeed__02_01", "Mixamo": "mass__mass_walk", "Daz": "cmu_daz__10_01", "Z up": "makehuman__mh_walk1",
    "no rest pose": "bandai__dataset-1_walk_normal_001",
}
FLEXIONS = ("hip_flexion", "knee_flexion", "ankle_dorsiflexion")
MOST_DIALECT = 2  # degrees


def read(path):
    with open(path) as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines if line.strip() and line[0] != "#"]
    return rows[0], np.array([[float(x) if x else np.nan for x in row] for row in rows[1:]])


def columns(table, names):
    return table[1][:, [table[0].index(name) for name in names]]


def channels(path, wanted="Zrotation"):
    """Channels of a given name of a BVH file by joint: degrees, cm."""
    names, joint = [], ""
    with open(path) as file:
        lines = file.read().split("\n")
    start = lines.index("MOTION") if "MOTION" in lines else next(i for i, x in enumerate(lines) if x.startswith("MOTION"))
    for line in lines[:start]:
        words = line.split()
        if words and words[0] in ("ROOT", "JOINT"):
            joint = words[1]
        elif words and words[0] == "CHANNELS":
            names += [(joint, word) for word in words[2:]]
    rows = np.array([[float(x) for x in line.split()] for line in lines[start + 3:] if line.strip()])
    return {joint: rows[:, i] for i, (joint, word) in enumerate(names) if word == wanted}


def angles(path, what):
    with h5py.File(path) as file:
        names = [name.decode() for name in file["coordinate"][:]]
        return {name: file["angles/" + what][:, i] for i, name in enumerate(names)}


def shell(command):
    done = subprocess.run(command, shell=True, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit("%s\n%s" % (command, done.stderr))


def flat_pitch(clip, side, force):
    """Pitch of the foot in the model's own axes, degrees, in frames with plate load and almost no rotation: kane's
    ankle angle is zero there, whatever the model's zero. 0, the model's own zero, if that lasts less than kane
    requires (FLAT_ENOUGH in analysis/angles/neutral_pose.c)."""
    with h5py.File(clip) as file:
        foot = [name.decode() for name in file["joint"][:]].index(side + "Foot")
        w, x, y, z = file["kinematics/orientation"][:len(force), foot].T
        turn = np.linalg.norm(file["kinematics/angular_velocity"][:len(force), foot], axis=1)
        frame_time = np.median(np.diff(file["time"][:]))
    loaded = (force > 0.3 * force.max()) & (turn < 0.5)
    pitch = np.rad2deg(np.arctan2(2 * (x * y + w * z), 1 - 2 * (x * x + z * z)))
    return pitch[loaded].mean() if loaded.sum() * frame_time > 0.999 * FLAT_ENOUGH else 0


def score(kane, folder, trial, options=""):
    """RMS of moments, standard deviation and offset of angles by coordinate."""
    where = TRIALS + trial + "/"
    with open(where + "info.json") as text:
        info = json.load(text)
    mass = info.get("total_mass") or info["mass_kg"]
    variant = info.get("score_variant") or ("lp6" if os.path.exists(where + trial + "_lp6_exact.bvh") else "raw")
    bvh, clip = "%s%s_%s_exact.bvh" % (where, trial, variant), "%s/%s.h5" % (folder, trial)
    shell("%s run %s --import-unit cm --import-up Y --body-segments %ssegments_exact.tsv --smooth-method none "
          "--contact-external %sexternal.tsv %s > %s" % (kane, bvh, where, where, options, clip))
    net, axes = (read("%s%s_%s.tsv" % (where, what, variant)) for what in ("moments_net", "axes"))
    valid, z = read(where + "grf.tsv")[1][:, -1] > 0, channels(bvh)
    grf = read(where + "grf.tsv")
    up = {side: columns(grf, [suffix[1].upper() + "_Fy"])[:, 0] for suffix, side, _ in SIDES}
    frames = min(len(net[1]), len(axes[1]), len(valid))
    first, last = np.flatnonzero(valid)[[0, -1]]
    scored = np.arange(frames)[valid[:frames]]
    scored = scored[(scored >= first + 2) & (scored < last - 1)]
    moment, angle = angles(clip, "moment"), np.rad2deg
    found = {}
    for name, (coordinate, joint, sign, _) in MOMENTS.items():
        errors, spreads, offsets = [], [], []
        for suffix, side, own in SIDES:
            w = columns(axes, [coordinate + suffix + "_w" + x for x in "xyz"])[scored]
            w /= np.linalg.norm(w, axis=1, keepdims=True)
            expected = (columns(net, [side + joint + "_M" + x for x in "xyz"])[scored] * w).sum(1)
            if name == "knee_flexion" and z_of_knee_extends(w, own, clip, scored):
                expected = -expected
            errors.append(np.sqrt(((moment[own + name][scored] - expected) ** 2).mean()) / mass)
            if sign:
                off = angle(angles(clip, "angle")[own + name]) - sign * z[side + joint]
                spreads.append(off.std())
                offsets.append(off.mean())
                if name == "ankle_dorsiflexion":
                    offsets[-1] += flat_pitch(clip, side, up[side])
        found[name] = (np.mean(errors), max(spreads, default=0), max(map(abs, offsets), default=0))
    return found


def z_of_knee_extends(w, own, clip, scored):
    """Hamner's model extends the knee about its axis, Rajagopal's flexes it: detected from the angular velocity."""
    rate = angles(clip, "velocity")[own + "knee_flexion"][scored]
    with h5py.File(clip) as file:
        joints = [name.decode() for name in file["joint"][:]]
        side = own.rstrip("_").capitalize()
        omega = file["kinematics/angular_velocity"][:]
        turn = omega[:, joints.index(side + "Leg")] - omega[:, joints.index(side + "UpLeg")]
    return (rate * (turn[scored] * w).sum(1)).sum() < 0


def bound_of(trial, name):
    if name == "ankle_dorsiflexion" and trial.startswith("stair"):
        return STAIRS_ANKLE
    return MOMENTS[name][3]


def misses(trial, found):
    for name, (error, spread, offset) in found.items():
        if error > bound_of(trial, name):
            yield "%s: %s moment %.3f N m/kg, %.3f asked" % (trial, name, error, bound_of(trial, name))
        if spread > MOST_SPREAD or offset > MOST_OFFSET:
            yield "%s: %s angle off by %.1f, RMS %.1f degrees" % (trial, name, offset, spread)


def check_trials(kane, folder):
    missed = []
    print("trial\t" + "\t".join(MOMENTS) + "\tangle RMS\toffset")
    for trial in sorted(os.path.basename(path) for path in glob.glob(TRIALS + "*")):
        found = score(kane, folder, trial)
        missed += misses(trial, found)
        row = ["%.3f" % error for error, _, _ in found.values()]
        row += ["%.1f" % max(x[k] for x in found.values()) for k in (1, 2)]
        print(trial + "\t" + "\t".join(row), flush=True)
    return missed


def named(kane, source, out):
    shell("%s body %s | %s kinematics | %s torque | %s angles > %s" % (kane, source, kane, kane, kane, out))
    return angles(out, "angle")


def check_dialects(kane, folder, walk):
    missed, own, there = [], folder + "/own.h5", folder + "/there.h5"
    shell("%s import %s > %s" % (kane, walk, own))
    angles = named(kane, own, folder + "/named.h5")
    for dialect, target in DIALECTS.items():
        shell("%s retarget --plant none --to %s/mocap/%s.bvh %s > %s" % (kane, SHARED, target, own, there))
        other = named(kane, there, folder + "/named.h5")
        worst = max(np.rad2deg(np.abs(other[own_side + name] - angles[own_side + name])).max()
                    for name in FLEXIONS for _, _, own_side in SIDES if own_side + name in other)
        print("%s on %s\t%.2f degrees" % (os.path.basename(walk), dialect, worst))
        if worst > MOST_DIALECT:
            missed.append("%s on %s: flexions differ by %.1f degrees" % (os.path.basename(walk), dialect, worst))
    return missed


# Name in the model, joint and channel of the BVH file, sign, largest mean and standard deviation of the difference:
# degrees. The pelvis coordinates are the same numbers; the zero of an arm is another pose here (upper arms vertical).
OPENSIM = [("pelvis_tilt", "Hips", "Zrotation", 1, 1e-3, 1e-3), ("pelvis_list", "Hips", "Xrotation", 1, 1e-3, 1e-3),
           ("pelvis_rotation", "Hips", "Yrotation", 1, 1e-3, 1e-3)]
OPENSIM += [(name + side, joint, channel, sign if k else 1, 5, 3)
            for side, joint, sign in (("_l", "LeftArm", -1), ("_r", "RightArm", 1))
            for k, (name, channel) in enumerate((("arm_flex", "Zrotation"), ("arm_add", "Xrotation"),
                                                 ("arm_rot", "Yrotation")))]


def check_opensim(kane, folder, trial):
    missed, bvh = [], "%s%s/%s_lp6_std.bvh" % (TRIALS, trial, trial)
    mot = folder + "/angles.mot"
    shell("%s run %s --import-unit cm --import-up Y --smooth-method none -o - | %s export --angles --names opensim - -o %s"
          % (kane, bvh, kane, mot))
    rows = open(mot).read().split("endheader\n")[1].splitlines()
    names, values = rows[0].split("\t"), np.array([[float(x) for x in row.split("\t")] for row in rows[1:]])
    for name, joint, channel, sign, mean, spread in OPENSIM:
        off = values[:, names.index(name)] - sign * channels(bvh, channel)[joint]
        print("%s %s\t%.4f\t%.4f degrees" % (trial, name, off.mean(), off.std()))
        if not (abs(off.mean()) <= mean and off.std() <= spread):
            missed.append("%s: %s off by %.2f, RMS %.2f degrees" % (trial, name, off.mean(), off.std()))
    return missed


def main():
    kane = sys.argv[1]
    if not os.path.isdir(TRIALS):
        print("angles: skipped, no %s" % TRIALS)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        missed = check_trials(kane, folder)
        for walk in ("data/walk.bvh", TRIALS + "walk_rajagopal/walk_rajagopal_lp6_std.bvh"):
            missed += check_dialects(kane, folder, walk)
        missed += check_opensim(kane, folder, "walk_rajagopal")
    for miss in missed:
        print("angles: " + miss, file=sys.stderr)
    return 1 if missed else 0


sys.exit(main())
