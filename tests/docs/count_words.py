#!/usr/bin/env python3
"""Counts the hand-written words of documents: what blanks separate, table rules included, as `wc -w` does.

usage: tests/docs/count_words.py [--max N] DOCUMENT...

Not counted are parts that a script writes: between `<!-- datasets ... -->`, `attributes`, `dimensions`, `columns`,
`commands` or `items` and `<!-- end -->` (tests/docs/reference.py, tests/sources/run.py), between `<!-- NAME: SCRIPT -->`
and `<!-- end of NAME -->` (SCRIPT prints them), and the output below the commands of `console` and `pycon` blocks
(tests/docs/printed_output.py). Prints the words of each document and their sum; exit code 1 if the sum is above N."""
import argparse
import pathlib
import re
import sys

GENERATED = re.compile(r"<!-- (?:datasets|attributes|dimensions|columns|commands|items)\b[^>]* -->.*?<!-- end -->"
                       r"|<!-- (?P<name>\w+): \S+ -->.*?<!-- end of (?P=name) -->", re.S)
BLOCK = re.compile(r"^```(console|pycon)\n(.*?)^```$", re.S | re.M)
PROMPT = {"console": ("$ ",), "pycon": (">>> ", "... ")}


def without_output(match):
    """The commands of a block."""
    kind, text = match.groups()
    kept, goes_on = [], False
    for line in text.splitlines():
        goes_on = goes_on or line.startswith(PROMPT[kind])
        if goes_on:
            kept.append(line)
        goes_on = goes_on and kind == "console" and line.endswith(("\\", "|"))
    return "\n".join(kept)


def count(text):
    return len(BLOCK.sub(without_output, GENERATED.sub("", text)).split())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--max", type=int)
    parser.add_argument("documents", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    total = 0
    for path in arguments.documents:
        words = count(path.read_text(encoding="utf-8"))
        total += words
        print(f"{words:6} {path}")
    bound = "" if arguments.max is None else f", at most {arguments.max}"
    print(f"{total:6} words{bound}")
    if arguments.max is not None and total > arguments.max:
        sys.exit(f"words: {total - arguments.max} too many: say each thing once and link to it (CONTRIBUTING.md)")


if __name__ == "__main__":
    main()
