#!/usr/bin/python3
"""Fits data/strength_envelope.tsv: research/fit_strength.py [--build build] [--write]

Runs the trials of ../shared/groundtruth (or $KANE_SHARED; both folders) with their own segments and measured forces.
Per direction of hip, knee and ankle it then moves gain, eccentric, stretch and floor from their published values
(PRIOR) as little as possible so that the moments of each person stay below the strength of 95 % of people. Minimised:
the squared logarithm of each change over its tolerance, plus WEIGHT times a bounded loss of the logarithm of each
person's excess. The fit is repeated with each person left out; printed are the values, their range, and the trials,
also of left-out people, whose lower end of utilization exceeds one. --write replaces the fitted columns of the table.

Requires python3-numpy and python3-h5py."""
import argparse
import os
import re
import subprocess
import sys
import tempfile

import h5py
import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fit_contact import SHARED, Trial, person_of  # noqa: E402

G = 9.80665
BAND = 1.645
WEIGHT = 400
LARGE = 0.15         # logarithm of an excess that is rather a spike of a plate: its pull ends
RECORDING = 0x3fb1f  # TRUST_RECORDING: flags of bad recordings and of plates
TABLE = "data/strength_envelope.tsv"
FITTED = ("gain", "eccentric", "stretch", "floor")
# Published value and tolerance (standard deviation of the logarithm). Sources: data/strength_envelope.tsv.
PRIOR = {
    "hip_flexion": ((1, .2), (1.3, .1), (1.5, .3), (.25, .3)),
    "hip_extension": ((1, .2), (1.3, .1), (1.5, .3), (.25, .3)),
    "knee_flexion": ((1, .2), (1.4, .1), (1.5, .3), (.25, .3)),
    "knee_extension": ((1, .2), (1.3, .1), (1.5, .3), (.25, .3)),
    "ankle_dorsiflexion": ((1, .2), (1.5, .1), (1.5, .3), (.25, .3)),
    "ankle_plantarflexion": ((1.2, .2), (1.5, .1), (2, .3), (.3, .3)),
}
COORDINATES = {name: (name if "dorsi" in name else name.replace("extension", "flexion").replace("plantar", "dorsi"),
                      -1 if "extension" in name or "plantar" in name else 1) for name in PRIOR}
ANGLE_FLOOR = 0.5
HALF_RISE = 0.5      # rad/s of lengthening at which half of the eccentric gain is reached


def rows_of(path):
    with open(path) as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines if line[0] != "#" and line.strip()]
    return rows[0], rows[1:]


class Curve:
    """Mean isometric and concentric curves of men and women of 18 to 25 years (data/strength.tsv)."""

    def __init__(self, motion):
        head, rows = rows_of("data/strength.tsv")
        self.rows = [{k: float(x) for k, x in zip(head[3:], r[3:])} for r in rows if r[0] == motion and r[2] == "18"]

    def isometric(self, angle, weight_height):
        return sum(r["c1"] * weight_height * np.maximum(ANGLE_FLOOR, np.cos(np.clip(r["c2"] * (angle - r["c3"]),
                   -np.pi / 2, np.pi / 2))) for r in self.rows) / len(self.rows)

    def passive(self, angle, weight_height):
        return sum(np.clip(r["b1"] * np.exp(r["k1"] * angle) + r["b2"] * np.exp(r["k2"] * angle),
                   -r["c1"] * weight_height, r["c1"] * weight_height) for r in self.rows) / len(self.rows)

    def shortening(self, speed):
        total = 0
        for r in self.rows:
            a, b, d = 2 * r["c4"] * r["c5"], r["c5"] - 3 * r["c4"], 2 * r["c5"] - 4 * r["c4"]
            if b < 0:
                total = total + np.maximum(0, (a + b * speed) / (a + d * speed))
            else:
                top = a / b
                half = (a + b * top / 2) / (a + d * top / 2)
                u = np.minimum(1, speed / top)
                total = total + (1 - u) / (1 + (1 / half - 2) * u)
        return total / len(self.rows)


class Frames:
    """All frames of a direction, one after the other: rows are (person, trial) from start[i] on."""

    def __init__(self, curve, spread, rows):
        self.who, self.trial = [r[0] for r in rows], [r[1] for r in rows]
        self.start = np.cumsum([0] + [len(r[2]) for r in rows])[:-1]
        moment, sd, angle, self.speed = (np.concatenate([r[i] for r in rows]) for i in (2, 3, 4, 5))
        wh = np.concatenate([np.full(len(r[2]), r[6]) for r in rows])
        self.moment = moment * (1 - BAND * np.sqrt((sd / moment) ** 2 + spread ** 2))
        self.isometric, self.passive = curve.isometric(angle, wh), curve.passive(angle, wh)
        self.grid = np.linspace(0, 40, 4001)
        self.gain = curve.shortening(self.grid)

    def excess(self, p):
        """Logarithm of the largest lower end of utilization, per row."""
        gain, eccentric, stretch, floor = p
        long = np.maximum(0, -self.speed)
        factor = np.where(self.speed < 0, 1 + (eccentric - 1) * long / (long + HALF_RISE),
                          np.maximum(floor, np.interp(np.maximum(0, self.speed) / stretch, self.grid, self.gain)))
        active = gain * self.isometric * factor
        low = self.moment / (active + np.maximum(self.passive, -active / 2))
        return np.log(np.maximum(1e-3, np.maximum.reduceat(low, self.start)))


def person(name, info_subject):
    tail = re.search(r"_([ahm]\d+)$", name)
    return tail.group(1) if tail else person_of(info_subject, name)


def all_trials():
    for folder in ("trials/", "trials_more/"):
        base = SHARED + "/groundtruth/" + folder
        for name in sorted(os.listdir(base)):
            if os.path.exists(base + name + "/info.json"):
                yield Trial(name, base)


def read(build):
    """Per direction a list of (person, trial, moment, sd, angle, speed, weight times stature)."""
    found = {motion: [] for motion in PRIOR}
    for trial in all_trials():
        who = person(trial.name, trial.person)
        with tempfile.TemporaryDirectory() as folder:
            path = folder + "/clip.h5"
            command = trial.command(build + "/kane", "given", path)
            at = command.index("--contact-method")
            command[at:at + 2] = ["--contact-external", trial.folder + "external.tsv"]
            at = command.index("--smooth-method")
            del command[at:at + 2]
            subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
            with h5py.File(path) as f:
                names = [n.decode() for n in f["coordinate"][:]]
                sound = (f["trust/reason"][:] & RECORDING) == 0
                wh = f["body"].attrs["total_mass"] * G * f["body"].attrs["stature"]
                for motion, (coordinate, sign) in COORDINATES.items():
                    for side in ("left_", "right_"):
                        i = names.index(side + coordinate)
                        a, v, m, s = (f["angles/" + w][:, i][sound] for w in ("angle", "velocity", "moment",
                                                                               "moment_sd"))
                        keep = np.isfinite(a + v + m + s) & (m * sign > 0)
                        found[motion].append((who, trial.name, (m * sign)[keep], s[keep], a[keep], (v * sign)[keep],
                                              wh))
    return found


def fit(prior, frames, without=None):
    """Values of FITTED; the rows of one person may be left out."""
    people = sorted(set(frames.who) - {without})
    index = [np.array([i for i, w in enumerate(frames.who) if w == name]) for name in people]

    def loss(x):
        e = frames.excess(np.exp(x))
        off = sum(((xi - np.log(value)) / tolerance) ** 2 for xi, (value, tolerance) in zip(x, prior))
        worst = np.array([max(0, e[i].max()) for i in index])
        return off + WEIGHT * (worst ** 2 / (1 + (worst / LARGE) ** 2)).sum()

    x, step = np.log([value for value, _ in prior]), 0.16
    best = loss(x)
    while step > 0.009:
        moved = False
        for i in range(len(x)):
            for sign in (1, -1):
                trial = x.copy()
                trial[i] += sign * step
                value = loss(trial)
                if value < best:
                    x, best, moved = trial, value, True
                    break
        step = step if moved else step / 2
    return np.exp(x)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default="build")
    p.add_argument("--write", action="store_true")
    a = p.parse_args()
    head, table = rows_of(TABLE)
    spread = {r[0]: float(r[head.index("spread")]) for r in table}
    found = read(a.build)
    over, over_in, fitted = set(), set(), {}
    for motion, rows in found.items():
        frames = Frames(Curve(motion), spread[motion], [r for r in rows if len(r[2])])
        fitted[motion] = fit(PRIOR[motion], frames)
        over_in |= {t for t, e in zip(frames.trial, frames.excess(fitted[motion])) if e > 0}
        left = []
        for who in sorted(set(frames.who)):
            left.append(fit(PRIOR[motion], frames, who))
            over |= {t for w, t, e in zip(frames.who, frames.trial, frames.excess(left[-1])) if w == who and e > 0}
        print(motion, " ".join("%s %.3g (%.3g to %.3g)" % (n, v, lo, hi) for n, v, lo, hi in
                               zip(FITTED, fitted[motion], np.min(left, 0), np.max(left, 0))), flush=True)
    count = len({r[1] for r in found["hip_flexion"]})
    print("over one: %d of %d trials, of left-out people %d" % (len(over_in), count, len(over)), sorted(over))
    if a.write:
        with open(TABLE) as f:
            lines = f.read().split("\n")
        for i, line in enumerate(lines):
            cells = line.split("\t")
            for name, value in zip(FITTED, fitted.get(cells[0], ())):
                cells[head.index(name)] = "%.3g" % value
            lines[i] = "\t".join(cells)
        with open(TABLE, "w") as f:
            f.write("\n".join(lines))


if __name__ == "__main__":
    main()
