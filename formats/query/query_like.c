#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/stats/clip_stats.h"
#include "formats/container/container.h"
#include "formats/index/clip_path.h"
#include "formats/index/database.h"
#include "formats/query/query_preset.h"

/* The profiles of one clip in the order of roles. */
typedef struct Profiles {
    Profile profile[ROLE_COUNT];
    int count;
} Profiles;

/* Adds the row that statement stands on: clip_id, role, nm_kg. Unknown roles and odd sizes are left out. */
static void add_profile(Profiles *p, sqlite3_stmt *row)
{
    const char *name = (const char *)sqlite3_column_text(row, 1);
    const void *points = sqlite3_column_blob(row, 2);
    Role role = name ? role_from_name(name) : ROLE_NONE;
    if (role == ROLE_NONE || !points || (size_t)sqlite3_column_bytes(row, 2) != sizeof p->profile[0].nm_kg)
        return;
    int place = p->count;
    while (place > 0 && p->profile[place - 1].role > role)
        place--;
    if (p->count == ROLE_COUNT || (place > 0 && p->profile[place - 1].role == role))
        return;
    memmove(&p->profile[place + 1], &p->profile[place], (size_t)(p->count - place) * sizeof *p->profile);
    p->profile[place].role = role;
    memcpy(p->profile[place].nm_kg, points, sizeof p->profile[place].nm_kg);
    p->count++;
}

/* Id of the clip that a path names: as it stands in the index, or as a file seen from here. 0: none. */
static sqlite3_int64 find_clip(sqlite3 *db, const char *file, const char *database)
{
    sqlite3_stmt *find = NULL;
    sqlite3_int64 id = 0;
    char *moved = NULL;
    relative_path(file, database, &moved, NULL);
    if (database_prepare(db, "SELECT id FROM clip WHERE path IN (?1, ?2) ORDER BY path = ?1 DESC", &find, NULL) == 0) {
        sqlite3_bind_text(find, 1, file, -1, SQLITE_STATIC);
        sqlite3_bind_text(find, 2, moved, -1, SQLITE_STATIC);
        if (sqlite3_step(find) == SQLITE_ROW)
            id = sqlite3_column_int64(find, 0);
    }
    sqlite3_finalize(find);
    free(moved);
    return id;
}

static Status profiles_of_clip(sqlite3 *db, sqlite3_int64 id, Profiles *out, Error *err)
{
    sqlite3_stmt *list = NULL;
    Status status = database_prepare(db, "SELECT clip_id, role, nm_kg FROM profile WHERE clip_id = ?", &list, err);
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

static Status profiles_of_file(const char *path, Profiles *out, Error *err)
{
    ContainerImage image = {0};
    Clip clip = {0};
    ClipStats stats = {0};
    Status status = container_load(path, &image, err);
    if (!status)
        status = container_decode_guarded(&image, &clip, NULL, 0, err);
    if (!status)
        status = clip_stats_init(&stats, &clip, FRAMES_TRUSTED, err);
    if (!status) {
        out->count = stats.profile_count;
        memcpy(out->profile, stats.profile, (size_t)stats.profile_count * sizeof *stats.profile);
    }
    clip_stats_free(&stats);
    clip_free(&clip);
    container_image_free(&image);
    return status;
}

static int shared_roles(const Profiles *a, const Profiles *b)
{
    int shared = 0;
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < b->count; k++)
            shared += a->profile[i].role == b->profile[k].role;
    return shared;
}

static Status store_likeness(sqlite3_stmt *insert, sqlite3_int64 id, const Profiles *wanted, const Profiles *clip,
                             Error *err)
{
    double distance = profile_distance(wanted->profile, wanted->count, clip->profile, clip->count);
    if (id == 0 || !isfinite(distance))
        return STATUS_OK;
    sqlite3_bind_int64(insert, 1, id);
    sqlite3_bind_double(insert, 2, distance);
    sqlite3_bind_int(insert, 3, shared_roles(wanted, clip));
    return database_step(insert, err);
}

/* Compares every clip but the wanted one itself. */
static Status compare_all(sqlite3 *db, const Profiles *wanted, sqlite3_int64 self, sqlite3_stmt *list,
                          sqlite3_stmt *insert, Error *err)
{
    Profiles clip = {.count = 0};
    sqlite3_int64 id = 0;
    Status status = STATUS_OK;
    int code = SQLITE_ROW;
    while (code == SQLITE_ROW && !status) {
        code = sqlite3_step(list);
        sqlite3_int64 next = code == SQLITE_ROW ? sqlite3_column_int64(list, 0) : 0;
        if (next != id) {
            status = id == self ? STATUS_OK : store_likeness(insert, id, wanted, &clip, err);
            clip.count = 0;
            id = next;
        }
        if (code == SQLITE_ROW)
            add_profile(&clip, list);
    }
    return status || code == SQLITE_DONE ? status : database_error(db, code, err);
}

Status query_like_prepare(sqlite3 *db, const QueryDef *def, const char *database, Error *err)
{
    Profiles wanted = {.count = 0};
    sqlite3_stmt *list = NULL, *insert = NULL;
    sqlite3_int64 self = find_clip(db, def->argument, database);
    Status status = self ? profiles_of_clip(db, self, &wanted, err) : profiles_of_file(def->argument, &wanted, err);
    if (!status && wanted.count == 0)
        status = error_set(err, STATUS_BAD_INPUT, "no torque profile: no joint torques or no human roles");
    status = query_preset_blame(def, status, err);
    if (!status)
        status = database_exec(db, "CREATE TEMP TABLE likeness(path TEXT, distance_nm_kg REAL, roles INTEGER)", err);
    if (!status)
        status = database_prepare(db, "SELECT clip_id, role, nm_kg FROM profile ORDER BY clip_id", &list, err);
    if (!status)
        status = database_prepare(db, "INSERT INTO temp.likeness SELECT path, ?2, ?3 FROM clip WHERE id = ?1", &insert,
                                  err);
    if (!status)
        status = compare_all(db, &wanted, self, list, insert, err);
    sqlite3_finalize(list);
    sqlite3_finalize(insert);
    return status;
}
