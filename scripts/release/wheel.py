#!/usr/bin/env python3
"""Makes the wheel of a release: the module, libkane and its helper with the libraries beside them.

usage: scripts/release/wheel.py BUILD FOLDER [SYSROOT]     from the top of the project; BUILD: a build of package"""
import pathlib
import subprocess
import sys
import tempfile

import elf

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "python"))
import build_wheel  # noqa: E402

LEAVE = "libgcc_s.so.1,libstdc++.so.6"  # which manylinux expects of every system


def main():
    build, folder, sysroot = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        (work / "kane").mkdir()
        for source, target in ((build / "package" / build_wheel.soname(), "libkane.so"), (build / "kane-scene", "kane-scene")):
            (work / "kane" / target).write_bytes(source.read_bytes())
        machine = elf.machine(work / "kane/libkane.so")
        subprocess.run([TOP / "scripts/release/bundle.py", *(f"--sysroot={root}" for root in sysroot), f"--leave={LEAVE}",
                        "--also", build / "hdf5.so", "--also", build / "assimp.so", work / "kane.libs",
                        work / f"kane-{build_wheel.version()}.dist-info/licenses",
                        work / "kane/libkane.so", work / "kane/kane-scene"], check=True)
        files = build_wheel.module_files()
        files.update({str(p.relative_to(work)): p.read_bytes() for p in sorted(work.rglob("*")) if p.is_file()})
        glibc = max(elf.versions(p).get("GLIBC", (2, 17)) for p in work.rglob("*") if elf.is_elf(p))
        print("release:", folder / build_wheel.write_wheel(folder, f"manylinux_{glibc[0]}_{max(glibc[1], 36)}_{machine}", files))


main()
