#!/usr/bin/env python3
"""Sixty pushes on characters that stand, squat, walk, turn and kick: what the written files say of each run.

Of each it asks from the file alone, by positions and forces: it ends; the energy is bounded by the work of motors and
pushes; the root stays below 1.2 m; a body that lost its balance rests within 3 s; nothing is deeper in the ground than
DEPTH; no knee or elbow bends beyond its range by more than 2 degrees, by the positions of its bones; no torque exceeds
the strength of trained people, computed here from data/strength*.tsv; recorded forces and the weight change the
momentum. With --steps, a body falls or does not at each length of step
alike in 90 % of the pushes.
usage: test_pushes.py KANE [--steps 0.01,0.005,0.002,0.001] [--few] [--only CLIP]

$KANE_SHARED has the clips that turn and kick."""
import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

TOP = Path(__file__).resolve().parents[2]
MOCAP = Path(os.environ.get("KANE_SHARED", TOP.parent / "shared")) / "mocap"
CLIPS = {"stand": (TOP / "data/squat.bvh", 3.1), "squat": (TOP / "data/squat.bvh", 1.0),
         "walk": (TOP / "data/walk.bvh", 0.6), "turn": (MOCAP / "cmu_daz__salsa_03.bvh", 1.0),
         "kick": (MOCAP / "cmu_daz__10_01.bvh", 0.8)}  # file, s: begin of the push
DIRECTIONS = ("forward", "back", "left", "right", "up", "down")
FORCES = (150, 400)  # N, for 0.2 s
RUN = "kane-feedforward"
GRAVITY = 9.80665
DEPTH, HIGHEST, RESTS, SAME = 0.01, 1.2, 3.0, 0.9  # m, m, s, fraction
BEYOND = 2      # degrees
SECONDS = 3.0   # s, after the push


def kane(program, *words, folder):
    done = subprocess.run([program, *map(str, words)], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit("kane %s: %s" % (words[0], done.stderr))
    return done.stdout


def arrays_of(program, folder, path):
    kane(program, "export", "--format", "npz", path, "-o", "all.npz", "--force", folder=folder)
    with np.load(folder / "all.npz") as whole:
        arrays = {name: whole[name] for name in whole.files}
    info = json.loads(kane(program, "info", "--json", path, folder=folder))
    arrays["ground"], arrays["stature"] = info["ground_height"], info["stature"]
    arrays["roles"] = {role: info["joint_names"].index(name) for role, name in info["roles"].items()}
    return arrays


def turned(q, v):
    """Vectors turned by unit quaternions w x y z."""
    u = q[..., 1:]
    t = 2 * np.cross(u, v)
    return v + q[..., :1] * t + np.cross(u, t)


def spin(q, dt):
    """Angular velocity of each step, world axes, rad/s."""
    a, b = q[:-1], q[1:] * np.where(np.sum(q[:-1] * q[1:], axis=-1, keepdims=True) < 0, -1, 1)
    w = b[..., :1] * a[..., :1] + np.sum(b[..., 1:] * a[..., 1:], axis=-1, keepdims=True)
    v = a[..., :1] * b[..., 1:] - b[..., :1] * a[..., 1:] - np.cross(b[..., 1:], a[..., 1:])
    size = np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-12)
    return v * (2 * np.arctan2(size, w) / size / dt)


def table(name):
    lines = [line.rstrip("\n").split("\t") for line in open(TOP / "data" / name, encoding="utf-8") if line[0] != "#"]
    return [dict(zip(lines[0], line)) for line in lines[1:]]


def strength_of(role, mass, stature):
    """Largest torque of a joint of trained people, mean of both sexes, N m (analysis/angles/strength.h)."""
    names = {"chest": "lumbar_", "spine": "lumbar_"}
    motions = ("elbow_", "forearm_") if role == "elbow" else (names.get(role, role + "_"),)
    weight = mass * GRAVITY * stature
    largest = 0.04 * weight if role in ("neck", "head") else 0
    for envelope in table("strength_envelope.tsv"):
        motion = envelope["motion"]
        if not motion.startswith(motions):
            continue
        average = [float(row["c1"]) for row in table("strength.tsv") if row["motion"] == motion and row["age"] == "18"]
        athlete = [float(row["torque_max"]) for row in table("strength_athlete.tsv") if row["motion"] == motion]
        isometric = (np.mean(average) * weight if average else
                     athlete[0] * mass * stature / (69.6 * 1.732) * (1 + float(envelope["female"])) / 2)
        largest = max(largest, isometric * float(envelope["gain"]) * float(envelope["trained"]))
    return largest if largest else strength_of("knee", mass, stature)


def bone_axes(place, orientation, joints):
    """Upper and lower bone of a limb and the normal of both, the latter in axes of the upper bone."""
    upper, lower = place[:, joints[1]] - place[:, joints[0]], place[:, joints[2]] - place[:, joints[1]]
    return upper, lower, turned(orientation[:, joints[0]] * [1, -1, -1, -1], np.cross(upper, lower))


def bends(place, orientation, joints, hinge):
    """Bend of a limb about an axis of its upper bone, degrees."""
    upper, lower, normal = bone_axes(place, orientation, joints)
    return np.degrees(np.arctan2(normal @ hinge, np.sum(upper * lower, axis=-1)))


def limits(arrays, place, q, roles, mass):
    """Joints beyond their ranges, and torques beyond the strength."""
    faults = []
    for side in ("left_", "right_"):
        for names, least, most in ((("hip", "knee", "ankle"), -5, 145), (("shoulder", "elbow", "wrist"), -5, 150)):
            joints = [roles.get(side + name, -1) for name in names]
            if min(joints) < 0:
                continue
            recorded = arrays["position"], arrays["orientation"], joints
            hinge = bone_axes(*recorded)[2].sum(axis=0)
            hinge = hinge / np.linalg.norm(hinge)  # that of the recorded motion
            own, now = bends(*recorded, hinge), bends(place, q, joints, hinge)
            least, most = min(least, own.min() - 3) - BEYOND, max(most, own.max() + 3) + BEYOND
            if now.min() < least or now.max() > most:
                faults.append("%s%s bends by %.0f to %.0f degrees" % (side, names[1], now.min(), now.max()))
    torque = np.linalg.norm(arrays["tracking_%s_torque" % RUN], axis=-1)
    for role, joint in roles.items():
        bound = strength_of(role.removeprefix("left_").removeprefix("right_"), mass, arrays["stature"])
        if joint and torque[:, joint].max() > 1.001 * bound:
            faults.append("%s needs %.0f of %.0f N m" % (role, torque[:, joint].max(), bound))
    return faults


def judge(arrays, outcome, lost, rest):
    """Faults of a run, as words."""
    prefix, faults = "tracking_%s_" % RUN, []
    q, torque = arrays[prefix + "orientation"], arrays[prefix + "torque"]
    contact, push = arrays[prefix + "contact_force"], arrays[prefix + "push_force"]
    couple = arrays[prefix + "push_moment"]
    mass, com, inertia = (arrays[name] for name in ("mass", "body_com", "inertia"))
    parent, offset = arrays["parent"], arrays["offset"]
    end_parent, end_offset = arrays["end_parent"], arrays["end_offset"]
    time = arrays["tracking_time"]
    dt = (time[-1] - time[0]) / (len(time) - 1)
    place = np.zeros(q.shape[:2] + (3,))
    place[:, 0] = arrays[prefix + "root_position"]
    for j in range(1, len(parent)):
        place[:, j] = place[:, parent[j]] + turned(q[:, parent[j]], offset[j])
    heavy = mass[end_parent] > 0
    ends = (place[:, end_parent] + turned(q[:, end_parent], end_offset))[:, heavy]
    wanted = (arrays["position"][:, end_parent] + turned(arrays["orientation"][:, end_parent], end_offset))[:, heavy]
    ground = min(arrays["ground"], wanted[:, :, 1].min())  # ends of bones are below the soles of some clips
    names = arrays["joint"]
    for of, points in ((names[mass > 0], place[:, mass > 0]), (names[end_parent][heavy], ends)):
        lowest = points[:, :, 1].min(axis=0)
        if ground - lowest.min() > DEPTH:
            faults.append("%s %.1f cm deep" % (of[lowest.argmin()], 100 * (ground - lowest.min())))
    faults += limits(arrays, place, q, arrays["roles"], mass.sum())
    if place[:, 0, 1].max() - ground > HIGHEST:
        faults.append("root at %.2f m" % place[:, 0, 1].max())
    if outcome == "diverges":
        faults.append("diverges")
    if outcome == "falls" and not rest - lost <= RESTS:
        faults.append("no rest within %g s" % RESTS)
    w = spin(q, dt)
    centre = place + turned(q, com)
    velocity = np.diff(centre, axis=0) / dt
    tensor = inertia[:, [0, 3, 4, 3, 1, 5, 4, 5, 2]].reshape(-1, 3, 3)
    own = turned(q[:-1] * [1, -1, -1, -1], w)
    energy = 0.5 * np.einsum("j,fjk,fjk->f", mass, velocity, velocity)
    energy += 0.5 * np.einsum("fjk,jkl,fjl->f", own, tensor, own)
    energy += GRAVITY * (0.5 * (centre[1:] + centre[:-1])[:, :, 1] @ mass)
    relative = w.copy()
    relative[:, 1:] -= w[:, parent[1:]]
    motors = np.sum(torque[:-1, 1:] * relative[:, 1:], axis=(1, 2)) * dt
    pushes = (np.sum(push[:-1] * np.diff(place, axis=0), axis=(1, 2)) + np.sum(couple[:-1] * w, axis=(1, 2)) * dt)
    done, moved = np.cumsum(motors + pushes), np.cumsum(np.abs(motors) + np.abs(pushes))
    excess = np.max(energy[1:] - energy[0] - done[:-1] - 0.1 * moved[:-1], initial=0)
    if excess > 15:
        faults.append("%.0f J from nowhere" % excess)
    if outcome == "falls" and rest == rest:
        steps = int(round((rest - time[0]) / dt))
        weight = mass.sum() * GRAVITY
        sum_ = (contact[1:steps] + push[1:steps]).sum(axis=(0, 1)) * dt - [0, weight * dt * (steps - 1), 0]
        change = mass @ velocity[steps - 1] - mass @ velocity[0]
        if np.abs(sum_ - change).max() > 0.03 * weight:
            faults.append("%.0f N s of momentum unexplained" % np.abs(sum_ - change).max())
    return faults


def number(text):
    return float(text) if text else float("nan")


def one(program, folder, clip, start, force, direction, dt):
    words = ["track", "--root", "free", "--controller", RUN, "--dt", dt, "--duration", start + SECONDS,
             "--push", "chest,%d,%s,%g,0.2" % (force, direction, start), clip, "-o", "out.h5", "--force"]
    done = subprocess.run([program, *map(str, words)], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        return "none", float("nan"), float("nan"), ["ends with " + done.stderr.strip()]
    row = dict(zip(*[line.split("\t") for line in done.stdout.splitlines()[:2]]))
    outcome, lost, rest = row["outcome"], number(row["lost_s"]), number(row["rest_s"])
    return outcome, lost, rest, judge(arrays_of(program, folder, "out.h5"), outcome, lost, rest)


def main():
    options = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].splitlines()[0])
    options.add_argument("kane")
    options.add_argument("--steps", default="0.01")
    options.add_argument("--few", action="store_true", help="the clips of the project alone, two directions")
    options.add_argument("--only", default="", help="one of the clips")
    given = options.parse_args()
    program, steps = str(Path(given.kane).resolve()), [float(dt) for dt in given.steps.split(",")]
    faulty, same, count, fates = 0, 0, 0, collections.Counter()
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        for name, (source, start) in CLIPS.items():
            if given.only not in ("", name):
                continue
            if not source.exists() or (given.few and MOCAP in source.parents):
                print("%s: skipped: no %s" % (name, source.name))
                continue
            kane(program, "run", source, "-o", name + ".h5", folder=folder)
            for force in FORCES:
                for direction in DIRECTIONS[1:3] if given.few else DIRECTIONS:
                    runs = [one(program, folder, name + ".h5", start, force, direction, dt) for dt in steps]
                    faults = [fault for run in runs for fault in run[3]]
                    fate = {run[0] == "falls" for run in runs}
                    count, same, faulty = count + 1, same + (len(fate) == 1), faulty + bool(faults)
                    fates[name, runs[0][0]] += 1
                    print("%s %d N %s: %s%s" % (name, force, direction, ", ".join(run[0] for run in runs),
                                                "".join("; " + fault for fault in faults)), flush=True)
    print("pushes: %d, of them with faults %d; same outcome at all steps %d; %s" % (
        count, faulty, same, ", ".join("%s %s %d" % (*key, n) for key, n in sorted(fates.items()))))
    return faulty > 0 or same < SAME * count


if __name__ == "__main__":
    sys.exit(main())
