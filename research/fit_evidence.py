#!/usr/bin/env python3
"""Fits the weights with which import detects the unit of length, and prints their reliability.

usage: research/fit_evidence.py [--write] [--measures FILE] [PROGRAM]

PROGRAM (build/tests/real_tests) prints, in test_evidence_calibration, the measurements of each clip with a known
unit. Each clip is judged unchanged and as copies: in each other unit, scaled by factors from 0.01 to 100, as a child.
The fitted values of data/unit_model.tsv maximise the log score of the decisions (logarithm of the confidence if
correct, of its complement if not).

Prints the reliability of the committed weights, of those fitted to all clips, and of those fitted without the family
that is judged: the last applies to new clips. --write stores the fit in data/unit_model.tsv. Python 3, standard
library; the model is that of analysis/detect/unit.c."""
import math
import os
import subprocess
import sys
from collections import Counter

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MODEL = os.path.join(ROOT, "data", "unit_model.tsv")
TOLERANCE = math.log(1.25)
CAP = 0.9995  # upper bound of a confidence: an error in 2000 decisions
BINS = (0.5, 0.8, 0.9, 0.95, 0.99, 2)


def table(path):
    lines = [l.rstrip("\n").split("\t") for l in open(path) if l.strip() and not l.startswith("#")]
    return [dict(zip(lines[0], cells)) for cells in lines[1:]]


def number(text):
    top, _, bottom = text.partition("/")
    return float(top) / float(bottom or 1)


UNITS = [(r["name"], number(r["metres"]), number(r["human"]), number(r["cmu"]), number(r["other"]))
         for r in table(os.path.join(ROOT, "data", "units.tsv"))]


# ---- The model of analysis/detect/unit.c ----

def log_normal(x, mean, spread):
    z = math.log(x / mean) / spread
    return -0.5 * z * z - math.log(spread) - 0.5 * math.log(2 * math.pi)


def log_student(x, mean, spread):
    z = math.log(x / mean) / spread
    return -2.5 * math.log(1 + z * z / 4) - math.log(spread) + math.log(3 / 8)


def log_limited(x, limit, spread, glitch):
    z = math.log(x / limit) / spread if x > limit else 0
    return math.log(glitch + (1 - glitch) * math.exp(-0.5 * z * z))


def log_sum(values):
    top = max(values)
    return top + math.log(sum(math.exp(v - top) for v in values))


def log_human(stature, library, p):
    adult = (log_normal(stature, p["cmu_stature"], p["cmu_spread"]) if library
             else log_student(stature, p["adult_stature"], p["adult_spread"]))
    return log_sum([math.log(1 - p["child"] - p["figure"]) + adult,
                    math.log(p["child"]) + log_normal(stature, p["child_stature"], p["child_spread"]),
                    math.log(p["figure"]) + log_normal(stature, p["figure_stature"], p["figure_spread"])])


def judge(clip, scale, p):
    """Metres per unit and its confidence, for a clip in `scale` units per metre."""
    scores = []
    human = clip["stature"] > 0
    for _, metres, prior, prior_cmu, prior_other in UNITS:
        k = scale * metres
        if human:
            score = math.log(prior_cmu if clip["cmu"] else prior)
            score += log_human(clip["stature"] * k, clip["cmu"] and prior_cmu > 0.5, p)
        else:
            score = math.log(prior_other)
            if clip["extent"] > 0:
                score += log_normal(clip["extent"] * k, p["creature_extent"], p["creature_spread"])
        if clip["fall"] > 0:
            score += log_student(clip["fall"] * k, p["gravity"], p["fall_spread"])
        if clip["drop"] > 0:
            score += log_limited(clip["drop"] * k, p["drop_limit"], p["drop_spread"], p["glitch"])
        if clip["speed"] > 0:
            score += log_limited(clip["speed"] * k, p["speed_limit"], p["speed_spread"], p["glitch"])
        scores.append(score)
    nameless = math.log(p["nameless" if human else "nameless_other"]) - math.log(math.log(1e6))
    if clip["fall"] > 0:
        nameless += math.log(3 / 8) - math.log(p["fall_spread"])
    total = log_sum(scores + [nameless])
    best = max(range(len(UNITS)), key=lambda u: scores[u])
    named, size_alone = math.exp(scores[best] - total), 0
    if human:
        off = math.log(clip["stature"] * scale * UNITS[best][1] / p["cmu_stature" if clip["cmu"] else "adult_stature"])
        logistic = lambda x: 1 / (1 + math.exp(-1.702 * x / p["person_spread"]))
        size_alone = math.exp(nameless - total) * (logistic(off + TOLERANCE) - logistic(off - TOLERANCE))
    return UNITS[best][1], min(named + size_alone, CAP)


# ---- Copies ----

def copies(clip, step):
    """kind, weight in the fit, units per metre, correct metres per unit"""
    own = clip["meters_per_unit"]
    yield "unaltered", 4, 1 / own, own
    for _, metres, *_ in UNITS:
        if abs(metres / own - 1) > 1e-6:
            yield "another unit", 0.6, 1 / metres, metres
    count = 41 // step
    for i in range(count):
        factor = 0.01 * 1e4 ** ((i + 0.37) / count)
        yield "scaled, no name", 22 / count, factor / own, own / factor
    for stature in (0.9, 1.0, 1.1, 1.2, 1.3):
        if clip["stature"] > 0:
            size = stature / clip["stature"]
            yield "child", 0.8, size / own, own
            for name, metres, *_ in UNITS:
                if name in ("inch", "dm", "m") and step == 1:
                    yield "child, in, dm, m", 0, size / metres, metres


def is_right(decided, known):
    named = any(abs(known / u[1] - 1) < 1e-6 for u in UNITS)
    return abs(decided / known - 1) < 1e-3 if named else abs(math.log(decided / known)) <= TOLERANCE


# ---- Fit ----

def loss(p, clips, free, start):
    sizes = Counter(c["family"] for c in clips)
    total = sum(0.5 * (math.log(p[k] / start[k]) / 0.3) ** 2 for k in free)  # regularised towards the start
    for clip in clips:
        share = 1 / math.sqrt(sizes[clip["family"]])
        for _, weight, scale, known in copies(clip, 2):
            if weight:
                decided, confidence = judge(clip, scale, p)
                total -= share * weight * math.log(confidence if is_right(decided, known) else 1 - confidence)
    return total


def fit(clips, start, free, rounds=6):
    p, step = dict(start), {k: 0.04 if k.endswith("stature") else 0.4 for k in free}
    best = loss(p, clips, free, start)
    for _ in range(rounds):
        for k in free:
            for sign in (1, -1):
                q = dict(p)
                q[k] *= math.exp(sign * step[k])
                value = loss(q, clips, free, start)
                if value < best:
                    best, p = value, q
                    break
            else:
                step[k] *= 0.5
    return p


# ---- Reliability ----

def tally(bins, clip, p):
    for kind, _, scale, known in copies(clip, 1):
        decided, confidence = judge(clip, scale, p)
        cell = bins.setdefault(kind, [[0, 0, 0.0] for _ in BINS])[next(i for i, end in enumerate(BINS) if confidence < end)]
        cell[0] += 1
        cell[1] += is_right(decided, known)
        cell[2] += confidence


def show(title, bins):
    print(f"\n{title}\n\n| confidence | below 0.5 | 0.5-0.8 | 0.8-0.9 | 0.9-0.95 | 0.95-0.99 | 0.99 and above |")
    print("|---|---|---|---|---|---|---|")
    right = count = 0
    for kind, cells in bins.items():
        print(f"| {kind} |" + "".join(f" {r} of {n}, {t / n:.2f} |" if n else " |" for n, r, t in cells))
        count += cells[4][0] + cells[5][0]
        right += cells[4][1] + cells[5][1]
    print(f"\n{right} of {count} decided with a confidence of at least 0.95 are right: {100 * right / count:.1f} %")


def main():
    arguments = sys.argv[1:]
    write = "--write" in arguments
    arguments = [a for a in arguments if a != "--write"]
    if arguments[:1] == ["--measures"]:
        text = open(arguments[1]).read()
    else:
        program = arguments[0] if arguments else os.path.join("build", "tests", "real_tests")
        text = subprocess.run([program, "test_evidence_calibration", "measures"], check=True, capture_output=True,
                              text=True).stdout
    lines = [l.split("\t") for l in text.splitlines()]
    if len(lines) < 2:
        sys.exit("no clips: is ../shared there?")
    clips = [{k: v if k in ("family", "name") else float(v) for k, v in zip(lines[0], cells)} for cells in lines[1:]]
    trials = [c for c in clips if c["family"] == "trials"]
    some = [c for c in clips if c["family"] != "trials"] + trials[::5]  # similar bodies from one laboratory

    rows = table(MODEL)
    start = {r["parameter"]: float(r["value"]) for r in rows}
    free = [r["parameter"] for r in rows if r["fitted"] == "1"]
    stands, fitted_all, left_out = {}, {}, {}
    whole = fit(some, start, free)
    for family in sorted({c["family"] for c in clips}):
        p = fit([c for c in some if c["family"] != family], start, free)
        for clip in (c for c in clips if c["family"] == family):
            tally(stands, clip, start)
            tally(fitted_all, clip, whole)
            tally(left_out, clip, p)
    show("Weights as they stand", stands)
    show("Fitted to all clips", fitted_all)
    show("Fitted without the family that is judged", left_out)
    print("\nFitted:", ", ".join(f"{k} {whole[k]:.3g}" for k in free))
    if write:
        out = []
        for line in open(MODEL):
            cells = line.split("\t")
            if cells[0] in free:
                line = "\t".join([cells[0], f"{whole[cells[0]]:.3g}"] + cells[2:])
            out.append(line)
        open(MODEL, "w").writelines(out)


main()
