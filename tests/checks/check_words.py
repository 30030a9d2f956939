#!/usr/bin/env python3
"""Finds the banned words of tests/checks/words.tsv in help texts, C string literals, C comments and documents.

usage: tests/checks/check_words.py KANE [DOCUMENT...]
A literal without a blank (a name, a key) is skipped, as are names in backticks and code blocks of a document. A word
whose column `where` is "text" is allowed in comments, because it is part of names in the program."""
import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("pipeline", "formats", "analysis", "library", "web")
COMMENT = re.compile(r"/\*.*?\*/", re.S)
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
SQL = re.compile(r"\b(SELECT|FROM|WHERE|CREATE|INSERT|DELETE|UPDATE|JOIN|AND)\b")


def banned():
    """(rule, what to write instead, whether it holds in comments)"""
    rows = [line.split("\t") for line in (TOP / "tests/checks/words.tsv").read_text().splitlines()[1:]]
    return [(re.compile(rf"(?<![/\w])(?:{word})(?![/\w])", re.I), instead, where == "all")
            for word, instead, where in rows]


def literals(path):
    """(line, text) of each string literal that contains a blank."""
    source = COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), path.read_text())
    for match in LITERAL.finditer(source):
        text = match.group(1)
        line = source.count("\n", 0, match.start()) + 1
        before = source[source.rfind("\n", 0, match.start()):match.start()]
        if " " in text.strip() and not SQL.search(text) and "_Static_assert" not in before:
            yield line, text


def comments(path):
    """(line, text) of each line of a comment, without names in backticks."""
    source = path.read_text()
    for match in COMMENT.finditer(source):
        first = source.count("\n", 0, match.start()) + 1
        for number, line in enumerate(match.group().splitlines(), first):
            yield number, re.sub(r"`[^`]*`", "", line)


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
    """(place, line, text, whether it is a comment)"""
    yield from ((*found, False) for found in helps(kane))
    for folder in FOLDERS:
        for path in sorted((TOP / folder).rglob("*.[ch]")):
            for line, text in literals(path):
                yield path.relative_to(TOP), line, text, False
            for line, text in comments(path):
                yield path.relative_to(TOP), line, text, True
    for name in documents:
        is_code = name.endswith((".c", ".h"))
        for line, text in (comments if is_code else prose)(pathlib.Path(name)):
            yield name, line, text, is_code


def main():
    rules, found = banned(), 0
    for place, line, text, is_comment in texts(sys.argv[1], sys.argv[2:]):
        for rule, instead, in_comments in rules:
            match = rule.search(text) if in_comments or not is_comment else None
            if match:
                found += 1
                print(f'{place}:{line}: "{match.group()}": write {instead}: {text.strip()[:100]}')
    print(f"words: {found} banned")
    return found > 0


sys.exit(main())
