/* See index.h. */
#include "formats/index/index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/base/status.h"
#include "formats/base/bytes.h"
#include "formats/base/database.h"
#include "formats/index/index_families.h"
#include "formats/index/index_handle.h"
#include "formats/index/index_schema.h"
#include "formats/index/index_tags.h"

#define CLIP_OF "SELECT 1 FROM clip c WHERE path = ? AND source_sha256 = ? AND history = ?"

/* Failures of reading clip files are not kept, because this call reads them again. */
#define FAILURES(is_stale) "SELECT f.path, f.stage, f.message, " is_stale " FROM failure f WHERE f.path IS NOT NULL" \
    " AND f.stage IS NOT NULL AND f.message IS NOT NULL AND f.stage <> 'index'"
#define IS_STALE "EXISTS (SELECT 1 FROM clip c JOIN warning w ON w.clip_id = c.id WHERE c.path = f.path || '.h5' AND" \
    " w.kind = 'stale')"

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

/* Records the paths of clips in the replaced index. Clip files are authoritative, so the caller reads them again. */
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

/* An index that replaces one without traces has none either, unless it is rebuilt. */
static Status keep_traces_out(Index *index, Error *err)
{
    int lacks = 0;
    if (index_file_lacks_traces(index->file.replaced, &lacks, NULL) || !lacks) /* older ones have no such mark */
        return STATUS_OK;
    return index_leave_out_traces(index, err);
}

static Status open_index(const char *path, int is_rebuild, Index **out, Error *err)
{
    *out = NULL;
    Index *index = calloc(1, sizeof *index);
    if (!index)
        return error_no_memory(err);
    index->path = strdup(path);
    index->stamps.index = index->path;
    index->sums.schema = &index->schema;
    Status status = index->path ? index_schema_init(&index->schema, err) : error_no_memory(err);
    if (!status)
        status = index_file_open(&index->file, path, is_rebuild, &index->schema, err);
    if (!status)
        status = index_handle_prepare(index, err);
    if (!status && index->file.replaced && !is_rebuild)
        status = note_paths(index, err);
    if (!status && index->file.replaced && !is_rebuild)
        status = keep_traces_out(index, err);
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

Status index_leave_out_traces(Index *index, Error *err)
{
    sqlite3_int64 clip = 0;
    if (index->rows.lacks_traces)
        return STATUS_OK;
    Status status = database_integer(index->file.db, "SELECT id FROM clip LIMIT 1", 0, &clip, err);
    if (!status && clip)
        status = error_set(err, STATUS_USAGE, "the clips of this index have traces; kane index --rebuild --no-trace "
                           "%.200s FILE.h5|DIR... removes them", index->path);
    if (!status)
        status = index_file_begin(&index->file, err);
    if (!status)
        status = index_file_drop_traces(index->file.db, err);
    index->rows.lacks_traces = !status;
    return status;
}

const char *index_path(const Index *index)
{
    return index->path;
}

const char *index_outdated(const Index *index, const char *const **paths, size_t *count)
{
    *paths = (const char *const *)index->outdated;
    *count = index->outdated_count;
    return index->file.maker;
}

static Status step_with_id(sqlite3_stmt *statement, sqlite3_int64 id, Error *err)
{
    sqlite3_bind_int64(statement, 1, id);
    return database_step(statement, err);
}

static Status delete_clip(Index *index, sqlite3_int64 id, Error *err)
{
    Status status = step_with_id(index->drop_text, id, err);
    return status ? status : step_with_id(index->delete_clip, id, err);
}

static Status delete_failure(Index *index, const char *path, Error *err)
{
    sqlite3_bind_text(index->delete_failure, 1, path, -1, SQLITE_STATIC);
    return database_step(index->delete_failure, err);
}

/* Removes the clip or failure of a path before a new one is inserted; *id: of the removed clip, 0: none. */
static Status make_room(Index *index, const char *path, sqlite3_int64 *id, Error *err)
{
    *id = 0;
    Status status = index_file_begin(&index->file, err);
    if (!status)
        status = index_find_clip(index, path, id, err);
    if (!status && *id > 0)
        status = delete_clip(index, *id, err);
    return status ? status : delete_failure(index, path, err);
}

Status index_put_clip(Index *index, const char *path, const ClipStats *stats, Error *err)
{
    sqlite3_int64 id;
    Status status = make_room(index, path, &id, err);
    int is_again = !status && id > 0;
    if (!status)
        status = index_rows_insert(&index->rows, &id, path, stats, err);
    if (!status && is_again) /* tags were kept */
        status = index_seal_again(index, TABLE_TAG, id, 0, err);
    if (!status)
        status = step_with_id(index->add_text, id, err);
    else if (id > 0 && !step_with_id(index->delete_clip, id, NULL)) /* removes the partial clip */
        index_tags_drop(index, id, NULL);
    return status;
}

static Status insert_failure(Index *index, const char *path, int is_source, const char *stage, const char *message,
                             Error *err)
{
    size_t length = strlen(path);
    int cut = is_source && length > 3 && strcmp(path + length - 3, ".h5") == 0 ? 3 : 0;
    char *named = strndup(path, length - (size_t)cut);
    FailureRow failure = {named, stage, message};
    Status status = named ? index_rows_insert_failure(&index->rows, &failure, err) : error_no_memory(err);
    free(named);
    return status;
}

/* Adds the stale warning, which precedes all others. */
static Status mark_stale(Index *index, sqlite3_int64 id, const char *message, Error *err)
{
    enum { STALE_NUMBER = -1 };
    char text[ERROR_TEXT_SIZE + 80];
    sqlite3_stmt *old = NULL;
    uint64_t before = 0;
    Status status = row_sums_add_clip(&index->sums, index->file.db, TABLE_WARNING, id, &before, err);
    if (!status)
        status = database_prepare(index->file.db, "DELETE FROM warning WHERE clip_id = ? AND kind = 'stale'", &old,
                                     err);
    if (status)
        return status;
    sqlite3_bind_int64(old, 1, id);
    status = database_step(old, err);
    sqlite3_finalize(old);
    snprintf(text, sizeof text, "of an earlier state of its source, which fails now: %s", message);
    if (!status)
        status = index_rows_insert_warning(&index->rows, id, STALE_NUMBER, "stale", text, err);
    return status ? status : index_seal_again(index, TABLE_WARNING, id, before, err);
}

Status index_put_stale(Index *index, const char *path, const char *stage, const char *message, Error *err)
{
    sqlite3_int64 id = 0;
    Status status = index_find_clip(index, path, &id, err);
    if (status)
        return status;
    if (id == 0)
        return index_put_failure(index, path, 1, stage, message, err);
    if ((status = index_file_begin(&index->file, err)) ||
        (status = delete_failure(index, path, err)) ||
        (status = mark_stale(index, id, message, err)))
        return status;
    return insert_failure(index, path, 1, stage, message, err);
}

Status index_count_warned(Index *index, long long *count, Error *err)
{
    sqlite3_int64 found = 0;
    Status status = database_integer(index->file.db, "SELECT count(DISTINCT clip_id) FROM warning", 0, &found, err);
    *count = found;
    return status;
}

Status index_count_stale(Index *index, long long *count, Error *err)
{
    sqlite3_int64 found = 0;
    Status status = database_integer(index->file.db, "SELECT count(*) FROM warning WHERE kind = 'stale'", 0, &found,
                                     err);
    *count = found;
    return status;
}

Status index_put_failure(Index *index, const char *path, int is_source, const char *stage, const char *message,
                         Error *err)
{
    Status status = index_remove(index, path, err);
    return status ? status : insert_failure(index, path, is_source, stage, message, err);
}

Status index_remove(Index *index, const char *path, Error *err)
{
    sqlite3_int64 id;
    Status status = make_room(index, path, &id, err);
    return status ? status : index_tags_drop(index, id, err);
}

Status index_put_stamp(Index *index, const char *path, const char *input, const IndexStamp *stamp, const char *request,
                       Error *err)
{
    return batch_stamps_put(&index->stamps, path, input, stamp, request, err);
}

void index_delete_new(const char *path)
{
    unlink(path);
    batch_stamps_delete(path);
}

Status index_put_file(Index *index, const char *path, const char *file, Error *err)
{
    return batch_stamps_put_file(&index->stamps, path, file, err);
}

Status index_changed_files(const char *database, double seconds, VisitPath *visit, void *context, Error *err)
{
    return batch_stamps_changed(database, seconds, visit, context, err);
}

Status index_other_input(Index *index, const char *path, const char *input, char **other, Error *err)
{
    return batch_stamps_other_input(&index->stamps, path, input, other, err);
}

int index_is_own(Index *index, const char *path, const char *input, const IndexStamp *now)
{
    return batch_stamps_is_own(&index->stamps, path, input, now);
}

/* State of index_prune. */
typedef struct Pruning {
    Index *index;
    size_t removed;
} Pruning;

static Status remove_lost(void *context, const LostFile *lost, Error *err)
{
    Pruning *p = context;
    if (!lost->is_new)
        return STATUS_OK;
    Status status = index_remove(p->index, lost->path, err);
    if (!status)
        status = batch_stamps_mark_lost(&p->index->stamps, lost->path, err);
    p->removed += !status;
    return status;
}

Status index_prune(Index *index, const char *folder, size_t *removed, Error *err)
{
    Pruning pruning = {index, 0};
    Status status = batch_stamps_lost(&index->stamps, folder, remove_lost, &pruning, err);
    *removed = pruning.removed;
    return status;
}

Status index_lost(Index *index, const char *folder, VisitLost *visit, void *context, Error *err)
{
    return batch_stamps_lost(&index->stamps, folder, visit, context, err);
}

static int has_clip(Index *index, const char *select, const char *path, const char *source_sha256, const char *history)
{
    sqlite3_stmt *find = NULL;
    if (database_prepare(index->file.db, select, &find, NULL))
        return 0;
    sqlite3_bind_text(find, 1, path, -1, SQLITE_STATIC);
    sqlite3_bind_text(find, 2, source_sha256, -1, SQLITE_STATIC);
    sqlite3_bind_text(find, 3, history, -1, SQLITE_STATIC);
    int is_there = sqlite3_step(find) == SQLITE_ROW;
    sqlite3_finalize(find);
    return is_there;
}

int index_has_clip(Index *index, const char *path, const char *source_sha256, const char *history)
{
    return has_clip(index, CLIP_OF, path, source_sha256, history);
}

int index_has_stale_clip(Index *index, const char *path, const char *source_sha256, const char *history)
{
    return has_clip(index, CLIP_OF " AND EXISTS (SELECT 1 FROM warning WHERE clip_id = c.id AND kind = 'stale')", path,
                    source_sha256, history);
}

int index_is_lost(Index *index, const char *path)
{
    return batch_stamps_is_lost(&index->stamps, path);
}

Status index_forget_lost(Index *index, const char *path, Error *err)
{
    return batch_stamps_forget(&index->stamps, path, err);
}

int index_is_empty(Index *index)
{
    sqlite3_int64 is_filled = 1;
    Status status = database_integer(index->file.db, "SELECT 1 FROM clip UNION ALL SELECT 1 FROM failure LIMIT 1", 0,
                                     &is_filled, NULL);
    return !status && !is_filled;
}

Status index_visit(Index *index, VisitPath *visit, void *context, Error *err)
{
    sqlite3_stmt *list = NULL;
    int code = SQLITE_DONE;
    sqlite3 *db = index->file.db;
    Status status = database_exec(db, "CREATE TEMP TABLE visited AS SELECT path FROM clip ORDER BY path", err);
    if (!status)
        status = database_prepare(db, "SELECT path FROM temp.visited", &list, err);
    while (!status && (code = sqlite3_step(list)) == SQLITE_ROW)
        status = visit(context, (const char *)sqlite3_column_text(list, 0), err);
    if (!status && code != SQLITE_DONE)
        status = database_error(index->file.db, code, err);
    sqlite3_finalize(list);
    return status ? status : database_exec(index->file.db, "DROP TABLE temp.visited", err);
}

int index_is_current(const char *path)
{
    sqlite3 *db = NULL;
    Status status = index_file_read(path, &db, NULL);
    database_close(&db);
    return !status;
}

int index_has_stamps(const char *path)
{
    return batch_stamps_exist(path);
}

/* Returns the change of a path without a clip. */
static IndexChange change_without_clip(Index *index, const char *path)
{
    sqlite3_bind_text(index->find_failure, 1, path, -1, SQLITE_STATIC);
    int has_failed = sqlite3_step(index->find_failure) == SQLITE_ROW;
    sqlite3_reset(index->find_failure);
    return has_failed ? INDEX_FAILED : INDEX_NEW;
}

IndexChange index_compare(Index *index, const char *path, const IndexStamp *now, const char *request)
{
    sqlite3_int64 id = 0;
    if (index_find_clip(index, path, &id, NULL))
        return INDEX_NEW;
    if (id == 0)
        return change_without_clip(index, path);
    return batch_stamps_compare(&index->stamps, path, now, request);
}

Status index_commit(Index *index, Error *err)
{
    Status status = index_file_commit(&index->file, err);
    return status ? status : batch_stamps_commit(&index->stamps, err);
}

static int is_stop_requested(void *context)
{
    int (**is_asked)(void) = context;
    return (*is_asked)();
}

void index_stop_when(Index *index, int (*is_asked)(void))
{
    enum { STEPS_BETWEEN = 1000 }; /* SQLite virtual machine instructions: microseconds */
    index->is_asked_to_stop = is_asked;
    sqlite3_progress_handler(index->file.db, STEPS_BETWEEN, is_stop_requested, &index->is_asked_to_stop);
}

/* Keeps a failure of the replaced index. If its clip is in the new index, the failure stays only if the clip was
 * stale. */
static Status keep_failure(Index *index, const FailureRow *failure, int is_stale, Error *err)
{
    sqlite3_int64 id = 0, same = 0;
    char *clip;
    if (asprintf(&clip, "%s.h5", failure->path) < 0)
        return error_no_memory(err);
    Status status = index_find_clip(index, clip, &id, err);
    if (!status)
        status = index_find_clip(index, failure->path, &same, err);
    if (!status && id > 0 && is_stale)
        status = mark_stale(index, id, failure->message, err);
    if (!status)
        status = delete_failure(index, clip, err);
    free(clip);
    int stays = (id == 0 && same == 0) || (id > 0 && is_stale);
    return status || !stays ? status : index_rows_insert_failure(&index->rows, failure, err);
}

/* Keeps the failures of the replaced index, which no clip file contains. Older indexes have no table of warnings. */
static Status keep_failures(Index *index, Error *err)
{
    sqlite3 *old = index->file.replaced;
    sqlite3_stmt *list = NULL;
    int code = SQLITE_DONE;
    if (database_prepare(old, FAILURES(IS_STALE), &list, NULL) && database_prepare(old, FAILURES("0"), &list, NULL))
        return STATUS_OK; /* an index without failures */
    Status status = index_file_begin(&index->file, err);
    while (!status && (code = sqlite3_step(list)) == SQLITE_ROW) {
        FailureRow failure = {(const char *)sqlite3_column_text(list, 0), (const char *)sqlite3_column_text(list, 1),
                              (const char *)sqlite3_column_text(list, 2)};
        status = keep_failure(index, &failure, sqlite3_column_int(list, 3), err);
    }
    if (!status && code != SQLITE_DONE)
        status = database_error(old, code, err);
    sqlite3_finalize(list);
    return status;
}

Status index_finish(Index *index, Error *err)
{
    Status status = index->file.replaced ? index_tags_keep(index, err) : STATUS_OK;
    if (!status && index->file.replaced)
        status = index_families_keep(index, err);
    if (!status && index->file.replaced)
        status = keep_failures(index, err);
    index_handle_finalize(index);
    if (!status)
        status = index_file_finish(&index->file, err);
    return status ? status : batch_stamps_commit(&index->stamps, err);
}

void index_close(Index *index)
{
    if (!index)
        return;
    batch_stamps_close(&index->stamps);
    index_handle_finalize(index);
    index_file_close(&index->file);
    index_schema_free(&index->schema);
    for (size_t i = 0; i < index->outdated_count; i++)
        free(index->outdated[i]);
    free(index->outdated);
    free(index->path);
    free(index);
}
