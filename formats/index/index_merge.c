/* Several indexes into one: rows are copied with new ids and paths, figure by figure the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/index/clip_path.h"
#include "formats/index/database.h"
#include "formats/index/index.h"
#include "formats/index/index_handle.h"

typedef struct ShardClip {
    sqlite3_int64 id; /* in the shard */
    char *path;       /* in the index; owned */
} ShardClip;

typedef struct Shard {
    const char *path;
    sqlite3 *db;
    ShardClip *clip; /* [count] by id; owned */
    size_t count;
} Shard;

static void close_shards(Shard *shard, size_t count)
{
    for (size_t i = 0; shard && i < count; i++) {
        for (size_t k = 0; k < shard[i].count; k++)
            free(shard[i].clip[k].path);
        free(shard[i].clip);
        database_close(&shard[i].db);
    }
    free(shard);
}

/* Prefixes the text of err with the shard's path. */
static Status name_shard(const Shard *shard, Status status, Error *err)
{
    if (!status || !err)
        return status;
    Error cause = *err;
    return error_set(err, status, "%s: %.300s", shard->path, cause.text);
}

static Status read_clips(Shard *shard, const char *index_path, Error *err)
{
    sqlite3_int64 count = 0;
    Status status = database_integer(shard->db, "SELECT count(*) FROM clip", 0, &count, err);
    if (status)
        return status;
    shard->clip = calloc((size_t)count + 1, sizeof *shard->clip);
    if (!shard->clip)
        return error_no_memory(err);
    sqlite3_stmt *list = NULL;
    int code = SQLITE_DONE;
    status = database_prepare(shard->db, "SELECT id, path FROM clip ORDER BY id", &list, err);
    while (!status && shard->count < (size_t)count && (code = sqlite3_step(list)) == SQLITE_ROW) {
        ShardClip *clip = &shard->clip[shard->count];
        clip->id = sqlite3_column_int64(list, 0);
        status = relative_path_move((const char *)sqlite3_column_text(list, 1), shard->path, index_path, &clip->path,
                                    err);
        shard->count += status == STATUS_OK;
    }
    if (!status && code != SQLITE_ROW && code != SQLITE_DONE)
        status = database_error(shard->db, code, err);
    sqlite3_finalize(list);
    return status;
}

static int compare_ids(const void *a, const void *b)
{
    const ShardClip *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

/* Binds the row that from stands on: the first column is the clip's id in the shard, the columns "path" and
 * "tags" follow from its path here. */
static Status bind_row(Index *index, const Shard *shard, sqlite3_stmt *from, sqlite3_stmt *to, Error *err)
{
    ShardClip key = {.id = sqlite3_column_int64(from, 0)};
    const ShardClip *clip = bsearch(&key, shard->clip, shard->count, sizeof key, compare_ids);
    PlannedPath *planned = clip ? index_plan_find(&index->plan, clip->path) : NULL;
    if (!planned)
        return error_set(err, STATUS_BAD_INPUT, "the index is damaged: rows of an unknown clip");
    int columns = sqlite3_column_count(from), code = SQLITE_OK;
    for (int i = 1; i < columns && code == SQLITE_OK; i++) {
        const char *name = sqlite3_column_name(from, i);
        char *words = name && strcmp(name, "tags") == 0 ? path_words(clip->path) : NULL;
        if (words)
            code = sqlite3_bind_text(to, i + 1, words, -1, free);
        else if (!name || strcmp(name, "tags") == 0)
            code = SQLITE_NOMEM;
        else if (strcmp(name, "path") == 0)
            code = sqlite3_bind_text(to, i + 1, clip->path, -1, SQLITE_STATIC);
        else
            code = sqlite3_bind_value(to, i + 1, sqlite3_column_value(from, i));
    }
    if (code != SQLITE_OK)
        return database_error(index->file.db, code, err);
    sqlite3_bind_int64(to, 1, planned->rank);
    return STATUS_OK;
}

static Status copy_table(Index *index, const Shard *shard, IndexTable table, Error *err)
{
    sqlite3_stmt *from = NULL, *to = index->rows.insert[table];
    Status status = index_schema_prepare_select(&index->schema, shard->db, table, &from, err);
    int code = SQLITE_DONE;
    while (!status && (code = sqlite3_step(from)) == SQLITE_ROW) {
        status = bind_row(index, shard, from, to, err);
        if (!status)
            status = database_step(to, err);
    }
    if (!status && code != SQLITE_DONE)
        status = database_error(shard->db, code, err);
    sqlite3_finalize(from);
    return status;
}

/* Whether the clip of a failure has come from elsewhere: under the failure's path, or made of the source it names. */
static Status is_mended(Index *index, const char *path, int *mended, Error *err)
{
    sqlite3_int64 id = 0;
    char *clip = NULL;
    Status status = index_find_clip(index, path, &id, err);
    if (!status && id == 0) {
        status = asprintf(&clip, "%s.h5", path) < 0 ? error_no_memory(err) : index_find_clip(index, clip, &id, err);
        free(clip);
    }
    *mended = id > 0;
    return status;
}

static Status copy_failures(Index *index, const Shard *shard, Error *err)
{
    sqlite3_stmt *list = NULL;
    Status status = database_prepare(shard->db, "SELECT path, stage, message FROM failure", &list, err);
    while (!status && sqlite3_step(list) == SQLITE_ROW) {
        char *path = NULL;
        int mended = 0;
        status = relative_path_move((const char *)sqlite3_column_text(list, 0), shard->path, index->path, &path, err);
        if (!status)
            status = is_mended(index, path, &mended, err);
        if (!status && !mended)
            status = index_put_failure(index, path, 0, (const char *)sqlite3_column_text(list, 1),
                                       (const char *)sqlite3_column_text(list, 2), err);
        free(path);
    }
    sqlite3_finalize(list);
    return status;
}

static Status copy_shard(Index *index, const Shard *shard, Error *err)
{
    Status status = STATUS_OK;
    for (size_t i = 0; i < shard->count && !status; i++)
        status = index_remove(index, shard->clip[i].path, err);
    for (int t = 0; t < TABLE_FAILURE && !status; t++)
        status = copy_table(index, shard, (IndexTable)t, err);
    if (!status)
        status = copy_failures(index, shard, err);
    if (!status)
        status = batch_stamps_merge(&index->stamps, shard->path, err);
    return status;
}

static Status plan_shards(Index *index, const Shard *shard, size_t count, Error *err)
{
    size_t total = 0, used = 0;
    for (size_t i = 0; i < count; i++)
        total += shard[i].count;
    const char **paths = calloc(total + 1, sizeof *paths);
    if (!paths)
        return error_no_memory(err);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < shard[i].count; k++)
            paths[used++] = shard[i].clip[k].path;
    Status status = index_plan(index, paths, used, err);
    free(paths);
    return status;
}

Status index_merge(Index *index, const char *const *shards, size_t count, Error *err)
{
    Shard *shard = calloc(count + 1, sizeof *shard);
    if (!shard)
        return error_no_memory(err);
    Status status = index_file_begin(&index->file, err);
    for (size_t i = 0; i < count && !status; i++) {
        shard[i].path = shards[i];
        status = index_file_read(shards[i], &shard[i].db, err);
        if (!status)
            status = read_clips(&shard[i], index->path, err);
        status = name_shard(&shard[i], status, err);
    }
    if (!status)
        status = plan_shards(index, shard, count, err);
    for (size_t i = 0; i < count && !status; i++)
        status = name_shard(&shard[i], copy_shard(index, &shard[i], err), err);
    close_shards(shard, count);
    return status;
}
