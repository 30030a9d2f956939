#!/usr/bin/python3
"""People on force plates are within the strength of people: tests/groundtruth/test_strength.py KANE

Runs the trials of ../shared/groundtruth (or $KANE_SHARED; both folders) with measured forces and their own segments,
and with estimated forces and the mass alone, indexes them, and counts the trials that `@over strength=1` names. Exit
code 1 if a bound is exceeded. The envelope was fitted to these trials: research/fit_strength.py prints left-out
people."""
import json
import os
import subprocess
import sys
import tempfile

SHARED = os.environ.get("KANE_SHARED", "../shared") + "/groundtruth/"
MAX_NAMES = {"measured": 6, "estimated": 12}


def trials():
    for folder in ("trials/", "trials_more/"):
        for name in sorted(os.listdir(SHARED + folder)):
            at = SHARED + folder + name + "/"
            if os.path.exists(at + "info.json"):
                with open(at + "info.json") as f:
                    yield name, at, json.load(f)


def run(kane, name, at, info, is_measured, out):
    variant = info.get("score_variant") or ("lp6" if os.path.exists(at + name + "_lp6_std.bvh") else "raw")
    command = [kane, "run", at + "%s_%s_std.bvh" % (name, variant), "--import-unit", "cm", "--import-up", "Y", "-o",
               out + "/" + name + ".h5"]
    command += (["--body-segments", at + "segments_std.tsv", "--contact-external", at + "external.tsv"] if is_measured
                else ["--body-mass", repr(info.get("total_mass") or info["mass_kg"])])
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)


def over(kane, is_measured):
    with tempfile.TemporaryDirectory() as out:
        for name, at, info in trials():
            run(kane, name, at, info, is_measured, out)
        subprocess.run([kane, "index", out + "/index.db", out], check=True, stderr=subprocess.DEVNULL)
        found = subprocess.run([kane, "query", out + "/index.db", "@over", "strength=1", "--limit", "100000", "--format",
                                "tsv"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        return sorted({line.split("\t")[0].rsplit("/")[-1] for line in found.splitlines()[1:]})


def main():
    if not os.path.isdir(SHARED):
        print("test_strength: skipped, no " + SHARED)
        return 0
    failed = 0
    for forces, limit in MAX_NAMES.items():
        names = over(sys.argv[1], forces == "measured")
        print("%s forces: %d trials over strength 1 (at most %d): %s" % (forces, len(names), limit, " ".join(names)))
        failed |= len(names) > limit
    return failed


if __name__ == "__main__":
    sys.exit(main())
