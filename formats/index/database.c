#include "formats/index/database.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define READ_WAIT_MS 2000 /* a reader waits this long for a writer that is just changing the journal mode */

Status database_error(sqlite3 *db, int code, Error *err)
{
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return error_set(err, STATUS_IO, "the index is being written by another process");
    case SQLITE_NOTADB:
        return error_set(err, STATUS_BAD_INPUT, "not a kane index: not an SQLite database");
    case SQLITE_ERROR: /* the statements are sound, so the tables are not those that kane made */
    case SQLITE_CORRUPT:
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
        return error_set(err, STATUS_BAD_INPUT,
                         "the index is damaged (%s): remove it and build it again from the containers", sqlite3_errmsg(db));
    case SQLITE_NOMEM:
        return error_no_memory(err);
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_IOERR:
    case SQLITE_FULL:
        return error_set(err, STATUS_IO, "the index cannot be read or written: %s", sqlite3_errmsg(db));
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

/* ":memory:" is a file name here; SQLite takes a leading colon for one of its own names. */
static Status open_file(const char *path, int flags, sqlite3 **db, Error *err)
{
    char plain[4096];
    int length = snprintf(plain, sizeof plain, "%s%s", path[0] == ':' ? "./" : "", path);
    if (length < 0 || (size_t)length >= sizeof plain)
        return error_set(err, STATUS_IO, "the path of the index is too long");
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); /* nobody asks; counting costs a tenth of an insertion */
    int code = sqlite3_open_v2(plain, db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
    Status status = STATUS_OK;
    if (code != SQLITE_OK) {
        status = database_error(*db, code, err);
        database_close(db);
        return status;
    }
    sqlite3_db_config(*db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL); /* cascades of foreign keys are no triggers */
    sqlite3_db_config(*db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_DQS_DML, 0, NULL); /* "x" is a column, never a text */
    sqlite3_db_config(*db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
    return STATUS_OK;
}

/* A new one has neither tables nor marks. */
static Status check_marks(sqlite3 *db, DatabaseAge *age, Error *err)
{
    sqlite3_int64 application = 0, schema = 0, tables = 0;
    Status status = database_integer(db, "PRAGMA application_id", 0, &application, err);
    if (!status)
        status = database_integer(db, "PRAGMA user_version", 0, &schema, err);
    if (!status)
        status = database_integer(db, "SELECT count(*) FROM sqlite_schema", 0, &tables, err);
    if (status)
        return status;
    int is_new = application == 0 && schema == 0 && tables == 0;
    if (!is_new && application != DATABASE_APPLICATION_ID)
        return error_set(err, STATUS_BAD_INPUT, "not a kane index, but a database of another program");
    if (schema > DATABASE_SCHEMA)
        return error_set(err, STATUS_BAD_INPUT,
                         "the index has schema %lld, this kane reads schema %d: a newer kane made it", (long long)schema,
                         DATABASE_SCHEMA);
    *age = is_new ? DATABASE_NEW : schema < DATABASE_SCHEMA ? DATABASE_OUTDATED : DATABASE_CURRENT;
    return STATUS_OK;
}

Status database_open_read(const char *path, sqlite3 **db, Error *err)
{
    DatabaseAge age = DATABASE_CURRENT;
    *db = NULL;
    if (access(path, R_OK) != 0)
        return error_set(err, STATUS_IO, "cannot read: %s", strerror(errno));
    Status status = open_file(path, SQLITE_OPEN_READONLY, db, err);
    if (status)
        return status;
    sqlite3_busy_timeout(*db, READ_WAIT_MS);
    status = database_exec(*db, "PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY", err);
    if (!status)
        status = check_marks(*db, &age, err);
    if (!status && age == DATABASE_NEW)
        status = error_set(err, STATUS_BAD_INPUT, "not a kane index: the file is empty");
    if (!status && age == DATABASE_OUTDATED)
        status = error_set(err, STATUS_BAD_INPUT,
                           "an older kane made the index: kane index or kane batch brings it up to date");
    if (status)
        database_close(db);
    return status;
}

Status database_open_write(const char *path, sqlite3 **db, DatabaseAge *age, Error *err)
{
    *db = NULL;
    Status status = open_file(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, db, err);
    if (status)
        return status;
    status = database_exec(*db, "PRAGMA page_size = 8192; PRAGMA cell_size_check = ON; PRAGMA foreign_keys = ON; "
                                "PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536",
                           err);
    if (!status)
        status = check_marks(*db, age, err);
    if (status)
        database_close(db);
    return status;
}
