/* See index_handle.h. */
#include "formats/index/index_handle.h"

#include "formats/base/database.h"

/* The full-text index is updated per clip; rebuilding it at the end would cost as much as the whole library. */
#define ADD_TEXT "INSERT INTO clip_text(rowid, path, source, path_words)" \
    " SELECT id, path, source, path_words FROM clip WHERE id = ?"
#define DROP_TEXT "INSERT INTO clip_text(clip_text, rowid, path, source, path_words)" \
    " SELECT 'delete', id, path, source, path_words FROM clip WHERE id = ?"

/* A failure has the path of the clip, or that of its source, which is the same without ".h5". */
#define OF_CLIP "path IN (?1, substr(?1, 1, length(?1) - 3))"

Status index_handle_prepare(Index *index, Error *err)
{
    sqlite3 *db = index->file.db;
    Status status;
    if ((status = index_rows_prepare(&index->rows, &index->schema, db, err)) ||
        (status = index_file_lacks_traces(db, &index->rows.lacks_traces, err)) ||
        (status = database_prepare(db, ADD_TEXT, &index->add_text, err)) ||
        (status = database_prepare(db, DROP_TEXT, &index->drop_text, err)) ||
        (status = database_prepare(db, "DELETE FROM clip WHERE id = ?", &index->delete_clip, err)) ||
        (status = database_prepare(db, "DELETE FROM failure WHERE " OF_CLIP, &index->delete_failure, err)) ||
        (status = database_prepare(db, "SELECT 1 FROM failure WHERE " OF_CLIP, &index->find_failure, err)) ||
        (status = database_prepare(db, "SELECT checksum FROM clip WHERE id = ?", &index->find_checksum, err)))
        return status;
    return database_prepare(db, "SELECT id FROM clip WHERE path = ?", &index->find_clip, err);
}

void index_handle_finalize(Index *index)
{
    index_rows_finalize(&index->rows);
    row_sums_finalize(&index->sums);
    sqlite3_finalize(index->add_text);
    sqlite3_finalize(index->drop_text);
    sqlite3_finalize(index->delete_clip);
    sqlite3_finalize(index->delete_failure);
    sqlite3_finalize(index->find_clip);
    sqlite3_finalize(index->find_failure);
    sqlite3_finalize(index->find_checksum);
    index->add_text = index->drop_text = index->delete_clip = index->delete_failure = NULL;
    index->find_clip = index->find_failure = index->find_checksum = NULL;
}

Status index_find_clip(Index *index, const char *path, sqlite3_int64 *id, Error *err)
{
    sqlite3_bind_text(index->find_clip, 1, path, -1, SQLITE_STATIC);
    int code = sqlite3_step(index->find_clip);
    *id = code == SQLITE_ROW ? sqlite3_column_int64(index->find_clip, 0) : 0;
    sqlite3_reset(index->find_clip);
    return code == SQLITE_ROW || code == SQLITE_DONE ? STATUS_OK : database_error(index->file.db, code, err);
}

Status index_seal_again(Index *index, IndexTable table, sqlite3_int64 id, uint64_t before, Error *err)
{
    sqlite3_stmt *find = index->find_checksum;
    uint64_t now = 0;
    Status status = row_sums_add_clip(&index->sums, index->file.db, table, id, &now, err);
    if (status || now == before)
        return status;
    sqlite3_bind_int64(find, 1, id);
    int code = sqlite3_step(find);
    uint64_t checksum = code == SQLITE_ROW ? (uint64_t)sqlite3_column_int64(find, 0) : 0;
    sqlite3_reset(find);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return database_error(index->file.db, code, err);
    return code == SQLITE_ROW ? index_rows_seal(&index->rows, id, checksum + now - before, err) : STATUS_OK;
}
