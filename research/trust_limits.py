#!/usr/bin/python3
"""The limits behind /trust with their sources, and the effect of halving and doubling each on planted artifacts, clean
frames and trusted fractions: table 3 of docs/validation/quality_flags.md.

usage: trust_limits.py FOLDER [NAMES]     after `make build/kane build/tests/real_tests`; FOLDER contains mocap/;
                                          NAMES: a regular expression of limits"""
import os
import re
import shlex
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

TABLE = "data/trust.tsv"


def limits():
    """Rows of the table that decide a flag: limit, value, unit, meaning, source."""
    lines = [line for line in Path(TABLE).read_text().splitlines() if not line.startswith("#")]
    return [row for row in (line.split("\t") for line in lines[1:]) if row[0] not in ("fault_reach", "comes_down")]


def scaled(name, factor):
    """The table with one scaled value."""
    rows = (line.split("\t") for line in Path(TABLE).read_text().splitlines())
    return "".join("\t".join([row[0], "%.12g" % (float(row[1]) * factor)] + row[2:] if row[0] == name else row) + "\n"
                   for row in rows)


def make_line(target, last, part):
    """The command containing `part` with which make builds a target after `last` has changed."""
    out = subprocess.run(["make", "-n", "V=1", "-W", last, target], capture_output=True, text=True, check=True).stdout
    lines = out.replace("\\\n", " ").splitlines()
    return next(shlex.split(line) for line in reversed(lines) if part in line)


def variant(name, factor, target, folder):
    """Builds the program with the limit scaled: its object precedes the library's."""
    table, source = folder / "trust.tsv", folder / "trust.c"
    table.write_text(scaled(name, factor))
    awk = make_line("build/data/trust.c", TABLE, "> build/data/trust.c")
    awk = [str(table) if word == TABLE else word for word in awk[:awk.index(">")] if word != "LC_ALL=C"]
    with open(source, "w") as stream:
        subprocess.run(awk, check=True, stdout=stream, env=dict(os.environ, LC_ALL="C"))
    compile_line = make_line("build/data/trust.o", "build/data/trust.c", "-o build/data/trust.o ")
    compile_line[compile_line.index("-o") + 1] = str(folder / "changed.o")
    compile_line[compile_line.index("build/data/trust.c")] = str(source)
    subprocess.run(compile_line, check=True)
    link = make_line(target, "build/libkane.a", "-o %s " % target)
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
    rows = index.execute("SELECT trusted_fraction, duration_s FROM clip "
                         "WHERE path NOT LIKE 'bad/%' AND trusted_fraction IS NOT NULL").fetchall()
    return "%.1f %% trusted" % (100 * sum(a * b for a, b in rows) / sum(b for _, b in rows))


def main():
    shared = sys.argv[1]
    print("| limit | value | at half | at the value | at twice | reason |\n|---|---|---|---|---|---|")
    for name, value, unit, meaning, source in limits():
        if not re.search(sys.argv[2] if len(sys.argv) > 2 else "", name):
            continue
        cells = []
        is_fault = name.startswith(("path_", "turn_", "pair_", "quantum", "hold_"))
        for factor in (0.5, 1, 2):
            with tempfile.TemporaryDirectory() as folder:
                program = variant(name, factor, "build/tests/real_tests" if is_fault else "build/kane", Path(folder))
                cells.append(planted(program, shared) if is_fault else share(program, shared, Path(folder)))
        limit = meaning if unit == "1" else "%s, %s" % (meaning, unit)
        print("| %s | %s | %s | %s |" % (limit, value, " | ".join(cells), source), flush=True)


main()
