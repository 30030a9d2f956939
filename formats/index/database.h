/* SQLite as the index and the query use it: careful settings, errors in words, the marks of a kane index.
 *
 * Nothing a file contains is trusted: its schema can call no function of ours, its triggers do not run, its views are
 * refused, no extension is loaded, and a damaged page is an error. */
#ifndef KANE_FORMATS_DATABASE_H
#define KANE_FORMATS_DATABASE_H

#include <sqlite3.h>

#include "analysis/base/status.h"

#define DATABASE_APPLICATION_ID 0x4b414e45 /* "KANE" */
#define DATABASE_SCHEMA 4                  /* PRAGMA user_version; 2: height and landing of flights, 3: traces, 4: retargeting */

/* Opens an existing index read-only: STATUS_BAD_INPUT where the file is no kane index, damaged, or of another schema,
 * STATUS_IO where it cannot be read. On failure *db is NULL. */
Status database_open_read(const char *path, sqlite3 **db, Error *err);

typedef enum DatabaseAge {
    DATABASE_CURRENT,
    DATABASE_NEW,      /* it holds nothing yet */
    DATABASE_OUTDATED, /* an index of an older schema */
} DatabaseAge;

/* Opens for writing and creates the file where it is absent. An index that a newer kane made is refused. */
Status database_open_write(const char *path, sqlite3 **db, DatabaseAge *age, Error *err);

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

#endif
