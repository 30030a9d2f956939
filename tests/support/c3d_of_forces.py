#!/usr/bin/env python3
"""Writes ground forces of `kane export -o FILE.mot` as a C3D file with a plate per foot or one for both, Z up, behind the
motion by LAG s, turned by TURN degrees and shifted.
usage: c3d_of_forces.py FORCES.mot FILE.c3d LAG TURN [both] [reversed] [level=N]
level: each plate reads N more, and the file names its first 20 samples as those of the unloaded plates."""
import sys

import numpy

import c3d_writer

table_name, name, lag, turn = sys.argv[1], sys.argv[2], float(sys.argv[3]), numpy.radians(float(sys.argv[4]))
both, is_reversed = "both" in sys.argv, "reversed" in sys.argv
level = sum(float(a[6:]) for a in sys.argv if a.startswith("level="))
rows = numpy.genfromtxt(open(table_name).read().split("endheader\n")[1].splitlines(), names=True)
table = numpy.nan_to_num(numpy.array([list(r) for r in rows]))
time = numpy.arange(0, table[-1, 0] + 0.3, 0.001)
time = time[:len(time) // 10 * 10]
A = numpy.array([[numpy.cos(turn), 0, numpy.sin(turn)], [0, 1, 0], [-numpy.sin(turn), 0, numpy.cos(turn)]])
Y_UP = numpy.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])
shift = numpy.array([1.2, 0, -0.7])


def to_lab(v):
    return v @ A @ Y_UP


feet = []
for first in (1, 10):
    F, P, T = (table[:, first + 3 * i:first + 3 * i + 3] for i in range(3))
    M = T + numpy.cross(P, F)
    feet.append([numpy.column_stack([numpy.interp(time - lag, table[:, 0], v[:, i], 0, 0) for i in range(3)])
                 for v in (F, M)])
if both:
    feet = [(feet[0][0] + feet[1][0], feet[0][1] + feet[1][1])]
for F, M in feet:
    F[:, 1] += level
plates = []
for i, (F, M) in enumerate(feet):
    z = -4 if is_reversed else 4
    corners = 1000 * to_lab(numpy.array([[4., 0, z], [-4, 0, z], [-4, 0, -z], [4, 0, -z]]) - shift)
    plates.append(dict(type=2, corners=corners, origin=[0, 0, -40], force=to_lab(F),
                       moment=1000 * to_lab(M - numpy.cross(shift, F))))
points = numpy.tile(1000 * to_lab(numpy.array([[0.2, 0.9, 0.1], [0.3, 0.1, 0.2]]) - shift), (len(time) // 10, 1, 1))
c3d_writer.write(name, "pc_real", points, ["SACR", "LHEE"], 100, 10, plates,
                 zero=(1, 20) if level else (1, 0))
