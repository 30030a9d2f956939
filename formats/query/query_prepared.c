/* Presets that are prepared by a function, and the search for a preset by name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/number.h"
#include "formats/base/text.h"
#include "formats/index/index.h"
#include "formats/index/index_options.h"
#include "formats/query/query.h"
#include "formats/query/query_clip.h"
#include "formats/query/query_like.h"
#include "formats/query/query_presets.h"
#include "formats/query/query_intervals.h"

#define UNSURE QUERY_UNSURE
#define ALIKE(figures) \
    "SELECT path, c.start_s + a.t AS t0, c.start_s + a.t + a.seconds AS t1, " figures "mirrored, " UNSURE \
    " FROM temp.alike a CROSS JOIN clip c ON c.id = a.clip_id"
#define CHANGED "changed_role, changed_from_nm_kg, changed_to_nm_kg, "
/* Clips of temp.alike whose factor compares with the reference's. */
#define FACTORS \
    "SELECT path, pose_legs, factor, wanted_factor, factor_role, " UNSURE " FROM temp.alike a" \
    " CROSS JOIN clip c ON c.id = a.clip_id CROSS JOIN (SELECT clip_id AS id, max(utilization_peak) AS factor," \
    " role AS factor_role FROM joint_stat GROUP BY clip_id) f ON f.id = c.id WHERE factor "
#define FACTOR_END " wanted_factor"
#define INTERVALS "SELECT s.path, t0, t1, seconds, frame0, frame1, limiting_role, limit_fraction, " UNSURE \
    " FROM temp.limit_interval s CROSS JOIN clip c ON c.path = s.path"

static Status prepare_options(sqlite3 *db, const QueryDef *def, const char *database, Error *err)
{
    (void)def;
    (void)database;
    return index_option_kinds(db, err);
}

static const QueryPreset prepared[] = {
    {.name = "@options",
     .help = "@options             kinds of options with which clips were made",
     .select = "SELECT count(*) AS clips, min(c.path) AS path, options FROM temp.option_kind k"
               " CROSS JOIN clip c ON c.id = k.clip_id GROUP BY options", .order = "clips DESC, path", .limit = -1,
     .prepare = prepare_options},
    {.name = "@within", .argument = "LIMITS.tsv or ROLE=NM_KG[,...]",
     .help = "@within LIMITS       intervals with each joint below its limit: a table\n                     (columns "
             "role, torque_nm or torque_nm_kg) or\n                     left_knee=2.5,right_knee=2.5",
     .select = INTERVALS, .order = "seconds DESC, path, t0", .limit = -1, .prepare = query_within_prepare},
    {.name = "@over", .argument = "LIMITS.tsv, ROLE=NM_KG[,...] or strength[=FRACTION]",
     .help = "@over LIMITS         intervals with a joint above its limit: all trusted\n                     frames "
             "that are not @within; strength[=1.0]: with a\n                     utilization above this value",
     .select = INTERVALS, .order = "limit_fraction DESC, path, t0", .limit = -1, .prepare = query_over_prepare},
    {.name = "@similar", .old_name = "@like", .argument = "FILE",
     .help = "@similar FILE        clips with the most similar torque profile (RMS\n"
             "                     distance) to a clip file or a clip of the index",
     .select = "SELECT path, distance_nm_kg, roles, " UNSURE " FROM temp.likeness l"
               " CROSS JOIN clip c ON c.id = l.clip_id",
     .order = "distance_nm_kg, path", .limit = 10, .prepare = query_like_prepare},
    {.name = "@similar", .old_name = "@like", .argument = "FILE@FROM-TO", .is_of_span = 1,
     .help = "@similar FILE@FROM-TO\n"
             "                     intervals similar to FROM to TO (s) of this clip,\n"
             "                     nearest first; --by pose (leg lengths), torque (N m/kg)\n"
             "                     or both; --mirror also matches the mirrored interval",
     .select = ALIKE("distance, pose_legs, torque_nm_kg, "),
     .order = "distance, path, t0", .limit = 10, .prepare = query_window_prepare},
    {.name = "@lower-torque", .old_name = "@calmer", .argument = "FILE",
     .help = "@lower-torque FILE\n"
             "                     clips with similar motion and lower torque, nearest pose\n"
             "                     first, and the role whose torque changes most; with\n"
             "                     FILE@FROM-TO intervals",
     .select = "SELECT path, pose_legs, torque_part, " CHANGED UNSURE " FROM temp.alike a"
               " CROSS JOIN clip c ON c.id = a.clip_id",
     .order = "pose_legs, path", .limit = 10, .prepare = query_lower_torque_prepare},
    {.name = "@lower-torque", .old_name = "@calmer", .argument = "FILE@FROM-TO", .is_of_span = 1,
     .select = ALIKE("pose_legs, torque_part, " CHANGED),
     .order = "pose_legs, path, t0", .limit = 10, .prepare = query_lower_torque_prepare},
    {.name = "@easier", .argument = "FILE",
     .help = "@easier FILE         clips with similar motion and a lower factor (largest\n"
             "                     utilization of strength), nearest pose first",
     .select = FACTORS "<" FACTOR_END, .order = "pose_legs, path", .limit = 10, .prepare = query_factor_prepare},
    {.name = "@harder", .argument = "FILE",
     .help = "@harder FILE         the same with a higher factor",
     .select = FACTORS ">" FACTOR_END, .order = "pose_legs, path", .limit = 10, .prepare = query_factor_prepare},
};

enum { PRESET_COUNT = QUERY_PLAIN_PRESETS + sizeof prepared / sizeof *prepared };

static const QueryPreset *preset_at(int i)
{
    return i < QUERY_PLAIN_PRESETS ? &query_plain_presets[i] : &prepared[i - QUERY_PLAIN_PRESETS];
}

static Status check_words(const QueryPreset *preset, const QueryDef *def, Error *err)
{
    int has_choice = preset->prepare == query_window_prepare;
    if (preset->argument && !def->argument)
        return error_set(err, STATUS_USAGE, "%s needs %s", preset->name, preset->argument);
    const char *end = def->argument ? def->argument + strlen(def->argument) : NULL;
    double number;
    if (!preset->argument && def->argument && number_scan(def->argument, end, &number) == end)
        return error_set(err, STATUS_USAGE, "%s has no argument; --limit sets the number of rows", preset->name);
    if (!preset->argument && def->among)
        return error_set(err, STATUS_USAGE, "%s has no argument but a WHERE", preset->name);
    if (def->by != LIKENESS_BOTH && !has_choice)
        return error_set(err, STATUS_USAGE, "--by requires @similar FILE@FROM-TO");
    if (def->with_mirror && !preset->is_of_span)
        return error_set(err, STATUS_USAGE, "--mirror requires FILE@FROM-TO");
    return STATUS_OK;
}

static int is_preset(const QueryPreset *preset, const char *name)
{
    return strcmp(name, preset->name) == 0 || (preset->old_name && strcmp(name, preset->old_name) == 0);
}

Status query_preset_find(const QueryDef *def, const QueryPreset **preset, Error *err)
{
    const char *names[PRESET_COUNT] = {NULL};
    int count = 0, has_span = def->argument && query_has_span(def->argument);
    *preset = NULL;
    for (int i = 0; i < PRESET_COUNT; i++) {
        if (is_preset(preset_at(i), def->where) && (has_span || !preset_at(i)->is_of_span))
            *preset = preset_at(i); /* presets of an interval follow those of a clip */
        if (count == 0 || strcmp(names[count - 1], preset_at(i)->name) != 0)
            names[count++] = preset_at(i)->name;
    }
    if (*preset)
        return check_words(*preset, def, err);
    char near[128];
    did_you_mean(def->where, names, (size_t)count, near, sizeof near);
    for (int i = 0; i < PRESET_COUNT && !*near; i++)
        if (preset_at(i)->old_name && nearest_name(def->where, &preset_at(i)->old_name, 1))
            snprintf(near, sizeof near, "; did you mean %s?", preset_at(i)->name);
    return error_set(err, STATUS_USAGE, "unknown preset %s%s", def->where, *near ? near : "; see kane query --help");
}

const char *query_preset_help(int index)
{
    return index >= 0 && index < PRESET_COUNT ? preset_at(index)->help : NULL;
}
