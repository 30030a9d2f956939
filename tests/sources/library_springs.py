#!/usr/bin/python3
"""The two steps of "Writing the Code" through libkane: coefficients once, then a thousand springs with them. Prints the
largest error against the closed form.

usage: tests/sources/library_springs.py libkane.so"""
import ctypes
import sys

import numpy as np

from metrics import damped


class Spring(ctypes.Structure):
    _fields_ = [(name, ctypes.c_double) for name in ("xx", "xv", "vx", "vv")]


library = ctypes.CDLL(sys.argv[1])
library.kane_spring_set.argtypes = [ctypes.POINTER(Spring)] + 3 * [ctypes.c_double] + [ctypes.c_void_p]
library.kane_spring_step.argtypes = [ctypes.POINTER(Spring), ctypes.c_double] + 2 * [ctypes.POINTER(ctypes.c_double)]

random, far = np.random.default_rng(1), 0.0
for zeta in (0, 0.3, 1, 2.5):
    spring = Spring()
    if library.kane_spring_set(ctypes.byref(spring), 3.0, zeta, 0.7, None):
        sys.exit("kane_spring_set fails")
    for start, speed, rest in random.uniform(-1, 1, (1000, 3)):
        position, velocity = ctypes.c_double(start), ctypes.c_double(speed)
        library.kane_spring_step(ctypes.byref(spring), rest, ctypes.byref(position), ctypes.byref(velocity))
        far = max(far, abs(position.value - rest - damped(0.7, 3.0, zeta, start - rest, speed)))
print(f"distance {far:.3e}")
