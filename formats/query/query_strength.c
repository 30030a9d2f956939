/* @over strength: stretches of frames in which a moment takes more than a share of the person's strength. The index
 * says in which clips (joint_stat.use_peak), their containers say when. Cost: those containers are read. */
#include <stdlib.h>
#include <string.h>

#include "formats/container/container.h"
#include "formats/index/database.h"
#include "formats/query/query_preset.h"

typedef struct StrengthSearch {
    const char *database;
    sqlite3_stmt *insert; /* into temp.stretch */
    double share, min_seconds;
} StrengthSearch;

/* "folder of the index/path"; the caller frees it. */
static char *container_path(const char *database, const char *path)
{
    const char *slash = strrchr(database, '/');
    size_t folder = slash && *path != '/' ? (size_t)(slash - database) + 1 : 0, length = strlen(path);
    char *joined = malloc(folder + length + 1);
    if (joined) {
        memcpy(joined, database, folder);
        memcpy(joined + folder, path, length + 1);
    }
    return joined;
}

/* The largest share in a frame over the coordinates of trusted joints, and its role; 0 where none is known. */
static double largest_use(const Clip *clip, int frame, Role *role)
{
    const Anatomy *a = &clip->anatomy;
    double most = 0;
    for (int i = 0; i < a->coordinate_count; i++) {
        double use = a->use[anatomy_index(a, frame, i)];
        if (use > most && clip_counts_joint(clip, frame, a->joint[i], FRAMES_TRUSTED)) {
            most = use;
            *role = coordinate_role(a->coordinate[i]);
        }
    }
    return most;
}

typedef struct UseStretch {
    int from, to;
    Role role;
    double part; /* of the share */
} UseStretch;

static Status store(const StrengthSearch *s, const Clip *clip, const char *path, const UseStretch *found, Error *err)
{
    double step = clip->motion.frame_time, seconds = (found->to + 1 - found->from) * step;
    if (!(seconds >= s->min_seconds - 5e-7)) /* as @within */
        return STATUS_OK;
    sqlite3_bind_text(s->insert, 1, path, -1, SQLITE_TRANSIENT);
    sqlite3_bind_double(s->insert, 2, clip->motion.time[found->from]);
    sqlite3_bind_double(s->insert, 3, clip->motion.time[found->to] + step);
    sqlite3_bind_double(s->insert, 4, seconds);
    sqlite3_bind_int(s->insert, 5, found->from);
    sqlite3_bind_int(s->insert, 6, found->to);
    sqlite3_bind_text(s->insert, 7, role_name(found->role), -1, SQLITE_STATIC);
    sqlite3_bind_double(s->insert, 8, found->part);
    return database_step(s->insert, err);
}

static Status search_clip(const StrengthSearch *s, const Clip *clip, const char *path, Error *err)
{
    UseStretch found = {.from = -1};
    Status status = STATUS_OK;
    if (!clip->has_anatomy || !clip->anatomy.use)
        return STATUS_OK;
    for (int f = 0; f <= clip->motion.frame_count && status == STATUS_OK; f++) {
        Role role = ROLE_NONE;
        double part = f < clip->motion.frame_count ? largest_use(clip, f, &role) / s->share : 0;
        if (part > 1) {
            if (found.from < 0)
                found = (UseStretch){.from = f};
            found.to = f;
            found.role = part > found.part ? role : found.role;
            found.part = part > found.part ? part : found.part;
        } else if (found.from >= 0) {
            status = store(s, clip, path, &found, err);
            found.from = -1;
        }
    }
    return status;
}

static Status search_file(const StrengthSearch *s, const char *path, Error *err)
{
    ContainerImage image = {0};
    Clip clip = {0};
    char *file = container_path(s->database, path);
    if (!file)
        return error_no_memory(err);
    Status status = container_load(file, &image, err);
    if (status == STATUS_OK)
        status = container_decode_guarded(&image, &clip, NULL, 0, err);
    if (status == STATUS_OK)
        status = search_clip(s, &clip, path, err);
    else
        error_of_file(err, file, status);
    clip_free(&clip);
    container_image_free(&image);
    free(file);
    return status;
}

Status query_strength_prepare(sqlite3 *db, const QueryDef *def, const char *database, double share, Error *err)
{
    StrengthSearch search = {.database = database, .share = share, .min_seconds = def->min_seconds};
    sqlite3_stmt *list = NULL;
    int code = SQLITE_DONE;
    Status status = database_exec(db, STRETCH_TABLE, err);
    if (status == STATUS_OK)
        status = database_prepare(db, "INSERT INTO temp.stretch VALUES (?, ?, ?, ?, ?, ?, ?, ?)", &search.insert, err);
    if (status == STATUS_OK)
        status = database_prepare(db, "SELECT path FROM clip WHERE id IN (SELECT clip_id FROM joint_stat WHERE"
                                      " use_peak > ?) ORDER BY path", &list, err);
    if (status == STATUS_OK)
        sqlite3_bind_double(list, 1, share);
    while (status == STATUS_OK && (code = sqlite3_step(list)) == SQLITE_ROW)
        status = search_file(&search, (const char *)sqlite3_column_text(list, 0), err);
    if (status == STATUS_OK && code != SQLITE_DONE)
        status = database_error(db, code, err);
    sqlite3_finalize(list);
    sqlite3_finalize(search.insert);
    return status;
}
