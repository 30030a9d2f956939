#!/usr/bin/env python3
"""Compares every file that repeats the version with KANE_VERSION in analysis/base/version.h, the address of the
site with SITE of release.mk, and bounds the changelog.

Prints file, line, version found and version wanted; exit code 1 if any differs, if a file states none, or if a release
of CHANGELOG.md has more than 150 lines. With KANE it compares `kane --version`, too.
usage: tests/checks/check_version.py [KANE]   (from the top of the project)"""
import pathlib
import re
import subprocess
import sys

SOURCE = ("analysis/base/version.h", r'KANE_VERSION "(.*)"')
COPIES = (
    ("CHANGELOG.md", r"^## ([\d.]+)"),
    ("CITATION.cff", r"^version: (\S+)"),
    ("README.md", r"kane-([\d.]*\d)"),
    ("debian/changelog", r"^kane \((.*?)\)"),
    ("python/kane/_version.py", r'__version__ = "(.*)"'),
    ("scripts/blender/kane_clips/__init__.py", r'"version": \((\d+, \d+, \d+)\)'),
    ("web/package.json", r'"version": "(.*?)"'),
)
# The address of the site: the links of the documents have the one of release.mk.
SITE = ("release.mk", r"^SITE +\?= (\S+)")
LINKS = tuple((path, r"\((https?://[^)\s]*?)/(?:kane\.html|download/)") for path in ("README.md", "docs/howto/browser.md"))
HISTORIES = ("CHANGELOG.md", "debian/changelog")
RELEASE_LINES = 150  # of the changelog


def versions(path, pattern):
    """The versions in a file: [(line, text)]; [(1, "none")] if there is none. In HISTORIES the first counts."""
    found = [(line, match.group(1).replace(", ", ".")) for line, text in enumerate(pathlib.Path(path).read_text().splitlines(), 1)
             for match in re.finditer(pattern, text)]
    return found[:1 if path in HISTORIES else None] or [(1, "none")]


def long_releases(path="CHANGELOG.md"):
    lines = pathlib.Path(path).read_text().splitlines()
    heads = [n for n, text in enumerate(lines) if text.startswith("## ")] + [len(lines)]
    for start, end in zip(heads, heads[1:]):
        if end - start > RELEASE_LINES:
            yield f"{path}:{start + 1}: {lines[start][3:]} has {end - start} lines, at most {RELEASE_LINES}"


def differences(what, source, copies):
    wanted = versions(*source)[0][1]
    for path, pattern in copies:
        yield from (f"{path}:{line}: {what} {found}, {source[0]} has {wanted}"
                    for line, found in versions(path, pattern) if found != wanted)


def findings(kane):
    wanted = versions(*SOURCE)[0][1]
    yield from differences("version", SOURCE, COPIES)
    yield from differences("address", SITE, LINKS)
    for program in kane:
        found = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
        if found != wanted:
            yield f"{program}: version {found}, {SOURCE[0]} has {wanted}"
    yield from long_releases()


def main():
    found = list(findings(sys.argv[1:]))
    print("\n".join(found) or "checks: version and address: the same everywhere")
    sys.exit(1 if found else 0)


main()
