/* SQLite as the index and the query use it: careful settings, errors in words.
 *
 * Nothing a file contains is trusted: its schema can call no function of ours, its triggers do not run, its views are
 * refused, no extension is loaded, and a damaged page is an error. */
#ifndef KANE_FORMATS_DATABASE_H
#define KANE_FORMATS_DATABASE_H

#include <sqlite3.h>

#include "analysis/base/status.h"

/* flags: SQLITE_OPEN_READONLY, ... On failure *db is NULL: STATUS_IO where the file cannot be opened. Whether it is a
 * database at all shows with the first statement. */
Status database_open(const char *path, int flags, sqlite3 **db, Error *err);

/* Closes and sets to NULL. */
void database_close(sqlite3 **db);

/* The last failure of db in words; code is what the call returned. */
Status database_error(sqlite3 *db, int code, Error *err);

Status database_exec(sqlite3 *db, const char *sql, Error *err);
Status database_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **statement, Error *err);

/* Runs a statement that gives no row, and resets it. */
Status database_step(sqlite3_stmt *statement, Error *err);

/* The integer that a statement without parameters gives; fallback where it gives no row. */
Status database_integer(sqlite3 *db, const char *sql, sqlite3_int64 fallback, sqlite3_int64 *value, Error *err);

/* Makes an empty file where none is: SQLite's own would not be writable for the group, whatever the umask says. */
void database_make_file(const char *path);

#endif
