/* The table expression of a condition: clip_summary, with a column for each tag that the query names. */
#ifndef KANE_QUERY_QUERY_SOURCE_H
#define KANE_QUERY_QUERY_SOURCE_H

#include <sqlite3.h>

#include "analysis/base/status.h"
#include "formats/query/query_def.h"
#include "formats/query/query_guard.h"

typedef struct QuerySource {
    char *sql;         /* text after FROM; owned (sqlite3_free) */
    QueryColumns tags; /* tags that are columns */
} QuerySource;

/* Appends the tag names of an index. */
Status query_tags(sqlite3 *db, QueryColumns *names, Error *err);

/* Call before the guard is installed. STATUS_BAD_INPUT if the index has no tag table. */
Status query_source_init(QuerySource *source, sqlite3 *db, const QueryDef *def, Error *err);
void query_source_free(QuerySource *source);

#endif
