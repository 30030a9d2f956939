/* See database.h. */
#include "formats/index/database.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "formats/container/container.h"
#include "formats/source/source.h"

/* The path by which an index knows a clip. */

/* Absolute, symbolic links resolved, of the folder that holds file. */
static Status folder_of(const char *file, char **out, Error *err)
{
    const char *slash = strrchr(file, '/');
    char *folder = slash ? strndup(file, slash == file ? 1 : (size_t)(slash - file)) : strdup(".");
    if (!folder)
        return error_no_memory(err);
    *out = realpath(folder, NULL);
    Status status = *out ? STATUS_OK : error_set(err, STATUS_IO, "folder %s: %s", folder, strerror(errno));
    free(folder);
    return status;
}

/* Joins an absolute folder and a path, and takes out "." and ".." by their text. NULL without memory. */
static char *join(const char *folder, const char *path)
{
    size_t size = strlen(folder) + strlen(path) + 3, used = 0;
    char *out = malloc(size), *text = malloc(size), *rest = text, *part;
    if (out && text) {
        snprintf(text, size, "%s/%s", path[0] == '/' ? "" : folder, path);
        out[0] = 0;
        while ((part = strsep(&rest, "/"))) {
            if (strcmp(part, "..") == 0) {
                char *last = strrchr(out, '/');
                used = last ? (size_t)(last - out) : 0;
                out[used] = 0;
            } else if (*part && strcmp(part, ".") != 0) {
                used += (size_t)snprintf(out + used, size - used, "/%s", part);
            }
        }
    } else {
        free(out);
        out = NULL;
    }
    free(text);
    return out;
}

/* Path of target seen from folder, both absolute and without "..". NULL without memory. */
static char *seen_from(const char *folder, const char *target)
{
    size_t same = 0; /* length of the folders they share, a '/' follows it */
    for (size_t i = 0;; i++) {
        int folder_ends = folder[i] == '/' || folder[i] == 0;
        if (folder_ends && target[i] == '/')
            same = i;
        if (folder[i] != target[i] || folder[i] == 0)
            break;
    }
    size_t ups = 0;
    for (const char *c = folder + same; *c; c++)
        ups += *c == '/' && c[1] != 0;
    char *out = malloc(3 * ups + strlen(target + same) + 1), *at = out;
    if (!out)
        return NULL;
    for (size_t i = 0; i < ups; i++, at += 3)
        memcpy(at, "../", 3);
    memcpy(at, target + same + 1, strlen(target + same)); /* with the final 0 */
    return out;
}

Status path_move(const PathMove *move, const char *path, char **out, Error *err)
{
    char *target = join(move->from, path);
    *out = target ? seen_from(move->to, target) : NULL;
    free(target);
    return *out ? STATUS_OK : error_no_memory(err);
}

Status path_move_init(PathMove *move, const char *from_database, const char *to_database, Error *err)
{
    *move = (PathMove){0};
    Status status = folder_of(from_database, &move->from, err);
    if (!status)
        status = folder_of(to_database, &move->to, err);
    if (status)
        path_move_free(move);
    return status;
}

void path_move_free(PathMove *move)
{
    free(move->from);
    free(move->to);
    *move = (PathMove){0};
}

Status relative_path(const char *file, const char *database, char **out, Error *err)
{
    const char *slash = strrchr(file, '/');
    PathMove move;
    *out = NULL;
    Status status = path_move_init(&move, file, database, err);
    if (!status)
        status = path_move(&move, slash ? slash + 1 : file, out, err);
    path_move_free(&move);
    return status;
}

/* Bytes of a path without the ending of a container and, before it, that of a motion file. */
static size_t stem_length(const char *path)
{
    size_t length = strlen(path);
    return source_stem(path, container_has_ending(path) ? length - strlen(".h5") : length);
}

char *path_words(const char *path)
{
    size_t length = stem_length(path);
    char *words = malloc(2 * length + 1), *out = words;
    if (!words)
        return NULL;
    for (size_t i = 0; i < length; i++) {
        unsigned char before = i > 0 ? (unsigned char)path[i - 1] : 0, c = (unsigned char)path[i];
        int is_word = isalnum(c) || c >= 0x80;
        int is_start = (isdigit(c) != 0) != (isdigit(before) != 0) ||
                       (isupper(c) && (islower(before) || (isupper(before) && islower((unsigned char)path[i + 1]))));
        if (out > words && out[-1] != ' ' && (!is_word || is_start))
            *out++ = ' ';
        if (is_word)
            *out++ = (char)tolower(c);
    }
    *out = 0;
    return words;
}

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
                         "the index is damaged (%s): remove it and build it again from the containers",
                         sqlite3_errmsg(db));
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

void database_make_file(const char *path)
{
    int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
    if (descriptor >= 0) /* else SQLite says why */
        close(descriptor);
}

/* ":memory:" is a file name here; SQLite takes a leading colon for one of its own names. */
Status database_open(const char *path, int flags, sqlite3 **db, Error *err)
{
    *db = NULL;
    char plain[4096];
    int length = snprintf(plain, sizeof plain, "%s%s", path[0] == ':' ? "./" : "", path);
    if (length < 0 || (size_t)length >= sizeof plain)
        return error_set(err, STATUS_IO, "the path of the index is too long");
    if (flags & SQLITE_OPEN_CREATE)
        database_make_file(plain);
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
