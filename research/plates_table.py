#!/usr/bin/python3
"""Detection of force-plate errors: research/plates_table.py [--build build] [--given] [--limits] [sound]

Plants the FAULTS below in the measured forces of the trials of ../shared/groundtruth (or $KANE_SHARED), one at a
time, and compares the forces with the motion (build/tests/groundtruth/plate_measures). Prints, with means and
standard deviations from the sound trials of all other subjects,
  sound trials with a report (false positives)
  planted errors reported, by error and kind of movement, in % of the trials

--limits also chooses the limits without the judged subject: LEAST_LIMIT standard deviations, or more if a sound trial
of the others is closer than NEAREST. sound prints mean and standard deviation of each measure over the sound trials
instead: the rows of data/plates.tsv. --given: no smoothing, the segments of the trial; default: default options with
the mass. Requires python3-numpy."""
import argparse
import concurrent.futures
import copy
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

TRIALS = os.path.join(os.environ.get("KANE_SHARED", "../shared"), "groundtruth/trials/")
LEAST_LIMIT, NEAREST = 4., .8
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
    most = .8 * p.value[:, 1].max()
    p.value[:, 1] = np.minimum(p.value[:, 1], most)


def z_up(p):
    for part in (FORCE, POINT, COUPLE):
        y, z = p.value[:, part.start + 1].copy(), p.value[:, part.start + 2].copy()
        p.value[:, part.start + 1], p.value[:, part.start + 2] = -z, y


FAULTS = {
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
    "Z up": z_up,
}


def measures_of(line):
    cells = line.rstrip("\n").split("\t")
    out = {n: float(v) for n, v in zip(cells[:-2:2], cells[1:-2:2])}
    out["apart"] = [float(x) for x in cells[-1].split(",") if x]
    return out


def ask(build, clip, paths, sound="-"):
    lines = subprocess.run([build + "/tests/groundtruth/plate_measures", sound, clip] + paths, check=True, text=True,
                           stdout=subprocess.PIPE).stdout.splitlines()
    return [measures_of(line) for line in lines]


class Trial:
    """One trial with its clip file, and tables of sound and wrong forces in a folder."""

    def __init__(self, build, name, given, folder):
        info = json.load(open(TRIALS + name + "/info.json"))
        mass = info.get("total_mass") or info["mass_kg"]
        variant = info.get("score_variant") or (
            "lp6" if os.path.exists(TRIALS + "%s/%s_lp6_std.bvh" % (name, name)) else "raw")
        self.name, self.person = name, info.get("subject", name.split("_")[-1])
        self.kind = (info.get("activity") or name.split("_")[0]).split("_rra")[0].rstrip("0123456789")
        self.build, self.clip = build, "%s/%s.h5" % (folder, name)
        body = ["--body-segments", TRIALS + name + "/segments_std.tsv", "--smooth-method", "none"] if given else \
            ["--body-mass", str(mass)]
        subprocess.run([build + "/kane", "run", TRIALS + "%s/%s_%s_std.bvh" % (name, name, variant), "--import-unit",
                        "cm", "--import-up", "Y", "-o", self.clip] + body, check=True, stderr=subprocess.DEVNULL)
        sound = Plates(TRIALS + name + "/external.tsv")
        self.paths = ["%s/%s_sound.tsv" % (folder, name)]
        sound.write(self.paths[0])
        self.sound = ask(build, self.clip, self.paths)[0]
        sound.heading = self.sound["heading"]
        for i, plant in enumerate(FAULTS.values()):
            plates = sound.copy()
            plant(plates)
            self.paths.append("%s/%s_%d.tsv" % (folder, name, i))
            plates.write(self.paths[-1])

    def found(self, sound="-"):
        """Names of the reported errors: for the sound plates, then for each planted error."""
        return [[n for n in m if n.startswith("plates-")] for m in ask(self.build, self.clip, self.paths, sound)]


# Measures of each kind of error, in the order of PlateErrorKind, and the lower bound of their standard deviation.
KINDS = [(("crossed_pressure",), .08), (("common",), .1), (("impulse",), .01),
         (("along_sign_left", "along_sign_right", "along_sign_both"), .15),
         (("side_sign_left", "side_sign_right", "side_sign_both"), .15), (("turn",), .035),
         (("lag", "foot_lag_left", "foot_lag_right"), .0045), (("impulse",), .011), (("foot_ratio",), .018),
         (("along_left", "along_right"), .011), (("outward_left", "outward_right"), .009),
         (("off_sole_left", "off_sole_right"), .02), (("offset_left", "offset_right"), 2),
         (("load_left", "load_right"), .1), (("upright",), .05)]


def statistics(trials):
    """Mean, standard deviation and count for each kind of error over sound trials."""
    out = []
    for names, least in KINDS:
        values = []
        for t in trials:
            m = dict(t.sound, common=t.sound["time"] / t.sound["loaded_time"],
                     foot_ratio=t.sound["foot_impulse_left"] / t.sound["foot_impulse_right"])
            values += [m[n] for n in names if np.isfinite(m[n])]
        out.append((np.mean(values), max(np.std(values), least), len(values)))
    return out


def shipped_limits():
    """Limits of data/plates.tsv, in the order of KINDS."""
    with open(os.path.join(os.path.dirname(__file__), "../data/plates.tsv")) as file:
        rows = [line.split("\t") for line in file if not line.startswith("#")][1:]
    assert len(rows) == len(KINDS)
    return [float(row[3]) for row in rows]


def limits_of(trials, path):
    """Limits by the rule of --limits, from sound trials with their means and standard deviations."""
    off = [ask(t.build, t.clip, t.paths[:1], path)[0] for t in trials]
    names = [n for n in off[0] if n.startswith("off ")]
    return [max(LEAST_LIMIT, max(o[n] for o in off) / NEAREST) for n in names]


def write_sound(path, trials, limits):
    with open(path, "w") as out:
        out.writelines("%.6g %.6g %.6g\n" % (mean, spread, limit)
                       for (mean, spread, _), limit in zip(statistics(trials), limits))


def sound_without(person, trials, folder, choose):
    """Path of the table for judging a subject, from all other subjects."""
    others = [t for t in trials if t.person != person]
    path = "%s/%s.sound" % (folder, person)
    write_sound(path, others, shipped_limits())
    if choose:
        write_sound(path, others, limits_of(others, path))
    return path


def apart(trials):
    for kind in sorted({t.kind for t in trials}):
        d = np.concatenate([t.sound["apart"] for t in trials if t.kind == kind])
        print("apart %-12s p50 %.2f p95 %.2f p99 %.2f" % (kind, *np.percentile(d, [50, 95, 99])))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default="build")
    p.add_argument("--given", action="store_true")
    p.add_argument("--limits", action="store_true")
    p.add_argument("what", nargs="?", choices=("sound",))
    a = p.parse_args()
    names = [n for n in sorted(os.listdir(TRIALS)) if os.path.exists(TRIALS + n + "/info.json")]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        trials = list(pool.map(lambda n: Trial(a.build, n, a.given, folder), names))
        if a.what:
            for (measures, _), (mean, spread, count) in zip(KINDS, statistics(trials)):
                print("%-50s %8.4f %8.4f %4d" % (" ".join(measures), mean, spread, count))
            apart(trials)
            return
        persons = sorted({t.person for t in trials})
        sound = dict(zip(persons, pool.map(lambda p: sound_without(p, trials, folder, a.limits), persons)))
        found = list(pool.map(lambda t: t.found(sound[t.person]), trials))
    for t, f in zip(trials, found):
        if f[0]:
            print("sound trial %s: %s" % (t.name, ", ".join(f[0])))
    print("sound trials with a finding: %d of %d, of %d persons\n" % (
        sum(bool(f[0]) for f in found), len(trials), len(persons)))
    kinds = sorted({t.kind for t in trials})
    print("| error | %s | all |\n|---|%s" % (" | ".join(kinds), "---|" * (len(kinds) + 1)))
    for i, fault in enumerate(FAULTS):
        share = [np.mean([bool(f[i + 1]) for t, f in zip(trials, found) if t.kind == k]) for k in kinds]
        share.append(np.mean([bool(f[i + 1]) for f in found]))
        print("| %s | %s |" % (fault, " | ".join("%.0f" % (100 * s) for s in share)))


if __name__ == "__main__":
    main()
