/* See question.h. */
#include "formats/query/question.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/database.h"
#include "formats/base/text.h"
#include "formats/index/index_schema.h"
#include "formats/query/query_presets.h"
#include "formats/query/query_intervals.h"
#include "formats/frames/frames_table.h"

/* Columns of a WHERE query that names none. */
#define PLAIN_COLUMNS "path, duration_s, torque_peak_nm_kg, torque_peak_role, torque_peak_t"

/* Prints a text into *text, which is owned (sqlite3_free). */
static Status make_text(char **text, Error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    sqlite3_free(*text);
    *text = sqlite3_vmprintf(format, args);
    va_end(args);
    return *text ? STATUS_OK : error_no_memory(err);
}

/* Returns the condition of a preset. It is the second word after the preset if the preset has an argument, else the
 * first. */
static const char *preset_condition(const QueryPreset *preset, const QueryDef *def)
{
    return preset->argument ? def->among : def->argument;
}

/* Collects all column names that the query can use: those of the preset, of clip_summary with tags, or of all
 * tables. */
static void collect_names(const Question *q, QueryColumns *names)
{
    static const char every[] = "SELECT i.name FROM pragma_table_list l, pragma_table_info(l.name) i"
                                " WHERE l.schema = 'main' AND l.type IN ('table', 'virtual')"
                                " UNION SELECT name FROM pragma_table_info('kane_frames')";
    static const char summary[] = "SELECT name FROM pragma_table_info('clip_summary')"
                                  " UNION ALL SELECT DISTINCT name FROM tag";
    sqlite3_stmt *list = NULL;
    char *source = q->from ? sqlite3_mprintf("SELECT * FROM %s", q->from) : NULL;
    int is_preset = source && !query_guard_prepare(q->db, source, &list, NULL); /* 0: wrong condition */
    for (int c = 0; is_preset && c < sqlite3_column_count(list); c++)
        query_columns_append(names, sqlite3_column_name(list, c));
    if (!is_preset && !query_guard_prepare(q->db, q->def->sql ? every : summary, &list, NULL))
        while (sqlite3_step(list) == SQLITE_ROW)
            query_columns_append(names, (const char *)sqlite3_column_text(list, 0));
    sqlite3_finalize(list);
    sqlite3_free(source);
}

/* STATUS_BAD_INPUT if the index lacks tables or columns: then the index is damaged and the query may be correct. The
 * authorizer records no columns here. */
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

/* Sets the error of an unknown column: with its new name if it was renamed, else with similar names. */
static Status unknown_column(const Question *q, const char *name, Error *err)
{
    char wrong[128], near[256];
    snprintf(wrong, sizeof wrong, "%.127s", name);
    const char *dot = strrchr(wrong, '.'), *plain = dot ? dot + 1 : wrong;
    if (index_column_renamed(plain, near, sizeof near))
        return error_set(err, STATUS_USAGE, "unknown column \"%s\"; renamed to %s", wrong, near);
    QueryColumns names = {0};
    collect_names(q, &names);
    did_you_mean(plain, (const char *const *)names.name, (size_t)names.count, near, sizeof near);
    query_columns_free(&names);
    return error_set(err, STATUS_USAGE, "unknown column \"%s\"%s", wrong, near);
}

/* Rewrites a syntax error of SQLite so that it quotes the user's condition. */
static Status blame_condition(const QueryDef *def, Error *err)
{
    int is_preset = !def->sql && def->where && def->where[0] == '@';
    const char *where = is_preset ? (def->among ? def->among : def->argument) : def->where;
    const char *text = def->sql ? def->sql : where && !def->order ? where : def->order ? def->order : "";
    char cause[128];
    snprintf(cause, sizeof cause, "%.127s", err->text);
    if (strstr(cause, "incomplete input") || strncmp(cause, "near \")\"", 8) == 0)
        return error_set(err, STATUS_USAGE, "incomplete condition: \"%.300s\"", text);
    return error_set(err, STATUS_USAGE, "%s in \"%.300s\"", cause, text);
}

/* STATUS_BAD_INPUT if the statement reads traces and the index has none; it would return no rows. */
static Status check_traces(const Question *q, Error *err)
{
    return q->guard.reads_traces ? query_traces_check(q->db, err) : STATUS_OK;
}

Status question_prepare(Question *q, const char *sql, sqlite3_stmt **statement, Error *err)
{
    static const char unknown[] = "no such column: ";
    Error own = {0};
    Error *cause = err ? err : &own;
    Status status = query_guard_prepare(q->db, sql, statement, cause);
    if (!status && (status = check_traces(q, err))) {
        sqlite3_finalize(*statement);
        *statement = NULL;
        return status;
    }
    if (status == STATUS_USAGE) {
        Error damage = {0};
        Status sound = check_tables(q, &damage);
        if (sound)
            return error_set(err, sound, "%s", damage.text);
    }
    if (status == STATUS_USAGE && (strstr(cause->text, "syntax error") || strstr(cause->text, "incomplete input")))
        return blame_condition(q->def, cause);
    if (status != STATUS_USAGE || strncmp(cause->text, unknown, sizeof unknown - 1) != 0)
        return status;
    return unknown_column(q, cause->text + sizeof unknown - 1, err);
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

/* Chooses the columns: path, then those that the condition and the order name, and after each torque peak its time. */
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

/* Builds the SELECT of a WHERE query. Text of the user is on lines of its own, so that an SQL comment in it ends
 * there. */
static Status select_summary(Question *q, Error *err)
{
    const QueryDef *def = q->def;
    const char *where = def->where ? def->where : "1", *order = def->order ? def->order : "path";
    const char *from = q->source.sql;
    sqlite3_stmt *trial = NULL;
    Status status = make_text(&q->select, err, "SELECT\n%s\nFROM %s WHERE (\n%s\n) ORDER BY\n%s",
                              q->beside ? q->beside : "1", from, where, order);
    q->order = order;
    if (!status && !def->columns) {
        status = question_prepare(q, q->select, &trial, err);
        sqlite3_finalize(trial);
        if (!status)
            status = choose_columns(q, err);
    }
    if (!status && q->beside) /* the order may name a column that only the merged rows have */
        return make_text(&q->select, err, "SELECT %s FROM %s WHERE (\n%s\n)", q->columns, from, where);
    if (!status)
        status = make_text(&q->select, err, "SELECT\n%s\nFROM %s WHERE (\n%s\n) ORDER BY\n%s\nLIMIT %lld",
                           def->columns ? def->columns : q->columns, from, where, order, q->limit);
    return status;
}

/* Returns the text before a preset's SELECT: common table expressions that hide the tables behind subsets with the
 * chosen clips. The condition itself still reads the full tables. */
static char *choose_clips(const Question *q, const QueryPreset *preset)
{
    const char *condition = preset_condition(preset, q->def);
    if (!condition)
        return sqlite3_mprintf("SELECT * FROM (");
    if (preset->chosen)
        return sqlite3_mprintf("WITH chosen AS MATERIALIZED (SELECT path FROM %s WHERE (\n%s\n)) SELECT * FROM (WITH"
                               " %s AS (SELECT * FROM main.%s WHERE path IN (SELECT path FROM chosen)) ",
                               preset->chosen, condition, preset->chosen, preset->chosen);
    return sqlite3_mprintf("WITH chosen AS MATERIALIZED (SELECT clip_id FROM %s WHERE (\n%s\n)) SELECT * FROM (WITH"
                           " clip AS (SELECT * FROM main.clip WHERE id IN (SELECT clip_id FROM chosen)),"
                           " clip_summary AS (SELECT * FROM main.clip_summary WHERE clip_id IN"
                           " (SELECT clip_id FROM chosen)) ", q->source.sql, condition);
}

static Status select_preset(Question *q, const QueryPreset *preset, Error *err)
{
    q->limit = q->def->limit < 0 ? preset->limit : q->def->limit;
    q->is_own_limit = q->def->limit < 0 && preset->limit >= 0;
    q->order = q->def->order ? q->def->order : preset->order;
    long long max = q->limit < 0 ? q->limit : q->limit + 1;  /* one more row shows whether the limit cut any */
    int is_short = preset->shortcut && !q->def->order && max > 0;
    char *chosen = choose_clips(q, preset), *select = is_short ? sqlite3_mprintf(preset->shortcut, max) : NULL;
    Status status = chosen && (select || !is_short) ? STATUS_OK : error_no_memory(err);
    if (!status)
        status = make_text(&q->from, err, "(%s%s))", chosen, is_short ? select : preset->select);
    sqlite3_free(chosen);
    sqlite3_free(select);
    if (!status)
        status = make_text(&q->select, err, "SELECT\n%s\nFROM %s ORDER BY\n%s\nLIMIT %lld",
                           q->def->columns ? q->def->columns : "*", q->from, q->order, max);
    return status;
}

Status question_make(Question *q, Error *err)
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
    return preset ? select_preset(q, preset, err) : select_summary(q, err);
}

void question_free(Question *q)
{
    query_guard_remove(q->db);
    query_columns_free(&q->guard.columns);
    query_source_free(&q->source);
    sqlite3_free(q->from);
    sqlite3_free(q->columns);
    sqlite3_free(q->select);
}

/* ---- Rows ---- */

static Cell column_cell(sqlite3_stmt *row, int column)
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

Status question_step_error(const Question *q, int code, Error *err)
{
    switch (code & 0xff) {
    case SQLITE_ROW:
    case SQLITE_DONE:
        return STATUS_OK;
    case SQLITE_INTERRUPT:
        return error_set(err, STATUS_LIMIT, "the time limit of %g s is over", q->def->time_limit);
    case SQLITE_AUTH: /* some virtual tables call the authorizer only when they are read */
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

/* Writes the current row of the statement and those after it. code: result of its last step. */
static Status write_rows(Question *q, sqlite3_stmt *rows, int code, QueryOutput *output, Cell *cells, Error *err)
{
    long long count = 0;
    int columns = sqlite3_column_count(rows);
    Status status = STATUS_OK;
    while (code == SQLITE_ROW && (q->limit < 0 || count < q->limit) && !status) {
        for (int c = 0; c < columns; c++)
            cells[c] = column_cell(rows, c);
        status = query_output_row(output, cells, err);
        if ((++count != q->limit || q->is_own_limit) && !status) {
            code = sqlite3_step(rows);
            status = question_step_error(q, code, err);
        }
    }
    if (code == SQLITE_ROW && q->is_own_limit && q->def->is_cut)
        *q->def->is_cut = 1;
    if (!status && count == 0)
        status = error_set(err, STATUS_NO_RESULT, "no row matches");
    return status;
}

/* Writes the header only after the first step succeeded, so that an error is printed alone. */
static Status write_answer(Question *q, sqlite3_stmt *rows, const char *const *names, Cell *cells, FILE *out,
                           Error *err)
{
    QueryOutput *output = NULL;
    int code = sqlite3_step(rows);
    Status status;
    if ((status = question_step_error(q, code, err)) ||
        (status = query_output_open(q->def->format, sqlite3_column_count(rows), names, out, &output, err)))
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

Status question_answer(Question *q, sqlite3_stmt *rows, FILE *out, Error *err)
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
