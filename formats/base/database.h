/* Access to SQLite for index and queries: safe settings, errors as messages.
 *
 * Files are untrusted: their schema can call no application functions, triggers do not run, views are refused,
 * extensions are not loaded, and a damaged page is an error. */
#ifndef KANE_BASE_DATABASE_H
#define KANE_BASE_DATABASE_H

#include <sqlite3.h>

#include "analysis/base/status.h"

/* flags: SQLITE_OPEN_READONLY, ... On failure *db is NULL: STATUS_IO if the file cannot be opened. Whether it is a
 * database is only detected by the first statement. */
Status database_open(const char *path, int flags, sqlite3 **db, Error *err);

/* Closes and sets to NULL. */
void database_close(sqlite3 **db);

/* Sets the error of the last failed call on db, which returned code. */
Status database_error(sqlite3 *db, int code, Error *err);

Status database_exec(sqlite3 *db, const char *sql, Error *err);
Status database_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **statement, Error *err);

/* Runs a statement that returns no row, and resets it. */
Status database_step(sqlite3_stmt *statement, Error *err);

/* Returns the integer result of a statement without parameters; fallback if it has no row. */
Status database_integer(sqlite3 *db, const char *sql, sqlite3_int64 fallback, sqlite3_int64 *value, Error *err);

/* Creates an empty file if there is none, with the permissions of the umask: SQLite's own would not be
 * group-writable. */
void database_make_file(const char *path);

#endif
