"""Compares the clip files and indexes of two folders by name; exit code 1 if a value changed.
usage: compare_content.py OLD NEW [NAMES.tsv]      NAMES.tsv: old name, tab, new name"""
import collections
import pathlib
import sqlite3
import sys

import h5py
import numpy as np

# Derived from all others, or from the clock.
DERIVED = {"/@checksum", "/@kane_version", "meta.fingerprint"}


def content(path):
    """{name: value} of a clip file: datasets as /group/name, attributes as /group/name@attribute"""
    found = {}
    with h5py.File(path, "r") as file:
        def add(name, item):
            name = "/" + name.strip("/")
            for attribute in item.attrs:
                if not attribute.isupper() and not attribute.startswith("_"):  # internal to netCDF
                    found[f"{name}@{attribute}"] = item.attrs[attribute]
            if isinstance(item, h5py.Dataset):
                found[name] = item[()]
        add("/", file)
        file.visititems(add)
    return {name: value for name, value in found.items() if name not in DERIVED}


def rows(path):
    """{table.column: list of values}, rows ordered by clip path and table key"""
    index = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    tables = [name for name, in index.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'clip_text%' AND name NOT LIKE 'sqlite%'")]
    found = {}
    for table in sorted(set(tables) - {"processing", "tag"}):
        columns = index.execute(f"PRAGMA table_info({table})").fetchall()
        names = [column[1] for column in columns]
        keys = [f't."{column[1]}"' for column in columns if column[5] and column[1] not in ("id", "clip_id")]
        join = "LEFT JOIN clip c ON c.id = t.clip_id" if "clip_id" in names else ""
        order = ", ".join((["c.path"] if join else ["t.path"] if "path" in names else []) + keys) or "1"
        for name in names:
            if name not in ("id", "clip_id"):
                values = index.execute(f'SELECT t."{name}" FROM {table} t {join} ORDER BY {order}')
                found[f"{table}.{name}"] = [value for value, in values]
    return {name: value for name, value in found.items() if name not in DERIVED}


def difference(a, b):
    """None if bitwise equal; else the largest difference relative to the largest magnitude, or a word."""
    if isinstance(a, list):
        if a == b:
            return None
        return f"{sum(x != y for x, y in zip(a, b)) + abs(len(a) - len(b))} of {max(len(a), len(b))} rows"
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape:
        return f"shape {a.shape} to {b.shape}"
    if a.dtype.kind != "f" or b.dtype.kind != "f":
        return None if np.array_equal(a, b) else "value"
    if a.tobytes() == b.tobytes():
        return None
    if not np.array_equal(np.isnan(a), np.isnan(b)):
        return f"{np.count_nonzero(np.isnan(a) != np.isnan(b))} NaN"
    scale = np.nanmax(np.abs(a), initial=1e-300)
    return f"{np.nanmax(np.abs(b - a)) / scale:.2g} of {scale:.4g}"


class Report:
    def __init__(self, names):
        self.new_name = names
        self.equal = collections.Counter()
        self.changed, self.gone, self.come = (collections.defaultdict(list) for _ in range(3))

    def compare(self, where, old, new):
        old = {self.new_name.get(name, name): value for name, value in old.items()}
        for name, value in old.items():
            if name not in new:
                self.gone[name].append(where)
                continue
            found = difference(value, new[name])
            if found is None:
                self.equal[name] += 1
            else:
                self.changed[name].append((where, found))
        for name in new.keys() - old.keys():
            self.come[name].append(where)

    def print(self):
        print(f"equal: {len(self.equal)} names, {sum(self.equal.values())} values")
        for word, table in (("gone", self.gone), ("new", self.come)):
            for name, places in sorted(table.items()):
                print(f"{word}: {name} in {len(places)}, first {places[0]}")
        for name, places in sorted(self.changed.items()):
            print(f"changed: {name} in {len(places)} of {len(places) + self.equal[name]}; "
                  f"{places[0][0]}: {places[0][1]}")


def main():
    old, new = (pathlib.Path(name) for name in sys.argv[1:3])
    names = dict(line.rstrip("\n").split("\t")[:2] for line in open(sys.argv[3], encoding="utf-8")) if sys.argv[3:] else {}
    report = Report(names)
    files = {path.name for folder in (old, new) for path in folder.iterdir()}
    count = 0
    for name in sorted(files):
        if not (old / name).exists() or not (new / name).exists():
            print(f"made by one program alone: {name}")
            report.changed["(file)"].append((name, "refused by one program"))
        elif name.endswith((".h5", ".db")):
            read = content if name.endswith(".h5") else rows
            report.compare(name, read(old / name), read(new / name))
            count += 1
    report.print()
    if not count:
        sys.exit("same content: nothing was compared")
    print(f"same content: {count} files, {len(report.changed)} names changed, {len(report.come)} new, {len(report.gone)} gone")
    sys.exit(bool(report.changed))


main()
