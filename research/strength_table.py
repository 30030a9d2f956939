#!/usr/bin/python3
"""Largest strength utilization of hip, knee and ankle in each trial: research/strength_table.py [--build build]
[--measured]

Runs the trials of ../shared/groundtruth (or $KANE_SHARED) with default options and the mass, with estimated or plate
forces. Prints one row per trial: kind, name, and for the larger side the largest utilization over trusted frames with
the joint's angle (degrees), velocity (rad/s), moment and capacity (N m/kg) at that time. Requires python3-numpy and
python3-h5py."""
import argparse
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fit_contact import TRIALS, Trial  # noqa: E402

COORDINATES = ("hip_flexion", "knee_flexion", "ankle_dorsiflexion")


def largest(file, coordinate):
    """(utilization, degrees, rad/s, N m/kg, N m/kg) at the larger maximum of both sides."""
    names = [name.decode() for name in file["coordinate"][:]]
    trusted, mass = file["trust/trusted"][:] > 0, file["body"].attrs["total_mass"]
    found = []
    for side in ("left_", "right_"):
        use, angle, rate, moment, capacity = (file["angles/" + what][:, names.index(side + coordinate)]
                                              for what in ("utilization", "angle", "velocity", "moment", "capacity"))
        at = np.argmax(np.where(trusted & np.isfinite(use), use, -1))
        found.append((use[at], np.degrees(angle[at]), rate[at], moment[at] / mass, capacity[at] / mass))
    return max(found)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default="build")
    p.add_argument("--measured", action="store_true")
    a = p.parse_args()
    print("kind\ttrial\t" + "\t".join(c + " share, degrees, rad/s, N m/kg, of" for c in COORDINATES))
    for name in sorted(os.listdir(TRIALS)):
        if not os.path.exists(TRIALS + name + "/info.json"):
            continue
        trial = Trial(name)
        with tempfile.TemporaryDirectory() as folder:
            path = folder + "/clip.h5"
            command = trial.command(a.build + "/kane", "default", path)
            at = command.index("--contact-method")
            command[at:at + 2] = ["--contact-external", TRIALS + name + "/external.tsv"] if a.measured else []
            subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
            with h5py.File(path) as file:
                cells = ["%.2f, %.0f, %.1f, %.2f, %.2f" % largest(file, c) for c in COORDINATES]
        print("\t".join([trial.kind, name] + cells), flush=True)


if __name__ == "__main__":
    main()
