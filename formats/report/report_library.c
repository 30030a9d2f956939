/* See report_library.h. */
#include "formats/report/report_library.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/status.h"
#include "analysis/stats/joint_curves.h"
#include "analysis/stats/motion_features.h"
#include "analysis/stats/quantized_curve.h"
#include "formats/base/bytes.h"
#include "formats/base/database.h"
#include "formats/index/index_file.h"
#include "formats/query/query_guard.h"
#include "formats/report/thumbnail.h"

#define TIME_LIMIT 600 /* s for all queries of a page */

/* Clips by the lower end of the band of their largest torque, then path. */
#define LISTED "FROM clip_summary ORDER BY torque_peak_low_nm_kg DESC NULLS LAST, path LIMIT ?1"

/* State while the page of an index is written. */
typedef struct Library {
    sqlite3 *db;
    QueryGuard guard;
    Json json;
    SeriesBlock series;
    sqlite3_int64 clip_count; /* in the index */
} Library;

static Status library_open(const char *database, Library *out, Error *err)
{
    *out = (Library){0};
    Status status = index_file_read(database, &out->db, err);
    if (!status)
        query_guard_install(&out->guard, out->db, TIME_LIMIT);
    return status;
}

static void library_close(Library *library)
{
    database_close(&library->db);
    query_columns_free(&library->guard.columns);
    series_free(&library->series);
}

/* Prepares a query whose ?1 is the largest number of clips. */
static Status ask(Library *library, const char *sql, sqlite3_stmt **rows, Error *err)
{
    Status status = query_guard_prepare(library->db, sql, rows, err);
    if (status == STATUS_USAGE) /* a table or column is missing */
        status = error_set(err, STATUS_BAD_INPUT, "not a whole kane index: build it again with kane index");
    if (!status)
        sqlite3_bind_int(*rows, 1, REPORT_MAX_CLIPS);
    return status;
}

/* Returns the error of the last step, if any. */
static Status step_status(Library *library, int code, Error *err)
{
    if (code == SQLITE_ROW || code == SQLITE_DONE)
        return STATUS_OK;
    if (code == SQLITE_INTERRUPT)
        return error_set(err, STATUS_LIMIT, "the index took longer than %d s to answer", TIME_LIMIT);
    return database_error(library->db, code, err);
}

Status report_clip_page_name(const char *path, char **name, Error *err)
{
    enum { LONGEST = 80 };
    char digest[DIGEST_SIZE], plain[LONGEST + 1];
    size_t length = strlen(path), skip = length > LONGEST ? length - LONGEST : 0, used = 0;
    Status status = digest_bytes(path, length, digest, err);
    if (status)
        return status;
    for (const char *c = path + skip; *c; c++) {
        int is_plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
                       (used > 0 && strchr("._-", *c));
        plain[used++] = is_plain ? *c : '_';
    }
    plain[used] = 0;
    return asprintf(name, "clips/%s-%.8s.html", plain, digest) < 0 ? error_no_memory(err) : STATUS_OK;
}

Status report_library_visit(const char *database, ReportPathVisitor visit, void *context, Error *err)
{
    Library library;
    sqlite3_stmt *rows = NULL;
    Status status = library_open(database, &library, err);
    if (!status)
        status = ask(&library, "SELECT path " LISTED, &rows, err);
    while (!status) {
        int code = sqlite3_step(rows);
        status = step_status(&library, code, err);
        if (status || code != SQLITE_ROW)
            break;
        const char *path = (const char *)sqlite3_column_text(rows, 0);
        status = visit(context, path ? path : "", err);
    }
    sqlite3_finalize(rows);
    library_close(&library);
    return status;
}

static void put_columns(Library *library, sqlite3_stmt *rows)
{
    json_member_open(&library->json, "columns", '[');
    for (int c = 1; c < sqlite3_column_count(rows); c++)
        json_text(&library->json, sqlite3_column_name(rows, c));
    json_close(&library->json, ']');
    json_member_open(&library->json, "rows", '[');
}

/* Prints numbers with seven digits, enough for display; this makes the table a third of the size. */
static void put_cell(Json *json, sqlite3_stmt *row, int column)
{
    char text[40];
    switch (sqlite3_column_type(row, column)) {
    case SQLITE_INTEGER:
        json_integer(json, (long long)sqlite3_column_int64(row, column));
        break;
    case SQLITE_FLOAT:
        snprintf(text, sizeof text, "%.7g", sqlite3_column_double(row, column));
        json_number(json, strtod(text, NULL));
        break;
    case SQLITE_TEXT:
        json_text(json, (const char *)sqlite3_column_text(row, column));
        break;
    default:
        json_text(json, NULL);
    }
}

/* Writes a row: the name of the clip's page or null, then the cells. Column 0 of row is the path. */
static Status put_row(Library *library, sqlite3_stmt *row, ReportPageTest has_page, void *context, Error *err)
{
    char *name = NULL;
    const char *path = (const char *)sqlite3_column_text(row, 0);
    Status status = report_clip_page_name(path ? path : "", &name, err);
    if (status)
        return status;
    json_open(&library->json, '[');
    json_text(&library->json, has_page(context, name) ? name : NULL);
    free(name);
    for (int c = 1; c < sqlite3_column_count(row); c++)
        put_cell(&library->json, row, c);
    json_close(&library->json, ']');
    return STATUS_OK;
}

static Status put_table(Library *library, ReportPageTest has_page, void *context, Error *err)
{
    sqlite3_stmt *rows = NULL;
    Status status = ask(library, "SELECT path, * " LISTED, &rows, err);
    if (status)
        return status;
    put_columns(library, rows);
    while (!status) {
        int code = sqlite3_step(rows);
        status = step_status(library, code, err);
        if (status || code != SQLITE_ROW)
            break;
        status = put_row(library, rows, has_page, context, err);
    }
    json_close(&library->json, ']');
    sqlite3_finalize(rows);
    return status;
}

/* Appends a torque profile as a series and writes [clip_id, role, min, step]. Skips rows of wrong size. */
static Status put_profile(Library *library, sqlite3_stmt *row, Error *err)
{
    double value[PROFILE_POINTS];
    SeriesScale scale;
    const unsigned char *steps = sqlite3_column_blob(row, 3);
    double step = sqlite3_column_double(row, 2);
    const char *role = (const char *)sqlite3_column_text(row, 1);
    if (!steps || !role || sqlite3_column_bytes(row, 3) != 2 * PROFILE_POINTS)
        return STATUS_OK;
    for (int i = 0; i < PROFILE_POINTS; i++)
        value[i] = step * quantized_curve_at(steps, (size_t)i);
    Status status = series_append(&library->series, value, PROFILE_POINTS, &scale, err);
    if (status)
        return status;
    json_open(&library->json, '[');
    json_integer(&library->json, (long long)sqlite3_column_int64(row, 0));
    json_text(&library->json, role);
    json_number(&library->json, scale.min);
    json_number(&library->json, scale.step);
    json_close(&library->json, ']');
    return STATUS_OK;
}

static Status put_profiles(Library *library, Error *err)
{
    sqlite3_stmt *rows = NULL;
    Status status = ask(library,
                        "SELECT clip_id, role, step_nm_kg, steps FROM profile WHERE clip_id IN"
                        " (SELECT clip_id " LISTED ")",
                        &rows, err);
    if (status)
        return status;
    sqlite3_bind_int(rows, 1, REPORT_MAX_PLOTS);
    json_member_integer(&library->json, "points", PROFILE_POINTS);
    json_member_open(&library->json, "profiles", '[');
    while (!status) {
        int code = sqlite3_step(rows);
        status = step_status(library, code, err);
        if (status || code != SQLITE_ROW)
            break;
        status = put_profile(library, rows, err);
    }
    json_close(&library->json, ']');
    sqlite3_finalize(rows);
    return status;
}

/* row: clip_id, samples, time of the largest torque in s after the first sample. */
static void put_poster(Library *library, sqlite3_stmt *row)
{
    char text[POSTER_TEXT];
    const unsigned char *samples = sqlite3_column_blob(row, 1);
    int count = samples ? sqlite3_column_bytes(row, 1) / SKETCH_VALUES : 0;
    int has_peak = sqlite3_column_type(row, 2) != SQLITE_NULL;
    const unsigned char *sample = thumbnail_sample(samples, count, has_peak ? sqlite3_column_double(row, 2) : NAN);
    if (!sample || thumbnail_draw(sample, text) == 0)
        return;
    json_open(&library->json, '[');
    json_integer(&library->json, (long long)sqlite3_column_int64(row, 0));
    json_text(&library->json, text);
    json_close(&library->json, ']');
}

/* Writes [clip_id, SVG path] for clips with motion features, at their largest torque. */
static Status put_posters(Library *library, Error *err)
{
    sqlite3_stmt *rows = NULL;
    Status status = ask(library,
                        "SELECT s.clip_id, samples, torque_peak_t - start_s FROM sketch s"
                        " CROSS JOIN clip_summary c ON c.clip_id = s.clip_id"
                        " WHERE s.clip_id IN (SELECT clip_id " LISTED ")",
                        &rows, err);
    if (status)
        return status;
    json_member_integer(&library->json, "poster_size", POSTER_SIZE);
    json_member_open(&library->json, "posters", '[');
    while (!status) {
        int code = sqlite3_step(rows);
        status = step_status(library, code, err);
        if (status || code != SQLITE_ROW)
            break;
        put_poster(library, rows);
    }
    json_close(&library->json, ']');
    sqlite3_finalize(rows);
    return status;
}

static Status put_library(Library *library, ReportPageTest has_page, void *context, Error *err)
{
    Status status = database_integer(library->db, "SELECT count(*) FROM clip_summary", 0, &library->clip_count, err);
    if (status)
        return status;
    report_json_begin(&library->json, "library");
    json_member_integer(&library->json, "clip_count", (long long)library->clip_count);
    json_member_integer(&library->json, "max_plots", REPORT_MAX_PLOTS);
    if ((status = put_table(library, has_page, context, err)) || (status = put_profiles(library, err)))
        return status;
    return put_posters(library, err);
}

Status report_library_write(const ReportPage *page, const char *database, ReportPageTest has_page, void *context,
                            FILE *stream, Error *err)
{
    char *text = NULL;
    size_t size = 0;
    Library library;
    Status status = library_open(database, &library, err);
    if (status)
        return status;
    library.json = json_compact(open_memstream(&text, &size));
    status = library.json.stream ? put_library(&library, has_page, context, err) : error_no_memory(err);
    if (library.json.stream)
        status = report_json_end(&library.json, status, err);
    if (!status)
        status = report_page_write(page, text, size, &library.series, stream, err);
    free(text);
    library_close(&library);
    return status;
}
