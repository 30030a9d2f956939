#!/usr/bin/python3
"""Runs each row of tests/sources/items.tsv, compares its metric with its bound, and prints the table and "N open".

usage: tests/sources/run.py [--write] [--only WORD] [--items FILE.tsv] KANE

A row is an item of a source: source, section, item, command, metric, bound, held_against.
  command  shell commands with kane in PATH, run in an empty folder with the files it names of tests/sources/scenes/,
           data/scenes/ and data/; rows with the same command share one run; $TOP is the project
  metric   a Python expression on the outputs of the command: the functions of tests/sources/metrics.py, and np
  bound    `<= 1e-9`, `>= 3`, `= 0.64 +- 0.001`; `refused`: not in kane, with the reason in held_against;
           `open`: to be done, with what is missing in held_against. A row that fails counts as open.

docs/sources.md has the same rows; any difference except the values of metrics fails, and --write updates it. Exit
code 1 if a row fails or the page differs. --only and --items ignore the page."""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import metrics

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = TOP / "tests/sources"
PAGE = TOP / "docs/sources.md"
COLUMNS = ("source", "section", "item", "command", "metric", "bound", "held_against")
BLOCK = re.compile(r"(<!-- items (\w+) -->\n)(.*?)(<!-- end -->)", re.S)
INPUTS = (HERE / "scenes", TOP / "data/scenes", TOP / "data")
LONGEST = 240  # s, time limit of a command


def read_items(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    if tuple(lines[0].split("\t")) != COLUMNS:
        sys.exit(f"{path.name}:1: columns are {' '.join(COLUMNS)}")
    items = []
    for number, line in enumerate(lines[1:], 2):
        cells = line.split("\t")
        if len(cells) != len(COLUMNS):
            sys.exit(f"{path.name}:{number}: {len(cells)} columns, not {len(COLUMNS)}")
        item = dict(zip(COLUMNS, cells), line=number)
        if item["bound"] not in ("open", "refused") and not (item["command"] and item["metric"]):
            sys.exit(f"{path.name}:{number}: neither open nor refused, and without command or metric")
        items.append(item)
    return items


def run_command(command, folder, kane):
    """The error, or nothing."""
    folder.mkdir()
    for path in (p for place in INPUTS for p in place.iterdir() if p.is_file()):
        if path.stem in command and not (folder / path.name).exists():
            shutil.copy(path, folder)
    environment = dict(os.environ, PATH=f"{kane.parent}:{os.environ['PATH']}", TOP=str(TOP), TMPDIR=str(folder))
    try:
        done = subprocess.run(["sh", "-euc", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=LONGEST, check=False)
    except subprocess.TimeoutExpired:
        return f"takes more than {LONGEST} s"
    (folder / "stdout").write_text(done.stdout)
    (folder / "stderr").write_text(done.stderr)
    return "" if done.returncode == 0 else f"exit code {done.returncode}: {done.stderr.strip()[-300:]}"


def evaluate(item, folder):
    """(value, error)"""
    os.chdir(folder)
    try:
        return float(eval(item["metric"], dict(vars(metrics)))), ""  # the table is part of the project
    except Exception as error:  # pylint: disable=broad-except
        return float("nan"), f"{item['metric']}: {type(error).__name__}: {error}"


def within(value, bound):
    words = bound.split()
    if words[0] == "<=":
        return value <= float(words[1])
    if words[0] == ">=":
        return value >= float(words[1])
    if words[0] == "=" and words[2] == "+-":
        return abs(value - float(words[1])) <= float(words[3])
    sys.exit(f"items.tsv: bound {bound}")


def judge(items, kane, work):
    """Sets value, state (met, open, refused, FAILS) and error of each item."""
    commands = sorted({i["command"] for i in items if i["command"] and i["bound"] not in ("open", "refused")})
    folders = {c: work / str(n) for n, c in enumerate(commands)}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = dict(zip(commands, pool.map(lambda c: run_command(c, folders[c], kane), commands)))
    for item in items:
        item.update(value="", state=item["bound"], wrong="")
        if item["bound"] in ("open", "refused"):
            continue
        item["wrong"] = wrong[item["command"]]
        if not item["wrong"]:
            value, item["wrong"] = evaluate(item, folders[item["command"]])
            item["value"] = f"{value:.3g}"
            if not item["wrong"] and not within(value, item["bound"]):
                item["wrong"] = f"{value:.6g} is not {item['bound']}"
        item["state"] = "FAILS" if item["wrong"] else "met"
    os.chdir(TOP)


def shown_command(item):
    if not item["command"]:
        return ""
    return "`" + item["command"].replace("|", "\\|") + "`"


def page_row(item):
    bound = item["bound"].replace("<=", "≤").replace(">=", "≥").replace("+-", "±")
    cells = [item["section"], item["item"], shown_command(item), item["value"], bound, item["held_against"]]
    return "| " + " | ".join(cells).replace("|  |", "| |") + " |"


def page_block(items, source):
    """The table of one source, as in docs/sources.md."""
    head = "| section | item | command | value | bound | compared with, or why not |\n|---|---|---|---|---|---|\n"
    rows = [page_row(i).replace("|  |", "| |") for i in items if i["source"] == source]
    return head + "\n".join(rows) + "\n"


def without_values(text):
    """Rows without the fourth column, the value, whose last digits may change."""
    rows = [re.split(r"(?<!\\)\|", line) for line in text.splitlines()]
    return [[c.strip() for k, c in enumerate(row) if k != 4] for row in rows]


def compare_page(items, write):
    """Whether docs/sources.md has these rows; writes them on request."""
    text = PAGE.read_text(encoding="utf-8")
    now = BLOCK.sub(lambda m: m.group(1) + page_block(items, m.group(2)) + m.group(4), text)
    if write:
        PAGE.write_text(now, encoding="utf-8")
        return True
    return without_values(text) == without_values(now)


def main():
    parser = argparse.ArgumentParser(description="Run every item of docs/sources.md.")
    parser.add_argument("--write", action="store_true", help="write the rows into docs/sources.md")
    parser.add_argument("--only", default="", help="rows whose line contains this, without the page")
    parser.add_argument("--items", type=pathlib.Path, default=HERE / "items.tsv", help="another table of items")
    parser.add_argument("kane", type=pathlib.Path)
    arguments = parser.parse_args()
    items = [i for i in read_items(arguments.items) if arguments.only in " ".join(str(v) for v in i.values())]
    with tempfile.TemporaryDirectory() as work:
        judge(items, arguments.kane.resolve(), pathlib.Path(work))
    for item in items:
        print(item["state"], item["source"], item["section"], item["item"], item["value"], item["bound"], sep="\t")
        if item["wrong"] or item["state"] == "open":
            print(f"\titems.tsv:{item['line']}: {item['wrong'] or item['held_against']}")
    failed = sum(i["state"] == "FAILS" for i in items)
    still = failed + sum(i["state"] == "open" for i in items)
    print(f"sources: {len(items)} items, {sum(i['state'] == 'refused' for i in items)} refused, {still} open")
    current = arguments.only != "" or arguments.items != HERE / "items.tsv" or compare_page(items, arguments.write)
    if not current:
        print("sources: docs/sources.md differs from tests/sources/items.tsv: make reference", file=sys.stderr)
    return 1 if failed or not current else 0


if __name__ == "__main__":
    sys.exit(main())
