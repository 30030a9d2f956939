#include "formats/query/query_preset.h"

#include <stdio.h>
#include <string.h>

#include "formats/base/text.h"

static const QueryPreset presets[] = {
    {"@hardest", NULL, "@hardest             clips by their largest joint torque per body mass",
     "SELECT path, torque_peak_nm_kg, torque_peak_role AS role, torque_peak_joint AS joint, torque_peak_t AS t,"
     " torque_peak_frame AS frame, torque_peak_nm, mass_kg FROM clip_summary WHERE torque_peak_nm_kg IS NOT NULL",
     "torque_peak_nm_kg DESC, path", 10, NULL},
    {"@peaks", NULL, "@peaks               the largest peaks of joint torque, with their time",
     "SELECT path, role, (SELECT name FROM joint j WHERE j.clip_id = e.clip_id AND j.joint = e.joint) AS joint,"
     " t0 AS t, frame0 AS frame, value AS torque_nm_kg, value * mass_kg AS torque_nm"
     " FROM event e CROSS JOIN clip c ON c.id = e.clip_id WHERE kind = 'torque_peak'",
     "torque_nm_kg DESC, path, t", 10, NULL},
    {"@jumps", NULL, "@jumps               flights by their height (rise of the centre of mass, m), with the peak of"
     " vertical force at landing (body weights)",
     "SELECT path, t0, t1, frame0, frame1, value AS flight_s, height_m, landing_peak_bw"
     " FROM event e CROSS JOIN clip c ON c.id = e.clip_id WHERE kind = 'flight'"
     " AND (height_m > 0 OR height_m IS NULL)",
     "height_m DESC, path, t0", 10, NULL},
    {"@within", "LIMITS.tsv", "@within LIMITS.tsv   stretches in which every joint stays under its limit (columns role,"
     " torque_nm or torque_nm_kg)",
     "SELECT path, t0, t1, seconds, frame0, frame1, tightest_role, part_of_limit FROM temp.stretch",
     "seconds DESC, path, t0", -1, query_within_prepare},
    {"@like", "FILE", "@like FILE           clips with the nearest torque profile: RMS distance to a container or a"
     " clip of the index",
     "SELECT path, distance_nm_kg, roles FROM temp.likeness", "distance_nm_kg, path", 10, query_like_prepare},
};

enum { PRESET_COUNT = sizeof presets / sizeof *presets };

Status query_preset_find(const QueryDef *def, const QueryPreset **preset, Error *err)
{
    const char *names[PRESET_COUNT];
    for (int i = 0; i < PRESET_COUNT; i++) {
        names[i] = presets[i].name;
        if (strcmp(def->where, presets[i].name) != 0)
            continue;
        *preset = &presets[i];
        if (presets[i].argument && !def->argument)
            return error_set(err, STATUS_USAGE, "%s needs %s", presets[i].name, presets[i].argument);
        if (!presets[i].argument && def->argument)
            return error_set(err, STATUS_USAGE, "%s takes no argument", presets[i].name);
        return STATUS_OK;
    }
    char near[128];
    near_names(def->where, names, PRESET_COUNT, near, sizeof near);
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
