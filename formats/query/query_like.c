#include "formats/query/query_like.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/stats/clip_stats.h"
#include "analysis/stats/features_match.h"
#include "analysis/stats/joint_curves.h"
#include "analysis/stats/motion_features.h"
#include "analysis/stats/quantized_curve.h"
#include "formats/base/database.h"
#include "formats/query/query_clip.h"
#include "formats/query/query_presets.h"

/* Queries by the motion features in the index (table sketch): similar intervals (@similar FILE@FROM-TO), similar motion
 * with less torque (@lower-torque), and with a lower or higher utilization of strength (@easier, @harder). Cost: one
 * pass over the features. */
#define ALIKE_TABLE \
    "CREATE TEMP TABLE alike(clip_id INTEGER, t REAL, seconds REAL, distance REAL, pose_legs REAL, torque_nm_kg REAL," \
    " torque_part REAL, mirrored INTEGER, changed_role TEXT, changed_from_nm_kg REAL, changed_to_nm_kg REAL," \
    " wanted_factor REAL)"
#define FACTOR_OF_CLIP "SELECT max(utilization_peak) FROM joint_stat WHERE clip_id = c.id"
#define PROFILES "SELECT clip_id, role, step_nm_kg, steps FROM profile"
#define INSERT_ALIKE "INSERT INTO temp.alike VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
#define SAME_POSE (0.5 * SKETCH_LEGS) /* leg lengths: below this a clip of the same source has the same motion */

typedef struct Wanted {
    MotionFeatures sketch; /* owned */
    double start;        /* s, source time of its first sample */
    double factor;       /* largest utilization of strength; NaN: unknown */
    char source[65];     /* SHA-256 of its source, "": unknown */
} Wanted;

/* One pass over the motion features of an index. */
typedef struct LikePass {
    sqlite3 *db;
    Wanted wanted;
    sqlite3_int64 self;    /* ID of the reference clip in this index; 0: not in it */
    SketchWindow *window;  /* owned; NULL: whole clips are compared */
    int first, count;      /* window in samples */
    LikenessOf by;
    int only_lower_torque;       /* 1: only clips with less torque */
    int leaves_itself;     /* 1: without other files of the reference clip */
    SketchMatch *distance, *match; /* [capacity] owned */
    int capacity;
    sqlite3_stmt *insert;
} LikePass;

static Status copy_sketch(const void *samples, size_t bytes, double start, Wanted *out, Error *err)
{
    *out = (Wanted){.start = start, .factor = NAN};
    if (bytes == 0)
        return error_set(err, STATUS_BAD_INPUT, "not comparable: no human roles, or no trusted frame");
    out->sketch.value = malloc(bytes);
    if (!out->sketch.value)
        return error_no_memory(err);
    memcpy(out->sketch.value, samples, bytes);
    out->sketch.count = (int)(bytes / SKETCH_VALUES);
    return STATUS_OK;
}

static Status features_of_clip(sqlite3 *db, sqlite3_int64 id, void *out, Error *err)
{
    sqlite3_stmt *find = NULL;
    Status status = database_prepare(db,
                                     "SELECT c.start_s, samples, (" FACTOR_OF_CLIP "), c.source_sha256 FROM clip c"
                                     " LEFT JOIN sketch s ON s.clip_id = c.id WHERE c.id = ?", &find, err);
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
    Wanted *wanted = out;
    if (!status && sqlite3_column_type(find, 2) != SQLITE_NULL)
        wanted->factor = sqlite3_column_double(find, 2);
    if (!status && sqlite3_column_text(find, 3))
        snprintf(wanted->source, sizeof wanted->source, "%s", (const char *)sqlite3_column_text(find, 3));
    sqlite3_finalize(find);
    return status;
}

static Status features_of_stats(const ClipStats *stats, void *out, Error *err)
{
    Wanted *wanted = out;
    Status status = copy_sketch(stats->sketch.value, (size_t)stats->sketch.count * SKETCH_VALUES,
                                stats->metrics.start_s, out, err);
    for (int j = 0; j < stats->joint_count && !status; j++)
        wanted->factor = fmax(wanted->factor, stats->joint[j].peaks.utilization_peak);
    if (!status)
        snprintf(wanted->source, sizeof wanted->source, "%s", stats->metrics.source_sha256);
    return status;
}

static Status insert_match(const LikePass *p, sqlite3_int64 id, const SketchMatch *m, Error *err)
{
    const double figure[] = {m->t, p->count * SKETCH_SECONDS, m->distance, m->pose, m->torque_nm_kg,
                             m->torque_part};
    sqlite3_bind_int64(p->insert, 1, id);
    for (int i = 0; i < 6; i++)
        sqlite3_bind_double(p->insert, i + 2, figure[i]); /* NaN becomes NULL */
    sqlite3_bind_int(p->insert, 8, m->is_mirrored);
    sqlite3_bind_text(p->insert, 9, m->changed_role ? role_name(m->changed_role) : NULL, -1, SQLITE_STATIC);
    sqlite3_bind_double(p->insert, 10, m->changed_from_nm_kg);
    sqlite3_bind_double(p->insert, 11, m->changed_to_nm_kg);
    sqlite3_bind_double(p->insert, 12, p->wanted.factor);
    return database_step(p->insert, err);
}

/* Returns 1 if a match in the reference clip overlaps the window. */
static int overlaps_window(const LikePass *p, const SketchMatch *m)
{
    return fabs(m->t / SKETCH_SECONDS - p->first) < p->count;
}

/* Fills p->match for a clip; returns their number, -1 if memory runs out. */
static int find_matches(LikePass *p, const unsigned char *samples, int count)
{
    int steps = p->window ? features_window_steps(p->window, count) : count > 0;
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
        return steps ? features_match(p->window, samples, count, p->distance, p->match) : 0;
    if (steps)
        features_compare(p->wanted.sketch.value, p->wanted.sketch.count, samples, count, p->match);
    return steps;
}

/* Whether a match of a clip with this source is the reference clip itself, perhaps from another file. */
static int is_itself(const LikePass *p, const char *source, const SketchMatch *m)
{
    int is_same = *p->wanted.source && source && !strcmp(source, p->wanted.source) && m->pose < SAME_POSE;
    return is_same && !m->is_mirrored && (!p->window || overlaps_window(p, m));
}

/* row: clip_id, samples, source_sha256. */
static Status take_clip(LikePass *p, sqlite3_stmt *row, Error *err)
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
                          (p->only_lower_torque && !(m->torque_part < 1)) ||
                          (p->leaves_itself && is_itself(p, (const char *)sqlite3_column_text(row, 2), m));
        if (!is_left_out)
            status = insert_match(p, id, m, err);
    }
    return status;
}

static Status take_all(LikePass *p, Error *err)
{
    sqlite3_stmt *list = NULL;
    int code = SQLITE_DONE;
    Status status = database_exec(p->db, ALIKE_TABLE, err);
    if (!status)
        status = database_prepare(p->db, INSERT_ALIKE, &p->insert, err);
    if (!status)
        status = database_prepare(p->db, "SELECT s.clip_id, samples, source_sha256 FROM sketch s"
                                  " JOIN clip c ON c.id = s.clip_id ORDER BY s.clip_id", &list, err);
    while (!status && (code = sqlite3_step(list)) == SQLITE_ROW)
        status = take_clip(p, list, err);
    if (!status && code != SQLITE_DONE)
        status = database_error(p->db, code, err);
    sqlite3_finalize(list);
    sqlite3_finalize(p->insert);
    return status;
}

/* Sets the window to the samples nearest to the interval, at least two. */
static Status choose_window(LikePass *p, const QueryDef *def, const ClipSpan *span, Error *err)
{
    const MotionFeatures *s = &p->wanted.sketch;
    double end = s->count, from = (span->from - p->wanted.start) / SKETCH_SECONDS;
    double to = (span->to - p->wanted.start) / SKETCH_SECONDS;
    if (!(from > -0.5) || !(to < end + 1))
        return error_set(err, STATUS_USAGE, "%g-%g s is outside the clip (%g to %g s)", span->from, span->to,
                         p->wanted.start, p->wanted.start + end * SKETCH_SECONDS);
    p->count = (int)fmin(fmax(floor(to - from + 0.5), 2), end);
    if (p->count < 2)
        return error_set(err, STATUS_BAD_INPUT, "too short to compare: under a third of a second");
    p->first = (int)fmin(fmax(floor(from + 0.5), 0), s->count - p->count);
    return features_window_new(s, (SampleRange){p->first, p->count}, p->by, def->with_mirror, &p->window, err);
}

/* span NULL: compares the whole clip. */
static Status run_pass(LikePass *p, const QueryDef *def, const char *database, const char *file, const ClipSpan *span,
                       Error *err)
{
    static const ClipReader reader = {features_of_clip, features_of_stats};
    const ClipRequest request = {def, database, file, &reader};
    Status status = query_clip_read(p->db, &request, &p->wanted, &p->self, err);
    if (!status && span)
        status = choose_window(p, def, span, err);
    status = query_preset_blame(def, status, err);
    if (!status)
        status = take_all(p, err);
    motion_features_free(&p->wanted.sketch);
    features_window_free(p->window);
    free(p->distance);
    free(p->match);
    return status;
}

static Status run_span(LikePass *p, const QueryDef *def, const char *database, Error *err)
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
    LikePass pass = {.db = db, .by = def->by};
    return run_span(&pass, def, database, err);
}

Status query_lower_torque_prepare(sqlite3 *db, const QueryDef *def, const char *database, Error *err)
{
    LikePass pass = {.db = db, .by = LIKENESS_POSE, .only_lower_torque = 1, .leaves_itself = 1};
    if (query_has_span(def->argument))
        return run_span(&pass, def, database, err);
    return run_pass(&pass, def, database, def->argument, NULL, err);
}

Status query_factor_prepare(sqlite3 *db, const QueryDef *def, const char *database, Error *err)
{
    LikePass pass = {.db = db, .by = LIKENESS_POSE, .leaves_itself = 1};
    return run_pass(&pass, def, database, def->argument, NULL, err);
}

/* The torque profiles of one clip, ordered by role. */
typedef struct Profiles {
    Profile profile[ROLE_COUNT];
    int count;
} Profiles;

/* Adds the current row (clip_id, role, step_nm_kg, steps) unless its role is unknown or its size is wrong. */
static void add_profile(Profiles *p, sqlite3_stmt *row)
{
    const char *name = (const char *)sqlite3_column_text(row, 1);
    const unsigned char *steps = sqlite3_column_blob(row, 3);
    double step = sqlite3_column_double(row, 2);
    Role role = name ? role_from_name(name) : ROLE_NONE;
    if (role == ROLE_NONE || !steps || sqlite3_column_bytes(row, 3) != 2 * PROFILE_POINTS)
        return;
    int index = p->count;
    while (index > 0 && p->profile[index - 1].role > role)
        index--;
    if (p->count == ROLE_COUNT || (index > 0 && p->profile[index - 1].role == role))
        return;
    memmove(&p->profile[index + 1], &p->profile[index], (size_t)(p->count - index) * sizeof *p->profile);
    p->profile[index].role = role;
    for (int i = 0; i < PROFILE_POINTS; i++)
        p->profile[index].nm_kg[i] = (float)(step * quantized_curve_at(steps, (size_t)i));
    p->count++;
}

static Status profiles_of_clip(sqlite3 *db, sqlite3_int64 id, void *out, Error *err)
{
    sqlite3_stmt *list = NULL;
    Status status = database_prepare(db, PROFILES " WHERE clip_id = ?", &list, err);
    if (status)
        return status;
    sqlite3_bind_int64(list, 1, id);
    int code;
    while ((code = sqlite3_step(list)) == SQLITE_ROW)
        add_profile(out, list);
    if (code != SQLITE_DONE)
        status = database_error(db, code, err);
    sqlite3_finalize(list);
    return status;
}

static Status profiles_of_stats(const ClipStats *stats, void *out, Error *err)
{
    Profiles *profiles = out;
    (void)err;
    profiles->count = stats->profile_count;
    memcpy(profiles->profile, stats->profile, (size_t)stats->profile_count * sizeof *stats->profile);
    return STATUS_OK;
}

/* The distance of one clip to the reference profiles, summed up row by row. */
typedef struct Likeness {
    Role role[ROLE_COUNT]; /* [count] roles of the reference */
    double nm_kg[ROLE_COUNT][PROFILE_POINTS]; /* their profiles */
    int count;
    int next;         /* index after the role of the last row, where the next search begins */
    sqlite3_int64 id; /* clip of the current rows; 0: none */
    double squares;
    int shared;       /* number of roles that both clips have */
} Likeness;

static Likeness profile_likeness(const Profiles *wanted)
{
    Likeness l = {.count = wanted->count};
    for (int i = 0; i < wanted->count; i++) {
        l.role[i] = wanted->profile[i].role;
        for (int p = 0; p < PROFILE_POINTS; p++)
            l.nm_kg[i][p] = (double)wanted->profile[i].nm_kg[p];
    }
    return l;
}

static double square_from(double wanted, double step, uint16_t steps)
{
    double d = wanted - step * (double)(int)steps;
    return d * d;
}

/* Sums in four accumulators, so that additions do not wait for each other. */
static double squared_distance(const double *wanted, double step, const void *bytes)
{
    uint16_t steps[PROFILE_POINTS];
    double a = 0, b = 0, c = 0, d = 0;
    _Static_assert(PROFILE_POINTS % 4 == 0, "the points come in fours");
    memcpy(steps, bytes, sizeof steps); /* little-endian, as on the host */
    for (int p = 0; p < PROFILE_POINTS; p += 4) {
        a += square_from(wanted[p], step, steps[p]);
        b += square_from(wanted[p + 1], step, steps[p + 1]);
        c += square_from(wanted[p + 2], step, steps[p + 2]);
        d += square_from(wanted[p + 3], step, steps[p + 3]);
    }
    return (a + b) + (c + d);
}

int query_find_role(const Role *role, int count, int *next, const char *name)
{
    for (int i = 0; name && i < count; i++) {
        int index = (*next + i) % count;
        if (strcmp(role_name(role[index]), name) != 0)
            continue;
        *next = index + 1;
        return index;
    }
    return -1;
}

/* row: clip_id, role, step_nm_kg, steps. */
static void add_row(Likeness *l, sqlite3_stmt *row)
{
    int index = query_find_role(l->role, l->count, &l->next, (const char *)sqlite3_column_text(row, 1));
    if (index < 0 || sqlite3_column_bytes(row, 3) != 2 * PROFILE_POINTS)
        return;
    l->squares += squared_distance(l->nm_kg[index], sqlite3_column_double(row, 2), sqlite3_column_blob(row, 3));
    l->shared++;
}

static Status store_likeness(sqlite3_stmt *insert, const Likeness *l, Error *err)
{
    double distance = sqrt(l->squares / ((double)l->shared * PROFILE_POINTS));
    if (l->id == 0 || l->shared == 0 || !isfinite(distance))
        return STATUS_OK;
    sqlite3_bind_int64(insert, 1, l->id);
    sqlite3_bind_double(insert, 2, distance);
    sqlite3_bind_int(insert, 3, l->shared);
    return database_step(insert, err);
}

/* Compares every clip except the reference clip. The rows of a clip are consecutive. */
static Status compare_all(Likeness *l, sqlite3_int64 self, sqlite3_stmt *list, sqlite3_stmt *insert, Error *err)
{
    Status status = STATUS_OK;
    int code = SQLITE_ROW;
    while (code == SQLITE_ROW && !status) {
        code = sqlite3_step(list);
        sqlite3_int64 id = code == SQLITE_ROW ? sqlite3_column_int64(list, 0) : 0;
        if (id != l->id) {
            status = store_likeness(insert, l, err);
            l->id = id;
            l->squares = l->shared = l->next = 0;
        }
        if (code == SQLITE_ROW && id != self)
            add_row(l, list);
    }
    return status || code == SQLITE_DONE ? status : database_error(sqlite3_db_handle(list), code, err);
}

Status query_like_prepare(sqlite3 *db, const QueryDef *def, const char *database, Error *err)
{
    Profiles wanted = {.count = 0};
    sqlite3_stmt *list = NULL, *insert = NULL;
    static const ClipReader reader = {profiles_of_clip, profiles_of_stats};
    const ClipRequest request = {def, database, def->argument, &reader};
    sqlite3_int64 self = 0;
    Status status = query_clip_read(db, &request, &wanted, &self, err);
    if (!status && wanted.count == 0)
        status = error_set(err, STATUS_BAD_INPUT, "no torque profile: no joint torques or no human roles");
    status = query_preset_blame(def, status, err);
    Likeness likeness = profile_likeness(&wanted);
    if (!status)
        status = database_exec(db, "CREATE TEMP TABLE likeness(clip_id INTEGER, distance_nm_kg REAL, roles INTEGER)",
                               err);
    if (!status)
        status = database_prepare(db, PROFILES " ORDER BY rowid", &list, err);
    if (!status)
        status = database_prepare(db, "INSERT INTO temp.likeness VALUES (?, ?, ?)", &insert, err);
    if (!status)
        status = compare_all(&likeness, self, list, insert, err);
    sqlite3_finalize(list);
    sqlite3_finalize(insert);
    return status;
}
