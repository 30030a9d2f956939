#!/usr/bin/env python3
"""Copies the libraries that programs need beside them, with relative search paths and licences.

usage: scripts/release/bundle.py [--sysroot DIR] [--leave SONAME,...] [--also FILE]... LIBDIR LICENCES FILE...

FILE...: programs and libraries in their final place; their search path becomes LIBDIR, relative to $ORIGIN. --also FILE:
what FILE needs is loaded at run time, and copied, too. Libraries of glibc and those of --leave stay the system's.
LICENCES gets the copyright file of each library's Debian package. Requires readelf, patchelf and Debian's libraries, of
this machine or unpacked below --sysroot (scripts/setup.sh arm64 DIR)."""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys

import elf


class System:
    """Debian's libraries, below a root."""

    def __init__(self, root):
        self.root = pathlib.Path(root or "/")
        self.records = self.root / "dpkg/info" if root else pathlib.Path("/var/lib/dpkg/info")
        self.triple = "x86_64-linux-gnu"

    def find(self, soname):
        for folder in (f"usr/lib/{self.triple}", f"lib/{self.triple}", f"usr/lib/{self.triple}/hdf5/serial", "usr/lib"):
            path = self.root / folder / soname
            if path.exists():
                return path.resolve()
        sys.exit(f"bundle: {soname} is not installed below {self.root}: make setup-release")

    def copyright(self, library):
        """(package, its copyright file) of a library."""
        for record in sorted(self.records.glob("*.list")):
            names = record.read_text().split("\n")
            if any(f"/{self.triple}/" in name and name.endswith(f"/{library.name}") for name in names):
                package = record.name.removesuffix(".list").split(":")[0]
                return package, self.root / "usr/share/doc" / package / "copyright"
        sys.exit(f"bundle: no package has {library}")


def patch(path, search):
    subprocess.run(["patchelf", "--set-rpath", search, str(path)], check=True)


def copy_library(system, soname, folder, licences):
    source = system.find(soname)
    target = folder / soname
    shutil.copyfile(source, target)
    target.chmod(0o755)
    package, text = system.copyright(source)
    shutil.copyfile(text, licences / f"{package}.txt")
    return target


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--sysroot")
    parser.add_argument("--leave", default="")
    parser.add_argument("--also", action="append", default=[])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("licences", type=pathlib.Path)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    given = parser.parse_args()
    if not shutil.which("patchelf"):
        sys.exit("bundle: no patchelf: make setup-release installs it")
    system = System(given.sysroot)
    if elf.machine(given.files[0]) != "x86_64":
        system.triple = f"{elf.machine(given.files[0])}-linux-gnu"
    leave = elf.GLIBC | set(given.leave.split(","))
    for folder in (given.folder, given.licences):
        folder.mkdir(parents=True, exist_ok=True)

    wanted = [name for path in [*given.files, *given.also] for name in elf.dynamic(path)[0]]
    own = {path.name for path in given.files}
    copied = {}
    while wanted:
        soname = wanted.pop()
        if soname in leave or soname in copied or soname in own:
            continue
        copied[soname] = copy_library(system, soname, given.folder, given.licences)
        wanted += elf.dynamic(copied[soname])[0]
    for path in copied.values():
        patch(path, "$ORIGIN")
    for path in given.files:
        patch(path, os.path.join("$ORIGIN", os.path.relpath(given.folder, path.parent)))
    print(f"bundle: {len(copied)} libraries, {sum(path.stat().st_size for path in copied.values()) // 1000000} MB")


main()
