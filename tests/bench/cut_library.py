#!/usr/bin/env python3
"""A library of short clips, for measurements of `kane batch`: windows of 60 to 200 frames of BVH files.

usage: tests/bench/cut_library.py FOLDER OUT      FOLDER contains *.bvh; OUT is created

Writes ten windows of each file that has as many frames, always the same ones: OUT/NAME_K.bvh."""
import os
import random
import sys

WINDOWS, MIN_FRAMES, MAX_FRAMES = 10, 60, 200


def windows(text, draw):
    """BVH texts: the hierarchy with consecutive rows of the motion."""
    at = text.index("MOTION")
    lines = [line for line in text[at:].splitlines() if line.strip()]
    first = next(i for i, line in enumerate(lines) if line.strip().startswith("Frame Time")) + 1
    rows = lines[first:]
    for k in range(WINDOWS):
        count = draw.randint(MIN_FRAMES, MAX_FRAMES)
        if count <= len(rows):
            begin = draw.randint(0, len(rows) - count)
            yield k, "\n".join([text[:at] + "MOTION", f"Frames: {count}", lines[first - 1], *rows[begin:begin + count], ""])


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder, out = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    draw = random.Random(7)
    for name in sorted(os.listdir(folder)):
        if name.endswith(".bvh"):
            with open(os.path.join(folder, name), encoding="latin1") as stream:
                text = stream.read()
            for k, clip in windows(text, draw):
                with open(os.path.join(out, f"{name[:-4]}_{k}.bvh"), "w", encoding="latin1") as stream:
                    stream.write(clip)


if __name__ == "__main__":
    main()
