#include "formats/query/query_preset.h"

#include <stdio.h>
#include <string.h>

#include "formats/base/text.h"
#include "formats/query/query_clip.h"

/* Decisions of import to look at, of the clip of each row: a column of every preset. */
#define UNSURE "nullif(c.unsure, '') AS unsure"
#define PEAKS \
    "SELECT path, role, j.name AS joint, c.start_s + frame / c.fps AS t, frame, nm_kg AS torque_nm_kg," \
    " nm_kg * c.mass_kg AS torque_nm, " UNSURE " FROM clip_summary c" \
    " CROSS JOIN torque_peak e ON e.clip_id = c.clip_id" \
    " JOIN joint j ON j.clip_id = e.clip_id AND j.joint = e.joint"
#define ALIKE(figures) \
    "SELECT path, c.start_s + a.t AS t0, c.start_s + a.t + a.seconds AS t1, " figures "mirrored, " UNSURE \
    " FROM temp.alike a CROSS JOIN clip c ON c.id = a.clip_id"
#define STRETCHES "SELECT path, t0, t1, seconds, frame0, frame1, tightest_role, part_of_limit," \
    " (SELECT " UNSURE " FROM clip c WHERE c.path = s.path) AS unsure FROM temp.stretch s"

/* The largest N peaks lie in the N clips whose own largest peaks are the largest, or in clips that are equal to the
 * last of these. */
static const QueryPreset presets[] = {
    {.name = "@hardest",
     .help = "@hardest             clips by their largest joint torque per body mass",
     .select = "SELECT path, torque_peak_nm_kg, torque_peak_role AS role, torque_peak_joint AS joint,"
               " torque_peak_t AS t, torque_peak_frame AS frame, torque_peak_nm, mass_kg, " UNSURE
               " FROM clip_summary c"
               " WHERE torque_peak_nm_kg IS NOT NULL",
     .order = "torque_peak_nm_kg DESC, path", .limit = 10},
    {.name = "@peaks",
     .help = "@peaks               the largest peaks of joint torque, with their time",
     .select = PEAKS,
     .shortcut = PEAKS " WHERE c.peak_event_nm_kg >= coalesce((SELECT peak_event_nm_kg FROM clip_summary"
                       " ORDER BY peak_event_nm_kg DESC LIMIT 1 OFFSET %lld - 1), 0)",
     .order = "torque_nm_kg DESC, path, t", .limit = 10},
    {.name = "@jumps",
     .help = "@jumps               flights by their height (rise of the centre of mass, m), with the peak of vertical"
             " force at landing (body weights)",
     .select = "SELECT path, t0, t1, frame0, frame1, e.flight_s, height_m, landing_peak_bw, " UNSURE " FROM flight e"
               " CROSS JOIN clip c ON c.id = e.clip_id WHERE height_m > 0 OR height_m IS NULL",
     .order = "height_m DESC, path, t0", .limit = 10},
    {.name = "@warnings",
     .help = "@warnings            clips whose source or result has something odd, and what; kind \"unsure\":"
             " a decision of import under 0.8; \"stale\": the source has gone bad",
     .select = "SELECT path, kind, message, " UNSURE " FROM warning w CROSS JOIN clip c ON c.id = w.clip_id",
     .order = "path, kind, message", .limit = -1},
    {.name = "@failed",
     .help = "@failed              sources that could not be made a clip of, and why",
     .select = "SELECT path, stage, message, (SELECT " UNSURE " FROM clip c WHERE c.path = f.path || '.h5') AS"
               " unsure FROM failure f", .order = "path", .limit = -1},
    {.name = "@within", .argument = "LIMITS.tsv or ROLE=NM_KG[,...]",
     .help = "@within LIMITS       stretches in which every joint stays under its limit: a table (columns role,"
             " torque_nm or torque_nm_kg) or left_knee=2.5,right_knee=2.5",
     .select = STRETCHES, .order = "seconds DESC, path, t0", .limit = -1, .prepare = query_within_prepare},
    {.name = "@over", .argument = "LIMITS.tsv, ROLE=NM_KG[,...] or strength[=SHARE]",
     .help = "@over LIMITS         stretches in which a joint is above its limit: all trusted frames that are not"
             " @within; strength[=1.0]: in which a moment takes more than this share of the person's strength, by the"
             " containers",
     .select = STRETCHES, .order = "part_of_limit DESC, path, t0", .limit = -1, .prepare = query_over_prepare},
    {.name = "@like", .argument = "FILE", .takes_where = 1,
     .help = "@like FILE [WHERE]   clips with the nearest torque profile: RMS distance to a container or a clip of the"
             " index, among those of which WHERE holds",
     .select = "SELECT path, distance_nm_kg, roles, " UNSURE " FROM temp.likeness l"
               " CROSS JOIN clip c ON c.id = l.clip_id",
     .order = "distance_nm_kg, path", .limit = 10, .prepare = query_like_prepare},
    {.name = "@like", .argument = "FILE@FROM-TO", .takes_where = 1, .is_of_span = 1,
     .help = "@like FILE@FROM-TO [WHERE]  where clips move and strain as this one does from FROM to TO (s), nearest"
             " first; --by pose (leg lengths), torque (Nm/kg) or both; --mirror finds left for right too",
     .select = ALIKE("distance, pose_legs, torque_nm_kg, "),
     .order = "distance, path, t0", .limit = 10, .prepare = query_window_prepare},
    {.name = "@calmer", .argument = "FILE", .takes_where = 1,
     .help = "@calmer FILE [WHERE] clips that move as this one does with less torque, nearest pose first; of"
             " FILE@FROM-TO stretches that do",
     .select = "SELECT path, pose_legs, torque_part, " UNSURE " FROM temp.alike a"
               " CROSS JOIN clip c ON c.id = a.clip_id",
     .order = "pose_legs, path", .limit = 10, .prepare = query_calmer_prepare},
    {.name = "@calmer", .argument = "FILE@FROM-TO", .takes_where = 1, .is_of_span = 1,
     .select = ALIKE("pose_legs, torque_part, "),
     .order = "pose_legs, path, t0", .limit = 10, .prepare = query_calmer_prepare},
};

enum { PRESET_COUNT = sizeof presets / sizeof *presets };

static Status check_words(const QueryPreset *preset, const QueryDef *def, Error *err)
{
    int has_choice = preset->prepare == query_window_prepare;
    if (preset->argument && !def->argument)
        return error_set(err, STATUS_USAGE, "%s needs %s", preset->name, preset->argument);
    if (!preset->argument && def->argument)
        return error_set(err, STATUS_USAGE, "%s takes no argument", preset->name);
    if (!preset->takes_where && def->among)
        return error_set(err, STATUS_USAGE, "%s takes no expression", preset->name);
    if (def->by != LIKENESS_BOTH && !has_choice)
        return error_set(err, STATUS_USAGE, "--by goes with @like FILE@FROM-TO");
    if (def->with_mirror && !preset->is_of_span)
        return error_set(err, STATUS_USAGE, "--mirror goes with FILE@FROM-TO");
    return STATUS_OK;
}

Status query_preset_find(const QueryDef *def, const QueryPreset **preset, Error *err)
{
    const char *names[PRESET_COUNT] = {NULL};
    int count = 0, has_span = def->argument && query_has_span(def->argument);
    *preset = NULL;
    for (int i = 0; i < PRESET_COUNT; i++) {
        if (strcmp(def->where, presets[i].name) == 0 && (has_span || !presets[i].is_of_span))
            *preset = &presets[i]; /* that of a stretch stands behind that of a clip */
        if (count == 0 || strcmp(names[count - 1], presets[i].name) != 0)
            names[count++] = presets[i].name;
    }
    if (*preset)
        return check_words(*preset, def, err);
    char near[128];
    near_names(def->where, names, (size_t)count, near, sizeof near);
    return error_set(err, STATUS_USAGE, "no preset %s; %s%s", def->where, near[0] ? "near: " : "see --help", near);
}

Status query_preset_blame(const QueryDef *def, Status status, Error *err)
{
    if (!status || !err)
        return status;
    Error cause = *err;
    char place[32] = "";
    if (cause.line > 0 && cause.column > 0)
        snprintf(place, sizeof place, "%d:%d:", cause.line, cause.column);
    else if (cause.line > 0)
        snprintf(place, sizeof place, "%d:", cause.line);
    return error_set(err, status, "%s:%s %.300s", def->argument, place, cause.text);
}

const char *query_preset_help(int index)
{
    return index >= 0 && index < PRESET_COUNT ? presets[index].help : NULL;
}
