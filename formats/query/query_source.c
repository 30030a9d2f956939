#include "formats/query/query_source.h"

#include <ctype.h>
#include <string.h>

#include "formats/index/database.h"

static int is_of_name(char letter)
{
    return isalnum((unsigned char)letter) || letter == '_';
}

/* Whether a text has name as a word, in any case. */
static int has_word(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = text; at && length > 0 && (at = strcasestr(at, name)); at++)
        if (!(at > text && is_of_name(at[-1])) && !is_of_name(at[length]))
            return 1;
    return 0;
}

static int is_named(const QueryDef *def, const char *name)
{
    return has_word(def->where, name) || has_word(def->among, name) || has_word(def->columns, name) ||
           has_word(def->order, name);
}

/* Adds a tag as a column: NULL where a clip does not have it. */
static Status add_tag(QuerySource *source, const char *name, Error *err)
{
    char *longer = sqlite3_mprintf("%s LEFT JOIN (SELECT clip_id, value AS \"%w\" FROM tag WHERE name = %Q)"
                                   " USING (clip_id)", source->sql, name, name);
    sqlite3_free(source->sql);
    source->sql = longer;
    query_columns_append(&source->tags, name);
    return longer && !source->tags.no_memory ? STATUS_OK : error_no_memory(err);
}

/* A SELECT of one's own names its tables itself. */
Status query_source_init(QuerySource *source, sqlite3 *db, const QueryDef *def, Error *err)
{
    sqlite3_stmt *list = NULL;
    int code = SQLITE_DONE;
    *source = (QuerySource){.sql = sqlite3_mprintf("clip_summary")};
    Status status = source->sql ? STATUS_OK : error_no_memory(err);
    if (!status && !def->sql)
        status = database_prepare(db, "SELECT DISTINCT name FROM tag ORDER BY name", &list, err);
    while (!status && list && (code = sqlite3_step(list)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(list, 0);
        if (name && is_named(def, name))
            status = add_tag(source, name, err);
    }
    if (!status && code != SQLITE_DONE)
        status = database_error(db, code, err);
    sqlite3_finalize(list);
    return status;
}

void query_source_free(QuerySource *source)
{
    sqlite3_free(source->sql);
    query_columns_free(&source->tags);
    *source = (QuerySource){0};
}
