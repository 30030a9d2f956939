/* What an expression is over: clip_summary, with a column for every tag that the question names. */
#ifndef KANE_FORMATS_QUERY_SOURCE_H
#define KANE_FORMATS_QUERY_SOURCE_H

#include "formats/query/query.h"
#include "formats/query/query_guard.h"

typedef struct QuerySource {
    char *sql;         /* behind FROM; owned (sqlite3_free) */
    QueryColumns tags; /* that it has */
} QuerySource;

/* Appends the names of an index's tags. */
Status query_tags(sqlite3 *db, QueryColumns *names, Error *err);

/* Before the connection is guarded. STATUS_BAD_INPUT for an index without its table of tags. */
Status query_source_init(QuerySource *source, sqlite3 *db, const QueryDef *def, Error *err);
void query_source_free(QuerySource *source);

#endif
