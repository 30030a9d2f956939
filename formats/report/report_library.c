/* See report_library.h. */
#include "formats/report/report_library.h"

#include <math.h>
#include <stdarg.h>
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

/* Thumbnails of clips: one pose as a line drawing. */

/* Proportions in leg lengths, of an average person (de Leva 1996, relative to thigh plus shank). */
#define TRUNK 0.62
#define HEAD 0.82 /* centre of the head from the hips */
#define SHOULDERS 0.2
#define HIPS 0.1
#define MAX_UNITS 50.0 /* units per leg length: standing people have the same height in all drawings */
#define MARGIN 6.0
#define SIDEWAYS 0.87 /* sine and */
#define FRONTAL 0.5   /* cosine of 60 degrees, the rotation of the view from the front towards the side */

/* Screen axes in trunk axes. */
typedef struct View {
    Vec3 right, up;
    double lowest, highest, widest; /* extent of all points, leg lengths */
    double scale; /* units per leg length */
} View;

typedef struct Drawing {
    char *text;
    int size;
} Drawing;

__attribute__((format(printf, 2, 3))) static void put(Drawing *d, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int more = vsnprintf(d->text + d->size, (size_t)(POSTER_TEXT - d->size), format, args);
    va_end(args);
    d->size = d->size + more < POSTER_TEXT ? d->size + more : POSTER_TEXT - 1;
}

/* Returns 0 if the point is unknown. */
static int read_point(const unsigned char *sample, int at, Vec3 *out)
{
    const unsigned char *p = sample + at;
    *out = vec3_scale(vec3(p[0] - SKETCH_ORIGIN, p[1] - SKETCH_ORIGIN, p[2] - SKETCH_ORIGIN), SKETCH_LEGS);
    return p[0] && p[1] && p[2];
}

static int is_known(const unsigned char *sample)
{
    return sample[SKETCH_UP] != SKETCH_UNKNOWN && sample[3 * SKETCH_KNEE] != SKETCH_UNKNOWN;
}

static void place(Drawing *d, char letter, const View *v, Vec3 p)
{
    double x = 0.5 * POSTER_SIZE + v->scale * vec3_dot(p, v->right);
    double y = POSTER_SIZE - MARGIN - v->scale * (vec3_dot(p, v->up) - v->lowest);
    put(d, "%c%.0f %.0f", letter, x, y);
}

/* Draws a limb from its proximal joint over the middle joint to the end, up to the first unknown point. */
static void put_limb(Drawing *d, const View *v, const unsigned char *sample, Vec3 from, int limb)
{
    Vec3 p;
    place(d, 'M', v, from);
    if (!read_point(sample, 3 * limb, &p))
        return;
    place(d, 'L', v, p);
    if (read_point(sample, 3 * (limb + SKETCH_WRIST - SKETCH_ELBOW), &p))
        place(d, 'L', v, p);
}

static void reach(View *v, Vec3 p)
{
    v->lowest = fmin(v->lowest, vec3_dot(p, v->up));
    v->highest = fmax(v->highest, vec3_dot(p, v->up));
    v->widest = fmax(v->widest, fabs(vec3_dot(p, v->right)));
}

/* Computes the view. If the forward axis of the trunk is nearly vertical (a lying body), its head axis replaces it. */
static View sample_view(const unsigned char *sample)
{
    View v = {.scale = MAX_UNITS};
    Vec3 up, p;
    read_point(sample, SKETCH_UP, &up);
    v.up = vec3_normalize(up);
    Vec3 ahead = fabs(v.up.z) < 0.8 ? vec3(0, 0, 1) : vec3(0, 1, 0);
    ahead = vec3_normalize(vec3_sub(ahead, vec3_scale(v.up, vec3_dot(ahead, v.up))));
    Vec3 left = vec3_cross(v.up, ahead);
    v.right = vec3_sub(vec3_scale(left, FRONTAL), vec3_scale(ahead, SIDEWAYS));
    for (int limb = 0; limb < SKETCH_LIMBS; limb++)
        if (read_point(sample, 3 * limb, &p))
            reach(&v, p);
    reach(&v, vec3(0, HEAD, 0));
    double room = POSTER_SIZE - 2 * MARGIN;
    v.scale = fmin(v.scale, fmin(room / (v.highest - v.lowest), 0.5 * room / v.widest));
    return v;
}

int thumbnail_draw(const unsigned char *sample, char text[POSTER_TEXT])
{
    Drawing d = {text, 0};
    text[0] = 0;
    if (!is_known(sample))
        return 0;
    const View v = sample_view(sample);
    for (int side = 0; side < 2; side++) {
        double x = side ? -1 : 1;
        put_limb(&d, &v, sample, vec3(x * SHOULDERS, TRUNK, 0), SKETCH_ELBOW + side);
        put_limb(&d, &v, sample, vec3(x * HIPS, 0, 0), SKETCH_KNEE + side);
    }
    place(&d, 'M', &v, vec3(SHOULDERS, TRUNK, 0));
    place(&d, 'L', &v, vec3(-SHOULDERS, TRUNK, 0));
    place(&d, 'L', &v, vec3(-HIPS, 0, 0));
    place(&d, 'L', &v, vec3(HIPS, 0, 0));
    put(&d, "z");
    place(&d, 'M', &v, vec3(0, HEAD, 0));
    put(&d, "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0");
    return d.size;
}

const unsigned char *thumbnail_sample(const unsigned char *samples, int count, double t)
{
    double wanted = isnan(t) ? 0.5 * (count - 1) : t / SKETCH_SECONDS - 0.5;
    const unsigned char *nearest = NULL;
    double best = INFINITY;
    for (int k = 0; k < count; k++) {
        const unsigned char *sample = samples + (size_t)k * SKETCH_VALUES;
        if (fabs(k - wanted) < best && is_known(sample)) {
            best = fabs(k - wanted);
            nearest = sample;
        }
    }
    return nearest;
}

/* The result of a query as a page. */

/* A quoted string in the JSON of the rows. */
typedef struct Quoted {
    const char *at;
    size_t size;
} Quoted;

/* State while links are written. */
typedef struct Links {
    Json *json;
    ReportPageTest has_page;
    void *context;
    Quoted *path; /* [path_count] paths in the rows, sorted; owned */
    int path_count;
} Links;

static int compare_quoted(const void *a, const void *b)
{
    const Quoted *x = a, *y = b;
    int order = memcmp(x->at, y->at, x->size < y->size ? x->size : y->size);
    return order ? order : (x->size > y->size) - (x->size < y->size);
}

/* Returns the string up to the next unescaped quote. */
static Quoted quoted_at(const char *at, const char *end)
{
    const char *c = at + 1;
    while (c < end && *c != '"')
        c += *c == '\\' ? 2 : 1;
    return (Quoted){at, c < end ? (size_t)(c - at) + 1 : (size_t)(end - at)};
}

/* Collects and sorts the paths of the result. There are few of them; the index may have many clips. */
static Status find_paths(const ReportAnswer *answer, Links *links, Error *err)
{
    static const char key[] = "\"path\": \"";
    const char *end = answer->rows + answer->size, *at = answer->rows;
    while (at && (at = memmem(at, (size_t)(end - at), key, sizeof key - 1))) {
        if (!array_grow(&links->path, links->path_count, sizeof *links->path))
            return error_no_memory(err);
        links->path[links->path_count++] = quoted_at(at + sizeof key - 2, end);
        at += sizeof key - 1;
    }
    if (links->path_count)
        qsort(links->path, (size_t)links->path_count, sizeof *links->path, compare_quoted);
    return STATUS_OK;
}

static void put_pair(Links *links, Quoted path, const char *name)
{
    json_print(links->json, "%.*s:", (int)path.size, path.at);
    json_put_text(links->json->stream, name);
}

/* Writes "PATH":"clips/NAME.html" if a row has this path and the page exists. */
static Status put_link(void *context, const char *path, Error *err)
{
    Links *links = context;
    char *text = NULL, *name = NULL;
    size_t size = 0;
    FILE *quoted = open_memstream(&text, &size);
    if (!quoted)
        return error_no_memory(err);
    json_put_text(quoted, path);
    if (fclose(quoted))
        return error_no_memory(err);
    Quoted wanted = {text, size};
    Status status = STATUS_OK;
    if (links->path_count && bsearch(&wanted, links->path, (size_t)links->path_count, sizeof wanted, compare_quoted))
        status = report_clip_page_name(path, &name, err);
    if (name && !status && links->has_page(links->context, name))
        put_pair(links, wanted, name);
    free(name);
    free(text);
    return status;
}

static Status put_answer(Json *json, const ReportAnswer *answer, ReportPageTest has_page, void *context, Error *err)
{
    Links links = {.json = json, .has_page = has_page, .context = context};
    report_json_begin(json, "answer");
    json_member_text(json, "question", answer->question);
    json_member_text(json, "folder", answer->folder ? answer->folder : "");
    json_member_open(json, "pages", '{');
    Status status = find_paths(answer, &links, err);
    if (!status)
        status = report_library_visit(answer->database, put_link, &links, err);
    free(links.path);
    json_close(json, '}');
    json_key(json, "rows");
    fwrite(answer->rows, 1, answer->size, json->stream);
    return status;
}

Status report_answer_write(const ReportPage *page, const ReportAnswer *answer, ReportPageTest has_page, void *context,
                           FILE *stream, Error *err)
{
    char *text = NULL;
    size_t size = 0;
    SeriesBlock none = {0};
    Json json = json_compact(open_memstream(&text, &size));
    if (!json.stream)
        return error_no_memory(err);
    Status status = report_json_end(&json, put_answer(&json, answer, has_page, context, err), err);
    if (!status)
        status = report_page_write(page, text, size, &none, stream, err);
    free(text);
    return status;
}

#define TIME_LIMIT 600 /* s for all queries of a page */

/* Clips by decreasing torque, then path. */
#define LISTED "FROM clip_summary ORDER BY torque_peak_nm_kg DESC NULLS LAST, path LIMIT ?1"

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

/* --- the table --- */

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

/* --- small plots --- */

/* Appends a torque profile as a series and writes [clip_id, role, least, step]. Skips rows of wrong size. */
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

/* --- thumbnails --- */

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
    json_member_integer(&library->json, "most_plots", REPORT_MAX_PLOTS);
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
