/* See index_tags.h. */
#include "formats/index/index_tags.h"

#include <string.h>

#include "formats/base/database.h"
#include "formats/index/index_handle.h"
#include "formats/index/index_schema.h"

#define TAGS_BY_PATH "SELECT c.path, t.name, t.value FROM tag t JOIN clip c ON c.id = t.clip_id" \
    " WHERE c.path IS NOT NULL AND t.name IS NOT NULL AND t.value IS NOT NULL"

/* Returns 1 if name is one of the tags, with this value. */
static int is_given(const IndexTag *tags, int count, const char *name, const char *value)
{
    for (int i = 0; i < count && name && value; i++)
        if (strcmp(tags[i].name, name) == 0)
            return strcmp(tags[i].value, value) == 0;
    return 0;
}

static Status are_there(Index *index, sqlite3_int64 id, const IndexTag *tags, int count, int *same, Error *err)
{
    sqlite3_stmt *list = NULL;
    int code = SQLITE_DONE, found = 0, differ = 0;
    Status status = database_prepare(index->file.db, "SELECT name, value FROM tag WHERE clip_id = ?", &list, err);
    if (status)
        return status;
    sqlite3_bind_int64(list, 1, id);
    while ((code = sqlite3_step(list)) == SQLITE_ROW) {
        found++;
        differ |= !is_given(tags, count, (const char *)sqlite3_column_text(list, 0),
                            (const char *)sqlite3_column_text(list, 1));
    }
    if (code != SQLITE_DONE)
        status = database_error(index->file.db, code, err);
    sqlite3_finalize(list);
    *same = found == count && !differ;
    return status;
}

Status index_tags_drop(Index *index, sqlite3_int64 id, Error *err)
{
    sqlite3_stmt *drop = NULL;
    if (id == 0)
        return STATUS_OK;
    Status status = database_prepare(index->file.db, "DELETE FROM tag WHERE clip_id = ?", &drop, err);
    if (status)
        return status;
    sqlite3_bind_int64(drop, 1, id);
    status = database_step(drop, err);
    sqlite3_finalize(drop);
    return status;
}

static Status keep_tag(Index *index, sqlite3_stmt *row, Error *err)
{
    sqlite3_int64 id;
    TagRow tag = {(const char *)sqlite3_column_text(row, 1), (const char *)sqlite3_column_text(row, 2)};
    Status status = index_find_clip(index, (const char *)sqlite3_column_text(row, 0), &id, err);
    uint64_t before = 0;
    if (status || id == 0 || (status = row_sums_add_clip(&index->sums, index->file.db, TABLE_TAG, id, &before, err)) ||
        (status = index_rows_insert_tag(&index->rows, id, &tag, err)))
        return status;
    return index_seal_again(index, TABLE_TAG, id, before, err);
}

Status index_tags_keep(Index *index, Error *err)
{
    sqlite3 *old = index->file.replaced;
    sqlite3_stmt *list = NULL;
    sqlite3_int64 has_tags = 0;
    int code = SQLITE_DONE;
    Status status = database_integer(old, "SELECT count(*) FROM sqlite_schema WHERE name = 'tag'", 0, &has_tags, err);
    if (status || !has_tags)
        return status;
    status = database_prepare(old, TAGS_BY_PATH, &list, err);
    while (!status && (code = sqlite3_step(list)) == SQLITE_ROW)
        status = keep_tag(index, list, err);
    if (!status && code != SQLITE_DONE)
        status = database_error(old, code, err);
    sqlite3_finalize(list);
    return status;
}

Status index_put_tags(Index *index, const char *path, const IndexTag *tags, int count, int *changed, Error *err)
{
    sqlite3_int64 id;
    int same = 1;
    Status status = index_find_clip(index, path, &id, err);
    if (!status && id > 0)
        status = are_there(index, id, tags, count, &same, err);
    if (status || same)
        return status;
    *changed = 1;
    uint64_t before = 0;
    status = index_file_begin(&index->file, err);
    if (!status)
        status = row_sums_add_clip(&index->sums, index->file.db, TABLE_TAG, id, &before, err);
    if (!status)
        status = index_tags_drop(index, id, err);
    for (int i = 0; i < count && !status; i++) {
        TagRow row = {tags[i].name, tags[i].value};
        status = index_rows_insert_tag(&index->rows, id, &row, err);
    }
    return status ? status : index_seal_again(index, TABLE_TAG, id, before, err);
}

int index_has_column(const char *name)
{
    IndexSchema schema;
    int found = 0;
    if (index_schema_init(&schema, NULL))
        return 0;
    for (int c = 0; c < schema.count[TABLE_CLIP_SUMMARY] && !found; c++)
        found = sqlite3_stricmp(schema.column[TABLE_CLIP_SUMMARY][c].name, name) == 0;
    index_schema_free(&schema);
    return found;
}
