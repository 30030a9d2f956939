/* @within and @over: intervals in which every joint stays within the torque limits of a character, or at least one
 * exceeds them, from the traces of the index.
 *
 * Traces are integer multiples of a step, rounded up. A limit becomes an integer, so that each frame costs one 16-bit
 * comparison per role. A frame is known if all limited roles of the clip are known; known frames are either within or
 * over. Cost: one pass over the traces. */
#include "formats/query/query_intervals.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/base/arena.h"
#include "analysis/clip/skeleton.h"
#include "analysis/stats/quantized_curve.h"
#include "formats/base/database.h"
#include "formats/base/number.h"
#include "formats/base/table.h"
#include "formats/base/text.h"
#include "formats/index/index_file.h"
#include "formats/query/query_like.h"
#include "formats/query/query_presets.h"

#define INSERT_INTERVAL "INSERT INTO temp.limit_interval VALUES (?, ?, ?, ?, ?, ?, ?, ?)"

/* @over strength: intervals in which utilization exceeds a fraction, from the utilization table of the index. Its
 * values are rounded up, by less than 1/65534 of the clip's maximum. */
typedef struct StrengthSearch {
    sqlite3_stmt *insert; /* into temp.limit_interval */
    double fraction, min_seconds;
    const char *path;     /* of the current clip, as are the following */
    double start, fps, step;
    int frames;
    const unsigned char *steps, *roles; /* [frames] */
} StrengthSearch;

typedef struct UtilizationInterval {
    int from, to;
    Role role;
    double part; /* peak utilization as a fraction of the limit */
} UtilizationInterval;

static Status store(const StrengthSearch *s, const UtilizationInterval *found, Error *err)
{
    double seconds = (found->to + 1 - found->from) / s->fps;
    if (!(seconds >= s->min_seconds - 5e-7)) /* tolerance as in store_interval */
        return STATUS_OK;
    sqlite3_bind_text(s->insert, 1, s->path, -1, SQLITE_TRANSIENT);
    sqlite3_bind_double(s->insert, 2, s->start + found->from / s->fps);
    sqlite3_bind_double(s->insert, 3, s->start + (found->to + 1) / s->fps);
    sqlite3_bind_double(s->insert, 4, seconds);
    sqlite3_bind_int(s->insert, 5, found->from);
    sqlite3_bind_int(s->insert, 6, found->to);
    sqlite3_bind_text(s->insert, 7, role_name(found->role), -1, SQLITE_STATIC);
    sqlite3_bind_double(s->insert, 8, found->part);
    return database_step(s->insert, err);
}

static Status search_clip(const StrengthSearch *s, Error *err)
{
    UtilizationInterval found = {.from = -1};
    Status status = STATUS_OK;
    for (int f = 0; f <= s->frames && !status; f++) {
        double part = f < s->frames ? quantized_curve_at(s->steps, (size_t)f) * s->step / s->fraction : 0;
        if (part > 1) {
            Role role = s->roles[f] < ROLE_COUNT ? (Role)s->roles[f] : ROLE_NONE;
            if (found.from < 0)
                found = (UtilizationInterval){.from = f};
            found.to = f;
            found.role = part > found.part ? role : found.role;
            found.part = part > found.part ? part : found.part;
        } else if (found.from >= 0) {
            status = store(s, &found, err);
            found.from = -1;
        }
    }
    return status;
}

/* Searches a clip. If the sizes of its data disagree, it counts as empty: the file is untrusted. */
static Status search_row(StrengthSearch *s, sqlite3_stmt *row, Error *err)
{
    int bytes = sqlite3_column_bytes(row, 5);
    s->path = (const char *)sqlite3_column_text(row, 0);
    s->start = sqlite3_column_double(row, 1);
    s->fps = sqlite3_column_double(row, 2);
    s->step = sqlite3_column_double(row, 3);
    s->steps = sqlite3_column_blob(row, 4);
    s->roles = sqlite3_column_blob(row, 5);
    s->frames = sqlite3_column_bytes(row, 4) / 2 == bytes && s->fps > 0 ? bytes : 0;
    return search_clip(s, err);
}

/* Fills temp.limit_interval with intervals in which the utilization of a trusted joint exceeds fraction. */
static Status query_strength_prepare(sqlite3 *db, const QueryDef *def, double fraction, Error *err)
{
    StrengthSearch search = {.fraction = fraction, .min_seconds = def->min_seconds};
    sqlite3_stmt *list = NULL;
    int code = SQLITE_DONE;
    Status status = database_exec(db, LIMIT_INTERVAL_TABLE, err);
    if (!status)
        status = database_prepare(db, INSERT_INTERVAL, &search.insert, err);
    if (!status)
        status = database_prepare(db, "SELECT c.path, c.start_s, c.fps, u.step, u.steps, u.roles FROM utilization u"
                                      " CROSS JOIN clip c ON c.id = u.clip_id WHERE u.step * 65534 > ?", &list, err);
    if (!status)
        sqlite3_bind_double(list, 1, fraction);
    while (!status && (code = sqlite3_step(list)) == SQLITE_ROW)
        status = search_row(&search, list, err);
    if (!status && code != SQLITE_DONE)
        status = database_error(db, code, err);
    sqlite3_finalize(list);
    sqlite3_finalize(search.insert);
    return status;
}

/* Largest torque of a role that a character allows; INFINITY: no limit. */
typedef struct Limit {
    double nm, nm_kg;
} Limit;

/* line 0: no position. */
static Status unknown_role(const char *wrong, int line, Error *err)
{
    char near[160];
    did_you_mean_role(wrong, near, sizeof near);
    return error_set_at(err, STATUS_BAD_INPUT, line, 0, "unknown role \"%.60s\"%s", wrong, near);
}

static Status read_limit(const Table *table, int row, int column, double *limit, Error *err)
{
    Status status = column < 0 ? STATUS_OK : table_number(table, row, column, limit, err);
    if (!status && column >= 0 && !(*limit > 0))
        return error_set_at(err, STATUS_BAD_INPUT, table->line[row], 0, "a limit must be above zero");
    return status;
}

static Status read_rows(const Table *table, Limit limit[ROLE_COUNT], Error *err)
{
    int role_column = 0, nm = table_find(table, "torque_nm"), nm_kg = table_find(table, "torque_nm_kg");
    Status status = table_require(table, "role", &role_column, err);
    if (!status && nm < 0 && nm_kg < 0)
        return error_set(err, STATUS_BAD_INPUT, "neither a column torque_nm nor torque_nm_kg");
    for (int row = 0; row < table->row_count && !status; row++) {
        Role role = role_from_name(table_cell(table, row, role_column));
        if (role == ROLE_NONE)
            return unknown_role(table_cell(table, row, role_column), table->line[row], err);
        status = read_limit(table, row, nm, &limit[role].nm, err);
        if (!status)
            status = read_limit(table, row, nm_kg, &limit[role].nm_kg, err);
    }
    return status;
}

static Status read_table(const char *path, Limit limit[ROLE_COUNT], Error *err)
{
    Table table;
    Status status = table_read_path(path, &table, err);
    if (status)
        return status;
    status = read_rows(&table, limit, err);
    table_free(&table);
    return status;
}

/* Reads one "left_knee=2.5", N m/kg. */
static Status read_word(const char *word, size_t length, Limit limit[ROLE_COUNT], Error *err)
{
    const char *equals = memchr(word, '=', length);
    char name[64];
    double value = 0;
    snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - word) : (int)length, word);
    Role role = role_from_name(name);
    if (role == ROLE_NONE)
        return unknown_role(name, 0, err);
    if (!equals || number_scan(equals + 1, word + length, &value) != word + length || !(value > 0))
        return error_set(err, STATUS_USAGE, "expected %s=NM_KG with a number above zero, found \"%.*s\"", name,
                         (int)length, word);
    limit[role].nm_kg = value;
    return STATUS_OK;
}

/* Reads the limits from a file of that name, or from "left_knee=2.5,right_knee=2.5". */
static Status read_limits(const char *argument, Limit limit[ROLE_COUNT], Error *err)
{
    Status status = STATUS_OK;
    for (int r = 0; r < ROLE_COUNT; r++)
        limit[r] = (Limit){INFINITY, INFINITY};
    if (!strpbrk(argument, "=./") && access(argument, F_OK) != 0)
        return error_set(err, STATUS_USAGE, "expected role=LIMIT (left_knee=1.5) or a .tsv file, found \"%.100s\"",
                         argument);
    if (!strchr(argument, '=') || access(argument, F_OK) == 0)
        return read_table(argument, limit, err);
    for (const char *word = argument; *word && !status;) {
        size_t length = strcspn(word, ",");
        status = read_word(word, length, limit, err);
        word += length + (word[length] == ',');
    }
    return status;
}

/* A limited role of the current clip. */
typedef struct LimitedTrace {
    Role role;
    double step;     /* N m */
    double limit_nm; /* NaN: unknown, because the mass is unknown */
    uint16_t *steps; /* [frame], points into memory of IntervalReading */
} LimitedTrace;

typedef struct IntervalReading {
    sqlite3 *db;
    sqlite3_stmt *clip;   /* SELECT of start_s, fps, frames, mass_kg, path by ID */
    sqlite3_stmt *insert; /* into temp.limit_interval */
    Role order[ROLE_COUNT]; /* [order_count] limited roles, in the order of a clip's rows */
    int order_count;
    int next;             /* index after the role of the last row */
    Limit limit[ROLE_COUNT];
    int is_over;          /* 1: search frames above a limit */
    double min_seconds;
    sqlite3_int64 id;     /* current clip; 0: none */
    double start, fps, mass; /* mass: NaN where unknown */
    int frames, capacity; /* capacity: frames that memory has room for */
    int trace_count;
    LimitedTrace trace[ROLE_COUNT];
    uint16_t *memory;     /* [role][capacity] owned */
    unsigned char *mark;  /* [capacity] owned: bit 0 above a limit, bit 1 unknown */
} IntervalReading;

enum { ABOVE = 1, UNKNOWN = 2 };

static Status make_room(IntervalReading *r, int frames, Error *err)
{
    r->frames = frames;
    if (frames <= r->capacity)
        return STATUS_OK;
    free(r->memory);
    free(r->mark);
    r->memory = array_new((size_t)frames, ROLE_COUNT, sizeof *r->memory);
    r->mark = array_new((size_t)frames, 1, 1);
    r->capacity = r->memory && r->mark ? frames : 0;
    return r->capacity ? STATUS_OK : error_no_memory(err);
}

/* Begins a clip. If its frame count and the size of its traces disagree, it counts as empty: the file is untrusted. */
static Status begin_clip(IntervalReading *r, sqlite3_int64 id, int bytes, Error *err)
{
    r->id = id;
    r->trace_count = r->next = 0;
    sqlite3_bind_int64(r->clip, 1, id);
    int code = sqlite3_step(r->clip);
    int is_there = code == SQLITE_ROW && sqlite3_column_int64(r->clip, 2) == bytes / 2;
    r->start = sqlite3_column_double(r->clip, 0);
    r->fps = sqlite3_column_double(r->clip, 1);
    r->mass = sqlite3_column_type(r->clip, 3) == SQLITE_NULL ? NAN : sqlite3_column_double(r->clip, 3);
    Status status = make_room(r, is_there ? bytes / 2 : 0, err);
    if (!status && code != SQLITE_ROW && code != SQLITE_DONE)
        status = database_error(r->db, code, err);
    return status;
}

static double limit_nm(const Limit *limit, double mass)
{
    double nm = isfinite(limit->nm_kg) ? limit->nm_kg * mass : INFINITY;
    return isnan(nm) ? NAN : fmin(nm, limit->nm);
}

/* row: clip_id, role, step_nm, steps. */
static void add_trace(IntervalReading *r, sqlite3_stmt *row)
{
    int index = query_find_role(r->order, r->order_count, &r->next, (const char *)sqlite3_column_text(row, 1));
    Role role = index < 0 ? ROLE_NONE : r->order[index]; /* none: the role has no limit */
    const unsigned char *bytes = sqlite3_column_blob(row, 3);
    double step = sqlite3_column_double(row, 2);
    if (role == ROLE_NONE || !bytes || sqlite3_column_bytes(row, 3) != 2 * r->frames || !(step > 0) ||
        r->trace_count == ROLE_COUNT)
        return;
    LimitedTrace *trace = &r->trace[r->trace_count];
    *trace = (LimitedTrace){role, step, limit_nm(&r->limit[role], r->mass),
                            r->memory + (size_t)r->trace_count * (size_t)r->capacity};
    for (int f = 0; f < r->frames; f++)
        trace->steps[f] = (uint16_t)quantized_curve_at(bytes, (size_t)f);
    r->trace_count++;
}

/* Returns the largest number of steps that does not exceed the limit. */
static unsigned max_steps(const LimitedTrace *trace)
{
    double steps = floor(trace->limit_nm / trace->step);
    if (!(steps < COARSE_MAX))
        return COARSE_MAX;
    unsigned max = (unsigned)steps;
    while (max > 0 && max * trace->step > trace->limit_nm)
        max--;
    while (max < COARSE_MAX && (max + 1) * trace->step <= trace->limit_nm)
        max++;
    return max;
}

static void mark_frames(IntervalReading *r)
{
    memset(r->mark, 0, (size_t)r->frames);
    for (int t = 0; t < r->trace_count; t++) {
        const LimitedTrace *trace = &r->trace[t];
        const uint16_t *restrict steps = trace->steps;
        unsigned char *restrict mark = r->mark;
        uint16_t max = isnan(trace->limit_nm) ? COARSE_MAX : (uint16_t)max_steps(trace);
        unsigned char known = isnan(trace->limit_nm) ? UNKNOWN : 0;
        for (int f = 0; f < r->frames; f++)
            mark[f] |= (unsigned char)((steps[f] > max) | (steps[f] == COARSE_UNKNOWN) << 1 | known);
    }
}

/* Returns the role whose torque is the largest fraction of its limit, and this fraction. */
static Role tightest(const IntervalReading *r, int frame0, int frame1, double *part)
{
    Role role = ROLE_NONE;
    *part = -1;
    for (int t = 0; t < r->trace_count; t++) {
        const LimitedTrace *trace = &r->trace[t];
        unsigned max = 0;
        for (int f = frame0; f <= frame1; f++)
            max = trace->steps[f] > max ? trace->steps[f] : max;
        double of_limit = max * trace->step / trace->limit_nm;
        if (of_limit > *part) {
            *part = of_limit;
            role = trace->role;
        }
    }
    return role;
}

static Status store_interval(const IntervalReading *r, int frame0, int frame1, Error *err)
{
    double seconds = (frame1 + 1 - frame0) / r->fps, part;
    /* tolerance of 0.5 us: 30 frames at 30 fps are 1 s */
    if (!(seconds >= r->min_seconds - 5e-7))
        return STATUS_OK;
    Role role = tightest(r, frame0, frame1, &part);
    sqlite3_bind_value(r->insert, 1, sqlite3_column_value(r->clip, 4));
    sqlite3_bind_double(r->insert, 2, r->start + frame0 / r->fps);
    sqlite3_bind_double(r->insert, 3, r->start + (frame1 + 1) / r->fps);
    sqlite3_bind_double(r->insert, 4, seconds);
    sqlite3_bind_int(r->insert, 5, frame0);
    sqlite3_bind_int(r->insert, 6, frame1);
    sqlite3_bind_text(r->insert, 7, role_name(role), -1, SQLITE_STATIC);
    sqlite3_bind_double(r->insert, 8, part);
    return database_step(r->insert, err);
}

/* Stores the runs of frames with the wanted mark; a clip without a limited role has none. */
static Status end_clip(IntervalReading *r, Error *err)
{
    Status status = STATUS_OK;
    int wanted = r->is_over ? ABOVE : 0, frames = r->id && r->trace_count > 0 ? r->frames : 0;
    if (frames > 0)
        mark_frames(r);
    for (int f = 0, begin = -1; f <= frames && frames > 0 && !status; f++) {
        int is_inside = f < frames && r->mark[f] == wanted;
        if (is_inside && begin < 0)
            begin = f;
        if (!is_inside && begin >= 0) {
            status = store_interval(r, begin, f - 1, err);
            begin = -1;
        }
    }
    sqlite3_reset(r->clip);
    return status;
}

/* Searches all clips. The rows of a clip are consecutive. */
static Status find_intervals(IntervalReading *r, sqlite3_stmt *list, Error *err)
{
    Status status = STATUS_OK;
    int code = SQLITE_DONE;
    while (!status && (code = sqlite3_step(list)) == SQLITE_ROW) {
        sqlite3_int64 id = sqlite3_column_int64(list, 0);
        if (id != r->id) {
            status = end_clip(r, err);
            if (!status)
                status = begin_clip(r, id, sqlite3_column_bytes(list, 3), err);
        }
        if (!status)
            add_trace(r, list);
    }
    if (!status && code != SQLITE_DONE)
        status = database_error(r->db, code, err);
    return status ? status : end_clip(r, err);
}

static void order_limits(IntervalReading *r)
{
    for (int role = ROLE_NONE + 1; role < ROLE_COUNT; role++)
        if (isfinite(r->limit[role].nm) || isfinite(r->limit[role].nm_kg))
            r->order[r->order_count++] = (Role)role;
}

static Status read_traces(IntervalReading *r, Error *err)
{
    sqlite3_stmt *list = NULL;
    Status status = database_exec(r->db, LIMIT_INTERVAL_TABLE, err);
    if (!status)
        status = database_prepare(r->db, "SELECT start_s, fps, frames, mass_kg, path FROM clip WHERE id = ?", &r->clip,
                                  err);
    if (!status)
        status = database_prepare(r->db, INSERT_INTERVAL, &r->insert, err);
    if (!status)
        status = database_prepare(r->db, "SELECT clip_id, role, step_nm, steps FROM trace"
                                         " ORDER BY rowid", &list, err);
    if (!status)
        status = find_intervals(r, list, err);
    sqlite3_finalize(list);
    return status;
}

Status query_traces_check(sqlite3 *db, Error *err)
{
    int lacks = 0;
    Status status = index_file_lacks_traces(db, &lacks, err);
    if (status || !lacks)
        return status;
    return error_set(err, STATUS_BAD_INPUT, "the index has no traces (--no-trace), which @within, @over ROLE=LIMIT and "
                     "the table trace require; kane index --rebuild DB FILE.h5|DIR... makes one with traces");
}

static Status prepare_intervals(sqlite3 *db, const QueryDef *def, int is_over, Error *err)
{
    IntervalReading *r = calloc(1, sizeof *r);
    if (!r)
        return error_no_memory(err);
    r->db = db;
    r->is_over = is_over;
    r->min_seconds = def->min_seconds > 0 ? def->min_seconds : is_over ? 0 : 1;
    Status status = query_preset_blame(def, read_limits(def->argument, r->limit, err), err);
    order_limits(r);
    if (!status)
        status = query_traces_check(db, err);
    if (!status)
        status = read_traces(r, err);
    sqlite3_finalize(r->clip);
    sqlite3_finalize(r->insert);
    free(r->memory);
    free(r->mark);
    free(r);
    return status;
}

Status query_within_prepare(sqlite3 *db, const QueryDef *def, const char *database, Error *err)
{
    (void)database;
    return prepare_intervals(db, def, 0, err);
}

/* Reads the fraction of "strength" or "strength=1.2"; 0 for any other argument. */
static Status read_fraction(const char *argument, double *fraction, Error *err)
{
    const char *word = "strength", *value = argument + strlen(word);
    *fraction = 0;
    if (strncmp(argument, word, strlen(word)) || (*value && *value != '='))
        return STATUS_OK;
    *fraction = 1;
    if (*value &&
        (number_scan(value + 1, value + strlen(value), fraction) != value + strlen(value) || !(*fraction > 0)))
        return error_set(err, STATUS_USAGE, "expected strength=FRACTION with a positive number, found \"%s\"",
                         argument);
    return STATUS_OK;
}

Status query_over_prepare(sqlite3 *db, const QueryDef *def, const char *database, Error *err)
{
    double fraction;
    Status status = read_fraction(def->argument, &fraction, err);
    (void)database;
    if (status)
        return status;
    return fraction > 0 ? query_strength_prepare(db, def, fraction, err) : prepare_intervals(db, def, 1, err);
}
