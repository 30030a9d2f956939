#!/usr/bin/env python3
"""Fits the duration of a step to its length, by which import judges the frame rate (analysis/evidence/rate_evidence.c).

usage: research/fit_rate.py [PROGRAM]

PROGRAM (build/tests/real_tests) prints, in test_motion_evidence, the steps of each clip of $KANE_SHARED whose rate is
known. The model is ln(duration / sqrt(leg / g)) = a + b ln(length / leg), for walking and for running. Prints a and b,
the spread of the residuals with each person or library left out, and that of the acceleration between running steps.
Then the wrong labels that are named in the clips of each person or library by a program with the model of all others.
Python 3, standard library."""
import math
import os
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCE = "analysis/evidence/rate_evidence.c"


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


def lines(program, what, first):
    text = subprocess.run([program, "test_motion_evidence", what], capture_output=True, text=True, check=True).stdout
    return [line.split("\t")[1:] for line in text.splitlines() if line.startswith(first + "\t")]


def make_line(build, last, target):
    out = subprocess.run(["make", "-n", "V=1", "BUILD=" + build, "-W", last, target], capture_output=True, text=True,
                         check=True).stdout.replace("\\\n", " ")
    return next(shlex.split(line) for line in reversed(out.splitlines()) if "-o %s " % target in line)


def variant(program, models, folder):
    """The program with other models: the object precedes the library."""
    build, source = os.path.relpath(os.path.dirname(os.path.dirname(program)), ROOT), open(SOURCE).read()
    for name, (a, b) in models.items():
        source, count = re.subn(r"(%s = {)[-\d.]+, [-\d.]+" % name, r"\g<1>%.6f, %.6f" % (a, b), source)
        assert count == 1
    with open(folder + "/changed.c", "w") as out:
        out.write(source)
    target = "%s/%s.o" % (build, SOURCE[:-2])
    compile_line = make_line(build, SOURCE, target)
    compile_line[compile_line.index(target)], compile_line[-1] = folder + "/changed.o", folder + "/changed.c"
    subprocess.run(compile_line, check=True)
    target, library = build + "/tests/real_tests", build + "/libkane.a"
    link = make_line(build, library, target)
    link[link.index(target)] = folder + "/program"
    link.insert(link.index(library), folder + "/changed.o")
    subprocess.run(link, check=True)
    return folder + "/program"


def print_left_out(program, steps):
    """Of clips with a flight or 3 s of steps, and of all with steps: labels named, false alarms."""
    os.chdir(ROOT)
    judged = []
    for g in sorted({group(c[0], c[1]) for c in lines(program, "rates", "rate")}):
        rest = [c for c in steps if group(c[0], c[1]) != g]
        models = {name: fit([(g, float(c[3]), float(c[4])) for c in rest if c[2] == gait])
                  for gait, name in (("walk", "walking"), ("run", "running"))}
        with tempfile.TemporaryDirectory() as folder:
            judged += [c[2:] for c in lines(variant(program, models, folder), "rates", "rate") if group(c[0], c[1]) == g]
    for name, some in (("flight or 3 s of steps", [c for c in judged if c[0] == "1"]), ("any steps", judged)):
        named = [sum(int(c[i]) for c in some) for i in range(2, 7)]
        print(f"left out, {name}: {len(some)} clips; at 1/4, 2/5, 1/2, 3/5, 2 named {named}; at the true rate reported "
              f"{sum(int(c[1]) for c in some)}")


def main():
    program = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build", "tests", "real_tests"))
    clips = lines(program, "measures", "step")
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
    print_left_out(program, clips)


if __name__ == "__main__":
    main()
