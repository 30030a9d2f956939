#!/usr/bin/env python3
"""Prints the content of an index: all tables except IDs, `processing`, `tag` and `family`, ordered by path. Two indexes
with equal output have the same content.
usage: index_dump.py DB"""
import pathlib
import sqlite3
import sys

NO_CONTENT = ("processing", "tag", "family")

index = sqlite3.connect(pathlib.Path(sys.argv[1]).absolute().as_uri() + "?mode=ro", uri=True)
tables = [name for name, in index.execute(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'clip_text%' AND name NOT LIKE 'sqlite%'")]
for table in sorted(set(tables) - set(NO_CONTENT)):
    names = [row[1] for row in index.execute(f"PRAGMA table_info({table})")]
    columns = ", ".join("t." + name for name in names if name not in ("id", "clip_id"))
    of_clip = "c.path, " if "clip_id" in names else ""
    join = "LEFT JOIN clip c ON c.id = t.clip_id" if of_clip else ""
    rows = index.execute(f"SELECT {of_clip}{columns} FROM {table} t {join}")
    for row in sorted("\t".join(map(repr, row)) for row in rows):
        print(table, row, sep="\t")
for row in index.execute("SELECT path FROM clip_text WHERE clip_text MATCH 'bvh' ORDER BY 1"):
    print("clip_text", *row, sep="\t")
for row in index.execute("PRAGMA integrity_check"):
    print(*row)
for row in index.execute("PRAGMA foreign_key_check"):
    print("foreign key", *row, sep="\t")
