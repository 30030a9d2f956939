#!/usr/bin/python3
"""Errors of force plates, planted and not, with the subject left out: test_plates.py [BUILD]

Over the trials of ../shared/groundtruth (or $KANE_SHARED), by research/plates_table.py. No sound trial may have a
warning. Gross errors must be found in every trial; errors near the spread of the estimate in 20 of 21."""
import concurrent.futures
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../research"))
import plates_table

NEAR = ("CoP 6 cm", "30 ms", "unloaded plate reads 15 N", "forces in kN, one foot")
UNBOUNDED = ("saturated at 0.8",)
MIN_FRACTION = 20 / 21


def main(build):
    if not all(map(os.path.exists, plates_table.FOLDERS)):
        print("force plates: skipped, no " + plates_table.FOLDERS[0])
        return 0
    ok = True
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        trials = plates_table.read_trials(build, False, folder, pool)
        found, _, _ = plates_table.judged(trials, folder, pool)
    for trial, names in zip(trials, found):
        if names[0]:
            print("MISSED: sound trial %s: %s" % (trial.name, ", ".join(names[0])))
            ok = False
    for i, error in enumerate(plates_table.PLATE_ERRORS):
        count = sum(bool(names[i + 1]) for names in found)
        minimum = MIN_FRACTION * len(trials) if error.startswith(NEAR) else len(trials)
        if error not in UNBOUNDED and count < minimum:
            print("MISSED: %s: found in %d of %d trials" % (error, count, len(trials)))
            ok = False
    print("force plates: %d sound trials, %d errors planted into each" % (len(trials), len(plates_table.PLATE_ERRORS)))
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "build"))
