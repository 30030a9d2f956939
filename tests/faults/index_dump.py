#!/usr/bin/env python3
"""Prints all that an index holds, table by table in order of the keys: two indexes are equal where this is.
usage: index_dump.py DB"""
import pathlib
import sqlite3
import sys

TABLES = ["clip", "joint", "joint_stat", "window", "window_stat", "event", "profile", "clip_summary", "failure"]

index = sqlite3.connect(pathlib.Path(sys.argv[1]).absolute().as_uri() + "?mode=ro", uri=True)
for table in TABLES:
    for row in index.execute(f"SELECT * FROM {table} ORDER BY 1, 2, 3"):
        print(table, *map(repr, row), sep="\t")
for row in index.execute("SELECT rowid FROM clip_text WHERE clip_text MATCH 'bvh' ORDER BY 1"):
    print("clip_text", *row, sep="\t")
for row in index.execute("PRAGMA integrity_check"):
    print(*row)
