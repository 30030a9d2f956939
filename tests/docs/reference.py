#!/usr/bin/python3
"""Generates parts of docs/formats/ and docs/commands.md from the program: arrays and attributes of a clip file from its
schema, columns of an index from its column_doc, options from the help. Markers in a page:

    <!-- datasets /body -->      arrays of a group, from tests/docs/print_schema.c
    <!-- attributes /body -->    its attributes, from the same
    <!-- dimensions -->          dimensions and their labels, from the same
    <!-- columns joint_stat -->  columns of a table of the index
    <!-- commands Pipeline -->   help of the commands of a group, without what another part of the page has
    <!-- commands common -->     options that several commands share
    <!-- end -->                 after each

usage: tests/docs/reference.py [--check] KANE PRINT_SCHEMA      (make reference, make docs)

--check changes nothing and fails if a page differs from the program, or if a group or table has no section or no marked
part. A frame number whose unit is another one fails always."""
import collections
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]
PAGES = [*sorted((TOP / "docs/formats").glob("*.md")), TOP / "docs/commands.md"]
OPTION = re.compile(r"^  (?:-., |    )--([\w-]+).*\n(?: {20,}.*\n)*", re.M)
STAGE = re.compile(r"^Stage \w+:\n(?:.+\n)+\n", re.M)
BLOCK = re.compile(r"(<!-- (datasets|attributes|dimensions|columns|commands) ?(\S*) -->\n)(.*?)(<!-- end -->)", re.S)


def table(header, rows):
    lines = [("| " + " | ".join(cells) + " |").replace("|  |", "| |") for cells in rows]
    return "\n".join(["| " + " | ".join(header) + " |", "|" + "---|" * len(header), *lines]) + "\n"


def read_schema(program):
    """Lines of print_schema, by their first word."""
    kinds = {"dimension": [], "dataset": [], "attribute": []}
    for line in subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines():
        kind, *cells = line.split("\t")
        kinds[kind].append(cells)
    return kinds


def read_columns(kane):
    """(name, unit, meaning) of each column, by table of the index."""
    with tempfile.TemporaryDirectory() as work:
        subprocess.run([kane, "batch", TOP / "data/walk.bvh", "-o", work + "/out"], check=True, capture_output=True)
        index = sqlite3.connect(work + "/out/index.db")
        names = [r[0] for r in index.execute("SELECT name FROM sqlite_schema WHERE type = 'table'"
                                             " AND name NOT LIKE 'clip_text_%' AND name NOT LIKE 'sqlite%'")]
        there = {n: [r[1] for r in index.execute(f"PRAGMA table_info({n})")] for n in names}
        described = {(r[0], r[1]): r[2:] for r in index.execute("SELECT table_name, column_name, unit, meaning FROM column_doc")}
        index.close()
    undescribed = [f"{n}.{c}" for n in names for c in there[n] if not described.get((n, c), ("", ""))[1]]
    if undescribed:
        sys.exit(f"column_doc has no text for {', '.join(mute)}")
    return {n: {c: (c, *described[n, c]) for c in there[n]} for n in names}


def read_commands(kane):
    """{group: {command: help}} in the order of kane --help."""
    def text_of(*words):
        return subprocess.run([kane, *words, "--help"], check=True, capture_output=True, text=True).stdout

    groups = {}
    for block in text_of().split("\n\n"):
        title, *lines = block.split("\n")
        if re.fullmatch("[A-Z][a-z]+", title) and title != "Examples":
            groups[title] = {name: text_of(name).rstrip() for name in (line.split()[0] for line in lines)}
    return groups


def share_options(groups):
    """Each help without the options of stages, which the stage has, and without those that five commands or more have in
    the same words: these are named, and "common" has them."""
    helps = {c: STAGE.sub("", text + "\n") for group in groups.values() for c, text in group.items()}
    counts = collections.Counter(m[0] for text in helps.values() for m in OPTION.finditer(text))
    common = sorted((text for text, n in counts.items() if n >= 5), key=lambda text: OPTION.match(text)[1])

    def shorten(text):
        names = [m[1] for m in OPTION.finditer(text) if m[0] in common and counts[m[0]] < len(helps)]
        text = OPTION.sub(lambda m: "" if m[0] in common else m[0], text)
        return re.sub("\n{3,}", "\n\n", text).rstrip() + ("\n\nCommon options: --" + " --".join(names) if names else "")

    short = {group: {c: shorten(helps[c]) for c in commands} for group, commands in groups.items()}
    return {**short, "common": "".join(common)}


def summary_columns(columns):
    """Rows of clip_summary: its own columns, and one row for each column that all roles have."""
    rows = [r for c, r in columns["clip_summary"].items() if c not in columns["clip"] or c in ("path", "clip_id")]
    statistics = [s for s in columns["joint_stat"] if "_" in s]
    own = [r for r in rows if not any(r[0].endswith("_" + s) for s in statistics)]
    return [*own, ("<role>_<statistic>", "", "each statistic of joint_stat of each role, such as"
                   " `left_knee_torque_peak_nm_kg`")]


def window_columns(columns):
    """The columns of one role represent those of all."""
    rows = {}
    for name, unit, meaning in columns["window"].values():
        role, _, text = meaning.partition(": ")
        if text and name.startswith(role + "_"):
            name, meaning = name.replace(role + "_", "<role>_", 1), text
        rows.setdefault(name, (name, unit, meaning))
    return rows.values()


def make_block(kind, name, schema, columns, commands):
    if (kind, name) == ("commands", "common"):
        return f"\n```text\n{commands[name]}```\n\n"
    if kind == "commands":
        return "".join(f"\n### kane {c}\n\n```text\n{text}\n```\n" for c, text in commands[name].items()) + "\n"
    if kind == "dimensions":
        return table(("dimension", "labels"), [(f"`{n}`", labels) for n, labels in schema["dimension"]])
    if kind == "datasets":
        rows = [(f"`{n}`", shape, element, unit, text) for group, n, shape, element, unit, text in schema["dataset"]
                if group == name]
        return table(("dataset", "shape", "type", "unit", "content"), rows)
    if kind == "attributes":
        rows = [(f"`{n}`", unit, text) for group, n, unit, text in schema["attribute"] if group == name]
        return table(("attribute", "unit", "content"), rows)
    special = {"clip_summary": summary_columns, "window": window_columns}
    rows = special[name](columns) if name in special else columns[name].values()
    return table(("column", "unit", "content"), [(f"`{n}`", unit, text) for n, unit, text in rows])


def sections(text):
    """The text below each heading, up to the next one."""
    parts = re.split(r"^#+ (.*)$", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def check_sections(schema, section):
    """Groups without a section, and frame numbers with another unit."""
    for group in dict.fromkeys(g for g, *_ in schema["dataset"] + schema["attribute"]):
        if group not in section:
            yield f"no section {group}"
    for group, name, unit, _ in schema["attribute"]:
        if name.endswith("_frame") and unit != "frame":
            yield f"{group}: {name} has the unit {unit}"


def check_blocks(schema, columns, commands, text):
    """Groups, tables and commands without a marked block."""
    there = {(m[1], m[2]) for m in BLOCK.findall(text)}
    for name in commands:
        if ("commands", name) not in there:
            yield f"no help of the commands of {name}"
    for kind in ("dataset", "attribute"):
        for group in dict.fromkeys(g for g, *_ in schema[kind]):
            if (kind + "s", group) not in there:
                yield f"no table of the {kind}s of {group}"
    for name in columns:
        if ("columns", name) not in there:
            yield f"no table of the columns of {name}"


def main():
    check, (kane, program) = "--check" in sys.argv, [a for a in sys.argv[1:] if a != "--check"]
    schema, columns, commands = read_schema(program), read_columns(kane), share_options(read_commands(kane))
    found, whole, section = [], "", {}
    for page in PAGES:
        old = page.read_text()
        new = BLOCK.sub(lambda m: m[1] + make_block(m[2], m[3], schema, columns, commands) + m[5], old)
        if check and new != old:
            found.append(f"{page.relative_to(TOP)}: not as the program has it: make reference")
        elif new != old:
            page.write_text(new)
        whole += new
        section.update(sections(new))
    found += [*check_blocks(schema, columns, commands, whole), *check_sections(schema, section)]
    if found:
        sys.exit("\n".join(f"reference: {f}" for f in found))
    print("docs/formats and docs/commands.md match the schemas and the help")


if __name__ == "__main__":
    main()
