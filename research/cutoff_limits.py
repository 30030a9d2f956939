#!/usr/bin/python3
"""What limits the automatic cutoff: research/cutoff_limits.py [--build build] noise|lag|slip

Sums of the moment errors of hip, knee and ankle, N m/kg, of trials of ../shared/groundtruth (or $KANE_SHARED) under default
options with the mass given; ratios are to the clean trials at 8 Hz.

  noise  consistent walks with the noise of research/fit_cutoff.py, seeds 1 and 2: the program; filtered before by the order
         and the cutoffs of root and rotations in FILTERS
  lag    drop jumps, clean and with a root path one or two frames late (seeds 1 to 3), and consistent runs, by cutoff
  slip   all trials: the shift of the root path, in frames, at which the slower of the feet moves least, as recorded and with
         the path one and two frames late

Requires python3-numpy and the test programs (make test-programs)."""
import argparse
import os
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fit_contact import SHARED, Trial  # noqa: E402
from fit_cutoff import FOLDERS  # noqa: E402
sys.path.insert(0, SHARED + "/groundtruth")
import spoil  # noqa: E402

FILTERS = ((2, 4, 4), (2, 5, 5), (2, 4, 5), (2, 3, 5), (2, 5, 4), (3, 5, 5), (3, 5, 6), (4, 5, 5))  # order, root, rotations
CUTOFFS = ("auto", "6", "8", "10", "12", "16", "20")
SHIFTS = np.arange(-3, 3.01, .5)
FAST, ENDS = 1, 4  # m/s: from it on a foot is not on the ground; frames left out
FEET = ("LeftFoot", "RightFoot", "LeftToeBase", "RightToeBase")


def trials(kind):
    """(folder, name) of all trials of a kind; None: of all kinds."""
    out = []
    for folder in (SHARED + "/groundtruth/" + f + "/" for f in FOLDERS):
        for name in sorted(os.listdir(folder)):
            if os.path.exists(folder + name + "/info.json") and kind in (None, Trial(name, folder).kind):
                out.append((folder, name))
    return out


def low_pass(x, dt, order, cutoff):
    """Gain of the double pass, 1 / (1 + (sqrt 2 - 1) (f / cutoff)^(2 order)); ends are mirrored in their points."""
    pad = min(len(x) - 1, int(round(1 / dt)))
    y = np.concatenate([2 * x[0] - x[pad:0:-1], x, 2 * x[-1] - x[-2:-pad - 2:-1]])
    gain = 1 / (1 + (np.sqrt(2) - 1) * (np.fft.rfftfreq(len(y), dt) / cutoff) ** (2 * order))
    y = np.fft.irfft(np.fft.rfft(y, axis=0) * gain.reshape((-1,) + (1,) * (y.ndim - 1)), len(y), axis=0)
    return y[pad:pad + len(x)]


class Scorer:
    def __init__(self, build, work):
        self.build, self.work = build, work

    def score(self, folder, name, options=()):
        trial, out = Trial(name, folder), self.work + "/clip.h5"
        subprocess.run(trial.command(self.build + "/kane", "default", out) + list(options) + ["--force"], check=True,
                       stderr=subprocess.DEVNULL)
        raw = subprocess.run([self.build + "/tests/groundtruth/contact_forces", out], check=True, input=b"\n",
                             stdout=subprocess.PIPE).stdout
        frames = int(np.frombuffer(raw[:8])[0])
        return trial.score(np.frombuffer(raw[8:8 + 240 * frames]).reshape(frames, 10, 3))["sum"]

    def mean(self, kind, options=(), spoiling=None, seed=1, change=None):
        """Mean over the trials of a kind, spoiled and then changed."""
        out = []
        for folder, name in trials(kind):
            if spoiling:
                spoil.spoil(folder, self.work, name, spoiling, seed)
                folder = self.work + "/"
            if change:
                trial = spoil.Trial(folder + name + "/", name)
                change(trial.clip)
                trial.clip.write("%s%s/%s_%s_std.bvh" % (folder, name, name, trial.variant))
            out.append(self.score(folder, name, options))
        return np.mean(out)


def filtered(order, root, rotations):
    def change(clip):
        clip.root = low_pass(clip.root, clip.dt, order, root)
        clip.turn = spoil.unit(low_pass(clip.turn, clip.dt, order, rotations))
    return change


def print_noise(scorer):
    clean = scorer.mean("walk_consistent", ("--smooth-cutoff", "8"))
    noisy = np.mean([scorer.mean("walk_consistent", (), "noise", s) for s in (1, 2)])
    print("program: %.3f over %.3f, %.3f" % (noisy, clean, noisy / clean))
    for order, root, rotations in FILTERS:
        noisy = np.mean([scorer.mean("walk_consistent", ("--smooth-method", "none"), "noise", s,
                                     filtered(order, root, rotations)) for s in (1, 2)])
        print("order %d, root %g Hz, rotations %g Hz: %.3f, %.3f" % (order, root, rotations, noisy, noisy / clean))


def print_lag(scorer):
    for cutoff in CUTOFFS:
        options = () if cutoff == "auto" else ("--smooth-cutoff", cutoff)
        late = [scorer.mean("drop_jump", options, "lag", s) for s in (1, 2, 3)]
        print("%s: drop jumps %.3f, late %.3f (%s); consistent runs %.3f" % (
            cutoff, scorer.mean("drop_jump", options), np.mean(late), ", ".join("%.3f" % x for x in late),
            scorer.mean("run_consistent", options)), flush=True)


def shift_of_least_slip(clip, late):
    """Frames; the root path late by `late` frames."""
    place = clip.world()[1][:, [clip.name.index(n) for n in FEET if n in clip.name]] - clip.root[:, None]
    at, frames = np.arange(ENDS, len(clip.root) - ENDS), np.arange(len(clip.root))

    def slip(shift):
        root = np.stack([np.interp(at + shift - late, frames, x) for x in clip.root.T], 1)
        speed = np.linalg.norm(np.diff(place[at] + root[:, None], axis=0), axis=2).min(1) / clip.dt
        return np.minimum(speed, FAST).mean()

    return SHIFTS[np.argmin([slip(s) for s in SHIFTS])]


def print_slip():
    shifts = np.array([[shift_of_least_slip(spoil.Trial(folder + name + "/", name).clip, late) for late in (0, 1, 2)]
                       for folder, name in trials(None)])
    for late in (0, 1, 2):
        part = shifts[:, late]
        print("late by %d: %.1f to %.1f, mean %.2f, SD %.2f; %d of %d at most half a frame off" % (
            late, part.min(), part.max(), part.mean(), part.std(), (abs(part - late) <= .5).sum(), len(part)))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("what", choices=("noise", "lag", "slip"))
    p.add_argument("--build", default="build")
    a = p.parse_args()
    with tempfile.TemporaryDirectory() as work:
        if a.what == "slip":
            print_slip()
        else:
            (print_noise if a.what == "noise" else print_lag)(Scorer(a.build, work))


if __name__ == "__main__":
    main()
