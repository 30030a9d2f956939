#!/usr/bin/python3
"""Prints a BVH whose root jumps within one frame at 0.5 s and then rests until 2 s: by 90 degrees about Z, 350 degrees,
or 1 m ahead; or whose root starts moving at 3 m/s at 0.5 s.

usage: tests/sources/jump.py FPS 90|350|ahead|slope"""
import sys

fps, kind = int(sys.argv[1]), sys.argv[2]
print("HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\n"
      "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
      "JOINT Spine\n{\nOFFSET 0 0.2 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
      "End Site\n{\nOFFSET 0 0.3 0\n}\n}\n}\n"
      f"MOTION\nFrames: {2 * fps + 1}\nFrame Time: {1 / fps:.17g}")
for frame in range(2 * fps + 1):
    after = frame >= fps // 2
    along = {"ahead": int(after), "slope": 3 * max(0, frame / fps - 0.5)}.get(kind, 0)
    print(0, 1, along, int(kind) * after if kind.isdigit() else 0, 0, 0, 0, 0, 0)
