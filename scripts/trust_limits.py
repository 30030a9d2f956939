#!/usr/bin/python3
"""The limits behind /trust, what each is taken from, and what becomes of planted faults, sound frames and shares where
it is half or twice as large: the table of docs/accuracy.md.

usage: trust_limits.py FOLDER       after `make build/kane build/tests/real_tests`; FOLDER has mocap/"""
import os
import re
import shlex
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

STEPS, HOLDS = "analysis/quality/artifacts.c", "analysis/quality/artifacts.c"
MARKS, REACH = "analysis/quality/trust_marks.c", "analysis/quality/trust_marks.h"

# name and unit, file, text before the number, what it is taken from
LIMITS = [
    ("step of a path, of the body's size", STEPS, "path_limit = {", "what recordings blur is under 0.02"),
    ("and reversed acceleration, m/s2", STEPS, "path_limit = {0.03, ", "4 g back and forth in two frames: no pelvis"),
    ("step of a turn, degrees", STEPS, "turn_limit = {", "single frames of markers blur by 30"),
    ("and reversed acceleration, rad/s2", STEPS, "PI / 180, ", "throws and kicks, large segments"),
    ("of both, for a pair that cancels", STEPS, "of_pair = ", "a pose leaves and comes back: two witnesses"),
    ("left of such a pair", STEPS, "left_of_pair = ", "comes back by more than half"),
    ("repeats, of a quaternion and the body", HOLDS, "quantum = ", "the digits of files: 6"),
    ("held pose, s", HOLDS, "least_pose = ", "noise moves every frame; less is a row written twice"),
    ("held joint, s", HOLDS, "least_joint = ", "hinges and fingers rest for moments"),
    ("begins or ends at once, of the step beyond", HOLDS, "at_once = ", "a motion that eases halves its last step"),
    ("rests in so much of the take", HOLDS, "resting = ", "a joint that nobody recorded"),
    ("leap behind a hold, times the steps around", HOLDS, "leap = ", "a stop is left as slowly as it was reached"),
    ("residual, body weights", REACH, "TRUST_MOST_LEFT ", "contact confidence under 0.1"),
    ("residual's reach, s", REACH, "TRUST_LEFT_REACH ", "of an 8 Hz filter"),
    ("island between, s", REACH, "TRUST_LEFT_ISLAND ", "a period of 8 Hz"),
    ("needs to be borne, body weights", MARKS, "borne = ", "half the weight"),
    ("bears, body weights", MARKS, "bearing = ", "a tenth of the weight: noise of an estimate"),
    ("clear of the ground, of the body's size", MARKS, "clear = ", "higher than feet are from skin"),
    ("moves, m/s", MARKS, "moving = ", "what bears does not move"),
]
NUMBER = re.compile(r"[0-9.]+(?:e-?[0-9]+)?")


def value(limit):
    text = Path(limit[1]).read_text()
    return NUMBER.match(text, text.index(limit[2]) + len(limit[2]))


def scaled(limit, factor):
    text, number = Path(limit[1]).read_text(), value(limit)
    return text[:number.start()] + "%.12g" % (float(number.group()) * factor) + text[number.end():]


def make_line(target, last):
    """The command by which make makes a target when `last` has changed."""
    out = subprocess.run(["make", "-n", "V=1", "-W", last, target], capture_output=True, text=True, check=True).stdout
    lines = out.replace("\\\n", " ").splitlines()
    return next(shlex.split(line) for line in reversed(lines) if "-o %s " % target in line)


def variant(limit, factor, target, folder):
    """The program with the limit scaled: its object comes before the library's."""
    source, changed = Path(limit[1]).with_suffix(".c"), folder / Path(limit[1]).name
    changed.write_text(scaled(limit, factor))
    compile_line = make_line("build/" + str(source.with_suffix(".o")), str(source))
    compile_line[compile_line.index("-o") + 1] = str(folder / "changed.o")
    if changed.suffix == ".h":
        include = source.read_text().replace('#include "%s"' % limit[1], '#include "%s"' % changed)
        (folder / source.name).write_text(include)
    compile_line[compile_line.index(str(source))] = str(folder / source.name)
    subprocess.run(compile_line, check=True)
    link = make_line(target, "build/libkane.a")
    link[link.index("-o") + 1] = str(folder / "program")
    link.insert(link.index("build/libkane.a"), str(folder / "changed.o"))
    subprocess.run(link, check=True)
    return folder / "program"


def planted(program, shared):
    out = subprocess.run([program, "test_trust_files"], capture_output=True, text=True, env=dict(os.environ, KANE_SHARED=shared)).stdout
    marked, besides, sound = re.search(r"frames ([\d.]+) %, besides within ([\d.]+) s; of sound frames ([\d.]+)",
                                       out).groups()
    return "%s %%, %s %%" % (marked, sound)


def share(program, shared, folder):
    subprocess.run([program, "batch", shared + "/mocap", "-o", folder / "out"], capture_output=True)
    index = sqlite3.connect(folder / "out/index.db")
    rows = index.execute("SELECT trusted_share, duration_s FROM clip "
                         "WHERE path NOT LIKE 'bad/%' AND trusted_share IS NOT NULL").fetchall()
    return "%.1f %% trusted" % (100 * sum(a * b for a, b in rows) / sum(b for _, b in rows))


def main():
    shared = sys.argv[1]
    print("| limit | value | half | as it is | twice | taken from |\n|---|---|---|---|---|---|")
    for limit in LIMITS:
        cells = []
        for factor in (0.5, 1, 2):
            with tempfile.TemporaryDirectory() as name:
                is_fault = limit[1] in (STEPS, HOLDS)
                program = variant(limit, factor, "build/tests/real_tests" if is_fault else "build/kane",
                                  Path(name))
                cells.append(planted(program, shared) if is_fault else share(program, shared, Path(name)))
        print("| %s | %s | %s | %s |" % (limit[0], value(limit).group(), " | ".join(cells), limit[3]), flush=True)


main()
