#include "formats/query/query.h"

#include <stdlib.h>

#include "formats/index/database.h"
#include "formats/index/index_file.h"
#include "formats/query/query_question.h"
#include "formats/sql_frames/frames_table.h"

QueryDef query_default_def(void)
{
    return (QueryDef){.limit = -1, .min_seconds = 0, .time_limit = 60, .format = QUERY_TABLE};
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

Status question_step_error(const Question *q, int code, Error *err)
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
            status = question_step_error(q, code, err);
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
    Status status = question_step_error(q, code, err);
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

Status query_ask(sqlite3 *db, const char *database, const QueryDef *def, FILE *out, Error *err)
{
    Question q = {.def = def, .database = database, .db = db, .limit = def->limit};
    sqlite3_stmt *rows = NULL;
    Status status = question_make(&q, err);
    if (!status)
        status = question_prepare(&q, q.select, &rows, err);
    if (!status)
        status = question_answer(&q, rows, out, err);
    sqlite3_finalize(rows);
    question_free(&q);
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
