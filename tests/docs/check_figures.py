#!/usr/bin/env python3
"""Checks that every figure in the prose of a document is printed by a command of the same document, or cited.

A figure is a number with a decimal point or a unit. It is printed if a `console` or `pycon` block of the document shows
it, in its commands or its output (which printed_output.py keeps equal to what the commands print), rounded or not. It is
cited if its paragraph, list item or table row links to docs/bench.tsv, to measurements, to the reference that defines it
or to another site, or names its test in tests/. tests/docs/figures.tsv lists constants: the document, the figure, the
source file and the text that defines it there, which must be in that file. Code and versions are no figures, nor the 90 %
of a band.
usage: tests/docs/check_figures.py DOCUMENT...     prints file, line and figure; exit code 1 if any is neither"""
import csv
import pathlib
import re
import sys

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.S | re.M)
CODE = re.compile(r"<!--.*?-->|`[^`]*`|\]\([^)]*\)|^ {4}[^\n]*$", re.S | re.M)
UNIT = r"%|N m/kg|frames/s|frames per second|body weights|BW|times\b|degrees|fps|Hz|kg|GB|MB|kB|ms|mm|cm|min|s|m|h"
NUMBER = r"(?<![\w.#/-])(\d[\d,]*(?:\.\d+)?)"
FIGURE = re.compile(rf"{NUMBER}(?:(?= ?(?:{UNIT})(?![\w/]))|(?<=\.\d)(?!\w)|(?<=\.\d\d)(?!\w)|(?<=\.\d\d\d)(?!\w))")
CITED = re.compile(r"\]\([^)]*(bench\.tsv|accuracy|performance|tracking|validation/|formats|commands|glossary|sources|decisions|design)[^)]*\)"
                   r"|\]\(https?://|`tests/")
VERSION = re.compile(r"\b(glibc|glTF|version|VRM|SQLite|Ubuntu|kane) $")
TABLE = pathlib.Path(__file__).with_name("figures.tsv")


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def statements(prose):
    """(offset, text) of paragraphs, list items and table rows."""
    start = 0
    for end in [m.end() for m in re.finditer(r"\n(?=\n|\s*[-*] |\s*\d+\. |\|)", prose)] + [len(prose)]:
        yield start, prose[start:end]
        start = end


def constants():
    """{(document, figure)} of the table; a row whose source does not define it any more is an error."""
    found = set()
    with open(TABLE, newline="") as file:
        for line, row in enumerate(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE), 1):
            document, figure, source, pattern = row[0], row[1], row[2], "\t".join(row[3:])
            if line > 1 and pattern not in pathlib.Path(source).read_text():
                sys.exit(f"{TABLE.name}:{line}: {source} does not contain {pattern!r}")
            found.add((document, figure))
    return found


def is_printed(figure, shown):
    """Whether a value is shown, or rounds to the figure."""
    value, digits = float(figure.replace(",", "")), len(figure.partition(".")[2])
    return any(round(v, digits) == value or round(100 * v, digits) == value for v in shown)


def findings(path, known):
    text = path.read_text()
    shown = {abs(float(n)) for kind, block in FENCE.findall(text) if kind in ("console", "pycon")
             for n in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e-?\d+)?", block.replace(",", ""))}
    plain = FENCE.sub(blank, text)
    prose = CODE.sub(blank, plain)
    for start, part in statements(prose):
        whole = plain[start:start + len(part)]
        if CITED.search(whole):
            continue
        for match in FIGURE.finditer(part):
            unit = re.match(UNIT, part[match.end():].lstrip(" "))
            figure = match.group(1) + (f" {unit.group()}" if unit else "")
            if figure == "90 %" and "band" in part or VERSION.search(part[:match.start()]) or (str(path), figure) in known or \
                    (str(path), match.group(1)) in known or is_printed(match.group(1), shown):
                continue
            yield f"{path}:{text.count(chr(10), 0, start + match.start()) + 1}: {figure}"


def main():
    known = constants()
    found = [line for name in sys.argv[1:] for line in findings(pathlib.Path(name), known)]
    print("\n".join(found) or f"figures: {len(sys.argv) - 1} documents print or cite each")
    sys.exit(1 if found else 0)


main()
