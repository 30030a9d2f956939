"""Compares a clip file of an earlier version, with its old names, with kane's export of all arrays.

usage: old_names.py OLD.h5 NEW.npz

Prints a line for each renamed dataset, then how many others are equal to the last bit."""
import sys

import h5py
import numpy as np

RENAMED = {"hand_force": "root_residual_force", "hand_torque": "root_residual_torque", "use": "utilization",
           "segment": "segment_role", "constraint_couple": "constraint_torque"}

GROUPS = {"anatomy": "angles"}

MOVED = {"simulation/hinge_" + name: "dof_" + name for name in ("joint", "position", "velocity", "acceleration")}


def key_of(path, names):
    """npz names an array by its own name, with its group as prefix if another has the same."""
    if path in MOVED:
        return MOVED[path]
    group, _, rest = path.partition("/")
    parts = [RENAMED.get(part, part) for part in (GROUPS.get(group, group) + "/" + rest).strip("/").split("/")]
    for name in ("_".join(parts), "_".join(parts[-2:]), parts[-1]):
        if name in names:
            return name
    return None


def text_of(item):
    return item.asstr()[()] if item.dtype.kind == "O" else item[()]


def main(old_path, new_path):
    new = np.load(new_path, allow_pickle=False)
    same, skipped = 0, ("time", "xyz", "wxyz", "foot", "inertia_entry", "pair")
    paths = []
    with h5py.File(old_path, "r") as old:
        old.visititems(lambda path, item: paths.append(path) if isinstance(item, h5py.Dataset) else None)
        for path in sorted(paths):
            item, last = old[path], path.split("/")[-1]
            if (item.dtype.kind == "O" and last != "segment") or last in skipped or item.attrs.get("NAME", b"").startswith(b"This is a netCDF dim"):
                continue
            key = key_of(path, new.files)
            equal = key is not None and np.array_equal(text_of(item), new[key], equal_nan=last != "segment")
            if not equal:
                print("/%s differs from %s" % (path, key))
            elif last in RENAMED or path in MOVED or path.split("/")[0] in GROUPS:
                print("/%s is %s: %d values" % (path, key, item.size))
            same += equal
    print("%d datasets equal" % same)


main(*sys.argv[1:])
