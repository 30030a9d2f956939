/* What a batch knows of its files, beside the index: sizes, times, digests and requested options by path.
 *
 * No content of the index: a file that is missing, damaged or of another version only makes the batch work again. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/index/database.h"
#include "formats/index/index_handle.h"
#include "formats/index/relative_path.h"

#define SUFFIX ".batch"
#define VERSION 2 /* 2: input */

static char *stamps_path(const char *index_path)
{
    size_t size = strlen(index_path) + sizeof SUFFIX;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s%s", index_path, SUFFIX);
    return path;
}

static Status make_table(sqlite3 *db, Error *err)
{
    sqlite3_int64 version = 0;
    Status status = database_integer(db, "PRAGMA user_version", 0, &version, err);
    if (!status && version != VERSION)
        status = database_exec(db,
                               "DROP TABLE IF EXISTS batch_file;"
                               "CREATE TABLE batch_file(path TEXT PRIMARY KEY, input_size INTEGER,"
                               " input_mtime_ns INTEGER, input_sha256 TEXT, output_size INTEGER,"
                               " output_mtime_ns INTEGER, request TEXT, input TEXT) STRICT, WITHOUT ROWID;"
                               "PRAGMA user_version = 2",
                               err);
    return status;
}

/* Survives a killed process (rollback journal), not a power cut (no sync): then it is damaged and made anew. */
static Status open_once(Index *index, const char *path, Error *err)
{
    if (sqlite3_open_v2(path, &index->stamps, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK)
        return error_set(err, STATUS_IO, "%s: cannot open", path);
    Status status = database_exec(index->stamps, "PRAGMA synchronous = OFF; BEGIN IMMEDIATE", err);
    if (!status)
        status = make_table(index->stamps, err);
    if (!status)
        status = database_prepare(index->stamps,
                                  "SELECT input_size, input_mtime_ns, input_sha256, output_size, output_mtime_ns,"
                                  " request FROM batch_file WHERE path = ?",
                                  &index->find_stamp, err);
    if (!status)
        status = database_prepare(index->stamps, "INSERT OR REPLACE INTO batch_file VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                                  &index->put_stamp, err);
    return status;
}

void index_stamps_close(Index *index)
{
    sqlite3_finalize(index->find_stamp);
    sqlite3_finalize(index->put_stamp);
    index->find_stamp = index->put_stamp = NULL;
    database_close(&index->stamps);
}

static Status open_stamps(Index *index, Error *err)
{
    if (index->stamps)
        return STATUS_OK;
    char *path = stamps_path(index->path);
    if (!path)
        return error_no_memory(err);
    Status status = open_once(index, path, err);
    if (status == STATUS_BAD_INPUT || status == STATUS_INTERNAL) {
        index_stamps_close(index);
        unlink(path);
        status = open_once(index, path, err);
    }
    if (status)
        index_stamps_close(index);
    free(path);
    return status;
}

/* input: relative to the folder of the index. */
static Status put_row(Index *index, const char *path, const char *input, const IndexStamp *stamp, const char *request,
                      Error *err)
{
    sqlite3_stmt *put = index->put_stamp;
    sqlite3_bind_text(put, 1, path, -1, SQLITE_STATIC);
    sqlite3_bind_int64(put, 2, stamp->input_size);
    sqlite3_bind_int64(put, 3, stamp->input_mtime_ns);
    sqlite3_bind_text(put, 4, stamp->input_sha256, -1, SQLITE_STATIC);
    sqlite3_bind_int64(put, 5, stamp->output_size);
    sqlite3_bind_int64(put, 6, stamp->output_mtime_ns);
    sqlite3_bind_text(put, 7, request, -1, SQLITE_STATIC);
    sqlite3_bind_text(put, 8, input, -1, SQLITE_STATIC);
    return database_step(put, err);
}

Status index_put_stamp(Index *index, const char *path, const char *input, const IndexStamp *stamp, const char *request,
                       Error *err)
{
    char *relative = NULL;
    Status status = open_stamps(index, err);
    if (!status)
        status = relative_path(input, index->path, &relative, err);
    if (status == STATUS_IO) /* its folder is gone meanwhile: nothing is known of the input */
        status = STATUS_OK;
    if (!status)
        status = put_row(index, path, relative, stamp, request, err);
    free(relative);
    return status;
}

/* Whether a path that leads from the folder of the index is nowhere; what cannot be asked is taken to be there. */
static int is_gone(const Index *index, const char *relative)
{
    const char *slash = strrchr(index->path, '/');
    char *path = NULL;
    if (asprintf(&path, "%.*s%s", slash ? (int)(slash + 1 - index->path) : 0, index->path, relative) < 0)
        return 0;
    int gone = access(path, F_OK) != 0 && errno == ENOENT;
    free(path);
    return gone;
}

/* Both lead from the folder of the index; a prefix that is empty or ends in "../" does not reach farther up. */
static int is_below(const char *path, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(path, prefix, length) == 0 && strncmp(path + length, "../", 3) != 0;
}

/* Goes through the stamps below a prefix. */
static Status prune_below(Index *index, const char *prefix, size_t *removed, Error *err)
{
    sqlite3_stmt *list = NULL, *forget = NULL;
    Status status = database_prepare(index->stamps, "SELECT path, input FROM batch_file", &list, err);
    if (!status)
        status = database_prepare(index->stamps, "DELETE FROM batch_file WHERE path = ?", &forget, err);
    while (!status && sqlite3_step(list) == SQLITE_ROW) {
        const char *path = (const char *)sqlite3_column_text(list, 0);
        const char *input = (const char *)sqlite3_column_text(list, 1);
        if (!path || !input || !is_below(input, prefix) || !is_gone(index, input))
            continue;
        status = index_remove(index, path, err);
        sqlite3_bind_text(forget, 1, path, -1, SQLITE_TRANSIENT);
        if (!status)
            status = database_step(forget, err);
        ++*removed;
    }
    sqlite3_finalize(list);
    sqlite3_finalize(forget);
    return status;
}

Status index_prune(Index *index, const char *folder, size_t *removed, Error *err)
{
    char *inside = NULL, *prefix = NULL;
    *removed = 0;
    if (asprintf(&inside, "%s/x", folder) < 0) /* any file in it */
        return error_no_memory(err);
    Status status = open_stamps(index, err);
    if (!status)
        status = relative_path(inside, index->path, &prefix, err);
    if (!status) {
        prefix[strlen(prefix) - 1] = 0;
        status = prune_below(index, prefix, removed, err);
    }
    free(inside);
    free(prefix);
    return status;
}

/* Compares with the row that find_stamp stands on. */
static IndexChange compare_row(sqlite3_stmt *row, const IndexStamp *now, const char *request)
{
    const char *digest = (const char *)sqlite3_column_text(row, 2), *asked = (const char *)sqlite3_column_text(row, 5);
    if (!digest || !asked || strcmp(asked, request) != 0)
        return INDEX_CHANGED;
    if (sqlite3_column_int64(row, 0) != now->input_size || sqlite3_column_int64(row, 3) != now->output_size ||
        sqlite3_column_int64(row, 4) != now->output_mtime_ns)
        return INDEX_CHANGED;
    if (now->input_sha256[0])
        return strcmp(digest, now->input_sha256) == 0 ? INDEX_UNCHANGED : INDEX_CHANGED;
    return sqlite3_column_int64(row, 1) == now->input_mtime_ns ? INDEX_UNCHANGED : INDEX_ASK_CONTENT;
}

IndexChange index_compare(Index *index, const char *path, const IndexStamp *now, const char *request)
{
    sqlite3_int64 id = 0;
    if (index_find_clip(index, path, &id, NULL) || id == 0 || open_stamps(index, NULL))
        return INDEX_CHANGED;
    IndexChange change = INDEX_CHANGED;
    sqlite3_bind_text(index->find_stamp, 1, path, -1, SQLITE_STATIC);
    if (sqlite3_step(index->find_stamp) == SQLITE_ROW)
        change = compare_row(index->find_stamp, now, request);
    sqlite3_reset(index->find_stamp);
    return change;
}

Status index_stamps_commit(Index *index, Error *err)
{
    return index->stamps ? database_exec(index->stamps, "COMMIT; BEGIN IMMEDIATE", err) : STATUS_OK;
}

static IndexStamp stamp_of_row(sqlite3_stmt *row)
{
    IndexStamp stamp = {.input_size = sqlite3_column_int64(row, 1),
                        .input_mtime_ns = sqlite3_column_int64(row, 2),
                        .output_size = sqlite3_column_int64(row, 4),
                        .output_mtime_ns = sqlite3_column_int64(row, 5)};
    const char *digest = (const char *)sqlite3_column_text(row, 3);
    snprintf(stamp.input_sha256, sizeof stamp.input_sha256, "%s", digest ? digest : "");
    return stamp;
}

static Status copy_stamps(Index *index, sqlite3 *from, const char *shard, Error *err)
{
    sqlite3_stmt *list = NULL;
    Status status = database_prepare(from, "SELECT path, input_size, input_mtime_ns, input_sha256, output_size,"
                                           " output_mtime_ns, request, input FROM batch_file", &list, err);
    while (!status && sqlite3_step(list) == SQLITE_ROW) {
        char *path = NULL, *input = NULL;
        const char *from_input = (const char *)sqlite3_column_text(list, 7);
        IndexStamp stamp = stamp_of_row(list);
        status = relative_path_move((const char *)sqlite3_column_text(list, 0), shard, index->path, &path, err);
        if (!status && from_input)
            status = relative_path_move(from_input, shard, index->path, &input, err);
        if (!status)
            status = put_row(index, path, input, &stamp, (const char *)sqlite3_column_text(list, 6), err);
        free(path);
        free(input);
    }
    sqlite3_finalize(list);
    return status;
}

Status index_stamps_merge(Index *index, const char *shard, Error *err)
{
    char *path = stamps_path(shard);
    sqlite3 *from = NULL;
    if (!path)
        return error_no_memory(err);
    int is_there = sqlite3_open_v2(path, &from, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK;
    free(path);
    Status status = is_there ? open_stamps(index, err) : STATUS_OK;
    if (is_there && !status && copy_stamps(index, from, shard, NULL))
        status = STATUS_OK; /* stamps that cannot be read are as good as none */
    database_close(&from);
    return status;
}
