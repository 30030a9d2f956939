/* A read-only connection: an authorizer for every statement, limits, a clock. */
#ifndef KANE_FORMATS_QUERY_GUARD_H
#define KANE_FORMATS_QUERY_GUARD_H

#include <sqlite3.h>
#include <time.h>

#include "analysis/base/status.h"

/* Names of columns; of a guard those of clip_summary that statements named, each once. */
typedef struct QueryColumns {
    char **name; /* [count] owned, in the order in which they came up */
    int count, capacity;
    int no_memory;
} QueryColumns;

typedef struct QueryGuard {
    QueryColumns columns;
    int reads_traces; /* 1: a statement reads the table trace */
    struct timespec deadline;
} QueryGuard;

/* From here on db prepares nothing but SELECT. time_limit in s, 0: none. guard must live until its
 * removal. */
void query_guard_install(QueryGuard *guard, sqlite3 *db, double time_limit);
void query_guard_remove(sqlite3 *db);

/* Without memory it sets no_memory. */
void query_columns_append(QueryColumns *columns, const char *name);
void query_columns_free(QueryColumns *columns);

/* Prepares one statement that only reads; STATUS_USAGE in words for anything else. */
Status query_guard_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **statement, Error *err);

#endif
