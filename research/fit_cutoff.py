#!/usr/bin/python3
"""Measures the constants of data/cutoff.tsv, and what the automatic cutoff gains: research/fit_cutoff.py [--build build]

Runs the trials of ../shared/groundtruth (or $KANE_SHARED), trials/ and trials_more/, clean and with noise of 0.1 to 0.3
degrees and 1 to 3 mm (the script spoil beside them, seeds 1 and 2), at fixed cutoffs and with `auto`. Prints by activity the sum
of the moment errors of hip, knee and ankle, N m/kg; then `rise` (the largest of a clean trial), `lever` and `torque`. The
choice itself has no fitted weight, so no subject needs to be left out. Half an hour on two cores; clips are kept in
build/cutoff. Requires python3-numpy, python3-h5py and the test programs (make test-programs)."""
import argparse
import json
import os
import subprocess
import sys

import h5py
import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fit_contact import SHARED, Benches  # noqa: E402
sys.path.insert(0, SHARED + "/groundtruth")
import spoil  # noqa: E402

FOLDERS = ("trials", "trials_more")
CUTOFFS = ("4", "5", "6", "7", "8", "10", "12", "16", "20")
KINDS = ("clean", "noise1", "noise2")
AVERAGED, LOWEST, BAND_END, SEGMENT_TIME = 1.5, 4, .48, 4


def rotated(q, v):
    u = q[..., 1:]
    return v + 2 * np.cross(u, np.cross(u, v) + q[..., :1] * v)


def spectrum(path):
    """Frequencies and the mass-weighted density of an unfiltered clip (analysis/motion/motion_cutoff.h)."""
    with h5py.File(path) as f:
        position, turn, com, mass = (f[n][:] for n in ("kinematics/position", "kinematics/orientation", "body/com",
                                                       "body/mass"))
        rate = 1 / np.median(np.diff(f["kinematics/time"][:]))
    x = (position + rotated(turn, np.broadcast_to(com, position.shape))) * np.sqrt(mass / mass.sum())[:, None]
    n = 2 ** int(np.log2(min(len(x) - 1, SEGMENT_TIME * rate)))
    count, density = -(-(len(x) - 1) // n), 0
    for k in range(count):
        first = k * (len(x) - 1 - n) // max(1, count - 1)
        y = x[first:first + n + 1]
        y = y - y[:1] - (y[-1:] - y[:1]) * np.linspace(0, 1, n + 1)[:, None, None]
        power = np.abs(np.fft.rfft(np.concatenate([y, -y[-2:0:-1]]), axis=0)) ** 2
        density = density + power.sum((1, 2)) / (2 * n * rate) * 2 / count
    return np.arange(n + 1) * rate / (2 * n), density, rate


def rise(path):
    """Largest rise of the averaged density of the acceleration over its running minimum."""
    f, density, rate = spectrum(path)
    reach, end = max(1, int(AVERAGED / f[1] + .5)), int(np.ceil(BAND_END * rate / f[1]))
    level = np.log(f[1:] ** 4 * density[1:])
    smooth = [level[max(0, i - reach - 1):min(end, i + reach)].mean()
              for i in range(int(np.ceil(LOWEST / f[1])), end + 1)]
    return np.exp((smooth - np.minimum.accumulate(smooth)).max())


def folder_of(kind, folder, build):
    source = SHARED + "/groundtruth/" + folder + "/"
    if kind == "clean":
        return source
    out = "%s/cutoff/%s/%s/" % (build, kind, folder)
    for name in sorted(os.listdir(source)):
        if os.path.exists(source + name + "/info.json") and not os.path.exists(out + name + "/info.json"):
            spoil.spoil(source, out, name, "noise", int(kind[-1]))
    return out


def errors(kind, cutoff, build):
    """{trial: (activity, error, work folder, trial folder)}."""
    out = {}
    for folder in FOLDERS:
        work = "%s/cutoff/%s.%s.%s" % (build, kind, folder, cutoff)
        os.makedirs(work, exist_ok=True)
        benches = Benches(build, ("default",), work, folder_of(kind, folder, build), cutoff)
        for trial, metrics in zip(benches.trials, benches.run([{}])[0]["default"]):
            out[trial.name] = trial.kind, metrics["sum"], "%s/%s.default.h5" % (work, trial.name), trial
    return out


def history_value(path, name):
    with h5py.File(path) as f:
        words = str(f.attrs["history"]).replace("\n", " ").split()
    return float(words[words.index(name) + 1])


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default="build")
    build = p.parse_args().build
    table = {(k, c): errors(k, c, build) for k in KINDS for c in CUTOFFS + ("auto",)}
    names = sorted(table["clean", "8"])

    def mean(kind, cutoff, some):
        return np.mean([table[kind, cutoff][n][1] for n in some])

    print("| activity | trials | clean: 8 Hz | auto | noise: 8 Hz | auto | best by trial | noisy auto over clean 8 Hz |")
    print("|---|---|---|---|---|---|---|---|")
    for activity in sorted({table["clean", "8"][n][0] for n in names}):
        some = [n for n in names if table["clean", "8"][n][0] == activity]
        noisy = [np.mean([mean(k, c, some) for k in KINDS[1:]]) for c in ("8", "auto")]
        best = np.mean([min(table[k, c][n][1] for c in CUTOFFS) for k in KINDS[1:] for n in some])
        print("| %s | %d | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f |" % (
            activity, len(some), mean("clean", "8", some), mean("clean", "auto", some), *noisy, best,
            noisy[1] / mean("clean", "8", some)))
    raw, angles, predicted, extra = [], [], [], []
    for n in names:
        path = "%s/cutoff/%s.raw.h5" % (build, n)
        command = table["clean", "8"][n][3].command(build + "/kane", "default", path)
        subprocess.run(command + ["--smooth-method", "none", "--force"], check=True, stderr=subprocess.DEVNULL)
        raw.append(rise(path))
        for k in KINDS[1:]:
            trial, path = table[k, "auto"][n][3], table[k, "auto"][n][2]
            with open(trial.folder + "info.json") as f:
                strength = json.load(f)["spoiled"]
            variance = history_value(path, "--noise") ** 2 / trial.dt / 2
            angles.append((np.radians(strength["degrees"]) ** 2 / variance, strength["root_m"] ** 2 / variance))
            predicted.append(history_value(path, "error"))
            extra.append((table[k, "auto"][n][1] / 3) ** 2 - (table["clean", "8"][n][1] / 3) ** 2)
    angle, root = np.linalg.lstsq(np.array(angles), np.ones(len(angles)), rcond=None)[0]
    print("\nrise of clean trials: %.2f at most" % max(raw))
    print("lever: %.2f m, for a root that moves by 0.5 m times the angle" % np.sqrt(angle + root / 4))
    print("error of torques: %.2f of that predicted" % np.sqrt(np.mean(extra) / np.mean(np.square(predicted))))


if __name__ == "__main__":
    main()
