#!/usr/bin/env python3
"""Checks that no source files call each other in a circle. Fails, with the functions that close it, on each circle.

usage: tests/checks/check_calls.py BUILD OBJECT...     OBJECT: below BUILD, named as its source

A use of data counts as a call. The objects of a kernel, one per instruction set, are one file. Environment: NM, the nm
of the objects' processor."""
import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys

from measure import cycles


def source(path, build):
    """The name of the source of an object, without suffix."""
    return re.sub(r"_kernel_\w+$", "_kernel", path.relative_to(build).with_suffix("").as_posix())


def symbols(objects):
    """Yields (object, type, name) of each external symbol, with the types of nm."""
    listed = subprocess.run([os.environ.get("NM", "nm"), "-A", "-g", *map(str, objects)], check=True,
                            capture_output=True, text=True).stdout
    for line in listed.splitlines():
        path, rest = line.split(":", 1)
        kind, name = rest.split()[-2:]
        yield pathlib.Path(path), kind, name


def calls(objects, build):
    """{file: {file that it calls: names that it uses}}"""
    homes, uses = {}, collections.defaultdict(set)
    for path, kind, name in symbols(objects):
        if kind in "Uw":
            uses[source(path, build)].add(name)
        else:
            homes[name] = source(path, build)
    found = {source(path, build): collections.defaultdict(set) for path in objects}
    for file, names in uses.items():
        for name in names:
            if homes.get(name, file) != file:
                found[file][homes[name]].add(name)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("objects", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    called = calls(options.objects, options.build)
    circles = cycles(called)
    for circle in circles:
        print(f"circle of calls: {' '.join(circle)}")
        for file in circle:
            for other in circle:
                if other in called[file]:
                    print(f"    {file} -> {other}: {', '.join(sorted(called[file][other]))}")
    if circles:
        sys.exit(1)
    print(f"calls: {len(called)} files, no circle of calls")


if __name__ == "__main__":
    main()
