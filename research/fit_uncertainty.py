#!/usr/bin/python3
"""Fits and validates the torque uncertainty: research/fit_uncertainty.py [--build build] [--full] [--sizes] [--write]

Runs the trials of ../shared/groundtruth (or $KANE_SHARED), clean and with the SPOILINGS of the script beside them,
under default options with the mass given, and compares hip, knee and ankle torques with the reference. Fits two
values of data/uncertainty.tsv, `residual_share` and `scale`. All printed values leave out the subject.

  --full   the columns `fast` and `full` (20 minutes on two cores; `fast` alone: 3)
  --sizes  first fits the sizes of the causes to the clean trials (published ones within BOUNDS)
  --write  updates data/uncertainty.tsv and the tables of docs/validation/uncertainty.md

Error: norm of the error vector of a joint in a frame, N m/kg. SD: norm of its vector of standard deviations. Fit:
Student likelihood (5 degrees of freedom) of the components, with equal weight for each spoiling and activity, and for
each trial within them; then one factor, such that the mean cell (spoiling, activity, joint) covers COVERED of the
errors. Spoiled trials are kept in build/spoiled. Requires python3-numpy, python3-h5py and the test programs (make
test-programs)."""
import argparse
import concurrent.futures
import math
import os
import subprocess
import sys

import h5py
import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fit_contact import G, KINDS, SHARED, TRIALS, Trial  # noqa: E402
sys.path.insert(0, SHARED + "/groundtruth")
import spoil  # noqa: E402

TABLE, PAGE = "data/uncertainty.tsv", "docs/validation/uncertainty.md"
SPOILINGS = ("clean", "fps30", "fps24", "noise", "jitter", "float", "skate", "treadmill", "lag", "smoothed", "notoe",
             "pose")
JOINTS = ("hip", "knee", "ankle")
BAND, COVERED, FREEDOM = 1.645, .89, 5
LIMIT, MEAN_ERROR = .5, .9  # N m/kg; expected error relative to the norm of the standard deviation
JOBS = int(os.environ.get("JOBS", os.cpu_count()))
LOADED = .1                 # BW, of a loaded leg
# Bounds of the size of a cause; unlisted sizes are free.
BOUNDS = {"joint_centre": (.01, .01), "segment_centre": (.01, .014), "segment_mass": (1, 2), "foot_mass": (3, 9),
          "foot_centre": (.01, .04), "noise": (.0017, .0017), "filter": (1, 1), "cutoff": (3, 3),
          "plate_pressure": (.005, .005), "residual_share": (0, 0)}
NAMES = {"walk": "walk", "walk_fast": "fast walk", "run": "run", "run_consistent": "run, consistent kinematics",
         "drop_jump": "drop jump", "squat": "squat", "stairs": "stairs down"}


def size_table():
    rows = [line.rstrip("\n").split("\t") for line in open(TABLE) if line[0] != "#"]
    return rows[0], rows[1:]


class Sample:
    """Errors [frame][side][joint][component] of a trial, N m/kg; unit: variances of each cause at size 1."""

    def __init__(self, spoiling, trial, path, terms, method):
        self.spoiling, self.kind, self.person = spoiling, trial.kind.replace("walk_consistent", "walk"), trial.person
        with h5py.File(path) as f:
            names = [n.decode() for n in f["joint"][:]]
            leg = [names.index(s + j) for s in ("Left", "Right") for j in ("UpLeg", "Leg", "Foot")]
            torque, load = f["dynamics/torque"][:][:, leg], f["contact/foot_force"][:, :, 1]
        n = min(len(torque), len(trial.moments))
        self.error = ((torque[:n] - trial.moments[:n]) / trial.mass).reshape(n, 2, 3, 3)
        self.ok = trial.ok[:n, None, None] & np.isfinite(self.error).all(-1)
        self.bears = load[:n, :2] > LOADED * trial.mass * G
        raw = np.frombuffer(subprocess.run([terms, method, path], check=True, stdout=subprocess.PIPE).stdout)
        frames, count = int(raw[0]), int(raw[1])
        rows = raw[2:].reshape(count, 1 + frames * 18)
        size = np.where(rows[:, 0] > 0, rows[:, 0], 1)
        unit = rows[:, 1:].reshape(count, frames, 2, 3, 3)[:, :n] / size[:, None, None, None, None] ** 2
        self.unit = np.moveaxis(unit / trial.mass ** 2, 0, -1).astype(np.float32)


def read_sample(spoiling, name, build, method):
    folder = "%s/spoiled/%s/" % (build, spoiling)
    if not os.path.exists(folder + name + "/info.json"):
        spoil.spoil(TRIALS, folder, name, spoiling, 1)
    trial, out = Trial(name, folder), "%s%s.h5" % (folder, name)
    command = trial.command(build + "/kane", "default", out) + ["--torque-uncertainty", "none"]
    at = command.index("--contact-method")
    subprocess.run(command[:at] + command[at + 2:], check=True, stderr=subprocess.DEVNULL)
    sample = Sample(spoiling, trial, out, build + "/tests/groundtruth/uncertainty_terms", method)
    os.remove(out)
    return sample


def read_samples(build, method):
    names = sorted(n for n in os.listdir(TRIALS) if os.path.exists(TRIALS + n + "/info.json"))
    tasks = [(s, n, build, method) for s in SPOILINGS for n in names]
    with concurrent.futures.ProcessPoolExecutor(JOBS) as pool:
        return list(pool.map(read_sample, *zip(*tasks), chunksize=8))


# --- fit ---

def flat(samples, frames):
    """A number of frames of each trial: squared errors, unit variances, weights, activity x joint x component."""
    groups = [(s.spoiling, s.kind) for s in samples]
    square, unit, weight, cell = [], [], [], []
    for s, group in zip(samples, groups):
        ok = s.ok.copy()
        ok[np.arange(len(ok)) % max(1, len(ok) // frames) != 0] = False
        square.append((s.error[ok] ** 2).ravel())
        unit.append(s.unit[ok].reshape(-1, s.unit.shape[-1]))
        weight.append(np.full(square[-1].size, 1 / max(1, square[-1].size) / groups.count(group)))
        cell.append((KINDS.index(s.kind) * 9 + np.argwhere(ok)[:, 2:] * 3 + np.arange(3)).ravel())
    return [np.concatenate(x) for x in (square, unit, weight, cell)]


def most_likely(square, unit, weight, low, high, freedom):
    """Squared sizes that maximise a Student likelihood, by multiplicative updates."""
    theta = np.clip(np.average(square, weights=weight) / np.maximum(unit.mean(0), 1e-12) / unit.shape[1], low, high)
    for _ in range(200):
        v = unit @ theta + 1e-12
        robust = (freedom + 1) / (freedom + square / v)
        up, down = (weight * robust * square / v ** 2) @ unit, (weight / v) @ unit
        theta = np.clip(theta * np.sqrt(up / np.maximum(down, 1e-300)), low, high)
    return theta


def fit_sizes(samples, names):
    """Squared sizes of causes: maximum likelihood, then steps of single sizes that bring coverage to .84 to .93."""
    bounds = [BOUNDS.get(n, (0, 1e3)) for n in names]
    low, high = (np.array([b[i] for b in bounds], float) ** 2 for i in range(2))
    square, unit, weight, cell = flat(samples, 60)
    theta = most_likely(square, unit, weight, low, high, 6)
    count = np.bincount(cell, minlength=len(KINDS) * 9)
    seen, part = count > 0, weight / weight.sum()

    def objective(t):
        v = unit @ t + 1e-12
        z = np.sqrt(square / v)
        soft = 1 / (1 + np.exp(np.clip((z - BAND) * 6, -50, 50)))
        coverage = np.bincount(cell, soft, minlength=len(count))[seen] / count[seen]
        far = np.maximum(0, .84 - coverage) ** 2 + 1.5 * np.maximum(0, coverage - .93) ** 2
        return 30 * far.sum() + .25 * (part * (np.log(v) + 7 * np.log1p(z * z / 6))).sum()

    best, step = objective(theta), 2.0
    for _ in range(8):
        for i in np.where((high > low) & (unit.sum(0) > 0))[0]:
            for factor in (step, 1 / step):
                trial = theta.copy()
                trial[i] = np.clip(max(theta[i], 1e-7) * factor, low[i], high[i])
                value = objective(trial)
                if value < best:
                    theta, best = trial, value
                    break
        step = 1 + (step - 1) * .75
    return theta


def reduced(samples, names, theta):
    """Variances of two parts: all causes together, and torque times residual."""
    residual = names.index("residual_share")
    for s in samples:
        causes = theta.copy()
        causes[residual] = 0
        s.part = np.stack([s.unit @ causes, s.unit[..., residual]], -1)


def fit_parts(samples):
    """Factors of the two parts."""
    square, _, weight, _ = flat(samples, 100)
    unit = []
    for s in samples:
        ok = s.ok.copy()
        ok[np.arange(len(ok)) % max(1, len(ok) // 100) != 0] = False
        unit.append(s.part[ok].reshape(-1, 2))
    return most_likely(square, np.concatenate(unit), weight, 0, 1e3, FREEDOM)


def cells(samples, variance):
    """Coverage by spoiling, activity and joint."""
    coverage, seen = {}, {}
    for s, v in zip(samples, variance):
        inside = s.error ** 2 <= BAND ** 2 * v
        for j in range(3):
            key = s.spoiling, s.kind, j
            ok = s.ok[:, :, j]
            coverage[key] = coverage.get(key, 0) + inside[:, :, j][ok].sum()
            seen[key] = seen.get(key, 0) + 3 * ok.sum()
    return {k: coverage[k] / seen[k] for k in coverage if seen[k]}


def fit_recipe(samples):
    """Fits scale and residual_share; sets s.variance of each sample with its subject left out of the fit."""
    people = sorted({s.person for s in samples})
    without = {q: fit_parts([s for s in samples if s.person != q]) for q in people}
    plain = [s.part @ without[s.person] for s in samples]
    low, high = .2, 5.
    for _ in range(30):
        factor = math.sqrt(low * high)
        mean = np.mean(list(cells(samples, [factor * v for v in plain]).values()))
        low, high = (factor, high) if mean < COVERED else (low, factor)
    for s, v in zip(samples, plain):
        s.variance = factor * v
    both = factor * fit_parts(samples)
    print("folds: scale %.3f to %.3f" % tuple(f([math.sqrt(factor * t[0]) for t in without.values()]) for f in (min, max)))
    return math.sqrt(both[0]), math.sqrt(both[1] / both[0])


# --- validation ---

def joint_frames(samples):
    """|error| and norm of the standard deviation, for all joints in all frames with a reference."""
    error = np.concatenate([np.linalg.norm(s.error, axis=-1)[s.ok] for s in samples])
    return error, np.concatenate([np.sqrt(s.variance.sum(-1))[s.ok] for s in samples])


def auc(samples):
    """Detection of errors over LIMIT by the standard deviation; NaN if there are fewer than 20."""
    error, sd = joint_frames(samples)
    bad = error > LIMIT
    if bad.sum() < 20 or (~bad).sum() < 20:
        return math.nan
    rank = np.empty(len(sd))
    rank[np.argsort(sd, kind="stable")] = np.arange(1, len(sd) + 1)
    return (rank[bad].sum() - bad.sum() * (bad.sum() + 1) / 2) / bad.sum() / (~bad).sum()


def trusted(samples):
    """Fractions of joint-frames and of frames that are trusted."""
    joints, frames = [], []
    for s in samples:
        sure = MEAN_ERROR * np.sqrt(s.variance.sum(-1)) <= LIMIT
        joints.append(sure[s.ok])
        bears = s.bears[:, :, None] & s.ok
        frames.append((2 * (bears & ~sure).sum((1, 2)) <= bears.sum((1, 2)))[s.ok.any((1, 2))])
    return np.concatenate(joints).mean(), np.concatenate(frames).mean()


def of(samples, kind=None, spoiling=None):
    return [s for s in samples if kind in (None, s.kind) and spoiling in (None, s.spoiling)]


def number(x):
    return "-" if math.isnan(x) else ("%.2f" % x).lstrip("0") if x < .995 else "%.2f" % x


def activity_table(samples):
    text = ("| activity | trials | RMS error | AUC: unspoiled, all | trusted: joints, frames | coverage: hip, knee, ankle, "
            "% |\n|---|---|---|---|---|---|\n")
    for kind in KINDS + (None,):
        clean, every = of(samples, kind, "clean"), of(samples, kind)
        error = joint_frames(clean)[0]
        coverage = cells(clean, [s.variance for s in clean])
        mean = [100 * np.mean([v for k, v in coverage.items() if k[2] == j]) for j in range(3)]
        text += "| %s | %d | %s | %s, %s | %s, %s | %.0f, %.0f, %.0f |\n" % (
            (NAMES.get(kind, "all"), len(clean), number(math.sqrt(np.mean(error ** 2))), number(auc(clean)),
             number(auc(every))) + tuple(map(number, trusted(clean))) + tuple(mean))
    return text


def spoiling_table(samples):
    text = ("| spoiling | RMS error | AUC | trusted joints | coverage of gait and runs, % | of the others, % |\n"
            "|---|---|---|---|---|---|\n")
    for spoiling in SPOILINGS:
        some = of(samples, None, spoiling)
        coverage = cells(some, [s.variance for s in some])
        span = [[100 * v for k, v in coverage.items() if (k[1].startswith(("walk", "run"))) == gait] for gait in (1, 0)]
        text += "| %s | %s | %s | %s | %.0f to %.0f | %.0f to %.0f |\n" % (
            spoiling, number(math.sqrt(np.mean(joint_frames(some)[0] ** 2))), number(auc(some)),
            number(trusted(some)[0]), min(span[0]), max(span[0]), min(span[1]), max(span[1]))
    return text


def trust_table(samples):
    error, sd = joint_frames(samples)
    refused = MEAN_ERROR * sd > LIMIT
    text = "| joints | part of all | RMS error | over 0.5 N m/kg |\n|---|---|---|---|\n"
    for name, some in (("trusted", ~refused), ("refused", refused)):
        text += "| %s | %.1f %% | %s | %.1f %% |\n" % (name, 100 * some.mean(),
                                                    number(math.sqrt(np.mean(error[some] ** 2))),
                                                    100 * np.mean(error[some] > LIMIT))
    third = np.array_split(np.argsort(sd), 3)
    mean = np.mean(list(cells(samples, [s.variance for s in samples]).values()))
    return text + ("\nMean cell: %.1f %%. AUC of all: %s. Mean error over the length of the standard deviation: %s.\nBy thirds "
                   "of the standard deviation, the expected error is %s N m/kg and the mean error %s.\n" % (
                       100 * mean, number(auc(samples)), number(np.mean(error) / np.mean(sd)),
                       ", ".join(number(MEAN_ERROR * sd[t].mean()) for t in third),
                       ", ".join(number(error[t].mean()) for t in third)))


def tables(samples):
    return "\n".join([activity_table(samples), spoiling_table(samples), trust_table(samples)])


def write(method, values, text):
    head, rows = size_table()
    for row in rows:
        if row[0] in values:
            row[head.index(method)] = "%.3g" % values[row[0]]
    notes = [line for line in open(TABLE) if line[0] == "#"]
    with open(TABLE, "w") as out:
        out.writelines(notes + ["\t".join(row) + "\n" for row in [head] + rows])
    page = open(PAGE).read()
    mark = "<!-- %s: research/fit_uncertainty.py -->\n" % method
    start, end = page.index(mark) + len(mark), page.index("<!-- end of %s -->" % method)
    with open(PAGE, "w") as out:
        out.write(page[:start] + "\n" + text + "\n" + page[end:])


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default="build")
    for flag in ("--full", "--sizes", "--write"):
        p.add_argument(flag, action="store_true")
    a = p.parse_args()
    names = subprocess.run([a.build + "/tests/groundtruth/uncertainty_terms", "names"], check=True,
                           stdout=subprocess.PIPE, text=True).stdout.split()
    for method in ("fast", "full") if a.full else ("fast",):
        samples = read_samples(a.build, method)
        head, rows = size_table()
        sizes = {row[0]: float(row[head.index(method)]) for row in rows}
        if method == "full":  # the row of filter is that of the whole ensemble
            BOUNDS.update({n: (sizes[n], sizes[n]) for n in ("segment_mass", "foot_mass", "noise")})
        theta = (fit_sizes(of(samples, None, "clean"), names) if a.sizes else
                 np.array([sizes[n] for n in names]) ** 2)
        reduced(samples, names, theta)
        values = {n: math.sqrt(t) for n, t in zip(names, theta) if a.sizes and n != "residual_share"}
        values["scale"], values["residual_share"] = fit_recipe(samples)
        text = tables(samples)
        print("%s: %s\n\n%s" % (method, ", ".join("%s %.3g" % v for v in values.items()), text))
        if a.write:
            write(method, values, text)


if __name__ == "__main__":
    main()
