#!/usr/bin/python3
"""For researchers: the peak knee flexion moment of a clip in N m/kg, and the clips of a library with a similar peak.
usage: examples/python/knee.py CLIP.h5 INDEX.db      (requires the module kane: pip install ./python)"""
import sys

import kane

clip = kane.open_clip(sys.argv[1])
mass = clip.attrs["body_total_mass"]
moment = clip.angles_moment.sel(coordinate="left_knee_flexion") / mass
most = abs(moment.where(kane.trusted(clip, "left_knee"))).idxmax("time")
sd = clip.angles_moment_sd.sel(coordinate="left_knee_flexion", time=most) / mass
print(f"{clip.attrs['title']}: {float(moment.sel(time=most)):.3f} ± {float(sd):.2g} N m/kg at {float(most):.3f} s")
print(kane.read_index(sys.argv[2], "left_knee_torque_peak_nm_kg > 1", columns=["path", "left_knee_torque_peak_nm_kg"]))
