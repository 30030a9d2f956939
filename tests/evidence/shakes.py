#!/usr/bin/env python3
"""Plants shakes of one joint into recordings, and measures what those that kane does not find do to the peaks.

usage: shakes.py KANE [trials|clips] [EACH]

Periods of 2 to 12 frames, 2 to 180 degrees, as in tests/real/test_planted_shakes.c: EACH (4) per recording of
$KANE_SHARED (../shared) at its rate, at 1/2 and at 1/4. A shake is found if half of its frames are flagged. Of each that
is not, the peak torques of all joints over trusted frames are compared with those of the clean recording: how many are
moved by more than 5 % of it and 0.01 N m/kg, and how many by more than its 90 % band as well. Skipped without the shared
files. Python 3, h5py, NumPy."""
import glob
import math
import os
import random
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from make_clips import Bvh, about, from_euler, product, to_euler, unit  # noqa: E402

BAND, MOVED, SMALL, MIN_ROWS, FAULTY = 1.645, 0.05, 0.01, 40, ("05_02", "kinect_mae", "/dog__", "run_forward", "bvh_test1")


def thin(bvh, divisor):
    bvh.frames = bvh.frames[::divisor]
    bvh.frame_time *= divisor


def rotation_columns(bvh, joint):
    first = bvh.columns(joint)
    return [first + i for i, channel in enumerate(joint.channels) if channel.endswith("rotation")]


def plant(bvh, seed):
    """Shakes a joint of the rows in place; returns what was drawn."""
    chance = random.Random(seed)
    joint = chance.choice([j for j in bvh.joints if len(bvh.order(j)) == 3])
    period, size = chance.randint(2, 12), math.radians(2 * 90 ** chance.random())
    is_sine, first = chance.random() < 0.2, len(bvh.frames) // 2 if chance.random() < 0.3 else 0
    axis, phase = unit([chance.gauss(0, 1) for _ in range(3)]), chance.random() * period
    columns, order = rotation_columns(bvh, joint), bvh.order(joint)
    for f in range(first, len(bvh.frames)):
        part = float((f + int(phase)) % period < period // 2)
        if is_sine:
            part = 0.5 + 0.5 * math.sin(2 * math.pi * (f + phase) / period)
        row = bvh.frames[f]
        q = product(from_euler(order, [row[c] for c in columns]), about(axis, part * size))
        for c, angle in zip(columns, to_euler(order, q)):
            row[c] = angle
    return joint.name, first, 1 / bvh.frame_time / period, math.degrees(size)


def write(bvh, path):
    with open(path, "w", encoding="utf-8") as out:
        bvh.write(out)


def is_found(kane, path, joint, first):
    import h5py
    import numpy
    out = path + ".import.h5"
    subprocess.run([kane, "import", "-q", "--force", path, "-o", out], check=True, stderr=subprocess.DEVNULL)
    with h5py.File(out) as file:
        reason = file["trust/reason"][first:] if "trust" in file else numpy.zeros(1)
        if "trust/joint_reason" in file:
            reason = reason | file["trust/joint_reason"][first:, [n.decode() for n in file["joint"]].index(joint)]
    return float(numpy.mean(reason != 0)) >= 0.5


def peaks(kane, path):
    """{joint: peak of trusted frames and its standard deviation}, N m/kg, of joints with a role."""
    out = path + ".h5"
    subprocess.run([kane, "run", "-q", "--force", path, "-o", out], stderr=subprocess.DEVNULL)
    subprocess.run([kane, "index", "-j1", path + ".db", out], capture_output=True)
    rows = sqlite3.connect(path + ".db").execute(
        "select joint, torque_peak_nm_kg, torque_peak_sd_nm_kg from joint_stat where role is not null "
        "and torque_peak_nm_kg is not null").fetchall()
    os.remove(path + ".db")
    os.remove(out)
    return {joint: (peak, sd or 0) for joint, peak, sd in rows}


def harm(clean, shaken):
    """Joints whose peak is moved: by more than 5 %, and beyond the band as well."""
    moved = [j for j in clean if j in shaken and
             abs(shaken[j][0] - clean[j][0]) > max(MOVED * clean[j][0], SMALL)]
    beyond = [j for j in moved if abs(shaken[j][0] - clean[j][0]) > BAND * max(clean[j][1], shaken[j][1])]
    return len(moved), len(beyond)


def main():
    kane, kind = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "trials"
    each, shared = int(sys.argv[3]) if len(sys.argv) > 3 else 4, os.environ.get("KANE_SHARED", "../shared")
    paths = sorted(glob.glob(shared + ("/groundtruth/trials/*/*_std.bvh" if kind == "trials" else "/mocap/*.bvh")))
    folder, count, missed, harmful, beyond = tempfile.mkdtemp(), 0, 0, 0, 0
    for path in [p for p in paths if not any(word in p for word in FAULTY)]:
        for divisor in (1, 2, 4):
            clip, clean = f"{folder}/clip.bvh", None
            for i in range(each):
                bvh = Bvh(path)
                thin(bvh, divisor)
                if len(bvh.frames) < MIN_ROWS or bvh.frame_time > 0.05:
                    break
                joint, first, frequency, size = plant(bvh, f"{os.path.basename(path)} {divisor} {i}")
                write(bvh, clip)
                count += 1
                if is_found(kane, clip, joint, first):
                    continue
                missed += 1
                if clean is None:
                    sound = Bvh(path)
                    thin(sound, divisor)
                    write(sound, folder + "/clean.bvh")
                    clean = peaks(kane, folder + "/clean.bvh")
                moved = harm(clean, peaks(kane, clip))
                harmful += moved[0] > 0
                beyond += moved[1] > 0
                print(f"missed: {size:.1f} degrees at {frequency:.1f} Hz, {joint} of {os.path.basename(path)} at "
                      f"1/{divisor}: moves {moved[0]} joints, {moved[1]} beyond their band", flush=True)
    print(f"{kind}: {count} planted, {missed} not found; a peak moved by {harmful}, beyond its band by {beyond}")


if __name__ == "__main__":
    main()
