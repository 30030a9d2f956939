#!/usr/bin/env python3
"""Fits the duration of a step to its length, by which import judges the frame rate (analysis/evidence/rate_evidence.c).

usage: research/fit_rate.py [PROGRAM]

PROGRAM (build/tests/real_tests) prints, in test_motion_evidence, the steps of each clip of $KANE_SHARED whose rate is
known. The model is ln(duration / sqrt(leg / g)) = a + b ln(length / leg), for walking and for running. Prints a and b,
the spread of the residuals with each person or library left out, and that of the acceleration between running steps.
Python 3, standard library."""
import math
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def group(name, family):
    """Trials are named activity_person; other clips are left out by library."""
    return re.sub(r"^[^_]*_([^_]*).*", r"\1", name) if family == "trials" else family


def fit(rows):
    n = len(rows)
    mx, my = sum(r[2] for r in rows) / n, sum(r[1] for r in rows) / n
    b = sum((r[2] - mx) * (r[1] - my) for r in rows) / sum((r[2] - mx) ** 2 for r in rows)
    return my - b * mx, b


def spread(values):
    """Standard deviation, and that of a normal distribution with the same median absolute value."""
    middle = sorted(abs(v) for v in values)[len(values) // 2]
    return math.sqrt(sum(v * v for v in values) / len(values)), middle / 0.6745


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build", "tests", "real_tests")
    text = subprocess.run([program, "test_motion_evidence", "measures"], capture_output=True, text=True, check=True).stdout
    clips = [line.split("\t")[1:] for line in text.splitlines() if line.startswith("step\t")]
    for gait in ("walk", "run"):
        rows = [(group(c[0], c[1]), float(c[3]), float(c[4]), float(c[5])) for c in clips if c[2] == gait]
        a, b = fit(rows)
        left_out = []
        for g in sorted({r[0] for r in rows}):
            line = fit([r for r in rows if r[0] != g])
            left_out += [r[1] - line[0] - line[1] * r[2] for r in rows if r[0] == g]
        print(f"{gait}: {len(rows)} clips of {len({r[0] for r in rows})} people and libraries, "
              f"ln duration = {a:.3f} {b:+.3f} ln length; left out: standard deviation {spread(left_out)[0]:.3f}, "
              f"robust {spread(left_out)[1]:.3f}")
        if gait == "run":
            falls = [0.5 * math.log(r[3]) for r in rows if r[3] > 0]
            print(f"run: ln(fall / g) / 2: mean {sum(falls) / len(falls):+.3f}, spread {spread(falls)[0]:.3f}")


if __name__ == "__main__":
    main()
