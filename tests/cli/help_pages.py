#!/usr/bin/env python3
"""Checks the layout of every help page. Prints the findings with command and line, then the number of pages.

Per page: lines of at most 80 columns; no empty line at either end or beside another; one empty line before each heading;
options without a prefix before the first heading, those of a stage under its heading, by name, each option of the
command once; texts of options in one column.
usage: tests/cli/help_pages.py KANE"""
import re
import subprocess
import sys

WIDTH, COLUMN, BREAK = 80, 29, 8
OPTION = re.compile(r"(?:  -\S, |      )--([\w-]+)(\S*)( *)(.*)")
HEADING = re.compile(r"Stage (\S+):")


def kane(*arguments):
    return subprocess.run([sys.argv[1], *arguments], capture_output=True, text=True, check=True).stdout


def check_lines(lines):
    for number, line in enumerate(lines, 1):
        if len(line) > WIDTH:
            yield number, f"{len(line)} columns"
        if line != line.rstrip():
            yield number, "spaces at the end"
        if not line and (number in (1, len(lines)) or not lines[number]):
            yield number, "an empty line too many"


def check_option(match, stage, stages, last):
    name, _, gap, text = match.groups()
    of = next((s for s in stages if name.startswith(s + "-")), None)
    if of != stage:
        yield f"--{name} is under {stage or 'no stage'}"
    if last and last.lower() > name.lower():
        yield f"--{name} is behind --{last}"
    if text and (match.start(4) != COLUMN or len(gap) < 2):
        yield f"the text of --{name} begins in column {match.start(4)}"


def check_options(lines, options):
    """The lines between the description and the text behind the options."""
    stages = [m.group(1) for m in map(HEADING.fullmatch, map(str.strip, lines)) if m]
    stage, last, found, is_broken = None, None, [], False
    for number, line in enumerate(lines, 1):
        heading, option = HEADING.fullmatch(line.strip()), OPTION.fullmatch(line)
        if heading:
            stage, last = heading.group(1), None
            if lines[number - 2]:
                yield number, "no empty line before the heading"
        elif option and option.group(1) in ("help", "usage"):
            stage, last = None, None
        elif option:
            yield from ((number, text) for text in check_option(option, stage, stages, last))
            last = option.group(1)
            found.append(last)
        elif line and line[:COLUMN].strip() and not (is_broken and len(line) - len(line.lstrip()) == BREAK):
            yield number, f"no option, no heading, no text: {line.strip()[:40]}"
        elif line and not line[:COLUMN].strip() and line[COLUMN:COLUMN + 1] in ("", " "):
            yield number, "a text that begins behind its column"
        is_broken = line.endswith("|")
    for name in sorted(set(options) - set(found)):
        yield len(lines), f"--{name} is missing"
    for name in sorted({name for name in found if found.count(name) > 1}):
        yield len(lines), f"--{name} stands there twice"


def check_page(command):
    lines = kane(command, "--help").rstrip("\n").split("\n")
    options = [line.split("\t")[0][2:] for line in kane(command, "--complete").splitlines()]
    options.remove("help")
    yield from check_lines(lines)
    if "" not in lines or not any(OPTION.match(line) for line in lines):
        yield 1, "no options"
        return
    first = lines.index("") + 1
    last = max(i for i, line in enumerate(lines) if re.match(r"      --usage ", line)) + 1
    if lines[first - 1] or lines[last - 3]:
        yield last, "no empty line before --help"
    for number, text in check_options(lines[first:last], options):
        yield first + number, text
    if "Example:" not in lines or lines[lines.index("Example:") - 1]:
        yield len(lines), "no example behind an empty line"


def main():
    commands = [line.split("\t")[0] for line in kane("--complete").splitlines()]
    for command in commands:
        for number, text in check_page(command):
            print(f"kane {command} --help:{number}: {text}")
    print(f"{len(commands)} pages")


if __name__ == "__main__":
    main()
