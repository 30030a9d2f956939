#!/usr/bin/env python3
"""Takes single rows out of recordings at random places, and measures what that does to the torques.

usage: lost_rows.py KANE [PLACES]

For the clips of $KANE_SHARED (../shared) at their rate, at 1/2 and 1/4 of it (120 frames/s and more), and every fifth
trial: PLACES rows each (2), one at a time. Prints how many are found and put back, doubtful, and neither; and of each, how
many raise the peak of a joint by 10 % over that of the whole recording: of all frames, and of trusted ones. Joints with
less than 2 % of the largest peak are left out. Fails if more than 2 % of the losses at the rate of a file raise a
trusted peak without being found.
Skipped without the shared files. Python 3, h5py, NumPy."""
import glob
import os
import random
import re
import subprocess
import sys
import tempfile
import warnings

ROWS, MARGIN, RISE, SMALL, MAX_HARM = 700, 15, 0.1, 0.02, 0.02
OUTCOMES = ("found", "doubtful", "neither")


def read(path, divisor):
    """Hierarchy, frame time and rows."""
    head, motion = open(path, encoding="utf-8", errors="replace").read().split("MOTION", 1)
    lines = [line for line in motion.splitlines() if line.strip()]
    return head, float(lines[1].split(":")[1]) * divisor, lines[2:2 + ROWS * divisor:divisor]


def peaks(kane, clip, path):
    """What kane says, and the peaks of each joint over all frames and over trusted ones; None if it refuses the clip."""
    import h5py
    import numpy
    head, frame_time, rows = clip
    with open(path, "w", encoding="utf-8") as out:
        out.write(f"{head}MOTION\nFrames: {len(rows)}\nFrame Time: {frame_time:.8g}\n" + "\n".join(rows) + "\n")
    done = subprocess.run([kane, "run", path, "-o", path + ".h5", "--force"], capture_output=True, text=True)
    if done.returncode:
        return None
    with h5py.File(path + ".h5") as file:
        torque = numpy.linalg.norm(numpy.array(file["dynamics/torque"]), axis=2)
        trusted = numpy.array(file["trust/trusted"])[:, None] == 1
        if "trust/joint_reason" in file:
            trusted = trusted & (numpy.array(file["trust/joint_reason"]) == 0)
        torque[:, numpy.array(file["skeleton/role"]) == 0] = numpy.nan
    return done.stderr, numpy.nanmax(torque[6:-6], 0), numpy.nanmax(numpy.where(trusted, torque, numpy.nan), 0)


def rises(before, after):
    import numpy
    counts = (before > SMALL * numpy.nanmax(before)) & (after > (1 + RISE) * before)
    return bool(counts.any())


def outcome(text, place):
    """kane warns of the first of several; a clip here has one loss."""
    for word, pattern in (("found", r"missing before frame (\d+)"), ("doubtful", r"may be missing before frame (\d+)")):
        for line in text.splitlines():
            seen = re.search(pattern, line)
            if seen and abs(int(seen[1]) - place) <= 1 and ("may be" in line) == (word == "doubtful"):
                return word
    return "neither"


def clips(shared):
    for path in sorted(glob.glob(f"{shared}/mocap/*.bvh")):
        if not any(word in path for word in ("parser_fixture", "louise", "salsa")):
            yield from ((path, divisor, f"library at 1/{divisor}") for divisor in (1, 2, 4)
                        if divisor == 1 or read(path, 1)[1] < 0.0084)
    for path in sorted(glob.glob(f"{shared}/groundtruth/trials*/*/*exact.bvh"))[::5]:
        yield path, 1, "trials"


def main():
    warnings.simplefilter("ignore")
    kane, places = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2
    shared = os.environ.get("KANE_SHARED", "../shared")
    if not os.path.isdir(shared + "/mocap"):
        print("skipped: no shared files")
        return 0
    tally = {}
    folder = tempfile.mkdtemp()
    for path, divisor, group in clips(shared):
        head, frame_time, rows = read(path, divisor)
        whole = peaks(kane, (head, frame_time, rows), folder + "/clip.bvh") if len(rows) > 60 else None
        for i in range(places if whole else 0):
            place = random.Random(f"{os.path.basename(path)} {divisor} {i}").randrange(MARGIN, len(rows) - MARGIN)
            lost = peaks(kane, (head, frame_time, rows[:place] + rows[place + 1:]), folder + "/clip.bvh")
            if not lost:
                continue
            counts = tally.setdefault((group, outcome(lost[0], place)), [0, 0, 0])
            counts[0] += 1
            counts[1] += rises(whole[1], lost[1])
            counts[2] += rises(whole[2], lost[2])
    for (group, word), (count, harm, trusted) in sorted(tally.items()):
        print(f"{group}\t{word}\t{count}\tpeak raised {harm}\ttrusted peak raised {trusted}")
    native = [(word, c) for (group, word), c in tally.items() if group in ("library at 1/1", "trials")]
    harmful = sum(c[2] for word, c in native if word != "found")
    return int(harmful > MAX_HARM * sum(c[0] for _, c in native))


if __name__ == "__main__":
    sys.exit(main())
