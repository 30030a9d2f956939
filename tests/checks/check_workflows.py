#!/usr/bin/env python3
"""Checks that each step of the workflows is one make target, a plain installation of packages, or an action.

A target is one of the makefiles'; an action has a version. Prints file, line and step; exit code 1 if any is otherwise.
usage: tests/checks/check_workflows.py [WORKFLOW...]     default: .github/workflows/*.yml; from the top of the project"""
import pathlib
import re
import sys

MAKEFILES = ("Makefile", "needs.mk", "release.mk", "web/build.mk")
INSTALLATION = re.compile(r"apt-get update && apt-get install -y( [a-z0-9.+-]+)+")
ACTION = re.compile(r"[\w.-]+/[\w.-]+@v\d+(\.\d+)*")


def targets():
    names = set()
    for path in MAKEFILES:
        for line in re.findall(r"^([a-z][\w -]*):(?!=)", pathlib.Path(path).read_text(), re.M):
            names |= set(line.split())
    return names


def sets():
    text = pathlib.Path("scripts/setup.sh").read_text()
    return {f"setup-{name}" for name in re.search(r'^sets="(.*)"', text, re.M)[1].split()}


def fault(kind, text, known):
    if kind == "uses":
        return None if ACTION.fullmatch(text) else "is no action with a version"
    if INSTALLATION.fullmatch(text):
        return None
    found = re.fullmatch(r"make ([\w-]+)", text)
    if not found:
        return "is neither `make TARGET` nor an installation"
    return None if found[1] in known else f"make has no target {found[1]}"


def findings(path, known):
    steps = 0
    for line, text in enumerate(path.read_text().splitlines(), 1):
        found = re.match(r"\s*(?:- )?(run|uses): *(.*)", text)
        steps += bool(found)
        if found and (why := fault(found[1], found[2].strip(), known)):
            yield f"{path}:{line}: {found[2]}: {why}"
    if not steps:
        yield f"{path}:1: no step"


def main():
    paths = [pathlib.Path(p) for p in sys.argv[1:]] or sorted(pathlib.Path(".github/workflows").glob("*.yml"))
    known = targets() | sets()
    found = [line for path in paths for line in findings(path, known)]
    print("\n".join(found) or f"checks: workflows: {len(paths)} call make only")
    sys.exit(1 if found or not paths else 0)


main()
