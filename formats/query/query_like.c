#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/stats/clip_stats.h"
#include "analysis/stats/coarse_curve.h"
#include "formats/index/database.h"
#include "formats/query/query_clip.h"
#include "formats/query/query_preset.h"

#define PROFILES "SELECT clip_id, role, step_nm_kg, steps FROM profile"

/* The profiles of one clip in the order of roles. */
typedef struct Profiles {
    Profile profile[ROLE_COUNT];
    int count;
} Profiles;

/* Adds the row that statement stands on: clip_id, role, step_nm_kg, steps. Unknown roles and odd sizes are left out. */
static void add_profile(Profiles *p, sqlite3_stmt *row)
{
    const char *name = (const char *)sqlite3_column_text(row, 1);
    const unsigned char *steps = sqlite3_column_blob(row, 3);
    double step = sqlite3_column_double(row, 2);
    Role role = name ? role_from_name(name) : ROLE_NONE;
    if (role == ROLE_NONE || !steps || sqlite3_column_bytes(row, 3) != 2 * PROFILE_POINTS)
        return;
    int place = p->count;
    while (place > 0 && p->profile[place - 1].role > role)
        place--;
    if (p->count == ROLE_COUNT || (place > 0 && p->profile[place - 1].role == role))
        return;
    memmove(&p->profile[place + 1], &p->profile[place], (size_t)(p->count - place) * sizeof *p->profile);
    p->profile[place].role = role;
    for (int i = 0; i < PROFILE_POINTS; i++)
        p->profile[place].nm_kg[i] = (float)(step * coarse_curve_at(steps, (size_t)i));
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

/* A wanted profile beside the rows of the clips, which come by the names of their roles. */
typedef struct Likeness {
    const Profile *wanted[ROLE_COUNT]; /* [count] by the name of the role */
    double nm_kg[ROLE_COUNT][PROFILE_POINTS]; /* their points */
    int count, next;
    sqlite3_int64 id; /* of the clip whose rows come; 0: none */
    double squares;
    int shared;       /* roles that both have */
} Likeness;

static int compare_roles(const void *a, const void *b)
{
    return strcmp(role_name((*(const Profile *const *)a)->role), role_name((*(const Profile *const *)b)->role));
}

static Likeness likeness_of(const Profiles *wanted)
{
    Likeness l = {.count = wanted->count};
    for (int i = 0; i < wanted->count; i++)
        l.wanted[i] = &wanted->profile[i];
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): the pointers are sorted */
    qsort(l.wanted, (size_t)l.count, sizeof *l.wanted, compare_roles);
    for (int i = 0; i < l.count; i++)
        for (int p = 0; p < PROFILE_POINTS; p++)
            l.nm_kg[i][p] = (double)l.wanted[i]->nm_kg[p];
    return l;
}

static double square_from(double wanted, double step, uint16_t steps)
{
    double d = wanted - step * (double)(int)steps;
    return d * d;
}

/* Four sums, so that one addition need not wait for the one before. */
static double squared_distance(const double *wanted, double step, const void *bytes)
{
    uint16_t steps[PROFILE_POINTS];
    double a = 0, b = 0, c = 0, d = 0;
    _Static_assert(PROFILE_POINTS % 4 == 0, "the points come in fours");
    memcpy(steps, bytes, sizeof steps); /* little-endian, as this machine is */
    for (int p = 0; p < PROFILE_POINTS; p += 4) {
        a += square_from(wanted[p], step, steps[p]);
        b += square_from(wanted[p + 1], step, steps[p + 1]);
        c += square_from(wanted[p + 2], step, steps[p + 2]);
        d += square_from(wanted[p + 3], step, steps[p + 3]);
    }
    return (a + b) + (c + d);
}

/* The row: clip_id, role, step_nm_kg, steps. */
static void add_row(Likeness *l, sqlite3_stmt *row)
{
    const char *name = (const char *)sqlite3_column_text(row, 1);
    int order = -1;
    while (name && l->next < l->count && (order = strcmp(role_name(l->wanted[l->next]->role), name)) < 0)
        l->next++;
    if (order != 0 || l->next == l->count || sqlite3_column_bytes(row, 3) != 2 * PROFILE_POINTS)
        return;
    double step = sqlite3_column_double(row, 2);
    l->squares += squared_distance(l->nm_kg[l->next], step, sqlite3_column_blob(row, 3));
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

/* Compares every clip but the wanted one itself. */
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
    Likeness likeness = likeness_of(&wanted);
    if (!status)
        status = database_exec(db, "CREATE TEMP TABLE likeness(clip_id INTEGER, distance_nm_kg REAL, roles INTEGER)",
                               err);
    if (!status)
        status = database_prepare(db, PROFILES " ORDER BY clip_id, role", &list, err);
    if (!status)
        status = database_prepare(db, "INSERT INTO temp.likeness VALUES (?, ?, ?)", &insert, err);
    if (!status)
        status = compare_all(&likeness, self, list, insert, err);
    sqlite3_finalize(list);
    sqlite3_finalize(insert);
    return status;
}
