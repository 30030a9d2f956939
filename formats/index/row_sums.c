/* See row_sums.h. */
#include "formats/index/row_sums.h"

#include "formats/base/database.h"
#include "formats/index/index_rows.h"

static uint64_t hash_value(uint64_t hash, sqlite3_stmt *row, int c)
{
    int type = sqlite3_column_type(row, c);
    const sqlite3_int64 integer = sqlite3_column_int64(row, c);
    const double real = sqlite3_column_double(row, c);
    if (type == SQLITE_INTEGER)
        return index_hash(hash, type, &integer, sizeof integer);
    if (type == SQLITE_FLOAT)
        return index_hash(hash, type, &real, sizeof real);
    if (type == SQLITE_NULL)
        return index_hash(hash, type, NULL, 0);
    const void *bytes = type == SQLITE_TEXT ? (const void *)sqlite3_column_text(row, c) : sqlite3_column_blob(row, c);
    return index_hash(hash, type, bytes, bytes ? (size_t)sqlite3_column_bytes(row, c) : 0);
}

uint64_t index_hash_row(const IndexSchema *schema, IndexTable table, sqlite3_stmt *row)
{
    uint64_t hash = (uint64_t)table;
    for (int c = 0; c < schema->count[table]; c++)
        if (index_column_is_hashed(&schema->column[table][c]))
            hash = hash_value(hash, row, c);
    return hash;
}

static Status prepare_reading(RowSums *sums, sqlite3 *db, IndexTable table, Error *err)
{
    sqlite3_stmt *all = NULL;
    if (sums->read[table])
        return STATUS_OK;
    Status status = index_schema_prepare_select(sums->schema, db, table, &all, err);
    char *sql = status ? NULL : sqlite3_mprintf("%s WHERE %s = ?", sqlite3_sql(all),
                                                table == TABLE_CLIP ? "id" : "clip_id");
    sqlite3_finalize(all);
    if (!status)
        status = sql ? database_prepare(db, sql, &sums->read[table], err) : error_no_memory(err);
    sqlite3_free(sql);
    return status;
}

Status row_sums_add_clip(RowSums *sums, sqlite3 *db, IndexTable table, sqlite3_int64 id, uint64_t *sum, Error *err)
{
    int code = SQLITE_DONE;
    *sum = 0;
    Status status = prepare_reading(sums, db, table, err);
    if (status)
        return status;
    sqlite3_stmt *row = sums->read[table];
    sqlite3_bind_int64(row, 1, id);
    while ((code = sqlite3_step(row)) == SQLITE_ROW)
        *sum += index_hash_row(sums->schema, table, row);
    if (code != SQLITE_DONE)
        status = database_error(db, code, err);
    sqlite3_reset(row);
    return status;
}

void row_sums_finalize(RowSums *sums)
{
    for (int t = 0; t < TABLE_COUNT; t++) {
        sqlite3_finalize(sums->read[t]);
        sums->read[t] = NULL;
    }
}
