/* kane check of an index: compares the sums of its rows with stored checksums, runs SQLite's own check, and compares
 * tables, column documentation and full-text index with what this version makes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/database.h"
#include "formats/index/index_check.h"
#include "formats/index/index_handle.h"
#include "formats/index/index_schema.h"
#include "formats/index/path_words.h"

struct IndexCheck {
    char *path;          /* owned */
    IndexSchema schema;
    sqlite3 *db;
    RowSums sums;
    sqlite3 *model;      /* an empty index in memory, as this version makes it */
    IndexRows rows;      /* of model */
};

/* Receiver of the findings of a check. */
typedef struct DamageVisit {
    IndexCheck *check;
    VisitDamage *visit;
    void *context;
    Error *err;
} DamageVisit;

static int is_of_clips(IndexTable table)
{
    return table != TABLE_FAILURE && table != TABLE_FAMILY;
}

Status index_check_open(const char *path, IndexCheck **out, Error *err)
{
    IndexCheck *c = calloc(1, sizeof *c);
    int lacks_traces = 0;
    *out = NULL;
    if (!c)
        return error_no_memory(err);
    c->sums.schema = &c->schema;
    Status status = (c->path = strdup(path)) ? index_schema_init(&c->schema, err) : error_no_memory(err);
    if (!status)
        status = index_file_read(path, &c->db, err);
    if (!status && sqlite3_open(":memory:", &c->model) != SQLITE_OK)
        status = error_no_memory(err);
    if (!status)
        status = database_exec(c->model, "PRAGMA foreign_keys = ON", err);
    if (!status)
        status = index_schema_create(&c->schema, c->model, err);
    if (!status)
        status = index_file_lacks_traces(c->db, &lacks_traces, err);
    if (!status && lacks_traces)
        status = index_file_drop_traces(c->model, err);
    if (!status)
        status = index_rows_prepare(&c->rows, &c->schema, c->model, err);
    c->rows.lacks_traces = lacks_traces;
    if (status)
        index_check_close(c);
    else
        *out = c;
    return status;
}

void index_check_close(IndexCheck *c)
{
    if (!c)
        return;
    index_rows_finalize(&c->rows);
    database_close(&c->model);
    row_sums_finalize(&c->sums);
    database_close(&c->db);
    index_schema_free(&c->schema);
    free(c->path);
    free(c);
}

/* Reports an error of reading as a finding, except a lack of memory. */
static Status found_or(const DamageVisit *f, Status status, const Error *cause)
{
    if (status == STATUS_NO_MEMORY)
        return error_no_memory(f->err);
    return status ? f->visit(f->context, NULL, cause->text, f->err) : STATUS_OK;
}

/* Reports the first column of each row of a query as a finding, after the given words. */
static Status visit_rows(const DamageVisit *f, const char *sql, const char *words)
{
    sqlite3_stmt *row = NULL;
    Error cause = {0};
    int code = SQLITE_DONE;
    Status status = database_prepare(f->check->db, sql, &row, &cause), visited = STATUS_OK;
    while (!status && !visited && (code = sqlite3_step(row)) == SQLITE_ROW) {
        char text[ERROR_TEXT_SIZE];
        const unsigned char *value = sqlite3_column_text(row, 0);
        snprintf(text, sizeof text, "%s%.300s", words, value ? (const char *)value : "");
        visited = f->visit(f->context, NULL, text, f->err);
    }
    if (!status && !visited && code != SQLITE_DONE)
        status = database_error(f->check->db, code, &cause);
    sqlite3_finalize(row);
    return visited ? visited : found_or(f, status, &cause);
}

/* Checks what SQLite can detect: pages, key order, index entries, rows without a clip. */
static Status check_structure(const DamageVisit *f)
{
    Status status = visit_rows(f, "SELECT integrity_check FROM pragma_integrity_check(20)"
                                  " WHERE integrity_check <> 'ok'", "damaged: ");
    if (!status)
        status = visit_rows(f, "SELECT DISTINCT \"table\" FROM pragma_foreign_key_check", "rows of no clip in table ");
    return status ? status : visit_rows(f, "SELECT count(*) FROM tag WHERE clip_id NOT IN (SELECT id FROM clip)"
                                           " HAVING count(*) > 0", "tags of no clip: ");
}

/* Returns all rows of a query as text; NULL with an error. */
static char *select_rows(sqlite3 *db, const char *sql, Error *err)
{
    sqlite3_stmt *row = NULL;
    char *text = NULL;
    size_t size;
    int code;
    FILE *out = open_memstream(&text, &size);
    Status status = out ? database_prepare(db, sql, &row, err) : error_no_memory(err);
    while (!status && (code = sqlite3_step(row)) != SQLITE_DONE) {
        if (code != SQLITE_ROW) {
            status = database_error(db, code, err);
            break;
        }
        for (int c = 0; c < sqlite3_column_count(row); c++) {
            const unsigned char *value = sqlite3_column_text(row, c);
            fprintf(out, "%s|", value ? (const char *)value : "NULL");
        }
        putc('\n', out);
    }
    sqlite3_finalize(row);
    if (out && fclose(out) && !status)
        status = error_no_memory(err);
    if (!status)
        return text;
    free(text);
    return NULL;
}

/* Compares tables that do not depend on clips with those of an empty index. */
static Status check_model(const DamageVisit *f)
{
    static const char *const same[][2] = {
        {"SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name", "other tables than kane makes"},
        {"SELECT * FROM column_doc ORDER BY table_name, column_name", "table column_doc has other content"},
        {"SELECT * FROM meta ORDER BY name", "table meta has other content"},
    };
    Status status = STATUS_OK;
    for (size_t i = 0; i < sizeof same / sizeof *same && !status; i++) {
        Error cause = {0};
        char *here = select_rows(f->check->db, same[i][0], &cause), *there = select_rows(f->check->model, same[i][0],
                                                                                         &cause);
        if (!here || !there)
            status = found_or(f, STATUS_BAD_INPUT, &cause);
        else if (strcmp(here, there) != 0)
            status = f->visit(f->context, NULL, same[i][1], f->err);
        free(here);
        free(there);
    }
    return status;
}

/* Compares the full-text index with one rebuilt in memory: the same words at the same positions, found by every
 * word. */
static Status check_search(const DamageVisit *f)
{
    static const char again[] =
        "CREATE VIRTUAL TABLE temp.search USING fts5(path, source, path_words, content='');"
        "INSERT INTO temp.search(rowid, path, source, path_words) SELECT id, path, source, path_words FROM main.clip;"
        "CREATE VIRTUAL TABLE temp.made USING fts5vocab(temp, search, instance);"
        "CREATE VIRTUAL TABLE temp.stored USING fts5vocab(main, clip_text, instance)";
    Error cause = {0};
    Status status = database_exec(f->check->db, again, &cause);
    if (status)
        return found_or(f, status, &cause);
    status = visit_rows(f, "SELECT count(*) FROM (SELECT * FROM (SELECT * FROM temp.made EXCEPT SELECT * FROM"
                           " temp.stored) UNION ALL SELECT * FROM (SELECT * FROM temp.stored EXCEPT SELECT * FROM"
                           " temp.made)) HAVING count(*) > 0", "words of the text search that differ: ");
    if (!status)
        status = visit_rows(f, "SELECT count(*) FROM (SELECT DISTINCT term FROM temp.made) t WHERE"
                               " (SELECT sum(rowid) FROM clip_text WHERE clip_text MATCH '\"' || t.term || '\"') IS NOT"
                               " (SELECT sum(rowid) FROM search WHERE search MATCH '\"' || t.term || '\"')"
                               " HAVING count(*) > 0", "words that the text search finds elsewhere: ");
    if (!status)
        status = visit_rows(f, "SELECT count(*) FROM (SELECT id, sz FROM main.clip_text_docsize EXCEPT SELECT id, sz"
                               " FROM temp.search_docsize) HAVING count(*) > 0",
                            "lengths of the text search that differ: ");
    return status;
}

/* Checks a clip against its checksum, and the columns that are not part of it. */
static Status check_clip(const DamageVisit *f, sqlite3_int64 id, const char *path, const char *words, uint64_t stored)
{
    Error cause = {0};
    Status status = STATUS_OK;
    char *again = path_words(path);
    uint64_t sum = index_hash_path(path);
    for (int t = 0; t < TABLE_COUNT && !status; t++) {
        uint64_t part = 0;
        if (is_of_clips((IndexTable)t))
            status = row_sums_add_clip(&f->check->sums, f->check->db, (IndexTable)t, id, &part, &cause);
        sum += part;
    }
    int is_same = again && words && strcmp(again, words) == 0 && sum == stored;
    free(again);
    if (status == STATUS_NO_MEMORY || !again)
        return error_no_memory(f->err);
    if (status)
        return f->visit(f->context, path, cause.text, f->err);
    return is_same ? STATUS_OK : f->visit(f->context, path, "the rows of this clip differ from their checksum", f->err);
}

static Status check_clips(const DamageVisit *f)
{
    sqlite3_stmt *row = NULL;
    Error cause = {0};
    int code = SQLITE_DONE;
    Status visited = STATUS_OK;
    Status status = database_prepare(f->check->db, "SELECT id, path, path_words, checksum FROM clip NOT INDEXED", &row,
                                     &cause);
    while (!status && !visited && (code = sqlite3_step(row)) == SQLITE_ROW) {
        const char *path = (const char *)sqlite3_column_text(row, 1);
        visited = check_clip(f, sqlite3_column_int64(row, 0), path ? path : "",
                             (const char *)sqlite3_column_text(row, 2), (uint64_t)sqlite3_column_int64(row, 3));
    }
    if (!status && !visited && code != SQLITE_DONE)
        status = database_error(f->check->db, code, &cause);
    sqlite3_finalize(row);
    if (!visited)
        visited = found_or(f, status, &cause);
    return visited ? visited : visit_rows(f, "SELECT c.path FROM clip c LEFT JOIN clip_summary s ON s.clip_id = c.id"
                                             " WHERE s.path IS NOT c.path OR s.path_words IS NOT c.path_words",
                                          "clip_summary has another path for ");
}

/* Checks rows that have their own checksum, in the last column. */
static Status check_table(const DamageVisit *f, IndexTable table)
{
    sqlite3_stmt *row = NULL;
    Error cause = {0};
    int code = SQLITE_DONE, last = f->check->schema.count[table] - 1;
    Status visited = STATUS_OK, status = index_schema_prepare_select(&f->check->schema, f->check->db, table, &row,
                                                                     &cause);
    while (!status && !visited && (code = sqlite3_step(row)) == SQLITE_ROW) {
        char text[ERROR_TEXT_SIZE];
        const unsigned char *name = sqlite3_column_text(row, 0);
        snprintf(text, sizeof text, "a row of table %s differs from its checksum: %.200s", index_table_name(table),
                 name ? (const char *)name : "");
        if (index_hash_row(&f->check->schema, table, row) != (uint64_t)sqlite3_column_int64(row, last))
            visited = f->visit(f->context, NULL, text, f->err);
    }
    if (!status && !visited && code != SQLITE_DONE)
        status = database_error(f->check->db, code, &cause);
    sqlite3_finalize(row);
    return visited ? visited : found_or(f, status, &cause);
}

Status index_check_file(IndexCheck *check, VisitDamage *visit, void *context, Error *err)
{
    const DamageVisit f = {check, visit, context, err};
    Status status;
    if ((status = check_structure(&f)) || (status = check_model(&f)) || (status = check_search(&f)) ||
        (status = check_clips(&f)) || (status = check_table(&f, TABLE_FAILURE)))
        return status;
    return check_table(&f, TABLE_FAMILY);
}

Status index_check_paths(IndexCheck *check, VisitPath *visit, void *context, Error *err)
{
    sqlite3_stmt *list = NULL;
    int code = SQLITE_DONE;
    Status status = database_prepare(check->db, "SELECT path FROM clip WHERE path IS NOT NULL ORDER BY path", &list,
                                     err);
    while (!status && (code = sqlite3_step(list)) == SQLITE_ROW)
        status = visit(context, (const char *)sqlite3_column_text(list, 0), err);
    if (!status && code != SQLITE_DONE)
        status = database_error(check->db, code, err);
    sqlite3_finalize(list);
    return status;
}

/* Returns the ID of a clip, 0 if it is not in the index, and its stored checksum. */
static Status checksum_at(sqlite3 *db, const char *path, sqlite3_int64 *id, uint64_t *checksum, Error *err)
{
    sqlite3_stmt *find = NULL;
    Status status = database_prepare(db, "SELECT id, checksum FROM clip WHERE path = ?", &find, err);
    if (status)
        return status;
    sqlite3_bind_text(find, 1, path, -1, SQLITE_STATIC);
    int code = sqlite3_step(find);
    *id = code == SQLITE_ROW ? sqlite3_column_int64(find, 0) : 0;
    *checksum = code == SQLITE_ROW ? (uint64_t)sqlite3_column_int64(find, 1) : 0;
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        status = database_error(db, code, err);
    sqlite3_finalize(find);
    return status;
}

/* Sums the rows that are not from the clip file: tags and the stale mark. */
static Status sum_beside(IndexCheck *c, sqlite3_int64 id, uint64_t *sum, Error *err)
{
    sqlite3_stmt *row = NULL;
    int code = SQLITE_DONE;
    Status status = row_sums_add_clip(&c->sums, c->db, TABLE_TAG, id, sum, err);
    if (!status)
        status = database_prepare(c->db, "SELECT * FROM warning WHERE clip_id = ? AND kind = 'stale'", &row, err);
    if (status)
        return status;
    sqlite3_bind_int64(row, 1, id);
    while ((code = sqlite3_step(row)) == SQLITE_ROW)
        *sum += index_hash_row(&c->schema, TABLE_WARNING, row);
    if (code != SQLITE_DONE)
        status = database_error(c->db, code, err);
    sqlite3_finalize(row);
    return status;
}

/* Of peaks of equal size, rounding decides which is the first: frames and times of peaks, and their standard
 * deviations, differ. */
static int ends_with(const char *text, const char *suffix)
{
    size_t length = strlen(text), n = strlen(suffix);
    return length > n && !strcmp(text + length - n, suffix);
}

static int tells_place(const char *column)
{
    return ends_with(column, "_frame") || ends_with(column, "_t") || strstr(column, "_sd");
}

/* Compares a row of two databases but for its first column, an ID, and for places of peaks: texts and whole numbers are
 * equal, reals within a hundred thousandth. */
static Status compare_near(sqlite3 *a, sqlite3 *b, const char *select, const sqlite3_int64 id[2], int *is_near,
                           Error *err)
{
    sqlite3 *const db[2] = {a, b};
    sqlite3_stmt *row[2] = {NULL, NULL};
    Status status = STATUS_OK;
    for (int i = 0; i < 2 && !status; i++) {
        status = database_prepare(db[i], select, &row[i], err);
        sqlite3_bind_int64(row[i], 1, id[i]);
        *is_near = *is_near && !status && sqlite3_step(row[i]) == SQLITE_ROW;
    }
    for (int k = 1; !status && *is_near && k < sqlite3_column_count(row[0]); k++) {
        int type = sqlite3_column_type(row[0], k);
        if (tells_place(sqlite3_column_name(row[0], k))) continue;
        double x = sqlite3_column_double(row[0], k), y = sqlite3_column_double(row[1], k);
        const char *text = (const char *)sqlite3_column_text(row[0], k);
        const char *other = (const char *)sqlite3_column_text(row[1], k);
        *is_near = type != sqlite3_column_type(row[1], k) ? 0
                   : type == SQLITE_FLOAT                 ? fabs(x - y) <= 1e-5 * fmax(fabs(x), fabs(y)) + 1e-9
                                                          : !text == !other && (!text || !strcmp(text, other));
    }
    sqlite3_finalize(row[0]);
    sqlite3_finalize(row[1]);
    return status;
}

/* The statistics of a lean clip file differ in their last digits from those of its batch, which had the numbers before
 * they were rounded. */
static Status check_lean(IndexCheck *c, sqlite3_int64 id, sqlite3_int64 made, int *is_same, Error *err)
{
    static const char *const select[] = {
        "SELECT id, source_sha256, history FROM clip WHERE id = ?",
        "SELECT * FROM clip_summary WHERE clip_id = ?", /* begins with the ID */
    };
    const sqlite3_int64 ids[2] = {id, made};
    Status status = STATUS_OK;
    *is_same = 1;
    for (int i = 0; i < 2 && !status && *is_same; i++)
        status = compare_near(c->db, c->model, select[i], ids, is_same, err);
    return status;
}

Status index_check_clip(IndexCheck *c, const char *path, const ClipStats *stats, int *is_same, Error *err)
{
    sqlite3_int64 id = 0, made = 0;
    uint64_t stored = 0, beside = 0, own = 0;
    Status status;
    if ((status = database_exec(c->model, "DELETE FROM clip", err)) ||
        (status = index_rows_insert(&c->rows, &made, path, stats, err)) ||
        (status = checksum_at(c->model, path, &made, &own, err)) ||
        (status = checksum_at(c->db, path, &id, &stored, err)) ||
        (status = sum_beside(c, id, &beside, err)))
        return status;
    *is_same = stored == own + beside;
    return *is_same || !stats->metrics.is_lean ? STATUS_OK : check_lean(c, id, made, is_same, err);
}
