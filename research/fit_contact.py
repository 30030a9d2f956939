#!/usr/bin/python3
"""Fits the constants of the ground contact to force plates: research/fit_contact.py [--build build] [--constants FILE]
[--trials DIR] [--cutoff HZ|auto] COMMAND

  score          errors by kind of trial with the constants of FILE (default data/contact.tsv), modes given and
                 default
  trials         same, one row per trial
  peaks          largest moments of each joint and leg: of the plates, and the errors of the estimates (mean, SD)
  sensitivity    the objective at half and at twice the value of each constant that changes it by 1 % or more
  fit NAME...    multiplies and divides each named constant (default: all but MEASURED) by STEP; moves all that gain
                 LEAST_GAIN if together they gain at least as much as the best alone, else the better half, and so on;
                 repeats ROUNDS times; writes the result. Then repeats this with each subject left out, and prints the
                 errors of the left-out subjects: the error expected for a new subject

Objective: mean over kinds of the sum of hip, knee and ankle moment errors (RMS of the vector, N m/kg), over both
modes equally. Fitted to mode default alone, the constants would compensate for the smoothing of runs, at the expense
of clean clips.
  given    the segments of the trial, no smoothing
  default  default options with the total mass
--cutoff: of the filter in mode default. --trials: spoiled copies (make fit-uncertainty leaves them in
build/spoiled/SPOILING).

Reads the trials of ../shared/groundtruth (or $KANE_SHARED). Requires python3-numpy and
build/tests/groundtruth/contact_forces, which keeps all clips in memory. Error metrics are those of the script beside
the trials."""
import argparse
import csv
import json
import os
import subprocess
import sys

import numpy as np

G = 9.80665
SHARED = os.environ.get("KANE_SHARED", "../shared")
TRIALS = SHARED + "/groundtruth/trials/"
JOINTS = [side + joint for side in ("Left", "Right") for joint in ("UpLeg", "Leg", "Foot")]
KINDS = ("walk", "walk_fast", "run", "run_consistent", "drop_jump", "squat", "stairs")
ACTIVITIES = dict(zip(KINDS, ("walk", "fast walk", "run, 2 to 5 m/s", "run, consistent kinematics", "drop jump", "squat",
                              "stairs down")))
# Constants fitted directly to force plates, by regression on measured forces and contact edges: docs/decisions.md.
MEASURED = ("pass_time", "pass_speed", "pass_landing", "pass_leaving", "walk_lean", "run_lean", "shared_lean",
            "shared_side_lean", "stand_push")
STEP = 1.4          # factor by which a constant is multiplied or divided
MIN_GAIN = 5e-3   # minimum relative gain of a step; smaller gains do not hold for left-out subjects
ROUNDS = 1          # over all constants; the evaluation of a step serves all folds
MODES = ("given", "default")
PEAK = 0.98         # quantile of the frames of a trial that counts as peak; plates have spikes


def table(path):
    with open(path) as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines if line.strip() and line[0] != "#"]
    return rows[0], np.array([[float(x) if x else np.nan for x in row] for row in rows[1:]])


def columns(head, data, names):
    return data[:, [head.index(n) for n in names]]


def kind_of(activity):
    if activity in ("run5_rra", "run_rajagopal_rra") or activity == "run_consistent":
        return "run_consistent"
    if activity.startswith("run"):
        return "run"
    return {"dropjump": "drop_jump", "stairs_down": "stairs", "walk_rra": "walk_consistent"}.get(activity, activity)


def person_of(subject, trial):
    for tail in ("a01", "a02", "h01", "h02", "h03", "h04"):
        if trial.endswith("_" + tail):
            return "person_" + tail[1:]
    if "rajagopal" in trial:
        return "rajagopal"
    return {"squat_s4": "opencap_s4", "squats1_s4": "opencap_s4"}.get(trial, subject)


class Trial:
    """A trial with its reference forces and moments."""

    def __init__(self, name, trials=TRIALS):
        self.name, self.folder = name, trials + name + "/"
        folder = self.folder
        with open(folder + "info.json") as f:
            info = json.load(f)
        self.mass = info.get("total_mass") or info["mass_kg"]
        lp6 = os.path.exists(folder + name + "_lp6_std.bvh")
        self.variant = info.get("score_variant") or ("lp6" if lp6 else "raw")
        activity = info.get("activity") or name.split("_")[0]
        self.kind = "run_consistent" if name == "run_rajagopal_rra" else kind_of(activity)
        self.person = person_of(info.get("subject", name), name)
        head, grf = table(folder + "grf.tsv")
        head_m, moments = table(folder + "moments_net_%s.tsv" % self.variant)
        n = min(len(grf), len(moments))
        grf, moments = grf[:n], moments[:n]
        self.ok = grf[:, -1] > 0
        inside = np.where(self.ok)[0]
        self.ok[:inside[0] + 2] = False
        self.ok[inside[-1] - 1:] = False
        self.dt = float(np.median(np.diff(grf[:, 0])))
        self.force = np.stack([columns(head, grf, [s + "_F" + x for x in "xyz"]) for s in "LR"], 1) / (self.mass * G)
        self.cop = np.stack([columns(head, grf, [s + "_COPx", s + "_COPz"]) for s in "LR"], 1)
        self.moments = np.stack([columns(head_m, moments, [j + "_M" + x for x in "xyz"]) for j in JOINTS], 1)

    def command(self, kane, mode, out):
        folder = self.folder
        body = (["--body-mass", repr(self.mass)] if mode == "default" else
                ["--body-segments", folder + "segments_std.tsv", "--smooth-method", "none"])
        return [kane, "run", folder + "%s_%s_std.bvh" % (self.name, self.variant), "--import-unit", "cm", "--import-up",
                "Y", "--contact-method", "none", "-o", out] + body

    def score(self, rows):
        """Error metrics of one answer of contact_forces, [frame][10][3]."""
        n, out, weight = len(self.ok), {}, self.mass * G
        ok, rows = self.ok & (np.arange(n) < len(rows)), np.pad(rows, ((0, max(0, n - len(rows))), (0, 0), (0, 0)))[:n]
        force, cop, moments = rows[:, :2] / weight, rows[:, 2:4][:, :, [0, 2]], rows[:, 4:]
        for c, name in ((1, "v"), (0, "fa"), (2, "s")):
            error = np.sqrt(((force - self.force)[ok][:, :, c] ** 2).mean(0))
            span = np.ptp(self.force[ok][:, :, c], axis=0)
            out[name] = 100 * np.mean((error / span)[span > .05]) if (span > .05).any() else np.nan
            out[name + "_bw"] = error.mean()
        out.update(self.edges(force, ok))
        far = []
        for s in range(2):
            w = ok & (force[:, s, 1] * weight > 20) & (self.force[:, s, 1] > .1)
            if w.any():
                far.append(1000 * np.linalg.norm((cop - self.cop)[w][:, s], axis=1).mean())
        out["cop"] = np.mean(far) if far else np.nan
        error = np.sqrt(((moments - self.moments)[ok] ** 2).sum(2).mean(0)) / self.mass
        for i, joint in enumerate(("hip", "knee", "ankle")):
            out[joint] = (error[i] + error[i + 3]) / 2
        out["sum"] = out["hip"] + out["knee"] + out["ankle"]
        size = [np.linalg.norm(m[ok], axis=2) / self.mass for m in (self.moments, moments)]
        out["peaks"] = [np.quantile(m, PEAK, axis=0) for m in size]
        return out

    def edges(self, force, ok):
        on = [self.force[:, :, 1] * self.mass * G > 20, force[:, :, 1] * self.mass * G > 20]
        near, missed, extra, seen = {True: [], False: []}, 0, 0, 0
        wide = int(round(.15 / self.dt))
        for up in (True, False):
            for s in range(2):
                edge = [[i for i in range(1, len(x)) if x[i, s] == up and x[i - 1, s] != up] for x in on]
                for e in (e for e in edge[0] if ok[e]):
                    late = min(((x - e) * self.dt for x in edge[1]), key=abs, default=9)
                    seen += 1
                    missed += abs(late) >= .15
                    near[up] += [1000 * late] if abs(late) < .15 else []
                extra += sum(ok[max(0, e - wide):e + wide + 1].all() and all(abs(e - x) * self.dt >= .15 for x in edge[0])
                             for e in edge[1])
        every = near[True] + near[False]
        return {"contact": (on[0] == on[1])[ok].mean(), "on": np.mean(near[True]) if near[True] else np.nan,
                "off": np.mean(near[False]) if near[False] else np.nan,
                "edge": np.mean(np.abs(every)) if every else np.nan,
                "wrong": (missed + extra) / seen if seen else np.nan}


class Bench:
    """The contact_forces program with the clips of one mode; answers are cached."""

    def __init__(self, build, mode, trials, work, cutoff=None):
        options = ["--smooth-cutoff", cutoff] if cutoff and mode == "default" else []
        clips = []
        for t in trials:
            clips.append("%s/%s.%s.h5" % (work, t.name, mode))
            if not os.path.exists(clips[-1]):
                command = t.command(build + "/kane", mode, clips[-1]) + options
                subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        self.trials, self.known = trials, {}
        self.process = subprocess.Popen([build + "/tests/groundtruth/contact_forces"] + clips, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)

    def ask(self, constants):
        words = " ".join("%s=%.17g" % x for x in sorted(constants.items())) + "\n"
        self.process.stdin.write(words.encode())
        self.process.stdin.flush()

    def answer(self):
        out = []
        for t in self.trials:
            frames = int(np.frombuffer(self.process.stdout.read(8))[0])
            rows = np.frombuffer(self.process.stdout.read(240 * frames)).reshape(frames, 10, 3)
            out.append(t.score(rows))
        return out


class Benches:
    def __init__(self, build, modes, work, folder=TRIALS, cutoff=None):
        names = sorted(t for t in os.listdir(folder) if os.path.exists(folder + t + "/info.json"))
        self.trials = [Trial(n, folder) for n in names]
        self.modes = {m: Bench(build, m, self.trials, work, cutoff) for m in modes}
        self.known = {}

    def run(self, sets):
        """Metrics of sets of constants, {mode: [metrics of a trial]} each."""
        keys = [tuple(sorted(s.items())) for s in sets]
        for key, constants in zip(keys, sets):
            if key in self.known:
                continue
            for bench in self.modes.values():
                bench.ask(constants)
            self.known[key] = {m: b.answer() for m, b in self.modes.items()}
        return [self.known[k] for k in keys]

    def objective(self, scores, people=None, modes=MODES):
        """The objective: mean over modes, kinds and trials; optionally of some subjects only."""
        kinds = []
        for mode in modes:
            for kind in KINDS:
                part = [f["sum"] for f, t in zip(scores[mode], self.trials)
                        if t.kind == kind and (people is None or t.person in people)]
                if part:
                    kinds.append(np.mean(part))
        return float(np.mean(kinds))

    def means(self, scores):
        """{mode: {kind: {metric: mean over the trials that have it}}}"""
        out = {}
        for mode in scores:
            out[mode] = {}
            for kind in KINDS + ("walk_consistent",):
                part = [f for f, t in zip(scores[mode], self.trials) if t.kind == kind]
                out[mode][kind] = {c: np.mean([f[c] for f in part if not np.isnan(f[c])] or [np.nan]) for c in SHOWN}
        return out

    def fit(self, start, names, people):
        best = dict(start)
        now = self.objective(self.run([best])[0], people)
        for _ in range(ROUNDS):
            best, now = self.round(best, now, names, people)
        return best, now

    def round(self, best, now, names, people):
        """Moves all constants that gain individually; while together they gain less than the best alone, drops the
        worse half."""
        gains = []
        for name in names:
            moves = [start_value(best, name) * k for k in (STEP, 1 / STEP)]
            values = [self.objective(x, people) for x in self.run([dict(best, **{name: m}) for m in moves])]
            if min(values) < now * (1 - MIN_GAIN):
                gains.append((min(values), name, moves[int(np.argmin(values))]))
        gains.sort()
        while gains:
            trial = dict(best, **{name: move for _, name, move in gains})
            value = self.objective(self.run([trial])[0], people)
            if value <= gains[0][0]:
                return trial, value
            gains = gains[:len(gains) // 2]
        return best, now


DEFAULTS = {}


def start_value(constants, name):
    return constants.get(name, DEFAULTS[name])


def read_constants(path):
    with open(path) as f:
        rows = list(csv.reader((l for l in f if l.strip() and l[0] != "#"), delimiter="\t"))
    return {r[0]: float(r[1]) for r in rows[1:]}


SHOWN = ("v", "fa", "s", "contact", "on", "off", "edge", "wrong", "cop", "hip", "knee", "ankle", "sum")


def show(value, name):
    if np.isnan(value):
        return ""
    return {"v": "%.1f", "fa": "%.1f", "s": "%.1f", "on": "%.0f", "off": "%.0f", "edge": "%.0f",
            "cop": "%.0f"}.get(name, "%.3f") % value


def print_means(means):
    print("mode\tkind\t" + "\t".join(SHOWN))
    for mode, kinds in means.items():
        for kind, scores in kinds.items():
            print("%s\t%s\t" % (mode, kind) + "\t".join(show(scores[c], c) for c in SHOWN))


def print_peaks(benches, scores):
    """Prints tables of peak moments with bias and standard deviation of their errors, N m/kg, over legs with a peak load
    above 0.5 body weights."""
    for mode in scores:
        print("\n%s\n\n| activity (n legs) | hip | knee | ankle |\n|---|---|---|---|" % mode)
        for kind in KINDS:
            pairs = [(f["peaks"], t.force[t.ok][:, :, 1].max(0)) for f, t in zip(scores[mode], benches.trials)
                     if t.kind == kind]
            rows = [(p[0].reshape(2, 3)[leg], p[1].reshape(2, 3)[leg]) for p, load in pairs for leg in range(2)
                    if load[leg] > .5]
            true, found = np.array([r[0] for r in rows]), np.array([r[1] for r in rows])
            off = found - true
            print("| %s (%d) | %s |" % (ACTIVITIES[kind], len(rows), " | ".join(
                "%.2f: %+.2f ± %.2f" % x for x in zip(true.mean(0), off.mean(0), off.std(0)))))


def print_kinds(benches, scores):
    print_means(benches.means(scores))
    for mode in scores:
        print("%s\tobjective\t%.4f" % (mode, benches.objective(scores, modes=(mode,))))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("command", choices=("score", "trials", "peaks", "sensitivity", "fit"))
    p.add_argument("names", nargs="*")
    p.add_argument("--build", default="build")
    p.add_argument("--constants", default="data/contact.tsv")
    p.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    p.add_argument("--trials", default=TRIALS)
    p.add_argument("--cutoff", metavar="HZ|auto")
    p.add_argument("--work", default="/tmp/kane_fit_contact")
    a = p.parse_args()
    folder = os.path.join(a.trials, "")
    work = a.work + (folder + str(a.cutoff)).replace("/", "_") if a.cutoff or folder != TRIALS else a.work
    os.makedirs(work, exist_ok=True)
    DEFAULTS.update(read_constants("data/contact.tsv"))
    constants = {k: v for k, v in read_constants(a.constants).items() if v != DEFAULTS.get(k)}
    constants.update((k, float(v)) for k, v in (s.split("=") for s in a.set))
    benches = Benches(a.build, ("default",) if a.cutoff else MODES, work, folder, a.cutoff)
    if a.command == "score":
        print_kinds(benches, benches.run([constants])[0])
    elif a.command == "peaks":
        print_peaks(benches, benches.run([constants])[0])
    elif a.command == "trials":
        scores = benches.run([constants])[0]
        for mode in scores:
            for f, t in zip(scores[mode], benches.trials):
                print("%s\t%s\t%s\t%s\t" % (mode, t.name, t.kind, t.person) + "\t".join(show(f[c], c) for c in SHOWN))
    elif a.command == "sensitivity":
        base = benches.objective(benches.run([constants])[0])
        print("| constant | at half | at twice |\n|---|---|---|")
        for name in a.names or sorted(DEFAULTS):
            v = start_value(constants, name)
            both = [benches.objective(x) for x in benches.run([dict(constants, **{name: v * k}) for k in (.5, 2)])]
            changes = [100 * (x / base - 1) for x in both]
            if max(map(abs, changes)) >= 1:
                print("| `%s` | %+.2f %% | %+.2f %% |" % (name, *changes), flush=True)
    else:
        fit_people(benches, constants, a.names or sorted(set(DEFAULTS) - set(MEASURED)))


def fit_people(benches, constants, names):
    best, value = benches.fit(constants, names, None)
    print("# all people: objective %.4f" % value)
    for name in names:
        print("%s\t%g" % (name, start_value(best, name)), flush=True)
    left = {m: [None] * len(benches.trials) for m in benches.modes}
    people = sorted({t.person for t in benches.trials})
    for person in people:
        chosen, _ = benches.fit(constants, names, set(people) - {person})
        changed = {k: v for k, v in chosen.items() if v != best.get(k)}
        print("# without %s: %s" % (person, " ".join("%s=%g" % x for x in sorted(changed.items())) or "the same"), flush=True)
        scores = benches.run([chosen])[0]
        for m in left:
            for i, t in enumerate(benches.trials):
                if t.person == person:
                    left[m][i] = scores[m][i]
    print("# every person left out")
    print_kinds(benches, left)


if __name__ == "__main__":
    sys.exit(main())
