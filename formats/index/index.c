#include "formats/index/index.h"

#include <stdlib.h>
#include <string.h>

#include "formats/index/database.h"
#include "formats/index/index_handle.h"
#include "formats/index/index_schema.h"

/* A failure stands under the clip's path or under that of its source, which is the same without ".h5". */
#define FAILURES_OF_CLIP "DELETE FROM failure WHERE path IN (?1, substr(?1, 1, length(?1) - 3))"
#define READERS_WAIT_MS 2000 /* for readers that keep the file from changing its journal */

static Status prepare_statements(Index *index, Error *err)
{
    sqlite3 *db = index->db;
    Status status = index_rows_prepare(&index->rows, db, err);
    if (!status)
        status = database_prepare(db, "DELETE FROM clip WHERE id = ?", &index->delete_clip, err);
    if (!status)
        status = database_prepare(db, "UPDATE clip SET id = ?2 WHERE id = ?1", &index->move_clip, err);
    if (!status)
        status = database_prepare(db, FAILURES_OF_CLIP, &index->delete_failure, err);
    if (!status)
        status = database_prepare(db, "SELECT id FROM clip WHERE path = ?", &index->find_clip, err);
    return status;
}

/* A file in WAL mode was left without index_finish. */
static Status was_left_unfinished(Index *index, int *unfinished, Error *err)
{
    sqlite3_stmt *mode = NULL;
    Status status = database_prepare(index->db, "PRAGMA journal_mode", &mode, err);
    if (status)
        return status;
    int code = sqlite3_step(mode);
    if (code == SQLITE_ROW)
        *unfinished = strcmp((const char *)sqlite3_column_text(mode, 0), "wal") == 0;
    else
        status = database_error(index->db, code, err);
    sqlite3_finalize(mode);
    return status;
}

static Status prepare_file(Index *index, DatabaseAge age, Error *err)
{
    Status status = was_left_unfinished(index, &index->is_writing, err);
    if (!status)
        status = database_exec(index->db, "BEGIN IMMEDIATE", err); /* another writer is refused at once */
    sqlite3_busy_timeout(index->db, READERS_WAIT_MS);
    if (!status && age == DATABASE_NEW)
        status = index_schema_create(index->db, err);
    if (!status && age != DATABASE_CURRENT)
        status = index_begin_writing(index, err);
    if (!status && age == DATABASE_OUTDATED)
        status = index_renew(index, err);
    if (!status)
        status = prepare_statements(index, err);
    return status;
}

Status index_open(const char *path, Index **out, Error *err)
{
    DatabaseAge age = DATABASE_CURRENT;
    *out = NULL;
    Index *index = calloc(1, sizeof *index);
    if (!index)
        return error_no_memory(err);
    index->path = strdup(path);
    Status status = index->path ? database_open_write(path, &index->db, &age, err) : error_no_memory(err);
    if (!status)
        status = prepare_file(index, age, err);
    if (status)
        index_close(index);
    else
        *out = index;
    return status;
}

Status index_begin_writing(Index *index, Error *err)
{
    if (index->is_writing)
        return STATUS_OK;
    index->is_writing = 1;
    Status status = database_exec(index->db, "COMMIT", err);
    if (status)
        return status;
    /* Where the file cannot change over, a reader being in it or the file system having no shared memory, the
     * rollback journal serves as well, only that readers wait. */
    sqlite3_exec(index->db, "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 4096", NULL, NULL, NULL);
    return database_exec(index->db, "BEGIN IMMEDIATE", err);
}

Status index_clear(Index *index, Error *err)
{
    char sql[64];
    Status status = index_begin_writing(index, err);
    for (int t = TABLE_COUNT; t-- > 0 && !status;) {
        sqlite3_snprintf(sizeof sql, sql, "DELETE FROM %s", index_table_name((IndexTable)t));
        status = database_exec(index->db, sql, err);
    }
    index_plan_free(&index->plan);
    return status;
}

Status index_find_clip(Index *index, const char *path, sqlite3_int64 *id, Error *err)
{
    sqlite3_bind_text(index->find_clip, 1, path, -1, SQLITE_STATIC);
    int code = sqlite3_step(index->find_clip);
    *id = code == SQLITE_ROW ? sqlite3_column_int64(index->find_clip, 0) : 0;
    sqlite3_reset(index->find_clip);
    return code == SQLITE_ROW || code == SQLITE_DONE ? STATUS_OK : database_error(index->db, code, err);
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
    PlannedPath *planned = index_plan_find(index, path);
    Status status = index_begin_writing(index, err);
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
    PlannedPath *planned = index_plan_find(index, path);
    if (!planned)
        return error_set(err, STATUS_INTERNAL, "clip %s is not in the plan of the index", path);
    Status status = make_room(index, path, err);
    if (status)
        return status;
    planned->id = index_plan_id(index, planned);
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
    sqlite3_stmt *insert = index->rows.insert[TABLE_FAILURE];
    Status status = make_room(index, path, err);
    if (status)
        return status;
    sqlite3_bind_text(insert, 1, path, (int)length - cut, SQLITE_STATIC);
    sqlite3_bind_text(insert, 2, stage, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 3, message, -1, SQLITE_STATIC);
    status = database_step(insert, err);
    PlannedPath *planned = index_plan_find(index, path);
    return status || !planned ? status : index_plan_give_up(index, planned, err);
}

Status index_remove(Index *index, const char *path, Error *err)
{
    return make_room(index, path, err);
}

Status index_commit(Index *index, Error *err)
{
    Status status = index->is_writing ? database_exec(index->db, "COMMIT; BEGIN IMMEDIATE", err) : STATUS_OK;
    return status ? status : index_stamps_commit(index, err);
}

Status index_finish(Index *index, Error *err)
{
    Status status = index_plan(index, NULL, 0, err);
    if (!status && index->is_writing)
        status = database_exec(index->db, "INSERT INTO clip_text(clip_text) VALUES ('rebuild')", err);
    if (!status)
        status = database_exec(index->db, "COMMIT", err);
    if (!status)
        status = index_stamps_commit(index, err);
    if (status || !index->is_writing)
        return status;
    /* A reader may hold the file in WAL mode: the content is complete all the same, the next writer tries again. */
    int code = sqlite3_exec(index->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    int is_held = (code & 0xff) == SQLITE_BUSY || (code & 0xff) == SQLITE_LOCKED;
    return code == SQLITE_OK || is_held ? STATUS_OK : database_error(index->db, code, err);
}

void index_close(Index *index)
{
    if (!index)
        return;
    index_stamps_close(index);
    index_rows_finalize(&index->rows);
    sqlite3_finalize(index->delete_clip);
    sqlite3_finalize(index->move_clip);
    sqlite3_finalize(index->delete_failure);
    sqlite3_finalize(index->find_clip);
    database_close(&index->db);
    index_plan_free(&index->plan);
    index_outdated_free(index);
    free(index->path);
    free(index);
}
