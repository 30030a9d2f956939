/* An index of an older schema: its tables go, its list of clips and its failures stay.
 *
 * The containers are the truth, so nothing is translated: the caller reads them again. All of it happens in the open
 * transaction: until that is committed the old index is untouched. */
#include <stdlib.h>
#include <string.h>

#include "formats/index/database.h"
#include "formats/index/index_handle.h"
#include "formats/index/index_schema.h"

static Status note_path(Index *index, const char *path, Error *err)
{
    char **grown = realloc(index->outdated, (index->outdated_count + 1) * sizeof *grown);
    if (!grown)
        return error_no_memory(err);
    index->outdated = grown;
    grown[index->outdated_count] = strdup(path);
    if (!grown[index->outdated_count])
        return error_no_memory(err);
    index->outdated_count++;
    return STATUS_OK;
}

static Status note_paths(Index *index, Error *err)
{
    sqlite3_stmt *list = NULL;
    int code = SQLITE_DONE;
    Status status = database_prepare(index->db, "SELECT path FROM clip WHERE path IS NOT NULL ORDER BY path", &list,
                                     err);
    while (!status && (code = sqlite3_step(list)) == SQLITE_ROW) {
        const char *path = (const char *)sqlite3_column_text(list, 0);
        status = path ? note_path(index, path, err) : error_no_memory(err);
    }
    if (!status && code != SQLITE_DONE)
        status = database_error(index->db, code, err);
    sqlite3_finalize(list);
    return status;
}

/* Children before their parents, so that no foreign key is violated. */
static Status drop_tables(Index *index, Error *err)
{
    char sql[64];
    Status status = database_exec(index->db, "DROP TABLE IF EXISTS clip_text", err);
    for (int t = TABLE_COUNT; t-- > 0 && !status;) {
        sqlite3_snprintf(sizeof sql, sql, "DROP TABLE IF EXISTS %s", index_table_name((IndexTable)t));
        status = database_exec(index->db, sql, err);
    }
    return status;
}

Status index_renew(Index *index, Error *err)
{
    Status status = note_paths(index, err);
    if (!status)
        status = database_exec(index->db, "CREATE TEMP TABLE kept AS SELECT path, stage, message FROM failure", err);
    if (!status)
        status = drop_tables(index, err);
    if (!status)
        status = index_schema_create(index->db, err);
    if (!status)
        status = database_exec(index->db, "INSERT INTO failure SELECT * FROM temp.kept; DROP TABLE temp.kept", err);
    return status;
}

size_t index_outdated(const Index *index, const char *const **paths)
{
    *paths = (const char *const *)index->outdated;
    return index->outdated_count;
}

void index_outdated_free(Index *index)
{
    for (size_t i = 0; i < index->outdated_count; i++)
        free(index->outdated[i]);
    free(index->outdated);
}
