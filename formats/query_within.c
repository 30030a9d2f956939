#include <math.h>
#include <string.h>

#include "analysis/clip/role.h"
#include "formats/database.h"
#include "formats/near_names.h"
#include "formats/query_preset.h"
#include "formats/table.h"

/* Largest torque of a role that a character bears; INFINITY where its table says nothing. */
typedef struct Limit {
    double nm, nm_kg;
} Limit;

/* A stretch that may go on. */
typedef struct Stretch {
    sqlite3_int64 clip;
    double t0, t1;
    int frame0, frame1;
    double part; /* largest torque as a part of its limit */
    Role role;   /* where */
} Stretch;

static Status unknown_role(const Table *table, int row, int column, Error *err)
{
    const char *names[ROLE_COUNT];
    const char *wrong = table->cell[row * table->column_count + column];
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
        Role role = role_from_name(table->cell[row * table->column_count + role_column]);
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

static Status store_stretch(sqlite3_stmt *insert, const Stretch *s, double min_seconds, Error *err)
{
    /* half a microsecond of grace: windows begin at sums of half seconds */
    if (s->clip == 0 || s->t1 - s->t0 < min_seconds - 5e-7)
        return STATUS_OK;
    sqlite3_bind_int64(insert, 1, s->clip);
    sqlite3_bind_double(insert, 2, s->t0);
    sqlite3_bind_double(insert, 3, s->t1);
    sqlite3_bind_int(insert, 4, s->frame0);
    sqlite3_bind_int(insert, 5, s->frame1);
    sqlite3_bind_text(insert, 6, role_name(s->role), -1, SQLITE_STATIC);
    sqlite3_bind_double(insert, 7, s->part);
    return database_step(insert, err);
}

/* Reads the rows of one window, the first of which *row stands on; leaves it on the next window's first row. Columns:
 * clip, t0, t1, frame0, frame1, role, torque_peak_nm, torque_peak_nm_kg. */
static Stretch read_window(sqlite3_stmt *list, int *code, const Limit limit[ROLE_COUNT])
{
    Stretch w = {.clip = sqlite3_column_int64(list, 0),
                 .t0 = sqlite3_column_double(list, 1),
                 .t1 = sqlite3_column_double(list, 2),
                 .frame0 = sqlite3_column_int(list, 3),
                 .frame1 = sqlite3_column_int(list, 4),
                 .part = -1};
    while (*code == SQLITE_ROW && sqlite3_column_int64(list, 0) == w.clip && sqlite3_column_double(list, 1) == w.t0) {
        const char *name = (const char *)sqlite3_column_text(list, 5);
        Role role = name ? role_from_name(name) : ROLE_NONE;
        double part = fmax(sqlite3_column_double(list, 6) / limit[role].nm,
                           sqlite3_column_double(list, 7) / limit[role].nm_kg);
        int is_limited = isfinite(limit[role].nm) || isfinite(limit[role].nm_kg);
        if (is_limited && part > w.part) {
            w.part = part;
            w.role = role;
        }
        *code = sqlite3_step(list);
    }
    return w;
}

/* A window in which no limited role is known, part -1, ends a stretch: nothing can be said about it. */
static Status find_stretches(sqlite3 *db, sqlite3_stmt *list, sqlite3_stmt *insert, const Limit limit[ROLE_COUNT],
                             double min_seconds, Error *err)
{
    Stretch open = {0};
    Status status = STATUS_OK;
    int code = sqlite3_step(list);
    while (code == SQLITE_ROW && !status) {
        Stretch w = read_window(list, &code, limit);
        int is_within = w.part >= 0 && w.part <= 1;
        if (is_within && open.clip == w.clip && w.frame0 == open.frame1 + 1) {
            open.t1 = w.t1;
            open.frame1 = w.frame1;
            open.role = w.part > open.part ? w.role : open.role;
            open.part = fmax(open.part, w.part);
            continue;
        }
        status = store_stretch(insert, &open, min_seconds, err);
        open = is_within ? w : (Stretch){0};
    }
    if (!status && code != SQLITE_DONE)
        status = database_error(db, code, err);
    return status ? status : store_stretch(insert, &open, min_seconds, err);
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
                                  "SELECT w.clip_id, w.t0, w.t1, w.frame0, w.frame1, s.role, s.torque_peak_nm,"
                                  " s.torque_peak_nm_kg FROM window w LEFT JOIN window_stat s"
                                  " ON s.clip_id = w.clip_id AND s.t0 = w.t0 ORDER BY w.clip_id, w.t0",
                                  &list, err);
    if (!status)
        status = database_prepare(db,
                                  "INSERT INTO temp.stretch SELECT path, ?2, ?3, ?3 - ?2, ?4, ?5, ?6, ?7 FROM clip"
                                  " WHERE id = ?1",
                                  &insert, err);
    if (!status)
        status = find_stretches(db, list, insert, limit, def->min_seconds, err);
    sqlite3_finalize(list);
    sqlite3_finalize(insert);
    return status;
}
