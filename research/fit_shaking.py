#!/usr/bin/python3
"""Fits the constants of data/shaking.tsv (analysis/quality/artifact_rhythm.c) on clips and trials of $KANE_SHARED
(default ../shared), and scores them on families and studies left out.

usage: research/fit_shaking.py [--kane build/kane] [--false 0.002] [--seed 1] [--each 8]

Sound files are read as they are and resampled to 24, 25, 30, 60 and, for planting alone, 240 frames/s. Shakes planted
into them have periods of 2 to 12 frames, 2 to 180 degrees (uniform in the logarithm), any joint and axis, four of five
on and off for half a period, one of five as a sine; three of ten begin in the middle. A logistic regression separates
the most doubtful line of each planted window and joint from all lines of sound ones; its threshold lets --false of the
sound time pass. A shake is found if half of its frames are in windows beyond the threshold. Takes three minutes."""
import argparse
import glob
import os
import subprocess
import tempfile
from collections import namedtuple
from pathlib import Path

import h5py
import numpy as np

TOP = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("KANE_SHARED", TOP.parent / "shared"))
FAULTY = ("cmu_cgspeed__05_02", "kinect_mae__ah_cut_01", "dog__", "parser_fixture__pybvh_bvh_test1")
# As in tests/real/test_sustained_artifacts.c: joints that truly shake.
SHAKING = {"cmu_iclone__007_12": ("CC_Base_L_ToeBase", "CC_Base_R_ToeBase", "CC_Base_L_Hand", "CC_Base_R_Hand",
                                  "CC_Base_R_Thumb1"),
           "cmu_cgspeed__07_01": ("RightFingerBase", "RThumb"),
           "sfu_motionbuilder__MS2_8Walk_M": ("LeftHand", "LeftToeBase")}
KNOTS = np.array([2, 4, 8, 16, 45.])
LINE, OTHERS, STILL = (2, 300), (0.3, 20), 0.02
RATES = (24, 25, 30, 60, 0, 240)


Skeleton = namedtuple("Skeleton", "has_role counterpart")  # [joint]


# ---- Motion ----

def read(path):
    with h5py.File(path) as h:
        time = h["motion/time"][:]
        names, roles = ([n.decode() for n in h[path][:]] for path in ("joint", "skeleton/role"))
        return (continuous(h["motion/rotation"][:]), 1 / (time[1] - time[0]) if len(time) > 1 else 0, names,
                Skeleton(np.array([r != "" for r in roles]), counterparts(names, roles)))


def other_side(word):
    """The names, in lower case, that left and right exchanged once make of one: as mirror_counterpart."""
    pairs = [p for a, b in (("left", "right"), ("l", "r")) for p in ((a, b), (b, a))]
    return {word[:i] + b + word[i + len(a):] for a, b in pairs for i in range(len(word)) if word.startswith(a, i)}


def counterparts(names, roles):
    """The joint on the other side, by role or name; -1: none."""
    found = np.full(len(names), -1)
    for j, (name, role) in enumerate(zip(names, roles)):
        others = {role.replace("left", "right") if "left" in role else role.replace("right", "left")} if role \
            else other_side(name.lower())
        found[j] = next((k for k, n in enumerate(names)
                         if k != j and (roles[k] in others if role else not roles[k] and n.lower() in others)), -1)
    return found


def continuous(q):
    signs = np.where(np.einsum("fjc,fjc->fj", q[1:], q[:-1]) < 0, -1., 1.)
    return np.concatenate([q[:1], q[1:] * np.cumprod(signs, axis=0)[..., None]])


def resample(q, rate, new):
    """Cubic, so that no corners appear."""
    n = len(q)
    t = np.arange(0, (n - 1) / rate + 1e-9, 1 / new) * rate
    i = np.minimum(t.astype(int), n - 2)
    u = (t - i)[:, None, None]
    a, b, c, d = q[np.maximum(i - 1, 0)], q[i], q[i + 1], q[np.minimum(i + 2, n - 1)]
    r = b + 0.5 * u * ((c - a) + u * ((2 * a - 5 * b + 4 * c - d) + u * (3 * (b - c) + d - a)))
    return r / np.linalg.norm(r, axis=-1, keepdims=True)


def times(a, b):
    w = a[..., 0] * b[..., 0] - np.sum(a[..., 1:] * b[..., 1:], -1)
    v = a[..., :1] * b[..., 1:] + b[..., :1] * a[..., 1:] + np.cross(a[..., 1:], b[..., 1:])
    return np.concatenate([w[..., None], v], -1)


def plant(q, shake, dice):
    frames = np.arange(len(q)) + int(dice.integers(shake["period"]))
    if shake["sine"]:
        on = 0.5 + 0.5 * np.sin(2 * np.pi * frames / shake["period"] + dice.random() * 6)
    else:
        on = np.where(frames % shake["period"] < shake["period"] // 2, 1., 0.)
    on[:shake["first"]] = 0
    half = np.radians(shake["size"]) / 2 * on
    axis = dice.normal(size=3)
    axis /= np.linalg.norm(axis)
    q = q.copy()
    q[:, shake["joint"]] = times(q[:, shake["joint"]],
                                 np.concatenate([np.cos(half)[:, None], np.sin(half)[:, None] * axis], 1))
    return continuous(q)


# ---- Lines, as in artifact_rhythm.c ----

def power(part):
    change = 2 * (part[2:] - 2 * part[1:-1] + part[:-2])
    n = len(change)
    taper = .5 - .5 * np.cos(2 * np.pi * (np.arange(n) + .5) / n)
    p = 2 * (np.abs(np.fft.rfft(change * taper[:, None, None], axis=0)) ** 2).sum(-1) / n / (taper ** 2).sum()
    p[0] /= 2
    p[-1] /= 2
    return p


def lines(p, skeleton):
    """Amplitude in degrees RMS, prominence, amplitude over that of the others and over the counterpart's (0: it has
    none): [bin][joint]."""
    top = len(p) - 1
    k = np.arange(top + 1)
    gain = (2 * np.sin(np.pi * k / (2 * top))) ** 4
    gain[0] = 1
    zero = np.zeros((1, p.shape[1]))
    total, level = (np.cumsum(np.vstack([zero, x]), 0) for x in (p, np.log(p + 4e-14)))
    line = total[np.minimum(k + 2, top + 1)] - total[np.maximum(k - 1, 0)]
    amplitude = np.degrees(np.sqrt(line / gain[:, None]))
    low_end = (k - 2).clip(1)
    low = np.minimum(np.rint(k / 1.8).astype(int), k - 4).clip(1)
    low_end = np.maximum(low_end, low + 1)
    high = np.minimum(k + 3, top + 1)
    high_end = np.minimum(np.maximum(np.rint(k * 1.8).astype(int), k + 5), top + 1)
    sides = (level[low_end] - level[low]) / (low_end - low)[:, None]
    many = (high_end - high)[:, None]
    sides = np.maximum(sides, np.where(many > 0, (level[high_end] - level[high]) / np.maximum(many, 1), -40))
    usual = np.median(amplitude[:, skeleton.has_role if skeleton.has_role.any() else slice(None)], axis=1)
    over_other = amplitude / np.maximum(amplitude[:, skeleton.counterpart], STILL) * (skeleton.counterpart >= 0)
    return amplitude, line / 3 / np.exp(sides), amplitude / np.maximum(usual, STILL)[:, None], over_other


def windows(frames, rate):
    shortest = 32
    while shortest < .5 * rate:
        shortest *= 2
    while shortest > 32 and shortest + 2 > frames:
        shortest //= 2
    for is_long in (0, 1):
        count = shortest << is_long
        free = frames - 2 - count
        if free >= 0:
            more = -(-free // (count // 2))
            for i in range(more + 1):
                yield is_long, count, i * free // more if more else 0


def candidates(q, rate, skeleton, joints, max_count=None):
    """Rows: is_long, start, count, frequency, amplitude, prominence, over others, over the counterpart; and the largest
    amplitudes."""
    rows, largest = [], []
    for is_long, count, start in windows(len(q), rate):
        a, r, o, m = lines(power(q[start:start + count + 2]), skeleton)
        bins = np.arange(max(3, int(round(count / 12.5))), count // 2 + 1)
        f = bins * rate / count
        largest += zip(f, a[bins].max(1))
        for j in joints:
            use = bins[(r[bins, j] > LINE[0]) & (a[bins, j] > .08 * usual_motion(f))]
            if max_count and len(use) > max_count:
                use = use[np.argsort(-a[use, j] * r[use, j] * o[use, j])[:max_count]]
            rows += [(is_long, start, count, k * rate / count, a[k, j], r[k, j], o[k, j], m[k, j]) for k in use]
    return rows, largest


MOTION = np.array([34, 17, 4.6, 2, .73])  # printed as motion_2 ... motion_45


def usual_motion(f):
    return np.exp(np.interp(np.log(f), np.log(KNOTS), np.log(MOTION)))


# ---- Files ----

def family(title):
    return title.split("__")[0] if "__" in title else "trials of " + title.split("_")[1][:1]


def measure_clip(path, each, dice, data):
    title = Path(path).stem
    whole, own, names, skeleton = read(path)
    sound = [j for j, name in enumerate(names) if name not in SHAKING.get(title, ())]
    for wanted in RATES:
        if own == 0 or (wanted and wanted >= .9 * own and wanted < 240):
            continue
        rate = wanted or own
        q = resample(whole, own, rate) if wanted else whole
        if len(q) < 36:
            continue
        if wanted != 240:
            rows, largest = candidates(q, rate, skeleton, sound, 6)
            clip = len(data["clips"])
            data["clips"].append((family(title), rate, len(q)))
            data["sound"] += [(clip, *row) for row in rows]
            data["largest"] += largest
        q = q[:int(5 * rate)]
        for _ in range(each):
            late = dice.random() < .3 and len(q) > 100
            shake = {"period": int(dice.integers(2, 13)), "size": np.exp(dice.uniform(np.log(2), np.log(180))),
                     "joint": int(dice.integers(q.shape[1])), "sine": dice.random() < .2,
                     "first": len(q) // 2 if late else 0, "rate": rate, "frames": len(q), "family": family(title)}
            rows, _ = candidates(plant(q, shake, dice), rate, skeleton, [shake["joint"]])
            data["planted"] += [(len(data["shakes"]), *row) for row in rows]
            data["shakes"].append(shake)


def gather(kane, each, seed):
    dice = np.random.default_rng(seed)
    data = {"clips": [], "sound": [], "planted": [], "shakes": [], "largest": []}
    patterns = ("mocap/*.bvh", "mocap/family/*.bvh", "groundtruth/trials*/*/*_std.bvh")
    paths = [p for pattern in patterns for p in sorted(glob.glob(str(SHARED / pattern)))]
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            out = f"{folder}/{Path(path).stem}.h5"
            if Path(path).stem.startswith(FAULTY):
                continue
            subprocess.run([kane, "import", "-q", path, "-o", out], stderr=subprocess.DEVNULL, check=True)
            measure_clip(out, each, dice, data)
    data["sound"], data["planted"] = np.array(data["sound"]), np.array(data["planted"])
    return data


# ---- Fit ----

def columns(rows):
    f, a, r, o, m = rows[:, 4:].T
    excess = np.log(a / usual_motion(f))
    at = np.stack([np.interp(np.log(f), np.log(KNOTS), np.eye(len(KNOTS))[i]) for i in range(len(KNOTS))], 1)
    return np.column_stack([np.log(np.clip(r, *LINE)), np.log(np.clip(o, *OTHERS)), excess, np.maximum(0, excess),
                            rows[:, 1], np.where(m > 0, np.log(np.clip(m, *OTHERS)), 0), m > 0, at])


def regress(x, y, weight):
    theta = np.zeros(x.shape[1])
    for _ in range(40):
        p = 1 / (1 + np.exp(-np.clip(x @ theta, -30, 30)))
        slope = x.T @ (weight * (p - y)) + .01 * theta
        step = np.linalg.solve((x * (weight * p * (1 - p))[:, None]).T @ x + .01 * np.eye(len(theta)), slope)
        theta -= step * min(1, 5 / abs(step).max())
    return theta


def most_doubtful(score, group):
    order = np.lexsort((score, group))
    return order[np.r_[group[order][1:] != group[order][:-1], True]]


def fit(sound, planted, window):
    chosen = most_doubtful(planted[:, :3].sum(1), window)
    for _ in range(4):
        x = np.vstack([sound, planted[chosen]])
        theta = regress(x, np.arange(len(x)) >= len(sound), np.where(np.arange(len(x)) < len(sound), 1, .5))
        chosen = most_doubtful(planted @ theta, window)
    return theta


def marked(rows, frames):
    """Frames in windows of these rows, by clip."""
    marks = {}
    for clip, _, start, count in rows[:, :4].astype(int):
        marks.setdefault(clip, np.zeros(frames[clip], bool))[start + 1:start + count + 1] = True
    return marks


def seconds(data, rows):
    return sum(m.sum() / data["clips"][c][1] for c, m in marked(rows, [c[2] for c in data["clips"]]).items())


def duration(data, clips):
    return sum(data["clips"][c][2] / data["clips"][c][1] for c in clips)


def threshold(data, score, clips, part):
    low, high = np.quantile(score, .8), score.max()
    mine = np.isin(data["sound"][:, 0], clips)
    for _ in range(18):
        middle = (low + high) / 2
        if seconds(data, data["sound"][mine & (score > middle)]) > part * duration(data, clips):
            low = middle
        else:
            high = middle
    return high


def found(data, score, limit):
    marks = marked(data["planted"][score > limit], [s["frames"] for s in data["shakes"]])
    return np.array([i in marks and marks[i][s["first"]:].mean() >= .5 for i, s in enumerate(data["shakes"])])


def print_found(data, ok):
    size = np.array([s["size"] for s in data["shakes"]])
    f = np.array([s["rate"] / s["period"] for s in data["shakes"]])
    print("Hz\\degrees  2-4   4-8   8-16  16-45 45-90 90-180")
    for low, high in ((2, 3), (3, 5), (5, 8), (8, 12), (12, 20), (20, 120)):
        cells = [ok[(f >= low) & (f < high) & (size >= a) & (size < b)].mean()
                 for a, b in ((2, 4), (4, 8), (8, 16), (16, 45), (45, 90), (90, 181))]
        print(f"{low:3}-{high:<5}", "".join(f"{100 * c:6.0f}" for c in cells))
    print(f"all {100 * ok.mean():.1f} %, of 5 Hz or more {100 * ok[f >= 5].mean():.1f} %")


def leave_out(data, part):
    ok = np.zeros(len(data["shakes"]), bool)
    x, y = columns(data["sound"]), columns(data["planted"])
    window = data["planted"][:, 0] * 8192 + data["planted"][:, 2] * 2 + data["planted"][:, 1]
    of_clip = np.array([c[0] for c in data["clips"]])
    of_shake = np.array([s["family"] for s in data["shakes"]])
    false = 0
    for name in sorted(set(of_shake)):
        others = np.nonzero(of_clip != name)[0]
        rest = np.isin(data["sound"][:, 0], others)
        use = of_shake[data["planted"][:, 0].astype(int)] != name
        theta = fit(x[rest], y[use], window[use])
        limit = threshold(data, x @ theta, others, part)
        mine = of_shake == name
        ok[mine] = found(data, y @ theta, limit)[mine]
        own = seconds(data, data["sound"][~rest & (x @ theta > limit)])
        false += own
        print(f"{name}: {100 * ok[mine].mean():.1f} % of {mine.sum()}, {own:.2f} s of "
              f"{duration(data, np.nonzero(of_clip == name)[0]):.0f} s")
    print(f"left out: sound time marked {100 * false / duration(data, range(len(of_clip))):.2f} %")
    print_found(data, ok)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--kane", default=str(TOP / "build/kane"))
    arguments.add_argument("--false", type=float, default=.002)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--each", type=int, default=8)
    given = arguments.parse_args()
    data = gather(given.kane, given.each, given.seed)
    largest = np.array(data["largest"])
    for knot in KNOTS:
        near = largest[abs(np.log(largest[:, 0] / knot)) < .15, 1]
        print(f"motion_{knot:.0f}\t{np.quantile(near, .99):.3g}")
    x, y = columns(data["sound"]), columns(data["planted"])
    theta = fit(x, y, data["planted"][:, 0] * 8192 + data["planted"][:, 2] * 2 + data["planted"][:, 1])
    limit = threshold(data, x @ theta, range(len(data["clips"])), given.false)
    for name, value in zip(("line", "others", "amplitude", "beyond", "longer", "mirror", "paired"),
                           theta[:7] * [1, 1, 1, 1, -1, 1, 1]):
        print(f"{name}\t{value:.3f}")
    for knot, value in zip(KNOTS, theta[7:]):
        print(f"limit_{knot:.0f}\t{limit - value:.2f}")
    print_found(data, found(data, y @ theta, limit))
    leave_out(data, given.false)


main()
