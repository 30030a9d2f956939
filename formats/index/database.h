/* SQLite as the index and the query use it: careful settings, errors in words.
 *
 * Nothing a file contains is trusted: its schema can call no function of ours, its triggers do not run, its views are
 * refused, no extension is loaded, and a damaged page is an error. */
#ifndef KANE_INDEX_DATABASE_H
#define KANE_INDEX_DATABASE_H

#include <sqlite3.h>

#include "analysis/base/status.h"

/* The path by which an index knows a clip: relative to the folder of the index, and its words, by which the text search
 * finds it. */

/* Path of file relative to the folder that holds database; both folders must exist. *out is owned by the caller. */
Status relative_path(const char *file, const char *database, char **out, Error *err);

/* From the folder of one database to that of another, for any number of paths. {0} is empty. */
typedef struct PathMove {
    char *from, *to; /* absolute folders; owned */
} PathMove;

Status path_move_init(PathMove *move, const char *from_database, const char *to_database, Error *err);
void path_move_free(PathMove *move);

/* A path relative to the first folder as one relative to the second; its own folder need not exist. *out is owned by
 * the caller. */
Status path_move(const PathMove *move, const char *path, char **out, Error *err);

/* "LaFAN/jumpsAndStumbles1_subject2.bvh.h5" gives "la fan jumps and stumbles 1 subject 2". Words end at anything but
 * letters and digits, where a digit meets a letter, and before a capital that follows a small letter or that a small
 * letter follows; the suffixes of containers are left out. Owned by the caller; NULL without memory. */
char *path_words(const char *path);

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
