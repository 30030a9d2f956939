#!/usr/bin/python3
"""Every row of items.tsv on the built-in two links (kane track --scene), on a second scene: the links of
data/scenes/two_links_*.xml turned about the vertical, whose hinges have the axis (0.6, 0, 0.8). Values keep their bounds.

usage: tests/sources/test_other_axes.py KANE"""
import pathlib
import re
import sys
import tempfile

import numpy as np
import run

AXIS = np.array([[0.8, 0, 0.6], [0, 1, 0], [-0.6, 0, 0.8]])  # takes z to (0.6, 0, 0.8)
BUILT_IN = re.compile(r"--scene (steady|moving)")


def words(vector):
    return " ".join("%.17g" % value for value in vector)


def turned(text):
    """The scene with all vectors turned; its bodies have the axes of the world, turned inertias become full ones."""
    def inertia(match):
        tensor = AXIS @ np.diag([float(v) for v in match.group(1).split()]) @ AXIS.T
        return 'fullinertia="%s"' % words([tensor[0, 0], tensor[1, 1], tensor[2, 2], tensor[0, 1], tensor[0, 2],
                                           tensor[1, 2]])

    def vector(match):
        return '%s="%s"' % (match.group(1), words(AXIS @ [float(v) for v in match.group(2).split()]))

    return re.sub(r'diaginertia="([^"]*)"', inertia, re.sub(r'\b(pos|axis)="([^"]*)"', vector, text))


def main():
    kane = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        for name in ("steady", "moving"):
            scene = (run.TOP / "data/scenes" / ("two_links_%s.xml" % name)).read_text(encoding="utf-8")
            (work / ("turned_%s.xml" % name)).write_text(turned(scene), encoding="utf-8")
        items = [item for item in run.read_items(run.HERE / "items.tsv") if BUILT_IN.search(item["command"])]
        for item in items:
            item["command"] = BUILT_IN.sub(r"--scene-file %s/turned_\1.xml" % work, item["command"])
        run.judge(items, kane, work)
    failed = [item for item in items if item["state"] == "FAILS"]
    for item in failed:
        print("items.tsv:%d: %s" % (item["line"], item["wrong"]))
    print("other axes: %d rows, %d fail" % (len(items), len(failed)))
    return bool(failed) or not items


if __name__ == "__main__":
    sys.exit(main())
