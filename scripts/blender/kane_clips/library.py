"""Queries the index of a library with `kane query`: an expression, a preset or a SELECT. Without the program, SQLite
evaluates expressions. Read-only. Does not depend on Blender."""
import json
import re
import shlex
import sqlite3
import time
from pathlib import Path

from .program import ClipError, find_program, run_program

MAX_ROWS = 1000
SECONDS = 10
COLUMNS = "path, verdict, duration_s, torque_peak_nm_kg, torque_peak_sd_nm_kg, torque_peak_all_nm_kg, " \
          "left_out_fraction, left_out_reason, torque_peak_t"
ORDER = "torque_peak_low_nm_kg DESC, path"
OPTIONS = ("--mirror", "--by", "--limit", "--min-seconds", "--columns", "--order")  # of a preset that does not write
UNITS = {"nm_kg": "N m/kg", "nm": "N m", "m": "m", "s": "s", "bw": "body weights", "w": "W", "j": "J", "kg": "kg"}
TIMES = ("t", "t0", "torque_peak_t")
READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}


def ask(database, question="", program=""):
    """Rows as dictionaries; a result may be empty. Paths of a preset's rows are relative to the index. Raises
    ClipError."""
    database = Path(database).absolute()
    if not database.is_file():
        raise ClipError("%s: there is no such file" % database)
    found, question = find_program(program), question.strip()
    if found:
        words = ["query", "--format", "json", database] + words_of_question(question)
        return json.loads(run_program(found, words, database.parent) or "[]")
    if question.startswith("@") or is_select(question):
        raise ClipError("presets and SQL need the program kane: name it in the preferences of this add-on")
    return ask_sqlite(database, question)


def is_select(question):
    return re.match(r"(select|with)\b", question, re.IGNORECASE) is not None


def words_of_question(question):
    """Arguments of kane query after the index."""
    if is_select(question):
        return ["--sql=" + question]
    if not question.startswith("@"):
        return ["--columns", COLUMNS, "--order", ORDER, "--limit", str(MAX_ROWS), "--", question or "1"]
    try:
        words = shlex.split(question)
    except ValueError as error:
        raise ClipError("%s: %s" % (question, str(error).lower())) from None
    for word in words:
        if word.startswith("-") and word.split("=")[0] not in OPTIONS:
            raise ClipError("%s: not here; a preset takes %s" % (word, ", ".join(OPTIONS)))
    return words


def ask_sqlite(database, where):
    select = "SELECT %s FROM clip_summary WHERE (\n%s\n) ORDER BY %s LIMIT %d" % (COLUMNS, where or "1", ORDER,
                                                                               MAX_ROWS)
    try:
        connection = sqlite3.connect(database.as_uri() + "?mode=ro", uri=True)
        connection.row_factory = sqlite3.Row
        try:
            guard(connection)
            return [dict(row) for row in connection.execute(select)]
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise ClipError("%s: %s" % (database, error)) from None


def guard(connection):
    """A user's WHERE expression may only read, and for a limited time."""
    end = time.monotonic() + SECONDS
    connection.set_authorizer(lambda action, *_: sqlite3.SQLITE_OK if action in READING else sqlite3.SQLITE_DENY)
    connection.set_progress_handler(lambda: time.monotonic() > end, 10000)


def time_of(row):
    """Time in the clip that a row describes, s; None if it describes the whole clip."""
    return next((float(row[name]) for name in TIMES if isinstance(row.get(name), (int, float))), None)


def figure_of(row):
    """The queried column: the first number after the path that is neither a time nor a frame."""
    aside = TIMES + ("t1", "path", "frame", "frame0", "frame1", "duration_s")
    numbers = [name for name, value in row.items() if isinstance(value, (int, float)) and name not in aside]
    return numbers[0] if numbers else "duration_s" if "duration_s" in row else ""


def path_of(index, row):
    """Absolute path of the clip; "" if the row has none."""
    return str(Path(index).absolute().parent / row["path"]) if isinstance(row.get("path"), str) else ""


def name_of(row):
    """The name of the clip, else the first value of the row."""
    if isinstance(row.get("path"), str):
        return Path(row["path"]).name.removesuffix(".h5").removesuffix(".bvh")
    return " ".join(as_text(value) for value in row.values())


def heading(column):
    """A column name as words with its unit: left_knee_torque_peak_nm_kg is "left knee torque peak, N m/kg"."""
    for ending in sorted(UNITS, key=len, reverse=True):
        if column.endswith("_" + ending):
            return column[:-len(ending) - 1].replace("_", " ") + ", " + UNITS[ending]
    return column.replace("_", " ")


def as_text(value):
    """A number with four digits; integers and text unchanged."""
    if isinstance(value, float):
        return "%.4g" % value if abs(value) < 9999.5 else "%.0f" % value
    return "" if value is None else str(value)


def error_bar(sd):
    """A standard deviation with two digits; "" if there is none."""
    return "" if sd is None else "\u00b1 %.2g" % sd
