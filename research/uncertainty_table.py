#!/usr/bin/python3
"""How good the uncertainty of torques is: research/uncertainty_table.py [--build build] [--method fast|full] [fit]

Runs the trials of ../shared/groundtruth (or $KANE_SHARED) as a user has them (only the mass is told, default options),
and holds the torques of hip, knee and ankle against the reference. Prints, with the person of each trial left out of
the fit of the sizes:
  coverage   share of frames whose moment lies in the 90 % band, by kind, joint and component (world axes; people go
             along x, so x is adduction, y rotation, z flexion), %
  thirds     mean error of the frames in the upper third of the standard deviation over that of the lower third, by kind
             and joint
  crps       continuous ranked probability score, Nm/kg: the band, and a constant one (for each joint and component the
             errors of everybody else, of the same kind where somebody else did it)
With fit the sizes fitted to everybody are written to data/uncertainty.tsv, in the column of the method.

The fit: sizes start from the maximum of a Student likelihood (6 degrees of freedom) of the errors and are then moved,
one after the other by ever smaller factors, where that brings the coverage of kinds, joints and components nearer to
84 to 93 %. What is published is a bound (BOUNDS), so that the rest stands for the error of kane's own model.
Needs python3-numpy, python3-h5py and build/tests/groundtruth/uncertainty_terms."""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fit_contact import KINDS, TRIALS, Trial  # noqa: E402

JOINTS = ("hip", "knee", "ankle")
BAND = 1.645
TABLE = "data/uncertainty.tsv"
# Least and largest size; what is not here is free.
BOUNDS = {"joint_centre": (.01, .01), "segment_centre": (.01, .014), "segment_mass": (1, 2), "foot_mass": (3, 9),
          "foot_centre": (.01, .04), "noise": (.0017, .0017), "filter": (1, 1), "cutoff": (.15, 3),
          "plate_pressure": (.005, .005)}


def sizes():
    rows = [line.rstrip("\n").split("\t") for line in open(TABLE) if line[0] != "#"]
    return rows[0], rows[1:]


class Sample:
    """Errors and variances of one trial, [frame][side][joint][component], Nm/kg."""

    def __init__(self, trial, folder, terms, method):
        path = "%s/%s.h5" % (folder, trial.name)
        with h5py.File(path) as f:
            names = [n.decode() for n in f["joint"][:]]
            leg = [names.index(s + j) for s in ("Left", "Right") for j in ("UpLeg", "Leg", "Foot")]
            torque = f["dynamics/torque"][:][:, leg]
        n = min(len(torque), len(trial.moments))
        shape = (n, 2, 3, 3)
        self.kind, self.person, self.trial = trial.kind.replace("walk_consistent", "walk"), trial.person, trial.name
        self.error = ((torque[:n] - trial.moments[:n]) / trial.mass).reshape(shape)
        self.ok = trial.ok[:n, None, None, None] & np.isfinite(self.error)
        raw = np.frombuffer(subprocess.run([terms, method, path], check=True, stdout=subprocess.PIPE).stdout)
        frames, count = int(raw[0]), int(raw[1])
        rows = raw[2:].reshape(count, 1 + frames * 18)
        unit = np.where(rows[:, :1] > 0, rows[:, :1], 1)
        self.variance = np.moveaxis((rows[:, 1:] / unit ** 2).reshape(count, frames, 2, 3, 3)[:, :n], 0, -1)
        self.variance = self.variance / trial.mass ** 2


def flat(samples):
    """Sixty frames of each trial: errors, variances of unit causes, weights by kind, cells."""
    kinds = [s.kind for s in samples]
    error, variance, weight, cell = [], [], [], []
    for s in samples:
        ok = s.ok.copy()
        ok[np.arange(len(ok)) % max(1, len(ok) // 60) != 0] = False
        at = np.argwhere(ok)
        error.append(s.error[ok])
        variance.append(s.variance[ok])
        weight.append(np.full(len(at), 1 / len(at) / kinds.count(s.kind)))
        cell.append(KINDS.index(s.kind) * 9 + at[:, 2] * 3 + at[:, 3])
    return [np.concatenate(x) for x in (error, variance, weight, cell)]


def fit(samples, least, most):
    """Squares of the sizes."""
    error, unit, weight, cell = flat(samples)
    square, theta = error ** 2, np.clip(np.average(error ** 2) / np.maximum(unit.mean(0), 1e-12) / 20, least, most)
    for _ in range(200):
        v = unit @ theta + 1e-12
        robust = 7 / (6 + square / v)
        up, down = (weight * robust * square / v ** 2) @ unit, (weight / v) @ unit
        theta = np.clip(theta * np.sqrt(up / np.maximum(down, 1e-300)), least, most)
    count = np.bincount(cell, minlength=len(KINDS) * 9)
    seen = count > 0
    part = weight / weight.sum()

    def objective(t):
        v = unit @ t + 1e-12
        z = np.sqrt(square / v)
        soft = 1 / (1 + np.exp(np.clip((z - BAND) * 6, -50, 50)))
        held = np.bincount(cell, soft, minlength=len(count))[seen] / count[seen]
        far = np.maximum(0, .84 - held) ** 2 + 1.5 * np.maximum(0, held - .93) ** 2
        return 30 * far.sum() + .25 * (part * (np.log(v) + 7 * np.log1p(z * z / 6))).sum()

    best, step = objective(theta), 2.0
    free = np.where((most > least) & (unit.sum(0) > 0))[0]
    for rounds in range(8):
        for i in free:
            for factor in (step, 1 / step):
                trial = theta.copy()
                trial[i] = np.clip(max(theta[i], 1e-7) * factor, least[i], most[i])
                value = objective(trial)
                if value < best:
                    theta, best = trial, value
                    break
        step = 1 + (step - 1) * .75
    return theta


def crps(error, sd):
    """Of normal forecasts (Gneiting, Raftery 2007, equation 21)."""
    z = error / sd
    density = np.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    below = .5 * (1 + np.vectorize(math.erf)(z / math.sqrt(2)))
    return (sd * (z * (2 * below - 1) + 2 * density - 1 / math.sqrt(math.pi))).mean()


def of_kind(samples, sd, kind, joint, component):
    error, spread = [], []
    for s, v in zip(samples, sd):
        if kind in (s.kind, None):
            ok = s.ok[:, :, joint, component]
            error.append(s.error[:, :, joint, component][ok])
            spread.append(v[:, :, joint, component][ok])
    return np.concatenate(error), np.concatenate(spread)


def constant(samples, of, joint, component):
    """RMS error of everybody else, of the same kind where there are such."""
    others = [s for s in samples if s.person != of.person]
    same = [s for s in others if s.kind == of.kind] or others
    return math.sqrt(np.mean(np.concatenate([s.error[:, :, joint, component][s.ok[:, :, joint, component]] ** 2
                                             for s in same])))


def tables(samples, sd):
    print("| kind | " + " | ".join("%s x, y, z" % j for j in JOINTS) + " |\n|---|---|---|---|")
    beyond = 0
    for kind in KINDS:
        row = []
        for j in range(3):
            held = [np.mean(np.abs(e) <= BAND * v) for e, v in (of_kind(samples, sd, kind, j, c) for c in range(3))]
            beyond += sum(not .8 <= h <= .96 for h in held)
            row.append(", ".join("%.0f" % (100 * h) if .8 <= h <= .96 else "*%.0f*" % (100 * h) for h in held))
        print("| %s | %s |" % (kind, " | ".join(row)))
    print("\nout of 80 to 96 %%: %d of %d\n" % (beyond, 9 * len(KINDS)))
    print("| kind | thirds: hip, knee, ankle | CRPS: band, constant |\n|---|---|---|")
    for kind in KINDS + (None,):
        ratio, score, flat_score = [], [], []
        for j in range(3):
            both = [of_kind(samples, sd, kind, j, c) for c in range(3)]
            error, spread = (np.concatenate([b[i] for b in both]) for i in range(2))
            order, third = np.argsort(spread), len(spread) // 3
            ratio.append(np.abs(error[order[-third:]]).mean() / np.abs(error[order[:third]]).mean())
            for c in range(3):
                level = [np.full(s.error.shape, constant(samples, s, j, c)) if kind in (s.kind, None) else v
                         for s, v in zip(samples, sd)]
                score.append(crps(*both[c]))
                flat_score.append(crps(*of_kind(samples, level, kind, j, c)))
        print("| %s | %s | %.4f, %.4f |" % (kind or "all", ", ".join("%.1f" % r for r in ratio), np.mean(score),
                                          np.mean(flat_score)))


def write(method, names, size):
    head, rows = sizes()
    column = head.index(method)
    for row in rows:
        row[column] = "%.3g" % size[names.index(row[0])]
    notes = [line for line in open(TABLE) if line[0] == "#"]
    with open(TABLE, "w") as out:
        out.writelines(notes + ["\t".join(row) + "\n" for row in [head] + rows])


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default="build")
    p.add_argument("--method", default="fast", choices=("fast", "full"))
    p.add_argument("fit", nargs="?", choices=("fit",))
    a = p.parse_args()
    terms = a.build + "/tests/groundtruth/uncertainty_terms"
    names = subprocess.run([terms, "names"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    bounds = [BOUNDS.get(n, (0, 1e3)) for n in names]
    least, most = (np.array([b[i] for b in bounds], float) ** 2 for i in range(2))
    if a.method == "full":  # the row of filter is the whole ensemble's
        for n in ("segment_mass", "foot_mass", "noise"):
            least[names.index(n)] = most[names.index(n)] = dict((r[0], float(r[2])) for r in sizes()[1])[n] ** 2
    samples = []
    with tempfile.TemporaryDirectory() as folder:
        for name in sorted(os.listdir(TRIALS)):
            if not os.path.exists(TRIALS + name + "/info.json"):
                continue
            trial = Trial(name)
            command = trial.command(a.build + "/kane", "default", "%s/%s.h5" % (folder, name))
            command = [c for i, c in enumerate(command) if "--contact-method" not in command[max(0, i - 1):i + 1]]
            subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
            samples.append(Sample(trial, folder, terms, a.method))
    everybody = fit(samples, least, most)
    print(json.dumps({n: float("%.3g" % math.sqrt(t)) for n, t in zip(names, everybody)}) + "\n")
    without = {q: fit([s for s in samples if s.person != q], least, most) for q in {s.person for s in samples}}
    tables(samples, [np.sqrt(s.variance @ without[s.person]) for s in samples])
    if a.fit:
        write(a.method, names, np.sqrt(everybody))


if __name__ == "__main__":
    main()
