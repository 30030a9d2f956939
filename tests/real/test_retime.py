#!/usr/bin/python3
"""Speeds clips up and lets kane retime bring them back within the largest torques of the recorded timing.
  - kane run on the written BVH file, solved from nothing, has no torque over its limit by more than 1 %
  - the poses lie on the cubic spline through the poses of the clip (numpy's solution, not kane's), in order and never faster
  - the time is between the sped-up clip's and 1.15 times the recorded one
One file is retimed as it is: the poses lie on the spline through those of the file, not of its filter, and, run again,
no moment has more than 1.01 times the strength.
usage: tests/real/test_retime.py KANE [--all] [NAME...]
3 clips at twice their speed; --all: ten, at 2 and 3 times; NAME: of these, by a part of the name"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import h5py
import numpy as np

CLIPS = ["mass__mass_walk", "cmu_cgspeed__02_03", "cmu_cgspeed__09_01", "cmu_cgspeed__07_01", "cmu_cgspeed__01_01",
         "bandai__dataset-1_kick_normal_001", "bandai__dataset-1_run_normal_001", "bandai__dataset-1_walk_normal_001",
         "animdraw__jumping", "games105__walk60"]
FEW = CLIPS[:3]
LIMITED = re.compile("hip$|knee|ankle|spine|chest|shoulder|elbow")
TOLERANCE, LONGEST, POSE, RATE, STRENGTH = 1.01, 1.15, 1e-6, 1e-6, 1.01


def kane(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(map(str, arguments))}: {done.stderr}")
    return done.returncode


def torques(path):
    """{joint: largest torque in frames with derivatives, N m}, of the joints that are limited"""
    with h5py.File(path) as file:
        size = np.linalg.norm(file["dynamics/torque"][:], axis=2)[file["kinematics/valid"][:] > 0]
        names = file["joint"].asstr()[:]
        roles = file["skeleton/role"].asstr()[:]
        return {name: size[:, j].max() for j, (name, role) in enumerate(zip(names, roles)) if j and LIMITED.search(role)}


def poses(path):
    """(time, numbers of each frame): root position and quaternions"""
    with h5py.File(path) as file:
        frames = len(file["time"])
        return file["time"][:], np.hstack([file["motion/root_position"][:],
                                           file["motion/rotation"][:].reshape(frames, -1)])


def normalized(row):
    rotation = row[3:].reshape(-1, 4)
    return np.hstack([row[:3], (rotation / np.linalg.norm(rotation, axis=1)[:, None]).ravel()])


class Curve:
    """The interpolating cubic spline whose second derivative is constant in the first and the last interval."""

    def __init__(self, values):
        n = len(values)
        matrix, right = np.zeros((n, n)), np.zeros_like(values)
        for i in range(1, n - 1):
            matrix[i, i - 1:i + 2] = 1, 4, 1
            right[i] = 6 * (values[i + 1] - 2 * values[i] + values[i - 1])
        matrix[0, :2] = matrix[-1, -2:] = 1, -1
        self.values, self.bend = values, np.linalg.solve(matrix, right)

    def at(self, place):
        """place in frames"""
        i = int(min(max(np.floor(place), 0), len(self.values) - 2))
        t = place - i
        a = 1 - t
        return normalized(a * self.values[i] + t * self.values[i + 1] +
                          ((a**3 - a) * self.bend[i] + (t**3 - t) * self.bend[i + 1]) / 6)


def timing(clip, result):
    """(largest distance of a pose from the curve, smallest and largest rate)"""
    source, found = poses(clip)[1], poses(result)[1]
    curve, last = Curve(source), len(source) - 1
    place, rate, places, worst = 0.0, 1.0, [], 0.0
    for number, row in enumerate(found):
        guess = place + rate if number else 0.0
        for _ in range(12):  # the nearest place, by Gauss and Newton
            low, high = max(guess - 1e-4, 0), min(guess + 1e-4, last)
            slope = (curve.at(high) - curve.at(low)) / (high - low)
            error = same_signs(row, curve.at(guess)) - curve.at(guess)
            guess = min(max(guess + error @ slope / max(slope @ slope, 1e-300), place, 0), place + 2, last)
        worst = max(worst, np.abs(same_signs(row, curve.at(guess)) - curve.at(guess)).max())
        rate = guess - place if number else 1.0
        place = guess
        places.append(place)
    rates = np.diff(places)
    return worst, rates.min(), rates.max()


def same_signs(row, reference):
    row = row.copy()
    for k in range(3, len(row), 4):
        if row[k:k + 4] @ reference[k:k + 4] < 0:
            row[k:k + 4] *= -1
    return row


def judge(program, path, speed, folder):
    kane(program, "run", "-q", path, "-o", folder / "recorded.h5")
    with h5py.File(folder / "recorded.h5") as file:
        step, history = file["time"][1] - file["time"][0], file.attrs["history"]
    recorded = len(poses(folder / "recorded.h5")[0]) * step
    limits = torques(folder / "recorded.h5")
    table = folder / "limits.tsv"
    table.write_text("joint\ttorque\n" + "".join(f"{name}\t{value:.9g}\n" for name, value in limits.items()))
    unit = re.search(r"--unit (\S+)", history).group(1)  # gravity at another speed would suggest another one
    kane(program, "run", "-q", "--import-unit", unit, "--import-fps", speed / step, path, "-o", folder / "fast.h5")
    kane(program, "retime", "-q", "--torque-limits", table, folder / "fast.h5", "-o", folder / "slow.h5")
    kane(program, "export", folder / "slow.h5", "-o", folder / "slow.bvh")
    kane(program, "run", "-q", folder / "slow.bvh", "-o", folder / "again.h5")
    again = torques(folder / "again.h5")
    over, joint = max((again[name] / limits[name], name) for name in limits)
    pose, slowest, fastest = timing(folder / "fast.h5", folder / "slow.h5")
    now = poses(folder / "slow.h5")[0]
    ratio = (now[-1] - now[0]) / recorded
    is_good = (over <= TOLERANCE and pose < POSE and 0 < slowest and fastest <= 1 + RATE and
               1 / speed - 0.01 <= ratio <= LONGEST)
    print(f"{path.stem} x{speed}: {joint} {over:.3f} of its limit, {ratio:.3f} of the recorded time, rate {slowest:.3f} "
          f"to {fastest:.6f}, poses within {pose:.1e} of the curve{'' if is_good else '   FAILED'}", flush=True)
    return is_good


def judge_file(program, path, fps, folder):
    options = ["--import-fps", fps]
    kane(program, "import", "-q", "--fps", fps, path, "-o", folder / "file.h5")
    kane(program, "retime", "-q", *options, path, "-o", folder / "slow.h5")
    kane(program, "export", folder / "slow.h5", "-o", folder / "slow.bvh")
    kane(program, "run", "-q", folder / "slow.bvh", "-o", folder / "again.h5")
    pose, slowest, fastest = timing(folder / "file.h5", folder / "slow.h5")
    with h5py.File(folder / "again.h5") as file:
        use = np.nanmax(file["angles/utilization"][:][file["kinematics/valid"][:] > 0])
    is_good = pose < POSE and 0 < slowest and fastest <= 1 + RATE and use <= STRENGTH
    print(f"{path.stem} as a file: {use:.3f} of the strength, poses within {pose:.1e} of the curve"
          f"{'' if is_good else '   FAILED'}", flush=True)
    return is_good


def main():
    program = os.path.abspath(sys.argv[1])
    shared = pathlib.Path(os.environ.get("KANE_SHARED", "../shared")) / "mocap"
    if not shared.is_dir():
        print("skipped: no shared clips")
        return
    is_all = "--all" in sys.argv
    named = [name for name in CLIPS for word in sys.argv[2:] if word in name]
    with tempfile.TemporaryDirectory() as folder:
        results = [judge_file(program, shared / "games105__walk60.bvh", 120, pathlib.Path(folder))]
    for speed in (2, 3) if is_all else (2,):
        for name in named or (CLIPS if is_all else FEW):
            with tempfile.TemporaryDirectory() as folder:
                results.append(judge(program, shared / f"{name}.bvh", speed, pathlib.Path(folder)))
    if not all(results):
        sys.exit(f"retime: {results.count(False)} of {len(results)} clips failed")


if __name__ == "__main__":
    main()
