#include "formats/index/index_handle.h"

#include "formats/index/database.h"

/* The text search follows clip by clip: made again at the end it would cost what the whole library costs. */
#define ADD_TEXT "INSERT INTO clip_text(rowid, path, source, tags) SELECT id, path, source, tags FROM clip WHERE id = ?"
#define DROP_TEXT "INSERT INTO clip_text(clip_text, rowid, path, source, tags)" \
    " SELECT 'delete', id, path, source, tags FROM clip WHERE id = ?"

/* A failure stands under the clip's path or under that of its source, which is the same without ".h5". */
#define FAILURES_OF_CLIP "DELETE FROM failure WHERE path IN (?1, substr(?1, 1, length(?1) - 3))"

Status index_handle_prepare(Index *index, Error *err)
{
    sqlite3 *db = index->file.db;
    Status status = index_rows_prepare(&index->rows, &index->schema, db, err);
    if (!status)
        status = database_prepare(db, ADD_TEXT, &index->add_text, err);
    if (!status)
        status = database_prepare(db, DROP_TEXT, &index->drop_text, err);
    if (!status)
        status = database_prepare(db, "DELETE FROM clip WHERE id = ?", &index->delete_clip, err);
    if (!status)
        status = database_prepare(db, FAILURES_OF_CLIP, &index->delete_failure, err);
    if (!status)
        status = database_prepare(db, "SELECT id FROM clip WHERE path = ?", &index->find_clip, err);
    return status;
}

void index_handle_finalize(Index *index)
{
    index_rows_finalize(&index->rows);
    sqlite3_finalize(index->add_text);
    sqlite3_finalize(index->drop_text);
    sqlite3_finalize(index->delete_clip);
    sqlite3_finalize(index->delete_failure);
    sqlite3_finalize(index->find_clip);
    index->add_text = index->drop_text = index->delete_clip = index->delete_failure = index->find_clip = NULL;
}

Status index_find_clip(Index *index, const char *path, sqlite3_int64 *id, Error *err)
{
    sqlite3_bind_text(index->find_clip, 1, path, -1, SQLITE_STATIC);
    int code = sqlite3_step(index->find_clip);
    *id = code == SQLITE_ROW ? sqlite3_column_int64(index->find_clip, 0) : 0;
    sqlite3_reset(index->find_clip);
    return code == SQLITE_ROW || code == SQLITE_DONE ? STATUS_OK : database_error(index->file.db, code, err);
}
