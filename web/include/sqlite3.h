/* The SQLite interface that formats/index uses to fill an index. web/sqlite.c writes the calls as SQL text, which the
 * WebAssembly build of SQLite then runs. */
#ifndef KANE_WEB_SQLITE3_H
#define KANE_WEB_SQLITE3_H

#include <stddef.h>
#include <stdio.h>

typedef long long sqlite3_int64;
typedef struct sqlite3 {
    FILE *script;       /* receives the statements as SQL; the caller closes it */
    sqlite3_int64 last; /* ID of the last row */
} sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
typedef void (*sqlite3_destructor_type)(void *);

enum {
    SQLITE_OK = 0, SQLITE_NOMEM = 7, SQLITE_ROW = 100, SQLITE_DONE = 101,
    SQLITE_BUSY = 5, SQLITE_CORRUPT = 11, SQLITE_NOTADB = 26, SQLITE_READONLY = 8, SQLITE_IOERR = 10, SQLITE_FULL = 13,
    SQLITE_CANTOPEN = 14, SQLITE_LOCKED = 6, SQLITE_ERROR = 1, SQLITE_PERM = 3, SQLITE_CONSTRAINT = 19,
    SQLITE_MISMATCH = 20, SQLITE_TOOBIG = 18,
    SQLITE_OPEN_CREATE = 4, SQLITE_OPEN_NOMUTEX = 0x8000, SQLITE_OPEN_EXRESCODE = 0x2000000,
    SQLITE_INTEGER = 1, SQLITE_FLOAT = 2, SQLITE_TEXT = 3, SQLITE_BLOB = 4, SQLITE_NULL = 5,
    SQLITE_CONFIG_MEMSTATUS = 9, SQLITE_PREPARE_PERSISTENT = 1,
    SQLITE_DBCONFIG_DEFENSIVE = 0, SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER,
    SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, SQLITE_DBCONFIG_DQS_DML,
    SQLITE_DBCONFIG_DQS_DDL
};
#define SQLITE_STATIC ((sqlite3_destructor_type)0)

int sqlite3_config(int option, ...);
int sqlite3_db_config(sqlite3 *db, int option, ...);
int sqlite3_open_v2(const char *path, sqlite3 **db, int flags, const char *vfs);
int sqlite3_close_v2(sqlite3 *db);
int sqlite3_exec(sqlite3 *db, const char *sql, int (*row)(void *, int, char **, char **), void *context, char **error);
int sqlite3_prepare_v3(sqlite3 *db, const char *sql, int size, unsigned flags, sqlite3_stmt **out, const char **rest);
int sqlite3_bind_null(sqlite3_stmt *statement, int index);
int sqlite3_bind_int64(sqlite3_stmt *statement, int index, sqlite3_int64 value);
int sqlite3_bind_double(sqlite3_stmt *statement, int index, double value);
int sqlite3_bind_text(sqlite3_stmt *statement, int index, const char *text, int size, sqlite3_destructor_type free);
int sqlite3_bind_blob64(sqlite3_stmt *statement, int index, const void *bytes, unsigned long long size,
                        sqlite3_destructor_type free);
int sqlite3_step(sqlite3_stmt *statement);
int sqlite3_reset(sqlite3_stmt *statement);
int sqlite3_finalize(sqlite3_stmt *statement);
sqlite3_int64 sqlite3_column_int64(sqlite3_stmt *statement, int column);
sqlite3_int64 sqlite3_last_insert_rowid(sqlite3 *db);
sqlite3 *sqlite3_db_handle(sqlite3_stmt *statement);
const char *sqlite3_errmsg(sqlite3 *db);
int sqlite3_system_errno(sqlite3 *db);

#endif
