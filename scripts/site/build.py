#!/usr/bin/env python3
"""Builds the site of kane: README and docs/ as HTML with search (MkDocs), beside kane.html and the files of a release.

usage: scripts/site/build.py FOLDER ADDRESS [FILE.html] [RELEASE]     from the top of the project

FILE.html becomes kane.html, the files of the folder RELEASE download/. ADDRESS replaces that of README's links."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PAGES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE", "CITATION.cff", "docs", "examples", "data/README.md",
         "research/README.md")
# Links of the documents to files that are no documents; directories get no page.
LINK = re.compile(r"\]\(([^)#\s:]+)(#[^)]*)?\)")


def stage(source, address):
    """Copies the documents, with their links to the site, and the files that they link to."""
    written = re.search(r"^SITE +\?= (\S+)", pathlib.Path("release.mk").read_text(), re.M)[1]
    for name in PAGES:
        target = source / name
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if pathlib.Path(name).is_dir() else shutil.copy)(name, target)
    for path in sorted(source.rglob("*.md")):
        text = path.read_text().replace(written, address)
        path.write_text(text)
        for link, _ in LINK.findall(text):
            wanted = pathlib.Path(os.path.normpath(path.parent / link)).relative_to(source)
            if wanted.is_file() and not (source / wanted).exists():
                (source / wanted).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(wanted, source / wanted)


def navigation(source):
    """mkdocs.yml with folders of its nav replaced by their pages."""
    lines = []
    for line in (HERE / "mkdocs.yml").read_text().splitlines():
        found = re.fullmatch(r"( *)- (?:([^:]+): )?(docs/\w+)", line)
        if not found:
            lines.append(line)
            continue
        space, title, folder = found.groups()
        if title:
            lines.append(f"{space}- {title}:")
            space += "    "
        lines += [f"{space}- {path.relative_to(source)}" for path in sorted((source / folder).glob("*.md"))]
    return "\n".join(lines) + "\n"


def main():
    folder, address, page, *release = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        source = pathlib.Path(name) / "source"
        stage(source, address)
        config = pathlib.Path(name) / "mkdocs.yml"
        config.write_text(navigation(source))
        subprocess.run(["/usr/bin/python3", "-m", "mkdocs", "build", "--quiet", "--strict", "-f", config, "-d", os.path.abspath(folder)], check=True,
                       env={**os.environ, "KANE_SITE_SOURCE": str(source), "KANE_SITE": address + "/"})
    shutil.copy(page, f"{folder}/kane.html")
    for place in release:
        shutil.copytree(place, f"{folder}/download", dirs_exist_ok=True)
    (pathlib.Path(folder) / ".nojekyll").touch()


main()
