#include "formats/report/report_library.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/memory.h"
#include "analysis/base/version.h"
#include "analysis/stats/coarse_curve.h"
#include "analysis/stats/joint_curves.h"
#include "formats/base/bytes.h"
#include "formats/base/text.h"
#include "formats/index/database.h"
#include "formats/index/index_file.h"
#include "formats/query/query_guard.h"
#include "formats/report/poster.h"

#define TIME_LIMIT 600 /* s for all questions to the index */

/* The hardest first; of equal ones by path. */
#define LISTED "FROM clip_summary ORDER BY torque_peak_nm_kg DESC NULLS LAST, path LIMIT ?1"

/* An index while its page is made. */
typedef struct Library {
    sqlite3 *db;
    QueryGuard guard;
    FILE *json;
    SeriesBlock series;
    sqlite3_int64 clip_count; /* of the index */
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

/* Prepares a question whose ?1 is the number of clips that are listed. */
static Status ask(Library *library, const char *sql, sqlite3_stmt **rows, Error *err)
{
    Status status = query_guard_prepare(library->db, sql, rows, err);
    if (status == STATUS_USAGE) /* a table or column is not there */
        status = error_set(err, STATUS_BAD_INPUT, "not a whole kane index: build it again with kane index");
    if (!status)
        sqlite3_bind_int(*rows, 1, REPORT_MOST_CLIPS);
    return status;
}

/* How the last step ended, where that is not with a row or the last one. */
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

/* --- the table --- */

static void put_columns(Library *library, sqlite3_stmt *rows)
{
    fputs("\"columns\":[", library->json);
    for (int c = 1; c < sqlite3_column_count(rows); c++) {
        if (c > 1)
            putc(',', library->json);
        json_put_text(library->json, sqlite3_column_name(rows, c));
    }
    fputs("],\"rows\":[", library->json);
}

/* Seven digits will do for a table that is looked at, and make it a third of the size. */
static void put_cell(FILE *json, sqlite3_stmt *row, int column)
{
    char text[40];
    switch (sqlite3_column_type(row, column)) {
    case SQLITE_INTEGER:
        fprintf(json, "%lld", (long long)sqlite3_column_int64(row, column));
        break;
    case SQLITE_FLOAT:
        snprintf(text, sizeof text, "%.7g", sqlite3_column_double(row, column));
        json_put_number(json, strtod(text, NULL));
        break;
    case SQLITE_TEXT:
        json_put_text(json, (const char *)sqlite3_column_text(row, column));
        break;
    default:
        fputs("null", json);
    }
}

/* Column 0 of the answer is the path; a row of the page is the name of the clip's page, or null, and the cells of the
 * table. */
static Status put_row(Library *library, sqlite3_stmt *row, ReportPageTest has_page, void *context, Error *err)
{
    char *name = NULL;
    const char *path = (const char *)sqlite3_column_text(row, 0);
    Status status = report_clip_page_name(path ? path : "", &name, err);
    if (status)
        return status;
    putc('[', library->json);
    if (has_page(context, name))
        json_put_text(library->json, name);
    else
        fputs("null", library->json);
    free(name);
    for (int c = 1; c < sqlite3_column_count(row); c++) {
        putc(',', library->json);
        put_cell(library->json, row, c);
    }
    putc(']', library->json);
    return STATUS_OK;
}

static Status put_table(Library *library, ReportPageTest has_page, void *context, Error *err)
{
    sqlite3_stmt *rows = NULL;
    Status status = ask(library, "SELECT path, * " LISTED, &rows, err);
    if (status)
        return status;
    put_columns(library, rows);
    for (int count = 0; !status; count++) {
        int code = sqlite3_step(rows);
        status = step_status(library, code, err);
        if (status || code != SQLITE_ROW)
            break;
        if (count)
            putc(',', library->json);
        status = put_row(library, rows, has_page, context, err);
    }
    putc(']', library->json);
    sqlite3_finalize(rows);
    return status;
}

/* --- small plots --- */

/* Appends a profile as a series: {"clip", "role", "scale"}. A row of another size is left out. */
static Status put_profile(Library *library, sqlite3_stmt *row, int *written, Error *err)
{
    double value[PROFILE_POINTS];
    SeriesScale scale;
    const unsigned char *steps = sqlite3_column_blob(row, 3);
    double step = sqlite3_column_double(row, 2);
    const char *role = (const char *)sqlite3_column_text(row, 1);
    if (!steps || !role || sqlite3_column_bytes(row, 3) != 2 * PROFILE_POINTS)
        return STATUS_OK;
    for (int i = 0; i < PROFILE_POINTS; i++)
        value[i] = step * coarse_curve_at(steps, (size_t)i);
    Status status = series_append(&library->series, value, PROFILE_POINTS, &scale, err);
    if (status)
        return status;
    fprintf(library->json, "%s[%lld,", (*written)++ ? "," : "", (long long)sqlite3_column_int64(row, 0));
    json_put_text(library->json, role);
    putc(',', library->json);
    json_put_number(library->json, scale.least);
    putc(',', library->json);
    json_put_number(library->json, scale.step);
    putc(']', library->json);
    return STATUS_OK;
}

static Status put_profiles(Library *library, Error *err)
{
    sqlite3_stmt *rows = NULL;
    int written = 0;
    Status status = ask(library,
                        "SELECT clip_id, role, step_nm_kg, steps FROM profile WHERE clip_id IN"
                        " (SELECT clip_id " LISTED ")",
                        &rows, err);
    if (status)
        return status;
    sqlite3_bind_int(rows, 1, REPORT_MOST_PLOTS);
    fprintf(library->json, ",\"points\":%d,\"profiles\":[", PROFILE_POINTS);
    while (!status) {
        int code = sqlite3_step(rows);
        status = step_status(library, code, err);
        if (status || code != SQLITE_ROW)
            break;
        status = put_profile(library, rows, &written, err);
    }
    putc(']', library->json);
    sqlite3_finalize(rows);
    return status;
}

/* --- posters --- */

/* The row: clip_id, samples, s from the first of them to the largest torque. */
static void put_poster(Library *library, sqlite3_stmt *row, int *written)
{
    char text[POSTER_TEXT];
    const unsigned char *samples = sqlite3_column_blob(row, 1);
    int count = samples ? sqlite3_column_bytes(row, 1) / SKETCH_VALUES : 0;
    int has_peak = sqlite3_column_type(row, 2) != SQLITE_NULL;
    const unsigned char *sample = poster_sample(samples, count, has_peak ? sqlite3_column_double(row, 2) : NAN);
    if (!sample || poster_draw(sample, text) == 0)
        return;
    fprintf(library->json, "%s[%lld,", (*written)++ ? "," : "", (long long)sqlite3_column_int64(row, 0));
    json_put_text(library->json, text);
    putc(']', library->json);
}

/* [clip_id, path of an SVG] of clips with a sketch, at their largest torque. */
static Status put_posters(Library *library, Error *err)
{
    sqlite3_stmt *rows = NULL;
    int written = 0;
    Status status = ask(library,
                        "SELECT s.clip_id, samples, torque_peak_t - start_s FROM sketch s"
                        " CROSS JOIN clip_summary c ON c.clip_id = s.clip_id"
                        " WHERE s.clip_id IN (SELECT clip_id " LISTED ")",
                        &rows, err);
    if (status)
        return status;
    fprintf(library->json, ",\"poster_size\":%d,\"posters\":[", POSTER_SIZE);
    while (!status) {
        int code = sqlite3_step(rows);
        status = step_status(library, code, err);
        if (status || code != SQLITE_ROW)
            break;
        put_poster(library, rows, &written);
    }
    putc(']', library->json);
    sqlite3_finalize(rows);
    return status;
}

static Status put_library(Library *library, ReportPageTest has_page, void *context, Error *err)
{
    Status status = database_integer(library->db, "SELECT count(*) FROM clip_summary", 0, &library->clip_count, err);
    if (status)
        return status;
    fprintf(library->json,
            "{\"kind\":\"library\",\"version\":\"" KANE_VERSION "\",\"clip_count\":%lld,\"most_plots\":%d,",
            (long long)library->clip_count, REPORT_MOST_PLOTS);
    status = put_table(library, has_page, context, err);
    if (!status)
        status = put_profiles(library, err);
    if (!status)
        status = put_posters(library, err);
    putc('}', library->json);
    return status;
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
    library.json = open_memstream(&text, &size);
    status = library.json ? put_library(&library, has_page, context, err) : error_no_memory(err);
    int failed = library.json && ferror(library.json);
    if (library.json && (fclose(library.json) || failed) && !status)
        status = error_no_memory(err);
    if (!status)
        status = report_page_write(page, text, size, &library.series, stream, err);
    free(text);
    library_close(&library);
    return status;
}
