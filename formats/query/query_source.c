/* See query_source.h. */
#include "formats/query/query_source.h"

#include <ctype.h>
#include <string.h>

#include "formats/base/database.h"

static int is_of_name(char letter)
{
    return isalnum((unsigned char)letter) || letter == '_';
}

/* Returns 1 if text contains name as a whole word, ignoring case. */
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
    return has_word(def->where, name) || has_word(def->argument, name) || has_word(def->among, name) ||
           has_word(def->columns, name) || has_word(def->order, name);
}

static int is_added(const QuerySource *source, const char *name)
{
    for (int i = 0; i < source->tags.count; i++)
        if (strcmp(source->tags.name[i], name) == 0)
            return 1;
    return 0;
}

/* Adds a tag as a column, NULL for clips without it. */
static Status add_tag(QuerySource *source, const char *name, Error *err)
{
    char *longer = sqlite3_mprintf("%s LEFT JOIN (SELECT clip_id, value AS \"%w\" FROM tag WHERE name = %Q)"
                                   " USING (clip_id)", source->sql, name, name);
    sqlite3_free(source->sql);
    source->sql = longer;
    query_columns_append(&source->tags, name);
    return longer && !source->tags.no_memory ? STATUS_OK : error_no_memory(err);
}

Status query_tags(sqlite3 *db, QueryColumns *names, Error *err)
{
    sqlite3_stmt *list = NULL;
    int code = SQLITE_DONE;
    Status status = database_prepare(db, "SELECT DISTINCT name FROM tag ORDER BY name", &list, err);
    while (!status && (code = sqlite3_step(list)) == SQLITE_ROW)
        if (sqlite3_column_text(list, 0)) /* an untrusted index may contain anything */
            query_columns_append(names, (const char *)sqlite3_column_text(list, 0));
    if (!status && code != SQLITE_DONE)
        status = database_error(db, code, err);
    sqlite3_finalize(list);
    return !status && names->no_memory ? error_no_memory(err) : status;
}

static Status add_named(QuerySource *source, const QueryDef *def, const char *const *names, int count, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < count && !status; i++)
        if (is_named(def, names[i]) && !is_added(source, names[i]))
            status = add_tag(source, names[i], err);
    return status;
}

/* A SELECT of the user names its tables itself and gets no tag columns. */
Status query_source_init(QuerySource *source, sqlite3 *db, const QueryDef *def, Error *err)
{
    QueryColumns names = {0};
    *source = (QuerySource){.sql = sqlite3_mprintf("clip_summary")};
    Status status = source->sql ? STATUS_OK : error_no_memory(err);
    if (!status && !def->sql)
        status = query_tags(db, &names, err);
    if (!status)
        status = add_named(source, def, (const char *const *)names.name, names.count, err);
    if (!status)
        status = add_named(source, def, def->tags, def->tag_count, err);
    query_columns_free(&names);
    return status;
}

void query_source_free(QuerySource *source)
{
    sqlite3_free(source->sql);
    query_columns_free(&source->tags);
    *source = (QuerySource){0};
}
