#!/usr/bin/env python3
"""Finds the banned words of tests/checks/words.tsv in help texts, C string literals and documents.

usage: scripts/check_words.py KANE [DOCUMENT...]

Skips literals without a blank (names, keys), and names in backticks and code blocks of documents."""
import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("pipeline", "formats", "analysis", "library")
COMMENT = re.compile(r"/\*.*?\*/", re.S)
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
SQL = re.compile(r"\b(SELECT|FROM|WHERE|CREATE|INSERT|DELETE|UPDATE|JOIN|AND)\b")


def banned():
    rows = [line.split("\t") for line in (TOP / "tests/checks/words.tsv").read_text().splitlines()[1:]]
    return [(re.compile(rf"(?<![/\w])(?:{word})(?![/\w])", re.I), instead) for word, instead in rows]


def literals(path):
    """(line, text) of each string literal that contains a blank."""
    source = COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), path.read_text())
    for match in LITERAL.finditer(source):
        text = match.group(1)
        line = source.count("\n", 0, match.start()) + 1
        before = source[source.rfind("\n", 0, match.start()):match.start()]
        if " " in text.strip() and not SQL.search(text) and "_Static_assert" not in before:
            yield line, text


def prose(path):
    inside = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        inside ^= line.startswith("```")
        if not inside and not line.startswith("    "):
            yield number, re.sub(r"`[^`]*`|\]\([^)]*\)", "", line)


def helps(kane):
    for row in subprocess.run([kane, "--complete"], capture_output=True, text=True, check=True).stdout.splitlines():
        command = row.split("\t")[0]
        text = subprocess.run([kane, command, "--help"], capture_output=True, text=True, check=True).stdout
        for number, line in enumerate(text.splitlines(), 1):
            yield f"kane {command} --help", number, line


def texts(kane, documents):
    yield from helps(kane)
    for folder in FOLDERS:
        for path in sorted((TOP / folder).rglob("*.[ch]")):
            for line, text in literals(path):
                yield path.relative_to(TOP), line, text
    for name in documents:
        for line, text in prose(pathlib.Path(name)):
            yield name, line, text


def main():
    rules, found = banned(), 0
    for place, line, text in texts(sys.argv[1], sys.argv[2:]):
        for rule, instead in rules:
            match = rule.search(text)
            if match:
                found += 1
                print(f'{place}:{line}: "{match.group()}": write {instead}: {text.strip()[:100]}')
    print(f"words: {found} banned")
    return found > 0


sys.exit(main())
