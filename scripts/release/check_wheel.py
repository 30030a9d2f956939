#!/usr/bin/env python3
"""Checks a wheel against auditwheel's rules for its manylinux tag (PEP 600).

Every ELF file is of the tag's machine; each library that it needs is in the wheel, found by its own search path, or one
that manylinux expects of the system; its versions of glibc, libstdc++ and libgcc are not later than the tag's; search
paths are relative and stay in the wheel. RECORD lists every file with its digest, WHEEL has the tag of the name.
usage: scripts/release/check_wheel.py WHEEL"""
import base64
import hashlib
import pathlib
import re
import sys
import tempfile
import zipfile

import elf

# manylinux_2_36 and 2_31 of auditwheel's policy.
SYSTEM = elf.GLIBC | {"libgcc_s.so.1", "libstdc++.so.6"}
LATEST = {(2, 36): {"GLIBCXX": (3, 4, 30), "CXXABI": (1, 3, 13), "GCC": (12, 0, 0)},
          (2, 31): {"GLIBCXX": (3, 4, 28), "CXXABI": (1, 3, 12), "GCC": (10, 0, 0)}}


def check_elf(path, root, tag, machine):
    shown = path.relative_to(root)
    if elf.machine(path) != machine:
        yield f"{shown}: is of {elf.machine(path)}, the wheel of {machine}"
    needed, search = elf.dynamic(path)
    folders = []
    for part in search:
        folder = pathlib.Path(part.replace("$ORIGIN", str(path.parent))).resolve()
        folders.append(folder)
        if not part.startswith("$ORIGIN") or root not in [folder, *folder.parents]:
            yield f"{shown}: search path {part} leaves the wheel"
    for soname in needed:
        if soname not in SYSTEM and not any((folder / soname).exists() for folder in folders):
            yield f"{shown}: needs {soname}, which is neither in the wheel nor of manylinux"
    for name, version in elf.versions(path).items():
        latest = tag if name == "GLIBC" else LATEST[tag].get(name)
        if latest and version > latest:
            yield f"{shown}: needs {name}_{'.'.join(map(str, version))}, the tag has {'.'.join(map(str, latest))}"


def check_record(root, about):
    rows = dict(line.rsplit(",", 2)[:2] for line in (root / about / "RECORD").read_text().splitlines())
    for path in sorted(p for p in root.rglob("*") if p.is_file()):
        name = str(path.relative_to(root))
        digest = "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(path.read_bytes()).digest()).rstrip(b"=").decode()
        if name != f"{about}/RECORD" and rows.get(name) != digest:
            yield f"{name}: RECORD has {rows.get(name, 'no digest')}"


def findings(wheel, root):
    found = re.fullmatch(r"kane-([\d.]+)-py3-none-manylinux_(\d+)_(\d+)_(\w+)\.whl", wheel.name)
    if not found:
        yield f"{wheel.name}: no manylinux tag"
        return
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(root)
    tag, about = (int(found[2]), int(found[3])), f"kane-{found[1]}.dist-info"
    if f"Tag: {wheel.stem.split('-', 2)[2]}\n" not in (root / about / "WHEEL").read_text():
        yield f"{about}/WHEEL: another tag than the name's"
    yield from check_record(root, about)
    for path in sorted(p for p in root.rglob("*") if elf.is_elf(p)):
        yield from check_elf(path, root, tag, found[4])


def main():
    wheel = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        found = list(findings(wheel, pathlib.Path(folder).resolve()))
    print("\n".join(found) or f"wheel: {wheel.name} follows the rules of its tag")
    sys.exit(1 if found else 0)


main()
