#!/usr/bin/env python3
"""Moment errors that remain when measured ground reaction forces replace estimated ones, quantity by quantity.

usage: research/substitution.py KANE TRIAL...      trials of $KANE_SHARED/groundtruth (default ../shared)

Runs KANE with default options, replaces the estimated vertical, fore-aft or lateral force or centre of pressure by that
of the plates in the frames that they see, runs KANE with the result as external forces, and scores it by the script of
the trials.
Prints the sum of the errors at hip, knee and ankle, N m/kg (means over the trials)."""
import csv
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile

import numpy as np

SHARED = os.path.join(os.environ.get("KANE_SHARED", os.path.join(os.path.dirname(__file__), "..", "..", "shared")), "groundtruth")
TAKEN = {"nothing": "", "vertical force": "y", "fore-aft force": "x", "lateral force": "z", "force": "xyz",
         "centre of pressure": "c", "all": "xyzc"}
FEET = {"R": "RightFoot", "L": "LeftFoot"}


def read_table(path):
    """Columns by name; empty cells are NaN."""
    with open(path, encoding="utf-8") as stream:
        rows = [line.rstrip("\n").split("\t") for line in stream if line.strip() and line[0] != "#"]
    values = np.array([[float(cell or "nan") for cell in row] for row in rows[1:]])
    return dict(zip(rows[0], values.T))


def vector(table, name, count):
    return np.stack([table[name + axis][:count] for axis in "xyz"], 1)


def estimate(kane, folder, trial, into):
    """The forces that kane estimates, as kane export --grf writes them."""
    with open(os.path.join(folder, "info.json"), encoding="utf-8") as stream:
        info = json.load(stream)
    motion = next(name for form in ("lp6", "raw") for name in [f"{trial}_{info.get('score_variant', form)}_std.bvh"]
                  if os.path.exists(os.path.join(folder, name)))
    clip, table = os.path.join(into, "clip.h5"), os.path.join(into, "grf.tsv")
    subprocess.run([kane, "run", os.path.join(folder, motion), "--import-unit", "cm", "--import-up", "Y", "--body-mass",
                    str(info.get("total_mass") or info["mass_kg"]), "-o", clip], check=True, stderr=subprocess.DEVNULL)
    subprocess.run([kane, "export", "--grf", clip, "--force", "--format", "tsv", "-o", table], check=True, stderr=subprocess.DEVNULL)
    return read_table(table)


def mixed(own, plates, foot, taken):
    """Force, centre of pressure and free moment of a foot per frame, with the quantities in taken from the plates."""
    count = min(len(own["time"]), len(plates["time"]))
    force, place, moment = (vector(own, f"{foot}_{name}", count) for name in ("F", "COP", "T"))
    true_force, true_place, true_moment = (vector(plates, f"{foot}_{name}", count) for name in ("F", "COP", "T"))
    seen, loaded, on_plate = plates["valid"][:count] > 0, force[:, 1] > 0, true_force[:, 1] > 0
    for axis, name in enumerate("xyz"):
        if name in taken:
            force[seen, axis] = true_force[seen, axis]
    place[~loaded] = true_place[~loaded]
    if "c" in taken:
        place[seen & on_plate & loaded] = true_place[seen & on_plate & loaded]
        moment[seen] = true_moment[seen]
    return np.nan_to_num(np.hstack([force, place, moment]))


def write_external(path, own, plates, taken):
    time = own["time"] - own["time"][0]
    with open(path, "w", encoding="utf-8") as out:
        print(*"time joint fx fy fz px py pz tx ty tz".split(), sep="\t", file=out)
        for foot, joint in FEET.items():
            for t, row in zip(time, mixed(own, plates, foot, taken)):
                print(f"{t:.6f}", joint, *(f"{value:.9g}" for value in row), sep="\t", file=out)


def scores(kane, folder):
    """Sum of the moment errors of each trial of a folder."""
    out = subprocess.run([sys.executable, os.path.join(SHARED, "evaluate.py"), kane, "--mode", "floor", "--trials", folder],
                         check=True, capture_output=True, text=True).stdout
    rows = csv.DictReader(io.StringIO(out), delimiter="\t")
    return [sum(float(row[joint]) for joint in ("hip", "knee", "ankle")) for row in rows if row["trial"] != "mean"]


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    kane, trials = os.path.realpath(sys.argv[1]), sys.argv[2:]
    with tempfile.TemporaryDirectory() as work:
        folders = {name: os.path.join(work, name.replace(" ", "_")) for name in TAKEN}
        for trial in trials:
            source, into = os.path.join(SHARED, "trials", trial), os.path.join(work, "own", trial)
            os.makedirs(into)
            own, plates = estimate(kane, source, trial, into), read_table(os.path.join(source, "grf.tsv"))
            for name, taken in TAKEN.items():
                shutil.copytree(source, os.path.join(folders[name], trial))
                write_external(os.path.join(folders[name], trial, "external.tsv"), own, plates, taken)
        for name, folder in folders.items():
            print(f"{name:20s} {np.mean(scores(kane, folder)):.3f}")


if __name__ == "__main__":
    main()
