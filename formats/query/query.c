#include "formats/query/query.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/text.h"
#include "formats/index/database.h"
#include "formats/index/index_file.h"
#include "formats/query/query_guard.h"
#include "formats/query/query_preset.h"
#include "formats/query/query_source.h"
#include "formats/sql_frames/frames_table.h"

/* Columns of an answer to a WHERE that names none. */
#define PLAIN_COLUMNS "path, duration_s, torque_peak_nm_kg, torque_peak_role, torque_peak_t"

QueryDef query_default_def(void)
{
    return (QueryDef){.limit = -1, .min_seconds = 0, .time_limit = 60, .format = QUERY_TABLE};
}

/* A question on its way to a SELECT. */
typedef struct Question {
    const QueryDef *def;
    const char *database;
    sqlite3 *db;
    QueryGuard guard;
    QuerySource source; /* clip_summary, and the tags that the question names */
    char *from;    /* of a preset: its SELECT in parentheses; else NULL. This and the next are owned (sqlite3_free) */
    char *columns;
    char *select;  /* the whole statement */
    const char *order;
    long long limit;
    int is_own_limit; /* 1: the preset's, not the person's */
} Question;

/* Text in owned storage; NULL without memory. */
static Status make_text(char **text, Error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    sqlite3_free(*text);
    *text = sqlite3_vmprintf(format, args);
    va_end(args);
    return *text ? STATUS_OK : error_no_memory(err);
}

/* Every name that the question can see: the columns of a preset, of clip_summary, or of all tables. */
static void collect_names(const Question *q, QueryColumns *names)
{
    static const char every[] = "SELECT i.name FROM pragma_table_list l, pragma_table_info(l.name) i"
                                " WHERE l.schema = 'main' AND l.type IN ('table', 'virtual')"
                                " UNION SELECT name FROM pragma_table_info('kane_frames')";
    static const char summary[] = "SELECT name FROM pragma_table_info('clip_summary')"
                                  " UNION ALL SELECT DISTINCT name FROM tag";
    sqlite3_stmt *list = NULL;
    char *source = q->from ? sqlite3_mprintf("SELECT * FROM %s", q->from)
                           : sqlite3_mprintf("%s", q->def->sql ? every : summary);
    if (source && query_guard_prepare(q->db, source, &list, NULL) == STATUS_OK) {
        for (int c = 0; q->from && c < sqlite3_column_count(list); c++)
            query_columns_append(names, sqlite3_column_name(list, c));
        while (!q->from && sqlite3_step(list) == SQLITE_ROW)
            query_columns_append(names, (const char *)sqlite3_column_text(list, 0));
    }
    sqlite3_finalize(list);
    sqlite3_free(source);
}

/* STATUS_BAD_INPUT where tables of the index or their columns are not there: then it is not the question that is wrong.
 * The authorizer notes no columns here. */
static Status check_tables(const Question *q, Error *err)
{
    IndexSchema schema;
    Status status = index_schema_init(&schema, err);
    if (status)
        return status;
    for (int t = 0; t < TABLE_COUNT && !status; t++) {
        sqlite3_stmt *all = NULL;
        status = index_schema_prepare_select(&schema, q->db, (IndexTable)t, &all, err);
        sqlite3_finalize(all);
    }
    index_schema_free(&schema);
    return status;
}

/* query_guard_prepare that tells a damaged index from a wrong question, and names the columns near to an unknown
 * one. */
static Status prepare(Question *q, const char *sql, sqlite3_stmt **statement, Error *err)
{
    static const char unknown[] = "no such column: ";
    Error own = {0};
    Error *cause = err ? err : &own;
    Status status = query_guard_prepare(q->db, sql, statement, cause);
    if (status == STATUS_USAGE) {
        Error damage = {0};
        Status sound = check_tables(q, &damage);
        if (sound)
            return error_set(err, sound, "%s", damage.text);
    }
    if (status != STATUS_USAGE || strncmp(cause->text, unknown, sizeof unknown - 1) != 0)
        return status;
    char wrong[128], near[256];
    snprintf(wrong, sizeof wrong, "%.127s", cause->text + sizeof unknown - 1);
    const char *dot = strrchr(wrong, '.');
    QueryColumns names = {0};
    collect_names(q, &names);
    near_names(dot ? dot + 1 : wrong, (const char *const *)names.name, (size_t)names.count, near, sizeof near);
    query_columns_free(&names);
    return error_set(err, STATUS_USAGE, "no column \"%s\"%s%s", wrong, near[0] ? "; near: " : "", near);
}

static int ends_in(const char *name, const char *suffix)
{
    size_t length = strlen(name), size = strlen(suffix);
    return length >= size && strcmp(name + length - size, suffix) == 0;
}

static Status append_column(Question *q, const char *name, size_t length, const char *suffix, Error *err)
{
    char *longer = sqlite3_mprintf("%s, \"%.*w%w\"", q->columns, (int)length, name, suffix);
    sqlite3_free(q->columns);
    q->columns = longer;
    return longer ? STATUS_OK : error_no_memory(err);
}

/* path, then what the expression and the order name; beside a peak of torque also when it is. */
static Status choose_columns(Question *q, Error *err)
{
    const QueryColumns *named = &q->guard.columns;
    Status status = make_text(&q->columns, err, "path");
    for (int i = 0; i < named->count && !status; i++) {
        const char *name = named->name[i];
        if (strcmp(name, "path") == 0 || strcmp(name, "clip_id") == 0 || strcmp(name, "ROWID") == 0)
            continue;
        status = append_column(q, name, strlen(name), "", err);
        const char *unit = ends_in(name, "torque_peak_nm") ? "nm" : ends_in(name, "torque_peak_nm_kg") ? "nm_kg" : NULL;
        if (!status && unit)
            status = append_column(q, name, strlen(name) - strlen(unit), "t", err);
    }
    for (int i = 0; i < q->source.tags.count && !status; i++)
        status = append_column(q, q->source.tags.name[i], strlen(q->source.tags.name[i]), "", err);
    if (!status && named->no_memory)
        status = error_no_memory(err);
    if (!status && strcmp(q->columns, "path") == 0)
        status = make_text(&q->columns, err, "%s", PLAIN_COLUMNS);
    return status;
}

/* The parts that come from a person stand on lines of their own, so that a comment in one ends there. */
static Status ask_summary(Question *q, Error *err)
{
    const QueryDef *def = q->def;
    const char *where = def->where ? def->where : "1", *order = def->order ? def->order : "path";
    const char *from = q->source.sql;
    sqlite3_stmt *trial = NULL;
    Status status = make_text(&q->select, err, "SELECT 1 FROM %s WHERE (\n%s\n) ORDER BY\n%s", from, where, order);
    if (!status && !def->columns) {
        status = prepare(q, q->select, &trial, err);
        sqlite3_finalize(trial);
        if (!status)
            status = choose_columns(q, err);
    }
    if (!status)
        status = make_text(&q->select, err, "SELECT\n%s\nFROM %s WHERE (\n%s\n) ORDER BY\n%s\nLIMIT %lld",
                           def->columns ? def->columns : q->columns, from, where, order, q->limit);
    return status;
}

static Status ask_preset(Question *q, const QueryPreset *preset, Error *err)
{
    q->limit = q->def->limit < 0 ? preset->limit : q->def->limit;
    q->is_own_limit = q->def->limit < 0 && preset->limit >= 0;
    long long most = q->limit < 0 ? q->limit : q->limit + 1; /* one more tells whether there are more */
    Status status = STATUS_OK;
    if (preset->shortcut && !q->def->order && most > 0) {
        char *select = sqlite3_mprintf(preset->shortcut, most);
        status = make_text(&q->from, err, "(%s)", select ? select : "");
        sqlite3_free(select);
    } else if (q->def->among) {
        status = make_text(&q->from, err, "(%s WHERE c.id IN (SELECT clip_id FROM %s WHERE (\n%s\n)))",
                           preset->select, q->source.sql, q->def->among);
    } else {
        status = make_text(&q->from, err, "(%s)", preset->select);
    }
    if (!status)
        status = make_text(&q->select, err, "SELECT\n%s\nFROM %s ORDER BY\n%s\nLIMIT %lld",
                           q->def->columns ? q->def->columns : "*", q->from,
                           q->def->order ? q->def->order : preset->order, most);
    return status;
}

/* Fills select; from here on the connection is guarded. */
static Status make_select(Question *q, Error *err)
{
    const QueryDef *def = q->def;
    const QueryPreset *preset = NULL;
    int is_preset = !def->sql && def->where && def->where[0] == '@';
    if (def->sql && (def->where || def->columns || def->order))
        return error_set(err, STATUS_USAGE, "a SELECT of one's own takes no expression, columns or order");
    Status status = is_preset ? query_preset_find(def, &preset, err) : STATUS_OK;
    if (!status && preset && preset->prepare)
        status = preset->prepare(q->db, def, q->database, err);
    if (!status)
        status = query_source_init(&q->source, q->db, def, err);
    if (status)
        return status;
    query_guard_install(&q->guard, q->db, def->time_limit);
    if (def->sql)
        return make_text(&q->select, err, "%s", def->sql);
    return preset ? ask_preset(q, preset, err) : ask_summary(q, err);
}

static Cell cell_of(sqlite3_stmt *row, int column)
{
    static const CellKind kinds[] = {[SQLITE_INTEGER] = CELL_INTEGER,
                                     [SQLITE_FLOAT] = CELL_REAL,
                                     [SQLITE_TEXT] = CELL_TEXT,
                                     [SQLITE_BLOB] = CELL_BLOB,
                                     [SQLITE_NULL] = CELL_NULL};
    Cell cell = {.kind = kinds[sqlite3_column_type(row, column)]};
    if (cell.kind == CELL_INTEGER)
        cell.integer = sqlite3_column_int64(row, column);
    else if (cell.kind == CELL_REAL)
        cell.real = sqlite3_column_double(row, column);
    else if (cell.kind == CELL_TEXT)
        cell.bytes = (const char *)sqlite3_column_text(row, column);
    else if (cell.kind == CELL_BLOB)
        cell.bytes = sqlite3_column_blob(row, column);
    if (cell.bytes)
        cell.size = (size_t)sqlite3_column_bytes(row, column);
    return cell;
}

/* How a step of the statement ended, where that is not with a row or the last one. */
static Status step_error(const Question *q, int code, Error *err)
{
    switch (code & 0xff) {
    case SQLITE_ROW:
    case SQLITE_DONE:
        return STATUS_OK;
    case SQLITE_INTERRUPT:
        return error_set(err, STATUS_LIMIT, "the time limit of %g s is over", q->def->time_limit);
    case SQLITE_AUTH: /* some virtual tables ask only when they are read */
        return error_set(err, STATUS_USAGE, "a query only reads: %s", sqlite3_errmsg(q->db));
    case FRAMES_TABLE_FAILED:
        return error_set(err, STATUS_BAD_INPUT, "%s", sqlite3_errmsg(q->db));
    case SQLITE_ERROR:
    case SQLITE_TOOBIG:
    case SQLITE_MISMATCH:
        return error_set(err, STATUS_USAGE, "%s", sqlite3_errmsg(q->db));
    default:
        return database_error(q->db, code, err);
    }
}

/* Rows from the one that the statement stands on, code being what its step gave. */
static Status write_rows(Question *q, sqlite3_stmt *rows, int code, QueryOutput *output, Cell *cells, Error *err)
{
    long long count = 0;
    int columns = sqlite3_column_count(rows);
    Status status = STATUS_OK;
    while (code == SQLITE_ROW && (q->limit < 0 || count < q->limit) && !status) {
        for (int c = 0; c < columns; c++)
            cells[c] = cell_of(rows, c);
        status = query_output_row(output, cells, err);
        if ((++count != q->limit || q->is_own_limit) && !status) {
            code = sqlite3_step(rows);
            status = step_error(q, code, err);
        }
    }
    if (code == SQLITE_ROW && q->is_own_limit && q->def->is_cut)
        *q->def->is_cut = 1;
    if (!status && count == 0)
        status = error_set(err, STATUS_NO_RESULT, "no row matches");
    return status;
}

/* The header waits for the first row, so that an error stands alone. */
static Status write_answer(Question *q, sqlite3_stmt *rows, const char *const *names, Cell *cells, FILE *out,
                           Error *err)
{
    QueryOutput *output = NULL;
    int code = sqlite3_step(rows);
    Status status = step_error(q, code, err);
    if (!status)
        status = query_output_open(q->def->format, sqlite3_column_count(rows), names, out, &output, err);
    if (status)
        return status;
    status = write_rows(q, rows, code, output, cells, err);
    if (status && status != STATUS_NO_RESULT) {
        query_output_abandon(output);
        return status;
    }
    Error closing;
    Status closed = query_output_close(output, &closing);
    return closed ? error_set(err, closed, "%s", closing.text) : status;
}

static Status answer(Question *q, sqlite3_stmt *rows, FILE *out, Error *err)
{
    int columns = sqlite3_column_count(rows);
    const char **names = calloc((size_t)columns + 1, sizeof *names);
    Cell *cells = calloc((size_t)columns + 1, sizeof *cells);
    Status status = names && cells ? STATUS_OK : error_no_memory(err);
    for (int c = 0; c < columns && !status; c++)
        names[c] = sqlite3_column_name(rows, c);
    if (!status)
        status = write_answer(q, rows, names, cells, out, err);
    free(names);
    free(cells);
    return status;
}

Status query_ask(sqlite3 *db, const char *database, const QueryDef *def, FILE *out, Error *err)
{
    Question q = {.def = def, .database = database, .db = db, .limit = def->limit};
    sqlite3_stmt *rows = NULL;
    Status status = make_select(&q, err);
    if (!status)
        status = prepare(&q, q.select, &rows, err);
    if (!status)
        status = answer(&q, rows, out, err);
    sqlite3_finalize(rows);
    query_guard_remove(db);
    query_columns_free(&q.guard.columns);
    query_source_free(&q.source);
    sqlite3_free(q.from);
    sqlite3_free(q.columns);
    sqlite3_free(q.select);
    return status;
}

Status query_open(const char *database, sqlite3 **db, Error *err)
{
    Status status = index_file_read(database, db, err);
    if (!status && frames_table_register(*db) != SQLITE_OK)
        status = error_no_memory(err);
    if (status)
        database_close(db);
    return status;
}

Status query_run(const char *database, const QueryDef *def, FILE *out, Error *err)
{
    sqlite3 *db;
    Status status = query_open(database, &db, err);
    if (!status)
        status = query_ask(db, database, def, out, err);
    database_close(&db);
    return status;
}
