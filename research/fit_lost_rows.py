#!/usr/bin/env python3
"""Fits the evidence of lost rows that suffices (analysis/repair/row_steps.c), with one origin left out.

usage: research/fit_lost_rows.py

research/lost_rows.c measures the evidence of each step of the clips of $KANE_SHARED (../shared) at their rate and at
fractions of it, sound and with one row taken out at random places. A limit is the evidence that one sound step in
20,000 (of 3,500, of 1,000) of the other origins exceeds. Prints for each the limit over all origins, and, left out, the
sound steps over it and the lost rows found; the same with the decrease of surprise alone, the rule before."""
import collections
import os
import pathlib
import subprocess
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent
SHARED = pathlib.Path(os.environ.get("KANE_SHARED", TOP / "../shared")).resolve()
STEPS = (20000, 3500, 1000)


def measure():
    """[(origin, divisor of the rate, whether lost, evidence, decrease of surprise)]"""
    clips = sorted(p for p in (SHARED / "mocap").glob("*.bvh") if "parser_fixture" not in p.name)
    clips += sorted(SHARED.glob("groundtruth/trials*/*/*exact.bvh"))
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "lost_rows"
        flags = [f for f in (TOP / "compile_flags.txt").read_text().split() if not f.startswith("-W")]
        subprocess.run(["cc", *flags, "-O2", "-w", "-o", program, TOP / "research/lost_rows.c", TOP / "build/libkane.a",
                        "-lhdf5_serial", "-lsleef", "-lcrypto", "-lxxhash", "-lz", "-lsqlite3", "-lexpat", "-lm",
                        "-lpthread"], check=True, cwd=TOP)
        rows = subprocess.run([program, *clips], capture_output=True, text=True, check=True).stdout.splitlines()
    for row in rows:
        path, rate, kind, evidence, surprise = row.split("\t")
        name = pathlib.Path(path).name
        yield (name.split("__")[0] if "__" in name else "trials", int(rate), kind == "lost", float(evidence),
               float(surprise))


def limit(values, steps):
    values = sorted(values, reverse=True)
    return values[len(values) // steps]


def main():
    rows = list(measure())
    sound = collections.defaultdict(list)
    lost = collections.defaultdict(list)
    for row in rows:
        (lost if row[2] else sound)[row[0]].append(row)
    count, planted = sum(map(len, sound.values())), sum(map(len, lost.values()))
    print(f"{count} sound steps, {planted} lost rows, {len(sound)} origins")
    for name, column in (("evidence", 3), ("decrease of surprise", 4)):
        for steps in STEPS:
            false = found = native = 0
            for origin in sound:
                least = limit([r[column] for o in sound if o != origin for r in sound[o]], steps)
                over = [r for r in sound[origin] if r[column] > least]
                false += len(over)
                native += sum(r[1] == 1 for r in over)
                found += sum(r[column] > least for r in lost[origin])
            least = limit([r[column] for o in sound for r in sound[o]], steps)
            print(f"{name}, 1 of {steps}: limit {least:.2f}; left out {false} sound ({native} at the rate of the file), "
                  f"{found / planted:.1%} of the lost found")


if __name__ == "__main__":
    main()
