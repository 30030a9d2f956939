"""The index of a library (SQLite): which clips answer a WHERE, as `kane query` asks it. Read-only. Knows nothing of
Blender."""
import sqlite3
import time
from pathlib import Path

from .clip_file import ClipError

MOST_ROWS = 1000
SECONDS = 10
READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}


def find_clips(database, where=""):
    """Rows (path, duration in s, largest torque in Nm/kg or None), hardest first; paths are absolute. Raises
    ClipError."""
    database = Path(database)
    if not database.is_file():
        raise ClipError("%s: there is no such file" % database)
    select = ("SELECT path, duration_s, torque_peak_nm_kg FROM clip_summary WHERE (\n%s\n)"
              " ORDER BY torque_peak_nm_kg DESC, path LIMIT %d" % (where.strip() or "1", MOST_ROWS))
    try:
        connection = sqlite3.connect(database.absolute().as_uri() + "?mode=ro", uri=True)
        try:
            guard(connection)
            rows = connection.execute(select).fetchall()
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise ClipError("%s: %s" % (database, error)) from None
    folder = database.absolute().parent
    return [(str(folder / path), duration, peak) for path, duration, peak in rows]


def guard(connection):
    """The WHERE of a person may read and nothing else, and not for ever."""
    end = time.monotonic() + SECONDS
    connection.set_authorizer(lambda action, *_: sqlite3.SQLITE_OK if action in READING else sqlite3.SQLITE_DENY)
    connection.set_progress_handler(lambda: time.monotonic() > end, 10000)
