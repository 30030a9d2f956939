/* See database.h. */
#include "formats/base/database.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Returns why a file could not be read or written: the system's reason instead of SQLite's "disk I/O error". */
static const char *failed_call(sqlite3 *db, int code)
{
    int primary = code & 0xff, system = sqlite3_system_errno(db);
    return (primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN) && system ? strerror(system) : sqlite3_errmsg(db);
}

Status database_error(sqlite3 *db, int code, Error *err)
{
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return error_set(err, STATUS_IO, "the index is being written by another process");
    case SQLITE_NOTADB:
        return error_set(err, STATUS_BAD_INPUT, "not an index (SQLite database); for a clip file use kane info");
    case SQLITE_ERROR: /* the statements are correct, so the tables are not those of kane */
    case SQLITE_CORRUPT:
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
        return error_set(err, STATUS_BAD_INPUT,
                         "the index is damaged (%s): delete it and rebuild it from the clip files",
                         sqlite3_errmsg(db));
    case SQLITE_NOMEM:
        return error_no_memory(err);
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_IOERR:
    case SQLITE_FULL:
        return error_set(err, STATUS_IO, "cannot read or write the index: %s", failed_call(db, code));
    case SQLITE_TOOBIG:
        return error_set(err, STATUS_LIMIT, "a value is too large for the index");
    default:
        return error_set(err, STATUS_INTERNAL, "SQLite: %s", sqlite3_errmsg(db));
    }
}

Status database_exec(sqlite3 *db, const char *sql, Error *err)
{
    int code = sqlite3_exec(db, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? STATUS_OK : database_error(db, code, err);
}

Status database_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **statement, Error *err)
{
    int code = sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
    return code == SQLITE_OK ? STATUS_OK : database_error(db, code, err);
}

Status database_step(sqlite3_stmt *statement, Error *err)
{
    int code = sqlite3_step(statement);
    Status status = code == SQLITE_DONE ? STATUS_OK : database_error(sqlite3_db_handle(statement), code, err);
    sqlite3_reset(statement);
    return status;
}

Status database_integer(sqlite3 *db, const char *sql, sqlite3_int64 fallback, sqlite3_int64 *value, Error *err)
{
    sqlite3_stmt *statement = NULL;
    Status status = database_prepare(db, sql, &statement, err);
    if (status)
        return status;
    int code = sqlite3_step(statement);
    *value = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : fallback;
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        status = database_error(db, code, err);
    sqlite3_finalize(statement);
    return status;
}

void database_close(sqlite3 **db)
{
    sqlite3_close_v2(*db);
    *db = NULL;
}

void database_make_file(const char *path)
{
    int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
    if (descriptor >= 0) /* otherwise SQLite reports the error */
        close(descriptor);
}

/* Opens a database. ":memory:" is a file name here: "./" prevents SQLite from interpreting a leading colon. */
Status database_open(const char *path, int flags, sqlite3 **db, Error *err)
{
    *db = NULL;
    char plain[4096];
    int length = snprintf(plain, sizeof plain, "%s%s", path[0] == ':' ? "./" : "", path);
    if (length < 0 || (size_t)length >= sizeof plain)
        return error_set(err, STATUS_IO, "the path of the index is too long");
    if (flags & SQLITE_OPEN_CREATE)
        database_make_file(plain);
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); /* not used, and would cost a tenth of an insertion */
    int code = sqlite3_open_v2(plain, db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
    Status status = STATUS_OK;
    if (code != SQLITE_OK) {
        status = database_error(*db, code, err);
        database_close(db);
        return status;
    }
    sqlite3_db_config(*db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL); /* cascades of foreign keys are not triggers */
    sqlite3_db_config(*db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_DQS_DML, 0, NULL); /* "x" is always a column, not a string */
    sqlite3_db_config(*db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
    return STATUS_OK;
}
