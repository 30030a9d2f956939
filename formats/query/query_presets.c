/* Presets that consist only of a SELECT (query.h). */
#include "formats/query/query_presets.h"

#include "analysis/stats/joint_curves.h"

#define UNSURE QUERY_UNSURE
#define TEXT_OF(number) #number
#define NUMBER(macro) TEXT_OF(macro)
/* Reason to doubt a torque: no standard deviation, or a moment over an average person's strength beyond its band. */
#define DOUBT(sd, low_utilization) \
    "CASE WHEN " sd " IS NULL THEN 'no error bar' WHEN " low_utilization " > 1 THEN 'beyond strength' END AS doubt, "
#define VERDICT(word) \
    "SELECT path, verdict_factor, verdict_band, verdict_joint AS joint, verdict_t AS t, verdict_frame AS frame," \
    " (SELECT verdict_why FROM clip WHERE id = c.clip_id) AS why, left_out_fraction," \
    " nullif(left_out_reason, '') AS left_out_reason, " UNSURE \
    " FROM clip_summary c WHERE verdict = '" word "'"
#define PEAKS \
    "SELECT path, role, j.name AS joint, c.start_s + frame / c.fps AS t, frame, nm_kg AS torque_nm_kg," \
    " sd_mnm_kg / 1000.0 AS torque_sd_nm_kg, nm_kg * c.mass_kg AS torque_nm," \
    " (SELECT torque_peak_all_nm_kg FROM joint_stat s WHERE s.clip_id = e.clip_id AND s.joint = e.joint)" \
    " AS torque_all_nm_kg, left_out_fraction, nullif(left_out_reason, '') AS left_out_reason, " \
    DOUBT("sd_mnm_kg", "(SELECT utilization_peak - " NUMBER(BAND_90) " * utilization_peak_sd FROM joint_stat s" \
    " WHERE s.clip_id = e.clip_id" \
    " AND s.joint = e.joint)") \
    UNSURE " FROM clip_summary c" \
    " CROSS JOIN torque_peak e ON e.clip_id = c.clip_id" \
    " JOIN joint j ON j.clip_id = e.clip_id AND j.joint = e.joint"

/* The shortcut of @peaks: the N largest peaks are in clips whose own largest peak is at least the N-th largest of
 * these. */
const QueryPreset query_plain_presets[QUERY_PLAIN_PRESETS] = {
    {.name = "@hardest",
     .help = "@hardest             clips by largest joint torque per body mass (lower end\n                     of its "
             "90 % band)",
     .select = "SELECT path, torque_peak_nm_kg, torque_peak_sd_nm_kg, torque_peak_low_nm_kg,"
               " torque_peak_role AS role, torque_peak_joint AS joint,"
               " torque_peak_t AS t, torque_peak_frame AS frame, torque_peak_nm, mass_kg, "
               "torque_peak_all_nm_kg, left_out_fraction, nullif(left_out_reason, '') AS left_out_reason, verdict, "
               DOUBT("torque_peak_sd_nm_kg", "torque_peak_utilization - " NUMBER(BAND_90)
                     " * torque_peak_utilization_sd") UNSURE " FROM clip_summary c"
               " WHERE torque_peak_nm_kg IS NOT NULL",
     .order = "torque_peak_low_nm_kg DESC, path", .limit = 10},
    {.name = "@peaks",
     .help = "@peaks               largest joint torque peaks (lower end of the 90 % band),\n                     with "
             "their time",
     .select = PEAKS,
     .shortcut = PEAKS " WHERE c.peak_event_low_nm_kg >= coalesce((SELECT peak_event_low_nm_kg FROM"
                       " clip_summary ORDER BY peak_event_low_nm_kg DESC LIMIT 1 OFFSET %lld - 1), 0)",
     .order = "max(0, torque_nm_kg - " NUMBER(BAND_90) " * coalesce(torque_sd_nm_kg, 0)) DESC, path, t", .limit = 10},
    {.name = "@jumps",
     .help = "@jumps               flights by height (rise of the centre of mass, m), with\n                     the "
             "peak vertical landing force (body weights)",
     .select = "SELECT path, t0, t1, frame0, frame1, e.flight_s, height_m, landing_peak_bw, " UNSURE " FROM flight e"
               " CROSS JOIN clip c ON c.id = e.clip_id WHERE height_m > 0 OR height_m IS NULL",
     .order = "height_m DESC, path, t0", .limit = 10},
    {.name = "@possible",
     .help = "@possible            clips that a person can do, easiest first",
     .select = VERDICT("possible"), .order = "verdict_factor, path", .limit = -1},
    {.name = "@hard",
     .help = "@hard                clips over an average person's strength beyond the\n                     band, "
             "hardest first",
     .select = VERDICT("hard"), .order = "verdict_factor - verdict_band DESC, path", .limit = -1},
    {.name = "@impossible",
     .help = "@impossible          clips that no one can do, with the joint that fails\n                     first and "
             "why",
     .select = VERDICT("impossible"), .order = "verdict_factor - verdict_band DESC, path", .limit = -1},
    {.name = "@warnings",
     .help = "@warnings            warnings per clip; kind \"unsure\": a detection with\n                     "
             "confidence below 0.8; \"stale\": the source can no longer\n                     be read",
     .select = "SELECT path, kind, message, " UNSURE " FROM warning w CROSS JOIN clip c ON c.id = w.clip_id",
     .order = "path, kind, message", .limit = -1},
    {.name = "@failed",
     .help = "@failed              files that failed, with the error",
     .select = "SELECT path, stage, message, (SELECT " UNSURE " FROM clip c WHERE c.path = f.path || '.h5') AS"
               " unsure FROM failure f", .order = "path", .limit = -1, .chosen = "failure"},
};

Status query_preset_blame(const QueryDef *def, Status status, Error *err)
{
    if (!status || !err)
        return status;
    Error cause = *err;
    char location[32] = "";
    if (cause.line > 0 && cause.column > 0)
        snprintf(location, sizeof location, "%d:%d:", cause.line, cause.column);
    else if (cause.line > 0)
        snprintf(location, sizeof location, "%d:", cause.line);
    return error_set(err, status, "%s:%s %.300s", def->argument, location, cause.text);
}
