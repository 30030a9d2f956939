/* A connection that can only be asked: an authorizer for every statement, limits, a clock. */
#ifndef KANE_FORMATS_QUERY_GUARD_H
#define KANE_FORMATS_QUERY_GUARD_H

#include <sqlite3.h>
#include <time.h>

#include "analysis/base/status.h"

/* The columns of clip_summary that statements named since the list was emptied. */
typedef struct QueryColumns {
    char **name; /* [count] owned, each once, in the order in which they came up */
    int count, capacity;
    int no_memory;
} QueryColumns;

typedef struct QueryGuard {
    QueryColumns columns;
    struct timespec deadline;
    int has_deadline;
} QueryGuard;

/* From here on db prepares nothing but SELECT. time_limit in s, 0: none. guard must outlive db's last statement. */
void query_guard_install(QueryGuard *guard, sqlite3 *db, double time_limit);

/* Adds a name that is not there yet. */
void query_columns_add(QueryColumns *columns, const char *name);
void query_columns_free(QueryColumns *columns);

/* Prepares one statement that only reads; STATUS_USAGE in words for anything else. */
Status query_guard_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **statement, Error *err);

#endif
