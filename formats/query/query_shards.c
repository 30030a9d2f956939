/* One query of several indexes. Each index evaluates it separately, so that IDs, subqueries and presets refer to that
 * index. The rows are merged in memory, in a table that is again named clip_summary, and ordered there. */
#include <stdlib.h>
#include <string.h>

#include "formats/base/database.h"
#include "formats/base/relative_path.h"
#include "formats/query/query.h"
#include "formats/query/query_guard.h"
#include "formats/query/query_source.h"
#include "formats/query/question.h"

typedef struct Gathering {
    const QueryDef *def;
    const char *const *database; /* [count] */
    sqlite3 *all;                /* in-memory database: clip_summary with the rows of all indexes */
    sqlite3_stmt *insert;
    char *columns;               /* columns of a WHERE query that names none; owned (sqlite3_free) */
    char *order;                 /* ORDER BY expression; owned (sqlite3_free) */
    long long limit;
    int is_own_limit;
} Gathering;

static int is_again(sqlite3_stmt *rows, int column)
{
    for (int c = 0; c < column; c++)
        if (sqlite3_stricmp(sqlite3_column_name(rows, c), sqlite3_column_name(rows, column)) == 0)
            return 1;
    return 0;
}

/* Creates the table in memory with the columns of the first result; a repeated column name gets a suffix. */
static Status make_table(Gathering *g, const Question *q, sqlite3_stmt *rows, Error *err)
{
    sqlite3_str *create = sqlite3_str_new(g->all), *insert = sqlite3_str_new(g->all);
    sqlite3_str_appendall(create, "CREATE TABLE clip_summary(");
    sqlite3_str_appendall(insert, "INSERT INTO clip_summary VALUES (");
    for (int c = 0; c < sqlite3_column_count(rows); c++) {
        sqlite3_str_appendf(create, "%s\"%w", c > 0 ? ", " : "", sqlite3_column_name(rows, c));
        sqlite3_str_appendf(create, is_again(rows, c) ? ":%d\"" : "\"", c);
        sqlite3_str_appendall(insert, c > 0 ? ", ?" : "?");
    }
    sqlite3_str_appendall(create, ")");
    sqlite3_str_appendall(insert, ")");
    char *made = sqlite3_str_finish(create), *into = sqlite3_str_finish(insert);
    g->columns = q->columns ? sqlite3_mprintf("%s", q->columns) : NULL;
    g->limit = q->limit;
    g->is_own_limit = q->is_own_limit;
    Status status = made && into ? database_exec(g->all, made, err) : error_no_memory(err);
    if (!status)
        status = database_prepare(g->all, into, &g->insert, err);
    sqlite3_free(made);
    sqlite3_free(into);
    return status;
}

/* Rewrites a path relative to the first index. */
static Status bind_path(Gathering *g, sqlite3_stmt *row, int column, const PathMove *move, Error *err)
{
    char *path = NULL;
    Status status = path_move(move, (const char *)sqlite3_column_text(row, column), &path, err);
    if (!status)
        sqlite3_bind_text(g->insert, column + 1, path, -1, SQLITE_TRANSIENT);
    free(path);
    return status;
}

static Status take_row(Gathering *g, sqlite3_stmt *row, const PathMove *move, Error *err)
{
    Status status = STATUS_OK;
    for (int c = 0; c < sqlite3_column_count(row) && !status; c++) {
        int is_path = strcmp(sqlite3_column_name(row, c), "path") == 0 && sqlite3_column_type(row, c) == SQLITE_TEXT;
        if (is_path)
            status = bind_path(g, row, c, move, err);
        else
            sqlite3_bind_value(g->insert, c + 1, sqlite3_column_value(row, c));
    }
    return status ? status : database_step(g->insert, err);
}

static Status take_rows(Gathering *g, Question *q, sqlite3_stmt *rows, Error *err)
{
    PathMove move = {0};
    int code = SQLITE_DONE;
    Status status = path_move_init(&move, q->database, g->database[0], err);
    if (!status && !g->insert)
        status = make_table(g, q, rows, err);
    while (!status && (code = sqlite3_step(rows)) == SQLITE_ROW)
        status = take_row(g, rows, &move, err);
    path_move_free(&move);
    return status ? status : question_step_error(q, code, err);
}

/* Collects the rows of one index: for a WHERE query all columns that it names, for a preset all columns. */
static Status select_from_index(Gathering *g, const char *database, Error *err)
{
    QueryDef def = *g->def;
    sqlite3_stmt *rows = NULL;
    sqlite3 *db = NULL;
    Status status = query_open(database, &db, err);
    def.columns = NULL;
    Question q = {.def = &def, .database = database, .db = db, .limit = def.limit, .beside = g->def->columns};
    if (!status)
        status = question_make(&q, err);
    if (!status)
        status = question_prepare(&q, q.select, &rows, err);
    if (!status && !g->order)
        g->order = sqlite3_mprintf("%s", q.order);
    if (!status)
        status = g->order ? take_rows(g, &q, rows, err) : error_no_memory(err);
    sqlite3_finalize(rows);
    if (db)
        question_free(&q);
    database_close(&db);
    return status;
}

static Status answer(Gathering *g, FILE *out, Error *err)
{
    Question q = {.def = g->def, .database = g->database[0], .db = g->all, .limit = g->limit,
                  .is_own_limit = g->is_own_limit};
    const char *columns = g->def->columns ? g->def->columns : g->columns ? g->columns : "*";
    long long max = g->limit < 0 ? g->limit : g->limit + 1;
    sqlite3_stmt *rows = NULL;
    query_guard_install(&q.guard, g->all, g->def->time_limit);
    q.select = sqlite3_mprintf("SELECT\n%s\nFROM clip_summary ORDER BY\n%s\nLIMIT %lld", columns, g->order, max);
    Status status = q.select ? query_guard_prepare(g->all, q.select, &rows, err) : error_no_memory(err);
    if (!status)
        status = question_answer(&q, rows, out, err);
    sqlite3_finalize(rows);
    question_free(&q);
    return status;
}

/* Prefixes an error with the path of the index. */
static Status name_index(const char *database, Status status, Error *err)
{
    if (!status || !err || status == STATUS_USAGE)
        return status;
    Error cause = *err;
    return error_set(err, status, "%s: %.300s", database, cause.text);
}

/* Collects the tag names of all indexes; an index without a tag returns NULL for it. */
static Status collect_tags(const char *const *databases, int count, QueryColumns *tags, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < count && !status; i++) {
        sqlite3 *db = NULL;
        status = query_open(databases[i], &db, err);
        if (!status)
            status = query_tags(db, tags, err);
        database_close(&db);
        status = name_index(databases[i], status, err);
    }
    return status;
}

int query_is_database(const char *word)
{
    static const char magic[16] = "SQLite format 3";
    char front[sizeof magic] = "";
    FILE *file = fopen(word, "rbe");
    size_t got = file ? fread(front, 1, sizeof front, file) : 0;
    if (file)
        fclose(file);
    return got == sizeof front && memcmp(front, magic, sizeof magic) == 0;
}

Status query_run_over(const char *const *databases, int count, const QueryDef *def, FILE *out, Error *err)
{
    if (count == 1)
        return query_run(databases[0], def, out, err);
    if (def->sql)
        return error_set(err, STATUS_USAGE, "a SELECT of one's own asks one index: kane merge joins several");
    QueryDef over = *def;
    over.databases = databases;
    over.database_count = count;
    Gathering g = {.def = &over, .database = databases};
    QueryColumns tags = {0};
    Status status = database_open(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, &g.all, err);
    if (!status)
        status = collect_tags(databases, count, &tags, err);
    over.tags = (const char *const *)tags.name;
    over.tag_count = tags.count;
    for (int i = 0; i < count && !status; i++)
        status = name_index(databases[i], select_from_index(&g, databases[i], err), err);
    if (!status)
        status = answer(&g, out, err);
    query_columns_free(&tags);
    sqlite3_finalize(g.insert);
    sqlite3_free(g.columns);
    sqlite3_free(g.order);
    database_close(&g.all);
    return status;
}
