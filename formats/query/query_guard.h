/* Guard of a read-only connection: an authorizer for every statement, limits and a deadline. */
#ifndef KANE_FORMATS_QUERY_GUARD_H
#define KANE_FORMATS_QUERY_GUARD_H

#include <sqlite3.h>
#include <time.h>

#include "analysis/base/status.h"

/* Column names; in a guard those of clip_summary that statements named, without duplicates. */
typedef struct QueryColumns {
    char **name; /* [count] owned, in order of first use */
    int count, capacity;
    int no_memory;
} QueryColumns;

typedef struct QueryGuard {
    QueryColumns columns;
    int reads_traces; /* 1: a statement reads table trace */
    struct timespec deadline;
} QueryGuard;

/* Restricts db to SELECT until query_guard_remove; guard must live that long. time_limit in s, 0: none. */
void query_guard_install(QueryGuard *guard, sqlite3 *db, double time_limit);
void query_guard_remove(sqlite3 *db);

/* Appends a copy of name; sets no_memory if memory runs out. */
void query_columns_append(QueryColumns *columns, const char *name);
void query_columns_free(QueryColumns *columns);

/* Prepares one read-only statement; STATUS_USAGE with an explanation for anything else. */
Status query_guard_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **statement, Error *err);

#endif
