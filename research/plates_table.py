#!/usr/bin/python3
"""Detection of force-plate errors: research/plates_table.py [--build build] [--given] [--write]

Plants the PLATE_ERRORS below in the measured forces of the trials of ../shared/groundtruth (or $KANE_SHARED), trials/ and
trials_more/, one at a time, and compares the forces with the motion (build/tests/groundtruth/plate_measures). Prints,
with means, standard deviations and limits from the sound trials of all other subjects,
  sound trials with a report (false positives)
  planted errors reported, by error and kind of movement, in % of the trials

Means and standard deviations are those of a kind of motion (MOTIONS); each counts PRIOR subjects of all kinds besides
its own, and none is below the bound in KINDS. Of a measure's square deviation, its own standard error is taken off.
Limit: that in KINDS, or more if a sound trial that other subjects judge is beyond NEAREST of it. --write: writes
data/plates.tsv, from all subjects, and the table of docs/validation/force_plates.md. --given: no smoothing, the
segments of the trial; default: default options with the mass. Requires python3-numpy."""
import argparse
import concurrent.futures
import copy
import json
import math
import os
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fit_contact import ACTIVITIES, SHARED  # noqa: E402
from fit_contact import Trial as Reference  # noqa: E402

FOLDERS = [SHARED + "/groundtruth/trials/", SHARED + "/groundtruth/trials_more/"]
TABLE, PAGE = "data/plates.tsv", "docs/validation/force_plates.md"
NEAREST = .8
PRIOR = 2  # subjects
MOTIONS = ("walk", "run", "stand", "jump")
CORRELATED = .08  # s, as in analysis/contact/plate_measures.h
FORCE, POINT, COUPLE = slice(0, 3), slice(3, 6), slice(6, 9)


class Plates:
    """Forces of one trial: joint of each row, time and values fx fy fz px py pz tx ty tz; heading, rad about y."""

    def __init__(self, path):
        rows = [line.rstrip("\n").split("\t") for line in open(path) if line.strip() and line[0] != "#"]
        at = [rows[0].index(n) for n in "fx fy fz px py pz tx ty tz".split()]
        self.joint = np.array([r[rows[0].index("joint")] for r in rows[1:]])
        self.time = np.array([float(r[rows[0].index("time")]) for r in rows[1:]])
        self.value = np.array([[float(r[i]) for i in at] for r in rows[1:]])
        self.heading = 0.
        self.left, self.right = (np.char.startswith(self.joint, s) for s in ("Left", "Right"))

    def copy(self):
        return copy.deepcopy(self)

    def write(self, path):
        with open(path, "w") as out:
            out.write("time\tjoint\tfx\tfy\tfz\tpx\tpy\tpz\ttx\tty\ttz\n")
            for joint, time, v in zip(self.joint, self.time, self.value):
                out.write("%.6f\t%s\t%s\n" % (time, joint, "\t".join("%.7g" % x for x in v)))


def scaled(feet, columns, factor):
    def plant(p):
        rows = p.left | p.right if feet is None else getattr(p, feet)
        p.value[np.ix_(rows, columns)] *= factor
    return plant


def shifted(feet, by):
    def plant(p):
        rows = p.left | p.right if feet is None else getattr(p, feet)
        loaded = rows & (np.abs(p.value[:, 1]) > 0)
        c, s = np.cos(p.heading), np.sin(p.heading)
        p.value[loaded, POINT] += [c * by[0] + s * by[2], 0, c * by[2] - s * by[0]]
    return plant


def late(feet, seconds):
    def plant(p):
        p.time = p.time + np.where(p.left | p.right if feet is None else getattr(p, feet), seconds, 0)
        order = np.argsort(p.time, kind="stable")
        p.joint, p.time, p.value, p.left, p.right = (x[order] for x in (p.joint, p.time, p.value, p.left, p.right))
    return plant


def turned(degrees, parts):
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))

    def plant(p):
        for part in parts:
            x, z = p.value[:, part.start].copy(), p.value[:, part.start + 2].copy()
            p.value[:, part.start], p.value[:, part.start + 2] = c * x + s * z, c * z - s * x
    return plant


def offset(feet, newton):
    def plant(p):
        p.value[getattr(p, feet), 1] += newton
    return plant


def exchanged(parts):
    def plant(p):
        if len(parts) == 3:
            p.joint = np.where(p.left, np.char.replace(p.joint, "Left", "Right"), np.char.replace(p.joint, "Right", "Left"))
            return
        times = sorted(set(p.time[p.left]) & set(p.time[p.right]))
        left = {t: i for i, t in zip(np.where(p.left)[0], p.time[p.left])}
        right = {t: i for i, t in zip(np.where(p.right)[0], p.time[p.right])}
        for t in times:
            i, j = left[t], right[t]
            for part in parts:
                p.value[[i, j], part] = p.value[[j, i], part]
    return plant


def saturated(p):
    limit = .8 * p.value[:, 1].max()
    p.value[:, 1] = np.minimum(p.value[:, 1], limit)


def z_up(p):
    for part in (FORCE, POINT, COUPLE):
        y, z = p.value[:, part.start + 1].copy(), p.value[:, part.start + 2].copy()
        p.value[:, part.start + 1], p.value[:, part.start + 2] = -z, y


PLATE_ERRORS = {
    "lateral force, sign": scaled(None, [2], -1), "lateral force, sign, one foot": scaled("left", [2], -1),
    "fore-aft force, sign": scaled(None, [0], -1), "fore-aft force, sign, one foot": scaled("right", [0], -1),
    "all forces, sign": scaled(None, [0, 1, 2], -1),
    "CoP 6 cm forward": shifted(None, [.06, 0, 0]), "CoP 6 cm forward, one foot": shifted("left", [.06, 0, 0]),
    "CoP 6 cm back": shifted(None, [-.06, 0, 0]), "CoP 6 cm to the right": shifted(None, [0, 0, .06]),
    "CoP 10 cm forward": shifted(None, [.1, 0, 0]),
    "30 ms late": late(None, .03), "30 ms early": late(None, -.03), "30 ms late, one foot": late("left", .03),
    "force 0.9": scaled(None, [0, 1, 2], .9), "force 1.1": scaled(None, [0, 1, 2], 1.1),
    "force 0.9, one foot": scaled("left", [0, 1, 2], .9),
    "vertical force 0.9": scaled(None, [1], .9),
    "forces rotated by 90": turned(90, [FORCE]), "forces rotated by 180": turned(180, [FORCE]),
    "forces rotated by 20": turned(20, [FORCE]),
    "frame rotated by 90": turned(90, [FORCE, POINT, COUPLE]), "frame rotated by 180": turned(180, [FORCE, POINT, COUPLE]),
    "unloaded plate reads 15 N": offset("left", 15), "unloaded plate reads 40 N": offset("right", 40),
    "feet exchanged": exchanged([FORCE, POINT, COUPLE]), "forces exchanged": exchanged([FORCE, COUPLE]),
    "CoP exchanged": exchanged([POINT]), "saturated at 0.8": saturated,
    "forces in kN": scaled(None, [0, 1, 2], .001), "forces in kN, one foot": scaled("left", [0, 1, 2], .001),
    "Z up": z_up, "CoP in mm": scaled(None, [3, 4, 5], 1000),
}


def measures_of(line):
    cells = line.rstrip("\n").split("\t")
    out = {n: float(v) for n, v in zip(cells[:-2:2], cells[1:-2:2])}
    out["apart"] = [float(x) for x in cells[-1].split(",") if x]
    return out


def measure(build, clip, paths, sound="-"):
    lines = subprocess.run([build + "/tests/groundtruth/plate_measures", sound, clip] + paths, check=True, text=True,
                           stdout=subprocess.PIPE).stdout.splitlines()
    return [measures_of(line) for line in lines]


class Trial:
    """One trial with its clip file, and tables of sound and wrong forces in a folder."""

    def __init__(self, build, folder, name, given, work):
        reference = Reference(name, folder)
        self.name, self.person, self.kind = name, reference.person, reference.kind.replace("walk_consistent", "walk")
        self.build, self.clip = build, "%s/%s.h5" % (work, name)
        command = reference.command(build + "/kane", "given" if given else "default", self.clip)
        command = [w for w in command if w not in ("--contact-method", "none")] + (
            ["--smooth-method", "none"] if given else [])
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        sound = Plates(folder + name + "/external.tsv")
        self.paths = ["%s/%s_sound.tsv" % (work, name)]
        sound.write(self.paths[0])
        self.sound = measure(build, self.clip, self.paths)[0]
        sound.heading = self.sound["heading"]
        for i, plant in enumerate(PLATE_ERRORS.values()):
            plates = sound.copy()
            plant(plates)
            self.paths.append("%s/%s_%d.tsv" % (work, name, i))
            plates.write(self.paths[-1])

    def found(self, sound):
        """Names of the reported errors: for the sound plates, then for each planted error."""
        return [[n for n in m if n.startswith("plates-")] for m in measure(self.build, self.clip, self.paths, sound)]

    def deviations(self, sound):
        """Of the sound plates, in standard deviations, for each kind of error."""
        answer = measure(self.build, self.clip, self.paths[:1], sound)[0]
        return [answer[n] for n in answer if n.startswith("off ")]

    def motion(self):
        return np.array([self.sound[n] for n in MOTIONS])

    def values(self, names):
        m = dict(self.sound, common=self.sound["time"] / self.sound["loaded_time"],
                 foot_ratio=self.sound["foot_impulse_left"] / self.sound["foot_impulse_right"])
        return {n: m[n] for n in names if np.isfinite(m[n])}

    def squares(self, axis, side):
        sides = ("left", "right") if side == "both" else (side,)
        return sum(self.sound["pp_%s_%s" % (axis, k)] for k in sides)

    def error(self, name, spread):
        """Standard error of a measure by the error of the estimate's forces, {axis: body weights}: as
        analysis/contact/plate_errors.c."""
        correlated = CORRELATED / self.sound["frame_time"]
        if name == "turn":
            pp = {axis: self.squares(axis, "both") for axis in spread}
            across = spread["side"] ** 2 * pp["along"] + spread["along"] ** 2 * pp["side"]
            return math.sqrt(across * correlated) / (pp["along"] + pp["side"])
        if "_sign_" in name:
            axis, side = name.split("_sign_")
            return spread[axis] * math.sqrt(correlated / self.squares(axis, side))
        return 0


# Measures of each kind of error, in the order of PlateErrorKind, the lower bound of their standard deviation, and that
# of the limit: above 4 where planted errors lie far from sound trials; a wrong sign is nearer to the opposite force.
KINDS = [(("crossed_pressure",), .08, 5), (("common",), .1, 7), (("impulse",), .01, 100),
         (("along_sign_left", "along_sign_right", "along_sign_both"), .05, 2.5),
         (("side_sign_left", "side_sign_right", "side_sign_both"), .05, 2.5), (("turn",), .02, 4),
         (("lag", "foot_lag_left", "foot_lag_right"), .0045, 4), (("impulse",), .011, 4), (("foot_ratio",), .018, 4),
         (("along_left", "along_right"), .011, 4), (("outward_left", "outward_right"), .009, 4),
         (("off_sole_left", "off_sole_right"), .02, 8), (("offset_left", "offset_right"), 2, 4),
         (("load_left", "load_right"), .1, 4), (("upright",), .05, 10)]


def force_spreads(trials):
    """{axis: [motion]} RMS error of the estimate's force under a loaded foot, body weights; each subject alike."""
    out = {}
    for axis in ("along", "side"):
        sums = {}  # person: square, weight by motion
        for t in trials:
            for side in ("left", "right"):
                if t.sound["loaded_" + side] > 0:
                    square = t.sound["dd_%s_%s" % (axis, side)] / t.sound["loaded_" + side]
                    sums.setdefault(t.person, []).append((square, t.motion()))
        out[axis] = np.sqrt(pooled(*by_person(sums)))
    return out


def by_person(values):
    """From {person: [(value, motion)]}: means and weights, [person][motion], and of all motions, [person]."""
    weight = np.array([np.sum([m for _, m in v], 0) for v in values.values()])
    total = np.array([np.sum([x * m for x, m in v], 0) for v in values.values()])
    mean = total / np.maximum(weight, 1e-9)
    share = weight / np.array([[len(v)] for v in values.values()])
    return mean, share, np.array([np.mean([x for x, _ in v]) for v in values.values()])


def pooled(square, share, every):
    """Mean square of each motion over its subjects and PRIOR subjects of all motions, for a subject that is not among
    these."""
    count = share.sum(0) + PRIOR
    return ((square * share).sum(0) + PRIOR * every.mean()) / count * (count + 1) / (count - 1)


def statistics(trials):
    """Means and standard deviations [motion] for each kind of error over sound trials, then of the forces."""
    spread, out = force_spreads(trials), []
    for names, minimum, _ in KINDS:
        rows = {}
        for t in trials:
            own = {axis: t.motion() @ spread[axis] for axis in spread}
            for name, value in t.values(names).items():
                rows.setdefault(t.person, []).append((value, t.motion(), t.error(name, own) ** 2, minimum ** 2))
        means = motion_means(rows)
        squares = {p: [(max(0, (v - m @ means) ** 2 - e), m) for v, m, e, _ in r] for p, r in rows.items()}
        out.append((means, np.maximum(np.sqrt(pooled(*by_person(squares))), minimum)))
    return out + [(np.zeros(len(MOTIONS)), spread[axis]) for axis in ("along", "side")]


def motion_means(rows):
    """Of {person: [(value, motion, square error, square of the minimum spread)]}; uncertain values count less."""
    values = {p: [(v, m, 1 / (e + s)) for v, m, e, s in r] for p, r in rows.items()}
    every = np.mean([np.average([v for v, _, _ in r], weights=[w for _, _, w in r]) for r in values.values()])
    total, count = PRIOR * every * np.ones(len(MOTIONS)), PRIOR * np.ones(len(MOTIONS))
    for r in values.values():
        weight = np.sum([m * w for _, m, w in r], 0)
        share = np.mean([m for _, m, _ in r], 0)
        total += share * np.sum([v * m * w for v, m, w in r], 0) / np.maximum(weight, 1e-12)
        count += share
    return total / count


def limits_of(deviations):
    """By the rule of the limits, from the deviations of sound trials that others judge."""
    return [max(minimum, max(of) / NEAREST) for (_, _, minimum), of in zip(KINDS, zip(*deviations))]


def write_sound(path, table, limits):
    with open(path, "w") as out:
        for (means, spreads), limit in zip(table, limits + [0, 0]):
            out.write("%.6g %s\n" % (limit, " ".join("%.6g %.6g" % x for x in zip(means, spreads))))


def write_tables(table, limits):
    lines = open(TABLE).read().splitlines()
    rows = [line.split("\t") for line in lines if line[0] != "#"]
    with open(TABLE, "w") as out:
        out.writelines(line + "\n" for line in lines if line[0] == "#")
        out.write("\t".join(rows[0]) + "\n")
        for row, (means, spreads), limit in zip(rows[1:], table, limits + [0, 0]):
            cells = ["%.3g" % x for pair in zip(means, spreads) for x in pair]
            out.write("\t".join([row[0], "%.3g" % limit] + cells + row[-2:]) + "\n")


def judged(trials, folder, pool):
    """[trial][plates] names of the reported errors, with a table from all other subjects; then the table of all."""
    persons, path = sorted({t.person for t in trials}), {}
    table = {p: statistics([t for t in trials if t.person != p]) for p in persons + [None]}
    for person in persons:
        path[person] = "%s/%s.sound" % (folder, person)
        write_sound(path[person], table[person], [1e9] * len(KINDS))
    off = list(pool.map(lambda t: t.deviations(path[t.person]), trials))
    for person in persons:
        limits = limits_of([o for t, o in zip(trials, off) if t.person != person])
        write_sound(path[person], table[person], limits)
    return list(pool.map(lambda t: t.found(path[t.person]), trials)), off, table[None]


def detection(trials, found):
    kinds = sorted({t.kind for t in trials})
    text = "| error | %s | all (%d) |\n|---|%s\n" % (" | ".join(ACTIVITIES[k] for k in kinds), len(trials),
                                                     "---|" * (len(kinds) + 1))
    for i, error in enumerate(PLATE_ERRORS):
        share = [np.mean([bool(f[i + 1]) for t, f in zip(trials, found) if t.kind == k]) for k in kinds]
        share.append(np.mean([bool(f[i + 1]) for f in found]))
        text += "| %s | %s |\n" % (error, " | ".join("%.0f" % (100 * s) for s in share))
    return text


def print_deviations(trials):
    for kind in sorted({t.kind for t in trials}):
        d = np.concatenate([t.sound["apart"] for t in trials if t.kind == kind])
        print("apart %-12s p50 %.2f p95 %.2f p99 %.2f" % (kind, *np.percentile(d, [50, 95, 99])))


def write_page(text):
    page = open(PAGE).read()
    mark = "<!-- errors: research/plates_table.py -->\n"
    with open(PAGE, "w") as out:
        out.write(page[:page.index(mark) + len(mark)] + text + page[page.index("<!-- end of errors -->"):])


def read_trials(build, given, folder, pool):
    names = [(f, n) for f in FOLDERS for n in sorted(os.listdir(f)) if os.path.exists(f + n + "/info.json")]
    return list(pool.map(lambda n: Trial(build, *n, given, folder), names))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default="build")
    p.add_argument("--given", action="store_true")
    p.add_argument("--write", action="store_true")
    a = p.parse_args()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        trials = read_trials(a.build, a.given, folder, pool)
        found, off, table = judged(trials, folder, pool)
    for t, f in zip(trials, found):
        if f[0]:
            print("sound trial %s: %s" % (t.name, ", ".join(f[0])))
    print("sound trials with a finding: %d of %d, of %d persons\n" % (
        sum(bool(f[0]) for f in found), len(trials), len({t.person for t in trials})))
    for (measures, _, _), column in zip(KINDS, zip(*off)):
        print("%-50s largest left-out deviation %.2f (%s)" % (" ".join(measures), max(column),
                                                              trials[int(np.argmax(column))].name))
    print_deviations(trials)
    print("\n" + detection(trials, found))
    if a.write:
        write_tables(table, limits_of(off))
        write_page(detection(trials, found))


if __name__ == "__main__":
    main()
