#!/usr/bin/python3
"""Halves the frame rate of the trials with force plates: halve_trials.py OUT

Writes every second frame of the trials of ../shared/groundtruth (or $KANE_SHARED) to OUT/groundtruth/trials, for
`KANE_SHARED=OUT tests/groundtruth/test_contact_kinds.py build`."""
import os
import shutil
import sys

TRIALS = os.path.join(os.environ.get("KANE_SHARED", "../shared"), "groundtruth/trials")


def halve_bvh(text):
    lines = text.split("\n")
    at = next(i for i, line in enumerate(lines) if line.startswith("Frame Time:"))
    rows = [line for line in lines[at + 1 :] if line.strip()][::2]
    head = ["Frames: %d" % len(rows), "Frame Time: %.9g" % (2 * float(lines[at].split(":")[1]))]
    return "\n".join(lines[: at - 1] + head + rows) + "\n"


def halve_table(text):
    lines = [line for line in text.split("\n") if line.strip()]
    notes = [line for line in lines if line.startswith("#")]
    rows = [line for line in lines if not line.startswith("#")]
    return "\n".join(notes + rows[:1] + rows[1::2]) + "\n"


def main(out):
    for folder, _, names in os.walk(TRIALS):
        to = os.path.join(out, "groundtruth/trials", os.path.relpath(folder, TRIALS))
        os.makedirs(to, exist_ok=True)
        for name in names:
            source, target = os.path.join(folder, name), os.path.join(to, name)
            is_over_time = name.endswith(".tsv") and not name.startswith(("segments", "external"))
            if name.endswith(".bvh") or is_over_time:
                with open(source, encoding="utf-8") as read, open(target, "w", encoding="utf-8") as write:
                    write.write((halve_table if is_over_time else halve_bvh)(read.read()))
            else:
                shutil.copyfile(source, target)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else __doc__)
