#!/usr/bin/python3
"""Fits the position of the centre of pressure along the foot in gait to force plates: research/roll_over.py [--build
build] COMMAND

  table      fits data/roll_over.tsv and prints it
  left-out   RMS error along the foot (mm) against the plates with each subject left out, one row per kind of
             trial; also of the subjects of either half: two laboratories with treadmills, all others
  score      errors of the contact stage for each subject with the table fitted to all others

The position is a polynomial of two variables: how far the centre of mass has passed the toe joint along the foot, and
the pitch of the foot. Walking and running have one each, mixed by the fraction of flight. The foot length shifts
both. Least squares weighted by load, with equal weight for each kind of trial and each subject of a kind. Both modes
of research/fit_contact.py are fitted at once. Reads the trials of ../shared/groundtruth (or $KANE_SHARED). Requires
python3-numpy and python3-h5py."""
import argparse
import os
import subprocess
import sys

import h5py
import numpy as np

import fit_contact
from fit_contact import G, MODES, TRIALS, Trial

KINDS = ("walk", "walk_fast", "run", "run_consistent", "stairs")
TERMS = ("at", "com", "com2", "com3", "pitch", "pitch2", "pitch_com")
UNITS = ("L", "1", "1/L", "1/L2", "L", "L", "1")
NAMES = [gait + "." + term for gait in ("walk", "run") for term in TERMS] + ["foot_length"]
FOOT_POINTS = 5    # contact points of the clip file, per foot: two of the heel, two of the ball, the toe
MIN_LOAD = 0.1   # BW: below, the measured centre of pressure is inaccurate
ESTIMATED = 0.04   # BW: a foot that the estimate loads
WINDOW = 0.5       # s: window about a frame in which flight is counted (contact_prior.c)
MIN_SUM = 0.3    # BW: less force is flight (contact_prior.h)
RIDGE = 1e-4


def rotate(q, v):
    w, x = q[..., :1], q[..., 1:]
    t = 2 * np.cross(x, v)
    return v + w * t + np.cross(x, t)


class Rows:
    """Data of one trial in one mode: frames with a foot on a plate; lengths in leg lengths."""

    def __init__(self, kane, trial, mode, folder):
        path = os.path.join(folder, "%s.%s.h5" % (trial.name, mode))
        command = trial.command(kane, mode, path)
        at = command.index("--contact-method")
        del command[at:at + 2]
        if not os.path.exists(path):
            subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        self.kind, self.person, self.mode, self.name = trial.kind, trial.person, mode, trial.name
        with h5py.File(path) as clip:
            self.read(clip, trial)

    def read(self, clip, trial):
        names = [n.decode() if isinstance(n, bytes) else n for n in clip["joint"][()]]
        offset, joint = clip["skeleton/offset"][()], clip["contact/point_joint"][()][:2 * FOOT_POINTS]
        bone = np.linalg.norm(offset, axis=1)
        self.leg = np.mean([bone[names.index(s + "Leg")] + bone[names.index(s + "Foot")] for s in ("Left", "Right")])
        point = clip["kinematics/position"][()][:, joint] + rotate(clip["kinematics/orientation"][()][:, joint],
                                                                  clip["contact/point_position"][()][:2 * FOOT_POINTS])
        n = min(len(point), len(trial.ok))
        point = point[:n].reshape(n, 2, FOOT_POINTS, 3) / self.leg
        load = np.nan_to_num(clip["contact/foot_force"][()][:n, :, 1]) / (trial.mass * G)
        heel, ball = point[:, :, :2].mean(2), point[:, :, 2:4].mean(2)
        sole = ball - heel
        ahead = sole * (1, 0, 1)
        flat = np.linalg.norm(ahead, axis=2)
        ahead /= flat[..., None]
        com = ((clip["kinematics/com"][()][:n, None] / self.leg - ball) * ahead).sum(2)
        cop = np.insert(trial.cop[:n] / self.leg, 1, 0, axis=2)
        self.used = trial.ok[:n, None] & (trial.force[:n, :, 1] > MIN_LOAD) & (load > ESTIMATED)
        self.place = ((cop - ball) * ahead).sum(2)[self.used]
        self.load = trial.force[:n, :, 1][self.used]
        pitch = np.arctan2(-sole[..., 1], flat)
        self.terms = self.design(com[self.used], pitch[self.used], np.linalg.norm(sole, axis=2)[self.used],
                                 np.repeat(self.running(load, trial.dt)[:, None], 2, 1)[self.used])

    @staticmethod
    def running(load, dt):
        flight, span = np.maximum(0, 1 - load.sum(1) / MIN_SUM), int(WINDOW / dt) + 1
        around = [flight[max(0, t - span):t + span + 1].mean() for t in range(len(flight))]
        return np.minimum(1, np.array(around) / fit_contact.read_constants("data/contact.tsv")["run_flight"])

    @staticmethod
    def design(com, pitch, length, run):
        com, pitch = np.clip(com, -0.5, 0.5), np.clip(pitch, -0.4, 1.0)
        one = np.stack([com ** 0, com, com ** 2, com ** 3, pitch, pitch ** 2, pitch * com], 1)
        return np.concatenate([one * (1 - run)[:, None], one * run[:, None], length[:, None]], 1)


def fit(rows):
    """Coefficients in the order of NAMES."""
    total = {}
    for r in rows:
        people = total.setdefault(r.kind, {})
        people[r.person] = people.get(r.person, 0) + r.load.sum()
    x, y = np.concatenate([r.terms for r in rows]), np.concatenate([r.place for r in rows])
    w = np.concatenate([r.load / total[r.kind][r.person] / len(total[r.kind]) for r in rows])
    a = (x * w[:, None]).T @ x / w.sum()
    return np.linalg.solve(a + RIDGE * np.diag(np.diag(a) + 1e-9), (x * w[:, None]).T @ y / w.sum())


def left_out(rows, group):
    """{group: coefficients fitted to all other groups}"""
    return {g: fit([r for r in rows if group(r) != g]) for g in sorted({group(r) for r in rows})}


def print_table(rows):
    print("# Position of the pressure along the foot in gait, ahead of the toe joint: polynomials of how far the COM has\n"
          "# passed the toe joint (com, in L) and of the pitch of the foot (rad, heel up), for walking and running.\n"
          "# Written by research/roll_over.py, fitted to 43 trials of 16 people with force plates.\n"
          "coefficient\tvalue\tunit")
    for name, value, unit in zip(NAMES, fit(rows), UNITS * 2 + ("1",)):
        print("%s\t%.3g\t%s" % (name, value, unit))


def errors_of(r, table):
    """Mean and RMS, mm, weighted by load."""
    error = 1000 * r.leg * (r.terms @ table - r.place)
    return np.average(error, weights=r.load), np.sqrt(np.average(error ** 2, weights=r.load))


def print_left_out(rows):
    tables, whole = left_out(rows, lambda r: r.person), fit(rows)
    print("| activity (n trials) | training | held out by subject | of that: mean of a trial | within a trial | treadmills"
          " | others |\n|---|---|---|---|---|---|---|")
    for kind in KINDS:
        part = [r for r in rows if r.kind == kind and r.mode == "default"]
        fitted = [errors_of(r, whole) for r in part]
        left = [errors_of(r, tables[r.person]) for r in part]
        halves = [[e[1] for e, r in zip(left, part) if r.person.startswith("person_") == half] for half in (True, False)]
        mean = np.array([e[0] for e in left])
        print("| %s (%d) | %.1f | %.1f | %.1f | %.1f | " % (
            fit_contact.ACTIVITIES[kind], len(part), np.mean([e[1] for e in fitted]), np.mean([e[1] for e in left]),
            np.sqrt(np.mean(mean ** 2)),
            np.sqrt(np.mean(np.square([e[1] for e in left]) - mean ** 2))) +
            " | ".join("%.1f" % np.mean(h) if h else "" for h in halves) + " |")


def print_score(rows, build, work):
    fit_contact.DEFAULTS.update(fit_contact.read_constants("data/contact.tsv"))
    benches = fit_contact.Benches(build, MODES, work)
    tables, whole, scores = left_out(rows, lambda r: r.person), fit(rows), {m: {} for m in MODES}
    for person in sorted({t.person for t in benches.trials}):
        own = [t for t in benches.trials if t.person == person]
        for m in MODES:
            bench = fit_contact.Bench(build, m, own, work)
            bench.ask(dict(zip(NAMES, tables.get(person, whole))))
            scores[m].update(zip([t.name for t in own], bench.answer()))
    fit_contact.print_kinds(benches, {m: [scores[m][t.name] for t in benches.trials] for m in MODES})


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("command", choices=("table", "left-out", "score"))
    p.add_argument("--build", default="build")
    p.add_argument("--work", default="/tmp/kane_roll_over")
    a = p.parse_args()
    os.makedirs(a.work, exist_ok=True)
    names = sorted(t for t in os.listdir(TRIALS) if os.path.exists(TRIALS + t + "/info.json"))
    trials = [t for t in map(Trial, names) if t.kind in KINDS]
    rows = [Rows(a.build + "/kane", t, mode, a.work) for t in trials for mode in MODES]
    if a.command == "table":
        print_table(rows)
    elif a.command == "left-out":
        print_left_out(rows)
    else:
        print_score(rows, a.build, a.work)


if __name__ == "__main__":
    sys.exit(main())
