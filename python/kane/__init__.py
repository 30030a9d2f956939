"""kane in Python: clip files as labelled xarray Datasets, the index as a table, and all stages through libkane.

    import kane
    clip = kane.open_clip("walk.h5")
    clip.torque.sel(joint=kane.joint(clip, "left_knee")).sel(time=1.2, method="nearest")
    clip.angles_moment.sel(coordinate="left_knee_flexion").where(kane.trusted(clip, "left_knee"))
    kane.read_index("out/index.db", where="left_knee_torque_peak_nm_kg > 2")
    kane.run("walk.bvh", body_mass=62).array("/dynamics/torque")

open_clip requires xarray, and h5py or an xarray engine (netcdf4, h5netcdf); read_arrays requires only h5py. run, fill
and lean clip files require libkane, which is part of the wheel and of `make install`. Variable names: docs/formats.md."""
from __future__ import annotations

import os
import sqlite3
import tempfile
from typing import TYPE_CHECKING, Any

from ._version import __version__
from .library import Clip, KaneError, fill, run, version
from .old_names import OLD_GROUPS, Arrays

if TYPE_CHECKING:
    import numpy
    import xarray

__all__ = ["Clip", "KaneError", "__version__", "fill", "joint", "open_clip", "read_arrays", "read_index", "run", "trusted",
           "version"]

# NAMED: groups whose name prefixes their variables; SHARED: variable names that occur in two of the other groups. Both
# as in kane export --format npz.
NAMED = ("dof", "angles", "simulation", "particles", "shapes", "markers", "tracking")
SHARED = ("com", "force")
GROUPS = ("skeleton", "motion", "trust", "body", "kinematics", "dof", "contact", "dynamics", "angles", "retarget",
          "simulation", "particles", "shapes", "markers", "tracking")
# Dimensions with labels, which become coordinates of a Dataset. Those in LETTERS are the same in every clip.
LETTERS = ("xyz", "wxyz", "inertia_entry", "foot", "bound", "term", "rgba", "corner", "pair")
LABELS = ("time", "joint", "coordinate") + LETTERS


def _text(value):
    """Converts HDF5 bytes to str and 0-d arrays to scalars."""
    if isinstance(value, bytes):
        return value.decode()
    if hasattr(value, "shape") and value.shape == ():
        return value.item()
    return value


def _own(attributes):
    """The attributes without the internal ones of netCDF-4 and HDF5 dimension scales."""
    hidden = ("CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST", "_Netcdf4Dimid", "_Netcdf4Coordinates", "_FillValue")
    return {name: _text(value) for name, value in attributes.items() if name not in hidden}


def _read_h5py(path):
    """Reads all groups with h5py: {group: (attributes, {name: (dimensions, values, attributes)})}; the root is ""."""
    import h5py

    def dimensions(dataset):
        names = []
        for place, dimension in enumerate(dataset.dims):
            scale = dimension[0].name if len(dimension) else dataset.name
            names.append(scale.rsplit("/", 1)[1] if len(dimension) or dataset.ndim == 1 else "dim_%d" % place)
        return tuple(names)

    def variables(group):
        found = {}
        for name, item in group.items():
            if isinstance(item, h5py.Dataset) and _text(item.attrs.get("NAME", "")).find("not a netCDF variable") < 0:
                values = item.asstr()[:] if item.dtype.kind == "O" else item[:]
                found[name] = dimensions(item), values, _own(item.attrs)
        return found

    groups = {}
    with h5py.File(path, "r") as file:
        groups[""] = _own(file.attrs), variables(file)
        for name in GROUPS:
            own = name if name in file else OLD_GROUPS.get(name, name)
            if own in file:
                groups[name] = _own(file[own].attrs), variables(file[own])
                for part, item in file[own].items():
                    if isinstance(item, h5py.Group):
                        groups[name + "/" + part] = _own(item.attrs), variables(item)
    return groups


def _read_xarray(path):
    """Same as _read_h5py, with an engine of xarray."""
    import xarray

    groups, current = {}, {old: name for name, old in OLD_GROUPS.items()}
    names = [""] + list(OLD_GROUPS.values()) + list(GROUPS) + ["tracking/" + c for c in ("pd", "pd-feedforward", "stable-pd", "bubble-up", "kane",
                                                             "kane-feedforward", "pd-inverse")]
    for name in names:
        try:
            opened = xarray.open_dataset(path, group=name or None, decode_times=False)
        except (OSError, KeyError, ValueError):
            if not name:
                raise
            continue
        with opened as group:
            found = {n: (v.dims, v.values, dict(v.attrs)) for n, v in group.variables.items()}
            groups[current.get(name, name)] = dict(group.attrs), found
    return groups


def _read_file(path):
    try:
        import h5py  # noqa: F401
    except ImportError:
        return _read_xarray(path)
    return _read_h5py(path)


def _read(path):
    groups = _read_file(path)
    if "left_out" in groups[""][0]:  # a lean file: libkane computes the rest
        with tempfile.TemporaryDirectory() as folder:
            full = os.path.join(folder, "full.h5")
            fill(path, full)
            groups = _read_file(full)
    if groups[""][0].get("Conventions") != "kane-1":
        raise ValueError("%s is no clip file of kane" % path)
    return groups


def _flat(groups):
    """{name: (dimensions, values, attributes)}, named like the arrays of `kane export --format npz`."""
    flat = {}
    for group, (_, variables) in groups.items():
        for name, (dims, values, attributes) in variables.items():
            if group and name == "time" and dims == ("time",):
                continue  # duplicate of the root's
            dims = tuple("time" if d == "frame" else d for d in dims)  # clip files of older versions
            front = group and name != group and (group.split("/")[0] in NAMED or name in SHARED)
            flat[group.replace("/", "_").replace("-", "_") + "_" + name if front else name] = dims, values, attributes
    return flat


def read_arrays(path: str | os.PathLike[str]) -> dict[str, numpy.ndarray]:
    """{name: numpy array} of a clip file: the arrays of `kane export --format npz`."""
    return Arrays((name, values) for name, (_, values, _) in _flat(_read(path)).items() if name not in LETTERS)


def open_clip(path: str | os.PathLike[str]) -> xarray.Dataset:
    """Opens a clip file as one xarray.Dataset.

    Dimensions time (s), joint (names), coordinate (left_knee_flexion), xyz... are labelled; `role` labels each joint
    with its role. Variables are named as in read_arrays and have units and long_name. Attributes of a group get its
    name as prefix: clip.attrs["body_total_mass"]."""
    from .dataset import ClipDataset

    groups = _read(path)
    flat = _flat(groups)
    attributes = {(group.replace("/", "_").replace("-", "_") + "_" if group else "") + name: value
                  for group, (own, _) in groups.items() for name, value in own.items() if name != "checksum"}
    labels = {name: flat.pop(name) for name in LABELS if name in flat}
    if "role" in flat:
        labels["role"] = flat.pop("role")
    return ClipDataset(flat, labels, attributes)


def joint(clip: xarray.Dataset, role: str) -> str:
    """The name of the joint with a role such as "left_knee", or with this name, for clip.sel(joint=...). KeyError if
    none."""
    names = [str(name) for name in clip.joint.values]
    for name, own in zip(names, clip.role.values):
        if str(own) == role:
            return name
    if role in names:
        return role
    raise KeyError("no joint has the role or name %r" % role)


def trusted(clip: xarray.Dataset, role: str) -> xarray.DataArray:
    """[time] True where neither the frame nor the joint has a flag. role: as for joint."""
    frames = clip.trusted == 1
    if "joint_reason" not in clip:
        return frames
    return frames & (clip.joint_reason.sel(joint=joint(clip, role), drop=True) == 0)


def read_index(path: str | os.PathLike[str], where: str | None = None, table: str = "clip_summary",
               columns: list[str] | None = None) -> Any:
    """Reads rows of an index, opened read-only: a pandas.DataFrame, or a list of dicts without pandas.

    where: SQL expression over the columns; columns: names (default all)."""
    def quoted(name):
        return '"' + name.replace('"', '""') + '"'

    chosen = ", ".join(map(quoted, columns)) if columns else "*"
    statement = "SELECT %s FROM %s%s" % (chosen, quoted(table), " WHERE " + where if where else "")
    connection = sqlite3.connect("file:%s?mode=ro" % str(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23"),
                                 uri=True)
    try:
        rows = connection.execute(statement)
        names = [column[0] for column in rows.description]
        values = rows.fetchall()
    finally:
        connection.close()
    try:
        import pandas
    except ImportError:
        return [dict(zip(names, row)) for row in values]
    return pandas.DataFrame(values, columns=names)
