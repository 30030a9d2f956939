#!/usr/bin/python3
"""For researchers: peak torque of each role over many clips, left and right, as CSV.
usage: examples/python/peaks.py CLIP.h5... > peaks.csv

A clip file is netCDF-4, so xarray opens it with named dimensions; groups use the labels of the root. Peaks, as those
of an index, are over joints and frames without a flag of /trust that the recording is bad; flags of the estimate and of
the body leave none out (docs/formats/clip_file.md lists the flags)."""
import csv
import sys

import numpy as np
import xarray


KEPT = {"uncertain", "presumed_support", "airborne_support", "unexplained", "lost_contact"}


def is_sound(reason):
    """Whether no flag says that the recording is bad."""
    masks = dict(zip(reason.attrs["flag_meanings"].split(), np.atleast_1d(reason.attrs["flag_masks"])))
    assert KEPT <= set(masks), masks
    return (reason.astype(np.int64) & int(sum(m for name, m in masks.items() if name not in KEPT))) == 0


def open_clip(path):
    """The groups of a clip file as one dataset, with joint names and roles as labels."""
    root = xarray.open_dataset(path, engine="h5netcdf")
    groups = {name: xarray.open_dataset(path, group=name, engine="h5netcdf").assign_coords(root.coords)
              for name in ("skeleton", "body", "trust", "dynamics")}
    clip = groups["dynamics"][["torque"]]
    clip = clip.assign_coords(role=("joint", groups["skeleton"].role.values))
    if "joint_reason" in groups["trust"]:
        clip = clip.where(is_sound(groups["trust"].joint_reason), 0)
    return clip.isel(time=is_sound(groups["trust"].reason).values).fillna(0), float(groups["body"].attrs["total_mass"])


def peaks_of(clip, mass):
    """{role: (N m/kg, s)} of each role but the root's, whose torque is the residual."""
    size = np.sqrt((clip.torque ** 2).sum("xyz")) / mass
    found = {}
    for j in range(1, clip.sizes["joint"]):
        if str(clip.role.values[j]):
            at = int(size[:, j].argmax())
            found[str(clip.role.values[j])] = float(size[at, j]), float(clip.time[at])
    return found


def main(paths):
    table = csv.writer(sys.stdout)
    table.writerow(["clip", "role", "left_nm_kg", "left_s", "right_nm_kg", "right_s", "asymmetry"])
    for path in paths:
        clip, mass = open_clip(path)
        if clip.sizes["time"] == 0:
            print(f"{path}: no frame to trust", file=sys.stderr)
            continue
        peaks = peaks_of(clip, mass)
        for role in sorted(r[5:] for r in peaks if r.startswith("left_") and "right_" + r[5:] in peaks):
            (left, t), (right, u) = peaks["left_" + role], peaks["right_" + role]
            larger = max(left, right)
            table.writerow([path, role, f"{left:.4f}", f"{t:.3f}", f"{right:.4f}", f"{u:.3f}",
                            f"{(left - right) / larger if larger > 0 else 0:.3f}"])


if __name__ == "__main__":
    main(sys.argv[1:])
