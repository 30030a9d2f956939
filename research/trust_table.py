#!/usr/bin/python3
"""Plants artifacts in BVH files, runs kane on them and prints what /trust flags, and how far the peaks of the roles
move over frames that are trusted with and without the artifact: by more than 5 %, and by more than the band of the peak.

usage: trust_table.py [--same-cutoff] [--only KIND] [--seed N] KANE TRIALS FILE.bvh...
one row per kind of artifact; misses go to standard error. --same-cutoff: the cutoff of the clip without the artifact"""
import argparse
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

RECORDING = 0x3fb1f  # TRUST_RECORDING: flags that statistics leave out
BAND_90 = 1.645
KINDS = ["teleport", "teleport for good", "flip", "frozen", "frozen joint", "step of height"]


class Take:
    """A BVH file as text: its header, the values of its rows, and the columns of each joint's channels."""

    def __init__(self, path):
        head, rows = path.read_text(errors="replace").split("Frame Time:")
        self.head, (rate, *lines) = head, rows.strip().split("\n")
        self.rate = rate.strip()
        self.rows = np.array([[float(x) for x in line.split()] for line in lines if line.split()])
        kinds = [c.split() for c in re.findall(r"CHANNELS\s+\d+\s+([^\n]+)", head)]
        ends = np.cumsum([len(k) for k in kinds])
        self.turns = [[int(end) - len(kind) + i for i, channel in enumerate(kind) if channel.endswith("rotation")]
                      for kind, end in zip(kinds, ends)]
        self.root = {c[0]: i for i, c in enumerate(kinds[0]) if c.endswith("position")}

    def write(self, path, rows):
        path.write_text(self.head + "Frame Time: " + self.rate + "\n" +
                        "\n".join(" ".join("%.9g" % x for x in row) for row in rows) + "\n")


def peak_bands(dynamics):
    """Half width of the 90 % band of the length of each torque."""
    torque, sd, correlation = (dynamics[name][:] for name in ("torque", "torque_sd", "torque_correlation"))
    part = sd * torque / np.maximum(np.linalg.norm(torque, axis=2, keepdims=True), 1e-300)
    x, y, z = np.moveaxis(part, 2, 0)
    square = (part ** 2).sum(2) + 2 * (correlation * np.stack([x * y, x * z, y * z], 2)).sum(2)
    return BAND_90 * np.sqrt(np.maximum(square, 0))


def run(kane, bvh, folder, options=()):
    clip = folder / (bvh.stem + ".h5")
    done = subprocess.run([kane, "run", bvh, "-o", clip, *options], capture_output=True)
    if done.returncode:
        return None
    with h5py.File(clip) as h:
        if "dynamics" not in h or "trust" not in h:
            return None
        reason = h["trust/reason"][:]
        joints = np.zeros((len(reason), len(h["joint"])), "u4")
        if "joint_reason" in h["trust"]:
            joints = h["trust/joint_reason"][:]
        cutoff = re.search(r"--cutoff ([\d.]+)", h.attrs["history"])
        return {"cutoff": cutoff.group(1) if cutoff else None, "band": peak_bands(h["dynamics"]),
                "reason": reason, "joints": joints | reason[:, None], "unit": h.attrs["meters_per_unit"],
                "torque": np.linalg.norm(h["dynamics/torque"][:], axis=2), "mass": h["body/mass"][:],
                "parent": h["skeleton/parent"][:], "role": h["skeleton/role"].asstr()[:], "up": h.attrs["up_axis"][-1],
                "dropped": int(round(h["time"][0] / h.attrs["frame_time"]))}


def own_joints(clip):
    """Joints with a role whose torque exceeds the residual."""
    below = clip["mass"].copy()
    for j in range(len(below) - 1, 0, -1):
        below[clip["parent"][j]] += below[j]
    return [j for j, role in enumerate(clip["role"]) if role and below[j] < below[0] * (1 - 1e-9)]


def plant(take, kind, clip, chance):
    rows, unit = take.rows.copy(), clip["unit"]
    rate = 1 / float(take.rate)
    frames = {"flip": chance.randint(1, 5), "frozen": int(np.ceil(chance.uniform(0.2, 1) * rate))}.get(kind.split()[0], 1)
    first = chance.randint(8, max(9, len(rows) - frames - 8))
    last = min(first + frames, len(rows) - 6)
    if kind == "flip":
        joint = chance.choice([j for j, turns in enumerate(take.turns) if turns])
        rows[first:last, chance.choice(take.turns[joint])] += chance.uniform(60, 180)
    elif kind == "frozen":
        rows[first:last] = rows[first - 1]
    elif kind == "frozen joint":
        turns = chance.choice([turns for turns in take.turns if turns])
        rows[first:last, turns] = rows[first - 1, turns]
    elif kind == "step of height":
        rows[first:, take.root[clip["up"]]] += chance.choice((-1, 1)) * chance.uniform(0.1, 0.5) / unit
    else:
        way = np.array([chance.gauss(0, 1) for _ in range(3)])
        way *= chance.uniform(0.2, 3) / unit / np.linalg.norm(way)
        end = last if kind == "teleport" else len(rows)
        for axis, shift in zip("XYZ", way):
            rows[first:end, take.root[axis]] += shift
    return rows, first, last if kind in ("flip", "frozen", "frozen joint", "teleport") else first + 1


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--same-cutoff", action="store_true")
    parser.add_argument("--only", choices=KINDS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("kane")
    parser.add_argument("trials", type=int)
    parser.add_argument("files", nargs="+", type=Path)
    return parser.parse_args()


def main():
    given = arguments()
    kane, trials, files = given.kane, given.trials, given.files
    kinds = [given.only] if given.only else KINDS
    chance = random.Random(given.seed)
    planted, marked, peaks, moved, beyond = (dict.fromkeys(kinds, 0) for _ in range(5))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path in files:
            take = Take(path)
            sound = run(kane, path, folder) if len(take.rows) >= 60 and len(take.root) == 3 else None
            for kind in kinds * trials if sound else []:
                rows, first, last = plant(take, kind, sound, chance)
                take.write(folder / "faulty.bvh", rows)
                options = ["--smooth-cutoff", sound["cutoff"]] if given.same_cutoff and sound["cutoff"] else []
                faulty = run(kane, folder / "faulty.bvh", folder, options)
                if not faulty or faulty["torque"].shape != sound["torque"].shape:
                    print("%s: %s changes what import decides" % (path.name, kind), file=sys.stderr)
                    continue
                first, last = first - faulty["dropped"], last - faulty["dropped"]
                found = (faulty["joints"] & 0x1e).any(axis=1)
                planted[kind] += 1
                if all(found[max(f - 2, 0):f + 3].any() for f in range(first, last)):
                    marked[kind] += 1
                else:
                    print("%s: %s at %d to %d" % (path.name, kind, first, last - 1), file=sys.stderr)
                for j in own_joints(sound):
                    both = ((faulty["joints"][:, j] | sound["joints"][:, j]) & RECORDING) == 0
                    if both.any():
                        a, b = sound["torque"][both, j].max(), faulty["torque"][both, j].max()
                        peaks[kind] += 1
                        band = faulty["band"][both, j][faulty["torque"][both, j].argmax()]
                        moved[kind] += abs(b - a) > 0.05 * a
                        beyond[kind] += abs(b - a) > max(0.05 * a, band)
    print("fault\tplanted\tmarked\trole peaks\tmoved by more than 5 %\tand more than the band")
    for kind in kinds:
        part = [100 * n / max(of, 1) for n, of in ((marked[kind], planted[kind]), (moved[kind], peaks[kind]),
                                                   (beyond[kind], peaks[kind]))]
        print("%s\t%d\t%.1f %%\t%d\t%.2f %%\t%.2f %%" % (kind, planted[kind], part[0], peaks[kind], *part[1:]))


main()
