/* @within: stretches of frames in which every joint stays under a character's torque limits, from the traces of the
 * index. Cost: one pass over the traces. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/memory.h"
#include "analysis/clip/skeleton.h"
#include "formats/base/table.h"
#include "formats/base/text.h"
#include "formats/index/database.h"
#include "formats/query/query_preset.h"

/* Largest torque of a role that a character bears; INFINITY where its table says nothing. */
typedef struct Limit {
    double nm, nm_kg;
} Limit;

static Status unknown_role(const Table *table, int row, int column, Error *err)
{
    const char *names[ROLE_COUNT];
    const char *wrong = table_cell(table, row, column);
    char near[160];
    for (int r = 1; r < ROLE_COUNT; r++)
        names[r - 1] = role_name((Role)r);
    near_names(wrong, names, ROLE_COUNT - 1, near, sizeof near);
    return error_set_at(err, STATUS_BAD_INPUT, table->line[row], 0, "no role \"%.60s\"%s%s", wrong,
                        near[0] ? "; near: " : "", near);
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
            return unknown_role(table, row, role_column, err);
        status = read_limit(table, row, nm, &limit[role].nm, err);
        if (!status)
            status = read_limit(table, row, nm_kg, &limit[role].nm_kg, err);
    }
    return status;
}

static Status read_limits(const char *path, Limit limit[ROLE_COUNT], Error *err)
{
    Table table;
    for (int r = 0; r < ROLE_COUNT; r++)
        limit[r] = (Limit){INFINITY, INFINITY};
    Status status = table_read_path(path, &table, err);
    if (status)
        return status;
    status = read_rows(&table, limit, err);
    table_free(&table);
    return status;
}

/* The clip whose traces are being read. Columns: id, t0, fps, frames, mass_kg, role, trace. */
typedef struct Reading {
    sqlite3_int64 clip;
    double t0, fps, mass; /* mass: NaN where unknown */
    int frames, capacity;
    int is_limited; /* a limited role is known */
    double *part;   /* [frame] owned: largest torque as a part of its limit; NaN where it cannot be known */
    Role *role;     /* [frame] owned: where */
} Reading;

static Status begin_clip(Reading *r, sqlite3_stmt *row, Error *err)
{
    r->clip = sqlite3_column_int64(row, 0);
    r->t0 = sqlite3_column_double(row, 1);
    r->fps = sqlite3_column_double(row, 2);
    sqlite3_int64 frames = sqlite3_column_int64(row, 3);
    r->mass = sqlite3_column_type(row, 4) == SQLITE_NULL ? NAN : sqlite3_column_double(row, 4);
    r->is_limited = 0;
    /* no more than what the trace holds: the file may say anything */
    r->frames = frames == sqlite3_column_bytes(row, 6) / (int)sizeof(float) ? (int)frames : 0;
    if (r->frames > r->capacity) {
        free(r->part);
        free(r->role);
        r->capacity = r->frames;
        r->part = array_new((size_t)r->frames, 1, sizeof *r->part);
        r->role = array_new((size_t)r->frames, 1, sizeof *r->role);
        if (!r->part || !r->role)
            return error_no_memory(err);
    }
    for (int f = 0; f < r->frames; f++)
        r->part[f] = 0;
    return STATUS_OK;
}

/* A frame whose load is not known stays so, whatever the other roles say. */
static void add_trace(Reading *r, sqlite3_stmt *row, const Limit limit[ROLE_COUNT])
{
    const char *name = (const char *)sqlite3_column_text(row, 5);
    const unsigned char *trace = sqlite3_column_blob(row, 6);
    Role role = name ? role_from_name(name) : ROLE_NONE;
    if ((!isfinite(limit[role].nm) && !isfinite(limit[role].nm_kg)) || !trace ||
        (size_t)sqlite3_column_bytes(row, 6) != (size_t)r->frames * sizeof(float))
        return;
    r->is_limited = 1;
    for (int f = 0; f < r->frames; f++) {
        float nm;
        memcpy(&nm, trace + (size_t)f * sizeof nm, sizeof nm);
        double part = nm / limit[role].nm;
        if (isfinite(limit[role].nm_kg) && !(nm / r->mass / limit[role].nm_kg <= part))
            part = nm / r->mass / limit[role].nm_kg;
        if (!(part <= r->part[f])) {
            r->part[f] = isnan(r->part[f]) ? r->part[f] : part;
            r->role[f] = role;
        }
    }
}

static Status store_stretch(sqlite3_stmt *insert, const Reading *r, int frame0, int frame1, double min_seconds,
                            Error *err)
{
    double seconds = (frame1 + 1 - frame0) / r->fps;
    int hardest = frame0;
    /* half a microsecond of grace: 30 frames at 30 fps are a second */
    if (!(seconds >= min_seconds - 5e-7))
        return STATUS_OK;
    for (int f = frame0; f <= frame1; f++)
        hardest = r->part[f] > r->part[hardest] ? f : hardest;
    sqlite3_bind_int64(insert, 1, r->clip);
    sqlite3_bind_double(insert, 2, r->t0 + frame0 / r->fps);
    sqlite3_bind_double(insert, 3, r->t0 + (frame1 + 1) / r->fps);
    sqlite3_bind_double(insert, 4, seconds);
    sqlite3_bind_int(insert, 5, frame0);
    sqlite3_bind_int(insert, 6, frame1);
    sqlite3_bind_text(insert, 7, role_name(r->role[hardest]), -1, SQLITE_STATIC);
    sqlite3_bind_double(insert, 8, r->part[hardest]);
    return database_step(insert, err);
}

/* The runs of frames within the limits; NaN is not within. */
static Status end_clip(const Reading *r, sqlite3_stmt *insert, double min_seconds, Error *err)
{
    Status status = STATUS_OK;
    for (int f = 0, begin = -1; f <= r->frames && r->is_limited && !status; f++) {
        int is_within = f < r->frames && r->part[f] <= 1;
        if (is_within && begin < 0)
            begin = f;
        if (!is_within && begin >= 0) {
            status = store_stretch(insert, r, begin, f - 1, min_seconds, err);
            begin = -1;
        }
    }
    return status;
}

static Status find_stretches(sqlite3 *db, sqlite3_stmt *list, sqlite3_stmt *insert, const Limit limit[ROLE_COUNT],
                             double min_seconds, Error *err)
{
    Reading r = {0};
    Status status = STATUS_OK;
    int code = SQLITE_DONE;
    while (!status && (code = sqlite3_step(list)) == SQLITE_ROW) {
        if (sqlite3_column_int64(list, 0) != r.clip) {
            status = end_clip(&r, insert, min_seconds, err);
            if (!status)
                status = begin_clip(&r, list, err);
        }
        if (!status)
            add_trace(&r, list, limit);
    }
    if (!status && code != SQLITE_DONE)
        status = database_error(db, code, err);
    if (!status)
        status = end_clip(&r, insert, min_seconds, err);
    free(r.part);
    free(r.role);
    return status;
}

Status query_within_prepare(sqlite3 *db, const QueryDef *def, const char *database, Error *err)
{
    Limit limit[ROLE_COUNT];
    sqlite3_stmt *list = NULL, *insert = NULL;
    (void)database;
    Status status = query_preset_blame(def, read_limits(def->argument, limit, err), err);
    if (!status)
        status = database_exec(db,
                               "CREATE TEMP TABLE stretch(path TEXT, t0 REAL, t1 REAL, seconds REAL, frame0 INTEGER,"
                               " frame1 INTEGER, tightest_role TEXT, part_of_limit REAL)",
                               err);
    if (!status)
        status = database_prepare(db,
                                  "SELECT c.id, (SELECT min(t0) FROM window w WHERE w.clip_id = c.id), c.fps, c.frames,"
                                  " c.mass_kg, t.role, t.nm FROM clip c JOIN trace t ON t.clip_id = c.id ORDER BY c.id",
                                  &list, err);
    if (!status)
        status = database_prepare(db,
                                  "INSERT INTO temp.stretch SELECT path, ?2, ?3, ?4, ?5, ?6, ?7, ?8 FROM clip"
                                  " WHERE id = ?1",
                                  &insert, err);
    if (!status)
        status = find_stretches(db, list, insert, limit, def->min_seconds, err);
    sqlite3_finalize(list);
    sqlite3_finalize(insert);
    return status;
}
