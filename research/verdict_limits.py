#!/usr/bin/python3
"""Limits of the verdict that rest on recordings (data/verdict.tsv: ground_short, ground_long, moment_long, yaw), chosen
without one family of files or one person.

usage: research/verdict_limits.py [--build build]

Runs the clips of $KANE_SHARED (default ../shared; but for DEFECTIVE of tests/groundtruth/test_verdict.py) and its 75
trials with estimated forces, and measures the largest mean residual of each over its window, in sound frames. Without a
family a limit is the largest value of all others, or its physical value if that is larger (PHYSICAL); its error is that
of the table. Prints the limits over families, and which left-out recordings exceed limit and error: with and without
the physical values. Requires python3-numpy, python3-h5py."""
import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tests/groundtruth"))
from fit_contact import SHARED, Trial  # noqa: E402
from fit_strength import all_trials, person  # noqa: E402
from test_verdict import DEFECTIVE  # noqa: E402

G = 9.80665
RECORDING = 0x3fb1f  # TRUST_RECORDING
# Limit: dataset, window in s. PHYSICAL: a body that hovers, half of it, half of a lean of 45 degrees, friction.
LIMITS = {"ground_short": ("residual_force", 0.1), "ground_long": ("residual_force", 0.3),
          "moment_long": ("residual_torque", 0.3), "yaw": ("residual_torque", 0.1)}
PHYSICAL = {"ground_short": 1, "ground_long": 0.5, "moment_long": 0.35, "yaw": 0.5}


def errors():
    with open("data/verdict.tsv") as table:
        rows = dict(line.split("\t")[:2] for line in table if not line.startswith("#"))
    return {name: float(rows[name + "_error"]) for name in LIMITS}


def largest_mean(values, sound, span):
    """Largest length of the mean of `span` rows in a row that are all sound."""
    if len(values) < span:
        return 0
    sums = np.vstack([np.zeros(values.shape[1]), np.cumsum(np.where(sound[:, None], values, 0), axis=0)])
    counts = np.concatenate([[0], np.cumsum(sound)])
    whole = counts[span:] - counts[:-span] == span
    return np.where(whole, np.linalg.norm(sums[span:] - sums[:-span], axis=1), 0).max() / span


def measure(path):
    """{limit: largest value}; None without torques of a person."""
    with h5py.File(path) as f:
        if "dynamics" not in f or "angles" not in f or not f["body"].attrs.get("stature", 0) > 0:
            return None
        weight, half = f["body"].attrs["total_mass"] * G, f["body"].attrs["stature"] / 2
        sound = (f["trust/reason"][:] & RECORDING == 0) & (f["kinematics/valid"][:] > 0)
        found = {}
        for name, (dataset, seconds) in LIMITS.items():
            values = f["dynamics"][dataset][:] / (weight * (half if dataset == "residual_torque" else 1))
            values = values[:, 1:2] if name == "yaw" else values
            found[name] = largest_mean(values, sound, max(1, round(seconds / f.attrs["frame_time"])))
        return found


def recordings(kane, folder):
    """(family, name, values)"""
    for path in sorted(Path(SHARED, "mocap").glob("*.bvh")):
        clip = folder / "clip.h5"
        done = subprocess.run([kane, "run", "-q", "--force", path, "-o", clip], stderr=subprocess.DEVNULL)
        values = measure(clip) if not done.returncode and path.name not in DEFECTIVE else None
        if values:
            yield path.stem.split("__")[0], path.stem, values
    for trial in all_trials():
        clip = folder / "clip.h5"
        bvh = "%s%s_%s_std.bvh" % (trial.folder, trial.name, trial.variant)
        subprocess.run([kane, "run", "-q", "--force", bvh, "--import-unit", "cm", "--import-up", "Y",
                        "--body-mass", repr(trial.mass), "-o", clip], check=True, stderr=subprocess.DEVNULL)
        yield "person " + person(trial.name, trial.person), trial.name, measure(clip)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    kane, error = os.path.abspath(parser.parse_args().build + "/kane"), errors()
    with tempfile.TemporaryDirectory() as folder:
        rows = list(recordings(kane, Path(folder)))
    beyond = {"with": set(), "without": set()}
    fitted = {name: [] for name in LIMITS}
    for family in sorted({row[0] for row in rows}):
        for name in LIMITS:
            largest = max(values[name] for other, _, values in rows if other != family)
            fitted[name].append(largest)
            for own, clip, values in rows:
                for kind, limit in (("with", max(largest, PHYSICAL[name])), ("without", largest)):
                    if own == family and values[name] > limit + error[name]:
                        beyond[kind].add(clip + " (" + name + ")")
    for name, values in fitted.items():
        print("%s: largest of the others %.2f to %.2f, physical %.2f" % (name, min(values), max(values), PHYSICAL[name]))
    for kind, names in beyond.items():
        print("%d recordings, left out, %s physical values: %d impossible: %s" % (len(rows), kind, len(names),
                                                                                 ", ".join(sorted(names))))


if __name__ == "__main__":
    main()
