/* Questions by the sketches of the index: where a stretch of a clip comes again (@like FILE@FROM-TO), and what moves
 * alike with less torque (@calmer). Cost: one pass over the sketches. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/stats/sketch_match.h"
#include "formats/index/database.h"
#include "formats/query/query_clip.h"
#include "formats/query/query_preset.h"

#define ALIKE_TABLE \
    "CREATE TEMP TABLE alike(clip_id INTEGER, t REAL, seconds REAL, distance REAL, pose_legs REAL, torque_nm_kg REAL," \
    " torque_part REAL, mirrored INTEGER)"
#define INSERT_ALIKE "INSERT INTO temp.alike VALUES (?, ?, ?, ?, ?, ?, ?, ?)"

typedef struct Wanted {
    MotionSketch sketch; /* owned */
    double start;        /* s, source time of its begin */
} Wanted;

/* One pass over the sketches of an index. */
typedef struct Pass {
    sqlite3 *db;
    Wanted wanted;
    sqlite3_int64 self;    /* the wanted clip's id here; 0: it is not of this index */
    SketchWindow *window;  /* owned; NULL: whole clips are compared */
    int first, count;      /* samples of the window */
    LikenessOf by;
    int only_calmer;       /* 1: what takes as much torque is left out */
    SketchMatch *distance, *match; /* [capacity] owned */
    int capacity;
    sqlite3_stmt *insert;
} Pass;

static Status copy_sketch(const void *samples, size_t bytes, double start, Wanted *out, Error *err)
{
    *out = (Wanted){.start = start};
    if (bytes == 0)
        return error_set(err, STATUS_BAD_INPUT, "nothing to compare by: no human roles, or no frame to trust");
    out->sketch.value = malloc(bytes);
    if (!out->sketch.value)
        return error_no_memory(err);
    memcpy(out->sketch.value, samples, bytes);
    out->sketch.count = (int)(bytes / SKETCH_VALUES);
    return STATUS_OK;
}

static Status sketch_of_clip(sqlite3 *db, sqlite3_int64 id, void *out, Error *err)
{
    sqlite3_stmt *find = NULL;
    Status status = database_prepare(db, "SELECT c.start_s, samples FROM clip c LEFT JOIN sketch s ON s.clip_id = c.id"
                                         " WHERE c.id = ?", &find, err);
    if (status)
        return status;
    sqlite3_bind_int64(find, 1, id);
    int code = sqlite3_step(find);
    size_t bytes = code == SQLITE_ROW ? (size_t)sqlite3_column_bytes(find, 1) : 0;
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        status = database_error(db, code, err);
    else
        status = copy_sketch(sqlite3_column_blob(find, 1), bytes - bytes % SKETCH_VALUES,
                             sqlite3_column_double(find, 0), out, err);
    sqlite3_finalize(find);
    return status;
}

static Status sketch_of_stats(const ClipStats *stats, void *out, Error *err)
{
    return copy_sketch(stats->sketch.value, (size_t)stats->sketch.count * SKETCH_VALUES, stats->figures.start_s, out,
                       err);
}

static Status insert_match(const Pass *p, sqlite3_int64 id, const SketchMatch *m, Error *err)
{
    const double figure[] = {m->t, p->count * SKETCH_SECONDS, m->distance, m->pose, m->torque_nm_kg,
                             m->torque_part};
    sqlite3_bind_int64(p->insert, 1, id);
    for (int i = 0; i < 6; i++)
        sqlite3_bind_double(p->insert, i + 2, figure[i]); /* NaN becomes NULL */
    sqlite3_bind_int(p->insert, 8, m->is_mirrored);
    return database_step(p->insert, err);
}

/* Whether a place in the wanted clip itself shares time with the window. */
static int overlaps_window(const Pass *p, const SketchMatch *m)
{
    return fabs(m->t / SKETCH_SECONDS - p->first) < p->count;
}

/* Fills p->match for a clip; returns how many, -1 without memory. */
static int find_matches(Pass *p, const unsigned char *samples, int count)
{
    int steps = p->window ? sketch_window_steps(p->window, count) : count > 0;
    if (steps > 0 && steps > p->capacity) {
        free(p->distance);
        free(p->match);
        p->capacity = 2 * steps;
        p->distance = calloc((size_t)p->capacity, sizeof *p->distance);
        p->match = calloc((size_t)p->capacity, sizeof *p->match);
        if (!p->distance || !p->match)
            return -1;
    }
    if (p->window)
        return steps ? sketch_match(p->window, samples, count, p->distance, p->match) : 0;
    if (steps)
        sketch_compare(p->wanted.sketch.value, p->wanted.sketch.count, samples, count, p->match);
    return steps;
}

/* The row: clip_id, samples. */
static Status take_clip(Pass *p, sqlite3_stmt *row, Error *err)
{
    sqlite3_int64 id = sqlite3_column_int64(row, 0);
    const unsigned char *samples = sqlite3_column_blob(row, 1);
    if (!p->window && id == p->self)
        return STATUS_OK;
    int found = find_matches(p, samples, samples ? sqlite3_column_bytes(row, 1) / SKETCH_VALUES : 0);
    Status status = found < 0 ? error_no_memory(err) : STATUS_OK;
    for (int i = 0; i < found && !status; i++) {
        const SketchMatch *m = &p->match[i];
        int is_left_out = isnan(m->distance) || (id == p->self && overlaps_window(p, m)) ||
                          (p->only_calmer && !(m->torque_part < 1));
        if (!is_left_out)
            status = insert_match(p, id, m, err);
    }
    return status;
}

static Status take_all(Pass *p, Error *err)
{
    sqlite3_stmt *list = NULL;
    int code = SQLITE_DONE;
    Status status = database_exec(p->db, ALIKE_TABLE, err);
    if (!status)
        status = database_prepare(p->db, INSERT_ALIKE, &p->insert, err);
    if (!status)
        status = database_prepare(p->db, "SELECT clip_id, samples FROM sketch ORDER BY clip_id", &list, err);
    while (!status && (code = sqlite3_step(list)) == SQLITE_ROW)
        status = take_clip(p, list, err);
    if (!status && code != SQLITE_DONE)
        status = database_error(p->db, code, err);
    sqlite3_finalize(list);
    sqlite3_finalize(p->insert);
    return status;
}

/* The samples nearest to a stretch, two at least. */
static Status choose_window(Pass *p, const QueryDef *def, const ClipSpan *span, Error *err)
{
    const MotionSketch *s = &p->wanted.sketch;
    double end = s->count, from = (span->from - p->wanted.start) / SKETCH_SECONDS;
    double to = (span->to - p->wanted.start) / SKETCH_SECONDS;
    if (!(from > -0.5) || !(to < end + 1))
        return error_set(err, STATUS_USAGE, "%g-%g s is not in it: it goes from %g to %g s", span->from, span->to,
                         p->wanted.start, p->wanted.start + end * SKETCH_SECONDS);
    p->count = (int)fmin(fmax(floor(to - from + 0.5), 2), end);
    if (p->count < 2)
        return error_set(err, STATUS_BAD_INPUT, "too short to compare: under a third of a second");
    p->first = (int)fmin(fmax(floor(from + 0.5), 0), s->count - p->count);
    return sketch_window_new(s, (SampleRange){p->first, p->count}, p->by, def->with_mirror, &p->window, err);
}

/* span NULL: of the whole clip. */
static Status run_pass(Pass *p, const QueryDef *def, const char *database, const char *file, const ClipSpan *span,
                       Error *err)
{
    static const ClipReader reader = {sketch_of_clip, sketch_of_stats};
    const ClipRequest request = {def, database, file, &reader};
    Status status = query_clip_read(p->db, &request, &p->wanted, &p->self, err);
    if (!status && span)
        status = choose_window(p, def, span, err);
    status = query_preset_blame(def, status, err);
    if (!status)
        status = take_all(p, err);
    motion_sketch_free(&p->wanted.sketch);
    sketch_window_free(p->window);
    free(p->distance);
    free(p->match);
    return status;
}

static Status run_span(Pass *p, const QueryDef *def, const char *database, Error *err)
{
    ClipSpan span;
    Status status = query_span_parse(def->argument, &span, err);
    if (!status)
        status = run_pass(p, def, database, span.file, &span, err);
    free(span.file);
    return status;
}

Status query_window_prepare(sqlite3 *db, const QueryDef *def, const char *database, Error *err)
{
    Pass pass = {.db = db, .by = def->by};
    return run_span(&pass, def, database, err);
}

Status query_calmer_prepare(sqlite3 *db, const QueryDef *def, const char *database, Error *err)
{
    Pass pass = {.db = db, .by = LIKENESS_POSE, .only_calmer = 1};
    if (query_has_span(def->argument))
        return run_span(&pass, def, database, err);
    return run_pass(&pass, def, database, def->argument, NULL, err);
}
