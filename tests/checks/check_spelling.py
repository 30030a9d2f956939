#!/usr/bin/env python3
"""Checks the spelling of the documents with aspell (British English); project words are in tests/checks/spelling.txt.

Skips code, output, links, names in backticks, and words with two capitals. Prints file, line and word; exit code 1 if
any.
usage: tests/checks/check_spelling.py [--words FILE] DOCUMENT..."""
import pathlib
import re
import shutil
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
# Replaced with blanks, which keeps line numbers.
NOT_PROSE = re.compile(r"^```.*?^```|^ {4}.*?$|`[^`]*`|\]\([^)]*\)|<[^>\n]*>|https?://\S+|@\w+|\b\w*[_\d/]\w*\b|\b\w+\.(?:[a-z]{1,5})\b",
                       re.S | re.M)

ACRONYM = re.compile(r"[A-Z].*[A-Z]")  # and MuJoCo, DuckDB


def prose(text):
    return NOT_PROSE.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def misspelled(text):
    found = subprocess.run(["aspell", "list", "--lang=en_GB", "--encoding=utf-8"], input=text, capture_output=True, text=True,
                           check=True)
    return set(found.stdout.split())


def unknown(text, known):
    """Words of a text that neither aspell nor the project's list has."""
    bare = {word: re.sub(r"'s?$", "", word) for word in misspelled(text)}
    wrong = misspelled("\n".join(bare.values()))
    return {word for word, stem in bare.items()
            if stem in wrong and not ACRONYM.search(stem) and len(stem) > 2 and not {stem, stem.lower()} & known}


def findings(path, known):
    text = prose(path.read_text())
    words = unknown(text, known)
    if not words:
        return
    pattern = re.compile(r"(?<!\w)(" + "|".join(map(re.escape, sorted(words, key=len, reverse=True))) + r")(?!\w)")
    for number, line in enumerate(text.splitlines(), 1):
        for word in pattern.findall(line):
            yield f"{path}:{number}: {word}"


def main():
    arguments = sys.argv[1:]
    words = TOP / "tests/checks/spelling.txt"
    if arguments[:1] == ["--words"]:
        words, arguments = pathlib.Path(arguments[1]), arguments[2:]
    if not shutil.which("aspell") or "en_GB" not in subprocess.run(["aspell", "dump", "dicts"], capture_output=True, text=True,
                                                                  check=False).stdout:
        print("spelling: skipped: no aspell with en_GB (Debian: aspell aspell-en)")
        return
    known = {line.strip() for line in words.read_text().splitlines() if line.strip() and not line.startswith("#")}
    found = [line for name in arguments for line in findings(pathlib.Path(name), known)]
    if found:
        sys.exit("\n".join(found) + f"\nspelling: {len(found)} words; correct them, or add them to {words}")
    print(f"spelling: {len(arguments)} documents")


if __name__ == "__main__":
    main()
