/* See index_columns.h. */
#include "formats/index/index_columns.h"

#include "analysis/stats/clip_stats.h"
#include "analysis/stats/events.h"
#include "analysis/stats/joint_peaks.h"
#include "analysis/stats/windows.h"

#define KEY(member) PART_KEY, offsetof(RowKey, member)
#define ROW(type, member) PART_ROW, offsetof(type, member)
#define BESIDE(type, member) PART_BESIDE, offsetof(type, member)
#define OF_CLIP "REFERENCES clip(id) ON DELETE CASCADE"
#define CHECKSUM(meaning) {"checksum", "INTEGER NOT NULL", COLUMN_CHECKSUM, KEY(checksum), "", meaning}
/* First and last of a span of frames. */
#define FRAMES(type) \
    {"frame0", "INTEGER NOT NULL", COLUMN_INT, ROW(type, frame0), "", "first frame"}, \
    {"frame1", "INTEGER NOT NULL", COLUMN_INT, ROW(type, frame1), "", "last frame"}
#define EVENT_SPAN \
    {"t0", "REAL NOT NULL", COLUMN_REAL, ROW(Event, t0), "s", "time of the first frame, source time"}, \
    {"t1", "REAL NOT NULL", COLUMN_REAL, ROW(Event, t1), "s", "time of the last frame"}, FRAMES(Event)
#define CLIP_ID {"clip_id", "INTEGER NOT NULL " OF_CLIP, COLUMN_ID, KEY(clip), "", "clip"}

/* The settings of a clip, in clip and clip_summary. */
#define SETTING_COLUMNS \
    {"kane_version", "TEXT NOT NULL", COLUMN_STRING, ROW(ClipStats, metrics.settings.kane_version), "", \
     "of the program that wrote the clip file"}, \
    {"body_model", "TEXT NOT NULL", COLUMN_STRING, ROW(ClipStats, metrics.settings.word[SETTING_BODY_MODEL]), "", \
     "`--model` of body; empty: no body"}, \
    {"smooth_method", "TEXT NOT NULL", COLUMN_STRING, ROW(ClipStats, metrics.settings.word[SETTING_SMOOTH_METHOD]), \
     "", "`--method` of smooth; empty: not smoothed"}, \
    {"kinematics_scheme", "TEXT NOT NULL", COLUMN_STRING, \
     ROW(ClipStats, metrics.settings.word[SETTING_KINEMATICS_SCHEME]), "", "`--scheme` of kinematics; empty: none"}, \
    {"contact_method", "TEXT NOT NULL", COLUMN_STRING, ROW(ClipStats, metrics.settings.word[SETTING_CONTACT_METHOD]), \
     "", "`--method` of contact; empty: no contact"}, \
    {"settings", "TEXT NOT NULL", COLUMN_STRING, ROW(ClipStats, metrics.settings.text), "", \
     "all options of the history that change results, without those of the subject"}, \
    {"retarget_to", "TEXT NOT NULL", COLUMN_STRING, ROW(ClipStats, metrics.settings.target), "", \
     "file name of the target of retargeting; empty: not retargeted"}

#define OUTCOME_COLUMN \
    {"outcome", "TEXT NOT NULL", COLUMN_STRING, ROW(ClipStats, metrics.outcome), "", \
     "of kane track: `held`, `stands`, `steps`, `falls`, `diverges`; empty: not tracked"}

/* The verdict's words, and what is left out of statistics, in clip and clip_summary. */
#define VERDICT_COLUMNS \
    {"verdict", "TEXT NOT NULL", COLUMN_STRING, ROW(ClipStats, metrics.verdict), "", \
     "`possible`, `hard`, `impossible` or `unknown`, as kane verdict"}, \
    {"verdict_joint", "TEXT NOT NULL", COLUMN_STRING, ROW(ClipStats, metrics.verdict_joint), "", \
     "joint of the verdict's factor"}, \
    {"left_out_reason", "TEXT NOT NULL", COLUMN_STRING, ROW(ClipStats, metrics.left_out_reason), "", \
     "most frequent flag of a bad recording among the frames left out; empty: none"}

/* Name, type, source of the value, unit, meaning. */
static const Column clip_columns[] = {
    {"id", "INTEGER PRIMARY KEY AUTOINCREMENT", COLUMN_ID, KEY(clip), "",
     "stable row ID, never reused, not ordered"},
    {"path", "TEXT NOT NULL UNIQUE", COLUMN_WORDS, KEY(path), "", "clip file, relative to the directory of the index"},
    {"source", "TEXT NOT NULL", COLUMN_TEXT, ROW(ClipStats, source), "",
     "base name of the motion file; of a file with several takes with the number: `walk.x#2`"},
    {"path_words", "TEXT NOT NULL", COLUMN_WORDS, KEY(path_words), "", "words of the path, for the text search"},
    {"source_sha256", "TEXT NOT NULL", COLUMN_STRING, ROW(ClipStats, metrics.source_sha256), "",
     "SHA-256 of the motion file"},
    {"skeleton", "TEXT NOT NULL", COLUMN_STRING, ROW(ClipStats, metrics.skeleton), "",
     "hash of joint names and parents, 16 hexadecimal digits; equal hierarchies have equal hashes"},
    {"joints", "INTEGER NOT NULL", COLUMN_INT, ROW(ClipStats, joint_count), "", "number of joints"},
    {"unsure", "TEXT NOT NULL", COLUMN_STRING, ROW(ClipStats, metrics.unsure), "",
     "import decisions with a confidence below 0.8: `unit, up axis`; empty: none"},
    {"history", "TEXT NOT NULL", COLUMN_TEXT, ROW(ClipStats, history), "", "history of the clip"},
    {"untrusted_reason", "TEXT NOT NULL", COLUMN_STRING, ROW(ClipStats, metrics.untrusted_reason), "",
     "most frequent quality flag, `edge` only if it is the only one; empty: none"},
    {"up_axis", "TEXT NOT NULL", COLUMN_STRING, ROW(ClipStats, metrics.up_axis), "",
     "of the source, as detected by import: `Y`, `-Z`"},
    OUTCOME_COLUMN,
    VERDICT_COLUMNS,
    {"verdict_why", "TEXT NOT NULL", COLUMN_STRING, ROW(ClipStats, metrics.verdict_why), "",
     "reason of the verdict, one sentence"},
    SETTING_COLUMNS,
    CHECKSUM("of all rows of the clip, for `kane check`"),
};

static const Column joint_columns[] = {
    CLIP_ID,
    {"joint", "INTEGER NOT NULL", COLUMN_INT, KEY(number), "", "index in the clip file"},
    {"name", "TEXT NOT NULL", COLUMN_TEXT, ROW(JointStat, name), "", "of the joint"},
    {"role", "TEXT", COLUMN_ROLE, ROW(JointStat, role), "", "of the joint; NULL: none"},
    {"segment", "TEXT", COLUMN_ROLE, ROW(JointStat, segment), "", "role of the segment; NULL: that of `role`"},
    {"parent", "INTEGER", COLUMN_INDEX, ROW(JointStat, parent), "", "index of the parent joint, NULL for the root"},
    {"mass_kg", "REAL", COLUMN_REAL, ROW(JointStat, mass_kg), "kg", "of the segment"},
};

static const Column dof_stat_columns[] = {
    CLIP_ID,
    {"dof", "INTEGER NOT NULL", COLUMN_INT, KEY(number), "", "row of /dof in the clip file"},
    {"name", "TEXT NOT NULL", COLUMN_TEXT, ROW(DofStat, name), "", "of the degree of freedom"},
    {"joint", "INTEGER NOT NULL", COLUMN_INT, ROW(DofStat, joint), "", "index of the joint that it moves"},
    {"kind", "TEXT NOT NULL", COLUMN_STRING, ROW(DofStat, kind), "",
     "`hinge`, `slide`, `ball`, `free`, `custom`; empty: not known"},
};

static const Column joint_stat_columns[] = {
    CLIP_ID,
    {"joint", "INTEGER NOT NULL", COLUMN_INT, KEY(number), "", "index in the clip file"},
    {"role", "TEXT", COLUMN_ROLE, ROW(JointStat, role), "", "of the joint; NULL: none"},
};

static const Column window_columns[] = {
    CLIP_ID,
    {"t0", "REAL NOT NULL", COLUMN_REAL, ROW(Window, t0), "s", "start of the window, source time"},
    {"t1", "REAL NOT NULL", COLUMN_REAL, ROW(Window, t1), "s", "start of the next window, or end of the clip"},
    FRAMES(Window),
};

static const Column torque_peak_columns[] = {
    CLIP_ID,
    {"joint", "INTEGER NOT NULL", COLUMN_INT, ROW(Event, joint), "", "index in the clip file"},
    {"frame", "INTEGER NOT NULL", COLUMN_INT, ROW(Event, frame0), "",
     "frame of the clip, at start_s + frame / fps"},
    {"nm_kg", "REAL", COLUMN_REAL, ROW(Event, value), "N m/kg", "torque"},
    {"sd_mnm_kg", "INTEGER", COLUMN_INDEX, ROW(Event, sd_mnm_kg), "mN m/kg", "its standard deviation; NULL: unknown"},
};

static const Column foot_contact_columns[] = {
    CLIP_ID,
    {"role", "TEXT NOT NULL", COLUMN_ROLE, ROW(Event, role), "", "left_ankle or right_ankle"},
    EVENT_SPAN,
    {"peak_bw", "REAL", COLUMN_REAL, ROW(Event, value), "body weights", "largest force on the foot"},
};

static const Column flight_columns[] = {
    CLIP_ID,
    EVENT_SPAN,
    {"flight_s", "REAL", COLUMN_REAL, ROW(Event, value), "s", "duration"},
    {"height_m", "REAL", COLUMN_REAL, ROW(Event, flight.height_m), "m",
     "rise of the centre of mass from take-off to apex; NULL: not in the clip"},
    {"landing_peak_bw", "REAL", COLUMN_REAL, ROW(Event, flight.landing_peak_bw), "body weights",
     "largest total vertical force within 0.3 s of landing; NULL: the landing is not trusted"},
};

static const Column profile_columns[] = {
    CLIP_ID,
    {"role", "TEXT NOT NULL", COLUMN_ROLE, ROW(RoleCurve, role), "", "of the joint"},
    {"step_nm_kg", "REAL NOT NULL", COLUMN_REAL, ROW(RoleCurve, step), "N m/kg", "scale: torque of the value 1"},
    {"steps", "BLOB NOT NULL", COLUMN_CURVE, PART_ROW, 0, "step_nm_kg",
     "100 little-endian unsigned 16-bit integers: torque over hundredths of the clip, to the nearest step"},
};

static const Column trace_columns[] = {
    CLIP_ID,
    {"role", "TEXT NOT NULL", COLUMN_ROLE, ROW(RoleCurve, role), "", "of the joint"},
    {"step_nm", "REAL NOT NULL", COLUMN_REAL, ROW(RoleCurve, step), "N m", "scale: torque of the value 1"},
    {"steps", "BLOB NOT NULL", COLUMN_CURVE, PART_ROW, 0, "step_nm",
     "one little-endian unsigned 16-bit integer per frame: torque, rounded up; 65535: frame not trusted"},
};

static const Column sketch_columns[] = {
    {"clip_id", "INTEGER PRIMARY KEY " OF_CLIP, COLUMN_ID, KEY(clip), "", "clip"},
    {"samples", "BLOB NOT NULL", COLUMN_SKETCH, ROW(ClipStats, sketch), "",
     "41 bytes per sixth of a second, 0: unknown; 30 of pose, 128 plus 64ths of a leg; 11 of torque, 1 plus 32nds of "
     "a N m/kg"},
};

static const Column utilization_columns[] = {
    {"clip_id", "INTEGER PRIMARY KEY " OF_CLIP, COLUMN_ID, KEY(clip), "", "clip"},
    {"step", "REAL NOT NULL", COLUMN_REAL, ROW(UtilizationRow, steps.step), "1", "scale: utilization of the value 1"},
    {"steps", "BLOB NOT NULL", COLUMN_CURVE, ROW(UtilizationRow, steps), "step",
     "one little-endian unsigned 16-bit integer per frame: largest lower end of the 90 % band of a utilization, rounded"
     " up"},
    {"roles", "BLOB NOT NULL", COLUMN_CURVE, ROW(UtilizationRow, roles), "",
     "one byte per frame: its role, 1 for the first role of `window`; 0: none"},
};

static const Column summary_columns[] = {
    {"clip_id", "INTEGER PRIMARY KEY " OF_CLIP, COLUMN_ID, KEY(clip), "", "clip"},
    {"path", "TEXT NOT NULL", COLUMN_WORDS, KEY(path), "",
     "as in clip, like the columns that follow; all statistics of clip are here too"},
    {"source", "TEXT NOT NULL", COLUMN_TEXT, ROW(ClipStats, source), "",
     "base name of the motion file; of a file with several takes with the number: `walk.x#2`"},
    {"path_words", "TEXT NOT NULL", COLUMN_WORDS, KEY(path_words), "", "words of the path"},
    {"skeleton", "TEXT NOT NULL", COLUMN_STRING, ROW(ClipStats, metrics.skeleton), "",
     "hash of joint names and parents"},
    {"joints", "INTEGER NOT NULL", COLUMN_INT, ROW(ClipStats, joint_count), "", "number of joints"},
    {"unsure", "TEXT NOT NULL", COLUMN_STRING, ROW(ClipStats, metrics.unsure), "",
     "import decisions with a confidence below 0.8"},
    {"untrusted_reason", "TEXT NOT NULL", COLUMN_STRING, ROW(ClipStats, metrics.untrusted_reason), "",
     "most frequent quality flag"},
    {"up_axis", "TEXT NOT NULL", COLUMN_STRING, ROW(ClipStats, metrics.up_axis), "", "of the source"},
    OUTCOME_COLUMN,
    VERDICT_COLUMNS,
    SETTING_COLUMNS,
};

static const Column hardest_columns[] = {
    {"torque_peak_nm", "REAL", COLUMN_REAL, BESIDE(JointStat, peaks.torque_peak_nm), "N m",
     "of the joint with the largest lower end, without the floating base and joints with neither mass nor role"},
    {"torque_peak_nm_kg", "REAL", COLUMN_REAL, BESIDE(JointStat, peaks.torque_peak_nm_kg), "N m/kg",
     "the same per kilogram of body mass"},
    {"torque_peak_sd_nm_kg", "REAL", COLUMN_REAL, BESIDE(JointStat, peaks.torque_peak_sd_nm_kg), "N m/kg",
     "its standard deviation; NULL: unknown"},
    {"torque_peak_low_nm_kg", "REAL", COLUMN_REAL, BESIDE(JointStat, peaks.torque_peak_low_nm_kg), "N m/kg",
     "largest lower end of a 90 % band of its torque, at least 0; of the torque itself where bands are unknown"},
    {"torque_peak_all_nm_kg", "REAL", COLUMN_REAL, BESIDE(JointStat, peaks.torque_peak_all_nm_kg), "N m/kg",
     "its largest torque of all valid frames, bad recording or not"},
    {"torque_peak_utilization_sd", "REAL", COLUMN_REAL, BESIDE(JointStat, peaks.utilization_peak_sd), "1",
     "standard deviation of the following"},
    {"torque_peak_utilization", "REAL", COLUMN_REAL, BESIDE(JointStat, peaks.utilization_peak), "1",
     "largest utilization of that joint; NULL: unknown"},
    {"torque_peak_t", "REAL", COLUMN_REAL, BESIDE(JointStat, peaks.torque_peak_t), "s", "time of that peak"},
    {"torque_peak_frame", "INTEGER", COLUMN_INDEX, BESIDE(JointStat, peaks.torque_peak_frame), "",
     "frame of that peak"},
    {"torque_peak_role", "TEXT", COLUMN_ROLE, BESIDE(JointStat, role), "", "its role"},
    {"torque_peak_joint", "TEXT", COLUMN_TEXT, BESIDE(JointStat, name), "", "its name"},
};

static const Column decision_columns[] = {
    CLIP_ID,
    {"what", "TEXT NOT NULL", COLUMN_WORDS, ROW(DecisionRow, what), "",
     "`unit`, `up_axis`, `frame_rate`, `root_offset`, `positions`, `first_frame`"},
    {"value", "TEXT NOT NULL", COLUMN_WORDS, ROW(DecisionRow, value), "",
     "`cm`; `Y`; frame rate in Hz; `added` or `replaced`; `local`, `added` or `world`; `kept` or `dropped`"},
    {"confidence", "REAL NOT NULL", COLUMN_REAL, ROW(DecisionRow, confidence), "1",
     "probability that the decision is right"},
};

static const Column warning_columns[] = {
    CLIP_ID,
    {"warning", "INTEGER NOT NULL", COLUMN_INT, KEY(number), "",
     "number in the clip, -1 where the clip is stale"},
    {"kind", "TEXT NOT NULL", COLUMN_WORDS, ROW(WarningRow, kind), "",
     "as `kane check` names it (`offset`, `frame-count`), or `size`, `unit`, `no-root-path`, `seat`, `rail`,"
     " `no-valid-frames`, `no-trusted-frames`, `asymmetric`, `rest`, `character`, `seam`, `left-out`,"
     " `scaled-forces`, `off-axis`, `dissent`, `neutral`, `unsure`, `overlap`, `beyond-range`,"
     " `unsettled`, `energy-growth`, `energy-loss`, `flown-apart`, `stale`, `plates-exchanged`, `plates-apart`,"
     " `plates-downward`, `plates-along-sign`, `plates-side-sign`, `plates-turned`, `plates-late`, `plates-scale`,"
     " `plates-foot-scale`, `plates-pressure-along`, `plates-pressure-side`, `plates-off-sole`, `plates-offset`,"
     " `plates-unit`, `plates-upright`"},
    {"message", "TEXT NOT NULL", COLUMN_WORDS, ROW(WarningRow, message), "",
     "line and column in the source if known, and the text"},
};

/* Not from the clip file, so they stay when the clip is inserted again: no cascade deletes them. */
static const Column tag_columns[] = {
    {"clip_id", "INTEGER NOT NULL", COLUMN_ID, KEY(clip), "", "clip"},
    {"name", "TEXT NOT NULL", COLUMN_WORDS, ROW(TagRow, name), "", "the table's column: `actor`"},
    {"value", "TEXT NOT NULL", COLUMN_WORDS, ROW(TagRow, value), "", "its cell: `Anna`"},
};

static const Column failure_columns[] = {
    {"path", "TEXT PRIMARY KEY NOT NULL", COLUMN_WORDS, ROW(FailureRow, path), "",
     "of the source (from kane index: of the clip file)"},
    {"stage", "TEXT NOT NULL", COLUMN_WORDS, ROW(FailureRow, stage), "", "what failed"},
    {"message", "TEXT NOT NULL", COLUMN_WORDS, ROW(FailureRow, message), "", "why"},
    CHECKSUM("of the row"),
};

/* Of the files of a batch, not from clip files, so they stay when clips are inserted and deleted. */
static const Column family_columns[] = {
    {"skeleton", "TEXT NOT NULL", COLUMN_WORDS, ROW(FamilyRow, skeleton), "",
     "16 hexadecimal digits of what makes a skeleton: names, parents, OFFSETs and channels of its joints, as the file"
     " has them"},
    {"what", "TEXT NOT NULL", COLUMN_WORDS, ROW(FamilyRow, what), "", "`unit`, `up_axis`, `positions`, `neutral_pose`"},
    {"value", "TEXT NOT NULL", COLUMN_WORDS, ROW(FamilyRow, value), "", "`cm`; `Y`; `local`, `added` or `world`;"
     " body's `--neutral-pose`"},
    {"confidence", "REAL NOT NULL", COLUMN_REAL, ROW(FamilyRow, confidence), "1",
     "probability that it is right; of the neutral pose the part of the clips, by weight, that it fits"},
    {"clips", "INTEGER NOT NULL", COLUMN_INT, ROW(FamilyRow, clips), "",
     "files that it was decided from, the first by path, at most 32"},
    {"kane", "TEXT NOT NULL", COLUMN_WORDS, ROW(FamilyRow, kane), "",
     "version that decided; another version decides again"},
    CHECKSUM("of the row"),
};

#define COLUMNS(columns) columns, sizeof(columns) / sizeof *(columns)

/* WITHOUT ROWID tables are ordered by key and need no index, but SQLite leaves a seventh of their pages empty. For
 * curves that is more than an index by clip takes, 12 bytes per row: rows of a clip are consecutive, in the order of
 * roles, and queries of all clips read them in rowid order. */
static const TableColumns tables[] = {
    [TABLE_CLIP] = {"clip", NULL, "STRICT", COLUMNS(clip_columns)},
    [TABLE_JOINT] = {"joint", "clip_id, joint", "STRICT, WITHOUT ROWID", COLUMNS(joint_columns)},
    [TABLE_JOINT_STAT] = {"joint_stat", "clip_id, joint", "STRICT, WITHOUT ROWID", COLUMNS(joint_stat_columns)},
    [TABLE_DOF_STAT] = {"dof_stat", "clip_id, dof", "STRICT, WITHOUT ROWID", COLUMNS(dof_stat_columns)},
    [TABLE_WINDOW] = {"window", "clip_id, t0", "STRICT, WITHOUT ROWID", COLUMNS(window_columns)},
    [TABLE_TORQUE_PEAK] = {"torque_peak", "clip_id, joint, frame", "STRICT, WITHOUT ROWID",
                           COLUMNS(torque_peak_columns)},
    [TABLE_FOOT_CONTACT] = {"foot_contact", "clip_id, role, frame0", "STRICT, WITHOUT ROWID",
                            COLUMNS(foot_contact_columns)},
    [TABLE_FLIGHT] = {"flight", "clip_id, frame0", "STRICT, WITHOUT ROWID", COLUMNS(flight_columns)},
    [TABLE_PROFILE] = {"profile", NULL, "STRICT", COLUMNS(profile_columns)},
    [TABLE_TRACE] = {"trace", NULL, "STRICT", COLUMNS(trace_columns)},
    [TABLE_SKETCH] = {"sketch", NULL, "STRICT", COLUMNS(sketch_columns)},
    [TABLE_UTILIZATION] = {"utilization", NULL, "STRICT", COLUMNS(utilization_columns)},
    [TABLE_CLIP_SUMMARY] = {"clip_summary", NULL, "STRICT", COLUMNS(summary_columns)},
    [TABLE_DECISION] = {"decision", "clip_id, what", "STRICT, WITHOUT ROWID", COLUMNS(decision_columns)},
    [TABLE_WARNING] = {"warning", "clip_id, warning", "STRICT, WITHOUT ROWID", COLUMNS(warning_columns)},
    [TABLE_TAG] = {"tag", "clip_id, name", "STRICT, WITHOUT ROWID", COLUMNS(tag_columns)},
    [TABLE_FAILURE] = {"failure", NULL, "STRICT, WITHOUT ROWID", COLUMNS(failure_columns)},
    [TABLE_FAMILY] = {"family", "skeleton, what", "STRICT, WITHOUT ROWID", COLUMNS(family_columns)},
};
_Static_assert(sizeof tables / sizeof *tables == TABLE_COUNT, "a table of the index has no columns");

const TableColumns *table_columns(IndexTable table)
{
    return &tables[table];
}

const Column *hardest_joint_columns(size_t *count)
{
    *count = sizeof hardest_columns / sizeof *hardest_columns;
    return hardest_columns;
}
