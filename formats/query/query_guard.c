#include "formats/query/query_guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/database.h"

#define STEPS_BETWEEN_CHECKS 10000 /* virtual machine instructions, a fraction of a millisecond */

void query_columns_append(QueryColumns *columns, const char *name)
{
    if (columns->count == columns->capacity) {
        int room = columns->capacity ? 2 * columns->capacity : 16;
        char **grown = realloc(columns->name, (size_t)room * sizeof *grown);
        columns->no_memory |= !grown;
        if (!grown)
            return;
        columns->name = grown;
        columns->capacity = room;
    }
    char *copy = strdup(name);
    columns->no_memory |= !copy;
    if (copy)
        columns->name[columns->count++] = copy;
}

/* Appends a name if it is not in the list. */
static void add_column(QueryColumns *columns, const char *name)
{
    for (int i = 0; i < columns->count; i++)
        if (strcmp(columns->name[i], name) == 0)
            return;
    query_columns_append(columns, name);
}

void query_columns_free(QueryColumns *columns)
{
    for (int i = 0; i < columns->count; i++)
        free(columns->name[i]);
    free(columns->name);
    *columns = (QueryColumns){0};
}

/* Pragmas that FTS5 uses on its own tables, and those that list tables and columns. */
static int is_reading_pragma(const char *name)
{
    static const char *const allowed[] = {"data_version", "table_info", "table_xinfo", "table_list"};
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        if (sqlite3_stricmp(name, allowed[i]) == 0)
            return 1;
    return 0;
}

static int authorize(void *context, int action, const char *first, const char *second, const char *database,
                     const char *trigger)
{
    QueryGuard *guard = context;
    (void)database;
    (void)trigger;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_READ:
        if (first && second && *second && strcmp(first, "clip_summary") == 0)
            add_column(&guard->columns, second);
        guard->reads_traces |= first && strcmp(first, "trace") == 0;
        return SQLITE_OK;
    case SQLITE_FUNCTION:
        return second && sqlite3_stricmp(second, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_UPDATE: /* SQLite requests this before it declares the columns of a virtual table; the file is
                           read-only */
        return first && strcmp(first, "sqlite_master") == 0 ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_PRAGMA:
        return first && is_reading_pragma(first) ? SQLITE_OK : SQLITE_DENY;
    default:
        return SQLITE_DENY;
    }
}

static int is_late(void *context)
{
    const QueryGuard *guard = context;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > guard->deadline.tv_sec ||
           (now.tv_sec == guard->deadline.tv_sec && now.tv_nsec > guard->deadline.tv_nsec);
}

static void set_deadline(QueryGuard *guard, double seconds)
{
    clock_gettime(CLOCK_MONOTONIC, &guard->deadline);
    double end = (double)guard->deadline.tv_nsec * 1e-9 + (seconds < 1e9 ? seconds : 1e9);
    guard->deadline.tv_sec += (time_t)end;
    guard->deadline.tv_nsec = (long)((end - (double)(time_t)end) * 1e9);
}

void query_guard_install(QueryGuard *guard, sqlite3 *db, double time_limit)
{
    static const struct {
        int id, value;
    } limits[] = {
        {SQLITE_LIMIT_LENGTH, 64 << 20},
        {SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
        {SQLITE_LIMIT_EXPR_DEPTH, 500},
        {SQLITE_LIMIT_COMPOUND_SELECT, 50},
        {SQLITE_LIMIT_ATTACHED, 0},
        {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000},
        {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
        {SQLITE_LIMIT_WORKER_THREADS, 0},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        sqlite3_limit(db, limits[i].id, limits[i].value);
    sqlite3_set_authorizer(db, authorize, guard);
    if (time_limit > 0) {
        set_deadline(guard, time_limit);
        sqlite3_progress_handler(db, STEPS_BETWEEN_CHECKS, is_late, guard);
    }
}

void query_guard_remove(sqlite3 *db)
{
    sqlite3_set_authorizer(db, NULL, NULL);
    sqlite3_progress_handler(db, 0, NULL, NULL);
}

/* Returns 1 if only white space, semicolons and comments follow the statement. */
static int is_rest_empty(sqlite3 *db, const char *rest)
{
    while (*rest) {
        sqlite3_stmt *more = NULL;
        const char *tail = rest;
        int code = sqlite3_prepare_v2(db, rest, -1, &more, &tail);
        sqlite3_finalize(more);
        if (code != SQLITE_OK || more)
            return 0;
        if (tail == rest)
            break;
        rest = tail;
    }
    return 1;
}

Status query_guard_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **statement, Error *err)
{
    const char *rest = NULL;
    *statement = NULL;
    int code = sqlite3_prepare_v2(db, sql, -1, statement, &rest);
    if (code == SQLITE_OK && *statement && sqlite3_stmt_readonly(*statement) && is_rest_empty(db, rest))
        return STATUS_OK;
    sqlite3_finalize(*statement);
    int is_several = code == SQLITE_OK && *statement;
    *statement = NULL;
    switch (code & 0xff) {
    case SQLITE_OK:
        return error_set(err, STATUS_USAGE, is_several ? "one SELECT is expected" : "a SELECT is expected");
    case SQLITE_AUTH:
        return error_set(err, STATUS_USAGE, "a query only reads: %s", sqlite3_errmsg(db));
    case SQLITE_ERROR:
    case SQLITE_TOOBIG:
        return error_set(err, STATUS_USAGE, "%s", sqlite3_errmsg(db));
    default:
        return database_error(db, code, err);
    }
}
