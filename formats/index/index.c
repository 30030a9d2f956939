#include "formats/index/index.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/grow.h"
#include "formats/index/database.h"
#include "formats/index/index_handle.h"

/* A failure stands under the clip's path or under that of its source, which is the same without ".h5". */
#define FAILURES_OF_CLIP "DELETE FROM failure WHERE path IN (?1, substr(?1, 1, length(?1) - 3))"

static Status prepare_statements(Index *index, Error *err)
{
    sqlite3 *db = index->file.db;
    Status status = index_rows_prepare(&index->rows, &index->schema, db, err);
    if (!status)
        status = index_plan_open(&index->plan, &index->file, err);
    if (!status)
        status = database_prepare(db, "DELETE FROM clip WHERE id = ?", &index->delete_clip, err);
    if (!status)
        status = database_prepare(db, FAILURES_OF_CLIP, &index->delete_failure, err);
    if (!status)
        status = database_prepare(db, "SELECT id FROM clip WHERE path = ?", &index->find_clip, err);
    return status;
}

static void finalize_statements(Index *index)
{
    index_rows_finalize(&index->rows);
    index_plan_close(&index->plan);
    sqlite3_finalize(index->delete_clip);
    sqlite3_finalize(index->delete_failure);
    sqlite3_finalize(index->find_clip);
    index->delete_clip = index->delete_failure = index->find_clip = NULL;
}

static Status note_path(Index *index, const char *path, Error *err)
{
    char *copy = path ? strdup(path) : NULL;
    if (!copy || !array_grow(&index->outdated, (int)index->outdated_count, sizeof copy)) {
        free(copy);
        return error_no_memory(err);
    }
    index->outdated[index->outdated_count++] = copy;
    return STATUS_OK;
}

static Status note_paths(Index *index, Error *err)
{
    sqlite3_stmt *list = NULL;
    int code = SQLITE_DONE;
    Status status = database_prepare(index->file.replaced, "SELECT path FROM clip WHERE path IS NOT NULL ORDER BY path",
                                     &list, err);
    while (!status && (code = sqlite3_step(list)) == SQLITE_ROW)
        status = note_path(index, (const char *)sqlite3_column_text(list, 0), err);
    if (!status && code != SQLITE_DONE)
        status = database_error(index->file.replaced, code, err);
    sqlite3_finalize(list);
    return status;
}

static Status copy_failures(Index *index, Error *err)
{
    sqlite3_stmt *list = NULL;
    int code = SQLITE_DONE;
    Status status = database_prepare(index->file.replaced, "SELECT path, stage, message FROM failure", &list, err);
    while (!status && (code = sqlite3_step(list)) == SQLITE_ROW) {
        FailureRow failure = {(const char *)sqlite3_column_text(list, 0), (const char *)sqlite3_column_text(list, 1),
                              (const char *)sqlite3_column_text(list, 2)};
        status = index_rows_insert_failure(&index->rows, &failure, err);
    }
    if (!status && code != SQLITE_DONE)
        status = database_error(index->file.replaced, code, err);
    sqlite3_finalize(list);
    return status;
}

/* The containers are the truth, so nothing of a clip is translated: the caller reads them again. */
static Status keep_of_replaced(Index *index, Error *err)
{
    Status status = note_paths(index, err);
    return status ? status : copy_failures(index, err);
}

static Status open_index(const char *path, int anew, Index **out, Error *err)
{
    *out = NULL;
    Index *index = calloc(1, sizeof *index);
    if (!index)
        return error_no_memory(err);
    index->path = strdup(path);
    index->stamps.index = index->path;
    Status status = index->path ? index_schema_init(&index->schema, err) : error_no_memory(err);
    if (!status)
        status = index_file_open(&index->file, path, anew, &index->schema, err);
    if (!status)
        status = prepare_statements(index, err);
    if (!status && index->file.replaced && !anew)
        status = keep_of_replaced(index, err);
    if (status)
        index_close(index);
    else
        *out = index;
    return status;
}

Status index_open(const char *path, Index **out, Error *err)
{
    return open_index(path, 0, out, err);
}

Status index_open_anew(const char *path, Index **out, Error *err)
{
    return open_index(path, 1, out, err);
}

const char *index_outdated(const Index *index, const char *const **paths, size_t *count)
{
    *paths = (const char *const *)index->outdated;
    *count = index->outdated_count;
    return index->file.maker;
}

Status index_plan(Index *index, const char *const *paths, size_t count, Error *err)
{
    return index_plan_make(&index->plan, paths, count, err);
}

Status index_find_clip(Index *index, const char *path, sqlite3_int64 *id, Error *err)
{
    sqlite3_bind_text(index->find_clip, 1, path, -1, SQLITE_STATIC);
    int code = sqlite3_step(index->find_clip);
    *id = code == SQLITE_ROW ? sqlite3_column_int64(index->find_clip, 0) : 0;
    sqlite3_reset(index->find_clip);
    return code == SQLITE_ROW || code == SQLITE_DONE ? STATUS_OK : database_error(index->file.db, code, err);
}

static Status delete_clip(Index *index, sqlite3_int64 id, Error *err)
{
    sqlite3_bind_int64(index->delete_clip, 1, id);
    return database_step(index->delete_clip, err);
}

static Status delete_failure(Index *index, const char *path, Error *err)
{
    sqlite3_bind_text(index->delete_failure, 1, path, -1, SQLITE_STATIC);
    return database_step(index->delete_failure, err);
}

/* Removes what stands under a path before something else takes its place. */
static Status make_room(Index *index, const char *path, Error *err)
{
    sqlite3_int64 id = 0;
    PlannedPath *planned = index_plan_find(&index->plan, path);
    Status status = index_file_begin(&index->file, err);
    if (!status)
        status = index_find_clip(index, path, &id, err);
    if (!status && id > 0)
        status = delete_clip(index, id, err);
    if (!status)
        status = delete_failure(index, path, err);
    if (!status && planned)
        planned->id = 0;
    return status;
}

Status index_put_clip(Index *index, const char *path, const ClipStats *stats, Error *err)
{
    PlannedPath *planned = index_plan_find(&index->plan, path);
    if (!planned)
        return error_set(err, STATUS_INTERNAL, "clip %s is not in the plan of the index", path);
    Status status = make_room(index, path, err);
    if (status)
        return status;
    planned->id = index_plan_id(&index->plan, planned);
    status = index_rows_insert(&index->rows, planned->id, path, stats, err);
    if (status) {
        delete_clip(index, planned->id, NULL); /* no half of a clip */
        planned->id = 0;
    }
    return status;
}

Status index_put_failure(Index *index, const char *path, int is_source, const char *stage, const char *message,
                         Error *err)
{
    size_t length = strlen(path);
    int cut = is_source && length > 3 && strcmp(path + length - 3, ".h5") == 0 ? 3 : 0;
    char *named = strndup(path, length - (size_t)cut);
    FailureRow failure = {named, stage, message};
    Status status = named ? make_room(index, path, err) : error_no_memory(err);
    if (!status)
        status = index_rows_insert_failure(&index->rows, &failure, err);
    free(named);
    PlannedPath *planned = index_plan_find(&index->plan, path);
    return status || !planned ? status : index_plan_give_up(&index->plan, planned, err);
}

Status index_remove(Index *index, const char *path, Error *err)
{
    return make_room(index, path, err);
}

Status index_put_stamp(Index *index, const char *path, const char *input, const IndexStamp *stamp, const char *request,
                       Error *err)
{
    return batch_stamps_put(&index->stamps, path, input, stamp, request, err);
}

static Status remove_pruned(void *context, const char *path, Error *err)
{
    return index_remove(context, path, err);
}

Status index_prune(Index *index, const char *folder, size_t *removed, Error *err)
{
    return batch_stamps_prune(&index->stamps, folder, remove_pruned, index, removed, err);
}

IndexChange index_compare(Index *index, const char *path, const IndexStamp *now, const char *request)
{
    sqlite3_int64 id = 0;
    if (index_find_clip(index, path, &id, NULL) || id == 0)
        return INDEX_CHANGED;
    return batch_stamps_compare(&index->stamps, path, now, request);
}

Status index_commit(Index *index, Error *err)
{
    Status status = index_file_commit(&index->file, err);
    return status ? status : batch_stamps_commit(&index->stamps, err);
}

Status index_finish(Index *index, Error *err)
{
    Status status = index_plan(index, NULL, 0, err);
    if (!status && index->file.is_writing)
        status = database_exec(index->file.db, "INSERT INTO clip_text(clip_text) VALUES ('rebuild')", err);
    finalize_statements(index);
    if (!status)
        status = index_file_finish(&index->file, err);
    return status ? status : batch_stamps_commit(&index->stamps, err);
}

void index_close(Index *index)
{
    if (!index)
        return;
    batch_stamps_close(&index->stamps);
    finalize_statements(index);
    index_file_close(&index->file);
    index_schema_free(&index->schema);
    for (size_t i = 0; i < index->outdated_count; i++)
        free(index->outdated[i]);
    free(index->outdated);
    free(index->path);
    free(index);
}
