/* See index_schema.h. */
#include "formats/index/index_schema.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "analysis/base/fnv.h"
#include "analysis/stats/clip_stats.h"
#include "analysis/stats/events.h"
#include "analysis/stats/joint_peaks.h"
#include "analysis/stats/metric.h"
#include "analysis/stats/windows.h"
#include "formats/base/bytes.h"
#include "formats/container/container.h"
#include "formats/source/source_table.h"

/* Access to SQLite for index and queries. */

/* Paths of clips in an index. */

/* Returns the absolute path, with links resolved, of the folder that contains file. */
static Status folder_of(const char *file, char **out, Error *err)
{
    const char *slash = strrchr(file, '/');
    char *folder = slash ? strndup(file, slash == file ? 1 : (size_t)(slash - file)) : strdup(".");
    if (!folder)
        return error_no_memory(err);
    *out = realpath(folder, NULL);
    Status status = *out ? STATUS_OK : error_set(err, STATUS_IO, "folder %s: %s", folder, strerror(errno));
    free(folder);
    return status;
}

/* Joins an absolute folder and a path, and removes "." and ".." textually. NULL if memory runs out. */
static char *join(const char *folder, const char *path)
{
    size_t size = strlen(folder) + strlen(path) + 3, used = 0;
    char *out = malloc(size), *text = malloc(size), *rest = text, *part;
    if (out && text) {
        snprintf(text, size, "%s/%s", path[0] == '/' ? "" : folder, path);
        out[0] = 0;
        while ((part = strsep(&rest, "/"))) {
            if (strcmp(part, "..") == 0) {
                char *last = strrchr(out, '/');
                used = last ? (size_t)(last - out) : 0;
                out[used] = 0;
            } else if (*part && strcmp(part, ".") != 0) {
                used += (size_t)snprintf(out + used, size - used, "/%s", part);
            }
        }
    } else {
        free(out);
        out = NULL;
    }
    free(text);
    return out;
}

/* Returns the path of target relative to folder, both absolute and without "..". NULL if memory runs out. */
static char *seen_from(const char *folder, const char *target)
{
    size_t same = 0; /* length of the common folders, followed by '/' */
    for (size_t i = 0;; i++) {
        int folder_ends = folder[i] == '/' || folder[i] == 0;
        if (folder_ends && target[i] == '/')
            same = i;
        if (folder[i] != target[i] || folder[i] == 0)
            break;
    }
    size_t ups = 0;
    for (const char *c = folder + same; *c; c++)
        ups += *c == '/' && c[1] != 0;
    char *out = malloc(3 * ups + strlen(target + same) + 1), *at = out;
    if (!out)
        return NULL;
    for (size_t i = 0; i < ups; i++, at += 3)
        memcpy(at, "../", 3);
    memcpy(at, target + same + 1, strlen(target + same)); /* with the NUL */
    return out;
}

Status path_move(const PathMove *move, const char *path, char **out, Error *err)
{
    char *target = join(move->from, path);
    *out = target ? seen_from(move->to, target) : NULL;
    free(target);
    return *out ? STATUS_OK : error_no_memory(err);
}

Status path_move_init(PathMove *move, const char *from_database, const char *to_database, Error *err)
{
    *move = (PathMove){0};
    Status status = folder_of(from_database, &move->from, err);
    if (!status)
        status = folder_of(to_database, &move->to, err);
    if (status)
        path_move_free(move);
    return status;
}

void path_move_free(PathMove *move)
{
    free(move->from);
    free(move->to);
    *move = (PathMove){0};
}

Status relative_path(const char *file, const char *database, char **out, Error *err)
{
    const char *slash = strrchr(file, '/');
    PathMove move;
    *out = NULL;
    Status status = path_move_init(&move, file, database, err);
    if (!status)
        status = path_move(&move, slash ? slash + 1 : file, out, err);
    path_move_free(&move);
    return status;
}

/* Returns the length of a path without the extension of clip files and, before it, of motion files. */
static size_t stem_length(const char *path)
{
    size_t length = strlen(path);
    return source_stem(path, container_has_ending(path) ? length - strlen(".h5") : length);
}

char *path_words(const char *path)
{
    size_t length = stem_length(path);
    char *words = malloc(2 * length + 1), *out = words;
    if (!words)
        return NULL;
    for (size_t i = 0; i < length; i++) {
        unsigned char before = i > 0 ? (unsigned char)path[i - 1] : 0, c = (unsigned char)path[i];
        int is_word = isalnum(c) || c >= 0x80;
        int is_start = (isdigit(c) != 0) != (isdigit(before) != 0) ||
                       (isupper(c) && (islower(before) || (isupper(before) && islower((unsigned char)path[i + 1]))));
        if (out > words && out[-1] != ' ' && (!is_word || is_start))
            *out++ = ' ';
        if (is_word)
            *out++ = (char)tolower(c);
    }
    *out = 0;
    return words;
}

/* Returns why a file could not be read or written: the system's reason instead of SQLite's "disk I/O error". */
static const char *failed_call(sqlite3 *db, int code)
{
    int primary = code & 0xff, system = sqlite3_system_errno(db);
    return (primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN) && system ? strerror(system) : sqlite3_errmsg(db);
}

Status database_error(sqlite3 *db, int code, Error *err)
{
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return error_set(err, STATUS_IO, "the index is being written by another process");
    case SQLITE_NOTADB:
        return error_set(err, STATUS_BAD_INPUT, "not an index (SQLite database); for a clip file use kane info");
    case SQLITE_ERROR: /* the statements are correct, so the tables are not those of kane */
    case SQLITE_CORRUPT:
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
        return error_set(err, STATUS_BAD_INPUT,
                         "the index is damaged (%s): delete it and rebuild it from the clip files",
                         sqlite3_errmsg(db));
    case SQLITE_NOMEM:
        return error_no_memory(err);
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_IOERR:
    case SQLITE_FULL:
        return error_set(err, STATUS_IO, "cannot read or write the index: %s", failed_call(db, code));
    case SQLITE_TOOBIG:
        return error_set(err, STATUS_LIMIT, "a value is too large for the index");
    default:
        return error_set(err, STATUS_INTERNAL, "SQLite: %s", sqlite3_errmsg(db));
    }
}

Status database_exec(sqlite3 *db, const char *sql, Error *err)
{
    int code = sqlite3_exec(db, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? STATUS_OK : database_error(db, code, err);
}

Status database_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **statement, Error *err)
{
    int code = sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
    return code == SQLITE_OK ? STATUS_OK : database_error(db, code, err);
}

Status database_step(sqlite3_stmt *statement, Error *err)
{
    int code = sqlite3_step(statement);
    Status status = code == SQLITE_DONE ? STATUS_OK : database_error(sqlite3_db_handle(statement), code, err);
    sqlite3_reset(statement);
    return status;
}

Status database_integer(sqlite3 *db, const char *sql, sqlite3_int64 fallback, sqlite3_int64 *value, Error *err)
{
    sqlite3_stmt *statement = NULL;
    Status status = database_prepare(db, sql, &statement, err);
    if (status)
        return status;
    int code = sqlite3_step(statement);
    *value = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : fallback;
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        status = database_error(db, code, err);
    sqlite3_finalize(statement);
    return status;
}

void database_close(sqlite3 **db)
{
    sqlite3_close_v2(*db);
    *db = NULL;
}

void database_make_file(const char *path)
{
    int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
    if (descriptor >= 0) /* otherwise SQLite reports the error */
        close(descriptor);
}

/* Opens a database. ":memory:" is a file name here: "./" prevents SQLite from interpreting a leading colon. */
Status database_open(const char *path, int flags, sqlite3 **db, Error *err)
{
    *db = NULL;
    char plain[4096];
    int length = snprintf(plain, sizeof plain, "%s%s", path[0] == ':' ? "./" : "", path);
    if (length < 0 || (size_t)length >= sizeof plain)
        return error_set(err, STATUS_IO, "the path of the index is too long");
    if (flags & SQLITE_OPEN_CREATE)
        database_make_file(plain);
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); /* not used, and would cost a tenth of an insertion */
    int code = sqlite3_open_v2(plain, db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
    Status status = STATUS_OK;
    if (code != SQLITE_OK) {
        status = database_error(*db, code, err);
        database_close(db);
        return status;
    }
    sqlite3_db_config(*db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL); /* cascades of foreign keys are not triggers */
    sqlite3_db_config(*db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_DQS_DML, 0, NULL); /* "x" is always a column, not a string */
    sqlite3_db_config(*db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
    return STATUS_OK;
}

/* The columns of the index. */

#define KEY(member) PART_KEY, offsetof(RowKey, member)
#define ROW(type, member) PART_ROW, offsetof(type, member)
#define BESIDE(type, member) PART_BESIDE, offsetof(type, member)
#define OF_CLIP "REFERENCES clip(id) ON DELETE CASCADE"
#define CHECKSUM(meaning) {"checksum", "INTEGER NOT NULL", COLUMN_CHECKSUM, KEY(checksum), "", meaning}
#define CLIP_ID {"clip_id", "INTEGER NOT NULL " OF_CLIP, COLUMN_ID, KEY(clip), "", "clip"}

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
    {"frame0", "INTEGER NOT NULL", COLUMN_INT, ROW(Window, frame0), "", "first frame"},
    {"frame1", "INTEGER NOT NULL", COLUMN_INT, ROW(Window, frame1), "", "last frame"},
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
    {"t0", "REAL NOT NULL", COLUMN_REAL, ROW(Event, t0), "s", "time of the first frame, source time"},
    {"t1", "REAL NOT NULL", COLUMN_REAL, ROW(Event, t1), "s", "time of the last frame"},
    {"frame0", "INTEGER NOT NULL", COLUMN_INT, ROW(Event, frame0), "", "first frame"},
    {"frame1", "INTEGER NOT NULL", COLUMN_INT, ROW(Event, frame1), "", "last frame"},
    {"peak_bw", "REAL", COLUMN_REAL, ROW(Event, value), "body weights", "largest force on the foot"},
};

static const Column flight_columns[] = {
    CLIP_ID,
    {"t0", "REAL NOT NULL", COLUMN_REAL, ROW(Event, t0), "s", "time of the first frame, source time"},
    {"t1", "REAL NOT NULL", COLUMN_REAL, ROW(Event, t1), "s", "time of the last frame"},
    {"frame0", "INTEGER NOT NULL", COLUMN_INT, ROW(Event, frame0), "", "first frame"},
    {"frame1", "INTEGER NOT NULL", COLUMN_INT, ROW(Event, frame1), "", "last frame"},
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
     "one little-endian unsigned 16-bit integer per frame: largest utilization of the trusted joints, rounded up"},
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
};

static const Column hardest_columns[] = {
    {"torque_peak_nm", "REAL", COLUMN_REAL, BESIDE(JointStat, peaks.torque_peak_nm), "N m",
     "largest of all joints except the floating base and joints with neither mass nor role"},
    {"torque_peak_nm_kg", "REAL", COLUMN_REAL, BESIDE(JointStat, peaks.torque_peak_nm_kg), "N m/kg",
     "the same per kilogram of body mass"},
    {"torque_peak_sd_nm_kg", "REAL", COLUMN_REAL, BESIDE(JointStat, peaks.torque_peak_sd_nm_kg), "N m/kg",
     "its standard deviation; NULL: unknown"},
    {"torque_peak_low_nm_kg", "REAL", COLUMN_REAL, BESIDE(JointStat, peaks.torque_peak_low_nm_kg), "N m/kg",
     "lower end of its 90 % band, at least 0; the torque itself where the band is unknown"},
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
     " `no-valid-frames`, `no-trusted-frames`, `asymmetric`, `rest`, `character`, `left-out`,"
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

static void add_column(IndexSchema *s, IndexTable table, Column column)
{
    if (!column.name || !array_grow(&s->column[table], s->count[table], sizeof column))
        s->arena.failed = 1;
    else
        s->column[table][s->count[table]++] = column;
}

static void add_columns(IndexSchema *s, IndexTable table, const Column *column, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add_column(s, table, column[i]);
}

/* Adds the statistics of a list at an offset into a part. */
static void add_metrics(IndexSchema *s, IndexTable table, MetricList list, int part, size_t offset)
{
    for (int i = 0; i < list.count; i++) {
        const Metric *metric = &list.metric[i];
        int is_integer = metric->is_integer;
        add_column(s, table, (Column){metric->name, is_integer ? "INTEGER" : "REAL",
                                      is_integer ? COLUMN_INDEX : COLUMN_REAL, part, offset + metric->offset,
                                      metric->unit, metric->meaning});
    }
}

/* Returns <role><between><text>, in the arena. */
static const char *join_role(IndexSchema *s, Role role, const char *between, const char *text)
{
    size_t size = strlen(role_name(role)) + strlen(between) + strlen(text) + 1;
    char *longer = arena_array(&s->arena, size, 1, 1);
    if (longer)
        snprintf(longer, size, "%s%s%s", role_name(role), between, text);
    return longer;
}

/* Adds <role>_<metric> for every statistic of a list, in the part of the role. */
static void add_role(IndexSchema *s, IndexTable table, Role role, MetricList list, size_t offset)
{
    int first = s->count[table];
    add_metrics(s, table, list, PART_ROLE + (int)role, offset);
    for (int c = first; c < s->count[table]; c++) {
        Column *column = &s->column[table][c];
        column->name = join_role(s, role, "_", column->name);
        column->meaning = join_role(s, role, ": ", column->meaning);
    }
}

static void build(IndexSchema *s)
{
    size_t count;
    for (int t = 0; t < TABLE_COUNT; t++) {
        const TableColumns *table = table_columns((IndexTable)t);
        add_columns(s, (IndexTable)t, table->column, table->count);
    }
    add_metrics(s, TABLE_CLIP, clip_metrics(), PART_ROW, offsetof(ClipStats, metrics));
    add_metrics(s, TABLE_JOINT_STAT, peak_metrics(), PART_ROW, offsetof(JointStat, peaks));
    add_metrics(s, TABLE_DOF_STAT, dof_metrics(), PART_ROW, 0);
    add_metrics(s, TABLE_CLIP_SUMMARY, clip_metrics(), PART_ROW, offsetof(ClipStats, metrics));
    const Column *hardest = hardest_joint_columns(&count);
    add_columns(s, TABLE_CLIP_SUMMARY, hardest, count);
    for (int r = ROLE_NONE + 1; r < ROLE_COUNT; r++) {
        add_role(s, TABLE_WINDOW, (Role)r, window_metrics(), 0);
        add_role(s, TABLE_CLIP_SUMMARY, (Role)r, peak_metrics(), offsetof(JointStat, peaks));
    }
}

static void print_table(const IndexSchema *s, IndexTable table, FILE *sql)
{
    fprintf(sql, "CREATE TABLE %s(", table_columns(table)->name);
    for (int c = 0; c < s->count[table]; c++) {
        fputs(c > 0 ? ",\n  " : "\n  ", sql); /* faster than printf: hundreds of columns per query */
        fputs(s->column[table][c].name, sql);
        putc_unlocked(' ', sql);
        fputs(s->column[table][c].type, sql);
    }
    if (table_columns(table)->key)
        fprintf(sql, ",\n  PRIMARY KEY (%s)", table_columns(table)->key);
    fprintf(sql, "\n) %s;\n", table_columns(table)->kind);
}

/* Indexes, so that @hardest, @peaks and @jumps need not read every row, and the curves of a clip are found. */
static const char indexes[] = "CREATE INDEX profile_by_clip ON profile(clip_id);\n"
                              "CREATE INDEX trace_by_clip ON trace(clip_id);\n"
                              "CREATE INDEX clip_summary_by_torque ON clip_summary(torque_peak_low_nm_kg);\n"
                              "CREATE INDEX clip_summary_by_peak ON clip_summary(peak_event_low_nm_kg);\n"
                              "CREATE INDEX flight_by_height ON flight(height_m);\n";

/* Documentation of tables that are not filled from clips. */
static const char *const other_docs[][4] = {
    {"meta", "name", "", "`schema`; `trace` in an index without traces"},
    {"meta", "value", "", "of `schema` 16 digits, a hash of the text that made the tables; of `trace` `none`"},
    {"clip_text", "path", "", "as in clip"},
    {"clip_text", "source", "", "as in clip"},
    {"clip_text", "path_words", "", "as in clip"},
    {"column_doc", "table_name", "", "a table of this index"},
    {"column_doc", "column_name", "", "a column of it"},
    {"column_doc", "unit", "", "of the column; empty: none"},
    {"column_doc", "meaning", "", "what the column holds"},
};

static Status print_schema(IndexSchema *s, Error *err)
{
    size_t size;
    FILE *sql = open_memstream(&s->text, &size);
    if (!sql)
        return error_no_memory(err);
    for (int t = 0; t < TABLE_COUNT; t++)
        print_table(s, (IndexTable)t, sql);
    fputs(indexes, sql);
    fprintf(sql, "CREATE VIRTUAL TABLE clip_text USING fts5(path, source, path_words, content='clip',"
                 " content_rowid='id');\n"
                 "CREATE TABLE meta(\n  name TEXT PRIMARY KEY NOT NULL,\n  value TEXT NOT NULL\n"
                 ") STRICT, WITHOUT ROWID;\n"
                 "CREATE TABLE column_doc(\n  table_name TEXT NOT NULL,\n  column_name TEXT NOT NULL,\n"
                 "  unit TEXT NOT NULL,\n  meaning TEXT NOT NULL,\n  PRIMARY KEY (table_name, column_name)\n"
                 ") STRICT, WITHOUT ROWID;\n");
    int failed = ferror(sql);
    return fclose(sql) == 0 && !failed ? STATUS_OK : error_no_memory(err);
}

Status index_schema_init(IndexSchema *s, Error *err)
{
    *s = (IndexSchema){0};
    build(s);
    Status status = s->arena.failed ? error_no_memory(err) : print_schema(s, err);
    if (status) {
        index_schema_free(s);
        return status;
    }
    uint64_t fingerprint = fnv_bytes(FNV_START, s->text, strlen(s->text));
    snprintf(s->fingerprint, sizeof s->fingerprint, "%016" PRIx64, fingerprint);
    return STATUS_OK;
}

void index_schema_free(IndexSchema *s)
{
    for (int t = 0; t < TABLE_COUNT; t++)
        free(s->column[t]);
    free(s->text);
    arena_free(&s->arena);
    *s = (IndexSchema){0};
}

/* Units by the suffix of a name, for statistics from a list of names. */
static const char *unit_of(const Column *column)
{
    static const char *const unit[][2] = {{"_cm_s", "cm/s"}, {"_cm", "cm"}, {"_deg", "degrees"}, {"_frame", "frame"},
                                           {"_bw", "body weights"}};
    size_t length = strlen(column->name);
    for (size_t i = 0; i < sizeof unit / sizeof *unit && !column->unit; i++) {
        size_t size = strlen(unit[i][0]);
        if (length > size && strcmp(column->name + length - size, unit[i][0]) == 0)
            return unit[i][1];
    }
    return column->unit ? column->unit : "1";
}

static Status insert_doc(sqlite3_stmt *insert, const char *const doc[4], Error *err)
{
    for (int i = 0; i < 4; i++)
        sqlite3_bind_text(insert, i + 1, doc[i] ? doc[i] : "", -1, SQLITE_STATIC);
    return database_step(insert, err);
}

static Status insert_docs(const IndexSchema *s, sqlite3 *db, Error *err)
{
    sqlite3_stmt *insert = NULL;
    Status status = database_prepare(db, "INSERT INTO column_doc VALUES (?, ?, ?, ?)", &insert, err);
    for (int t = 0; t < TABLE_COUNT; t++)
        for (int c = 0; c < s->count[t] && !status; c++) {
            const Column *column = &s->column[t][c];
            status = insert_doc(insert, (const char *const[]){table_columns((IndexTable)t)->name, column->name,
                                                             unit_of(column), column->meaning}, err);
        }
    for (size_t i = 0; i < sizeof other_docs / sizeof *other_docs && !status; i++)
        status = insert_doc(insert, other_docs[i], err);
    sqlite3_finalize(insert);
    return status;
}

Status index_schema_create(const IndexSchema *s, sqlite3 *db, Error *err)
{
    char marks[256];
    snprintf(marks, sizeof marks,
             "INSERT INTO meta(name, value) VALUES ('schema', '%s');"
             "PRAGMA application_id = %d; PRAGMA user_version = %d",
             s->fingerprint, INDEX_APPLICATION_ID, INDEX_SCHEMA);
    Status status = database_exec(db, s->text, err);
    if (!status)
        status = insert_docs(s, db, err);
    return status ? status : database_exec(db, marks, err);
}

static void print_names(const IndexSchema *s, IndexTable table, FILE *sql)
{
    for (int c = 0; c < s->count[table]; c++)
        fprintf(sql, "%s%s", c > 0 ? ", " : "", s->column[table][c].name);
}

static void print_insert(const IndexSchema *s, IndexTable table, FILE *sql)
{
    fprintf(sql, "INSERT INTO %s(", table_columns(table)->name);
    print_names(s, table, sql);
    fprintf(sql, ") VALUES (");
    for (int c = 0; c < s->count[table]; c++)
        fprintf(sql, "%s?", c > 0 ? ", " : "");
    fprintf(sql, ")");
}

static void print_select(const IndexSchema *s, IndexTable table, FILE *sql)
{
    fprintf(sql, "SELECT ");
    print_names(s, table, sql);
    fprintf(sql, " FROM %s", index_table_name(table));
}

int index_column_renamed(const char *old, char *name, size_t size)
{
    static const char *const renamed[][2] = {
        {"root_residual_force_rms_bw", "hand_force_rms_bw"},
        {"root_residual_torque_rms_nm_kg", "hand_torque_rms_nm_kg"},
        {"positive_work_j_kg", "effort_j_kg"}, {"positive_work_j_kg_m", "effort_j_kg_m"},
        {"utilization_peak", "use_peak"}, {"utilization_peak_t", "use_peak_t"}, {"utilization_1", "use_1"},
        {"utilization_2", "use_2"}, {"utilization_3", "use_3"}, {"trusted_fraction", "trusted_share"},
        {"limit_fraction", "part_of_limit"}, {"limiting_role", "tightest_role"}, {"history", "options"},
        {"path_words", "tags"}, {"meters_per_unit", "metres_per_unit"},
        {"slide_increase_cm_s", "slide_added_cm_s"}, {"penetration_increase_cm", "penetration_added_cm"},
        {"wrist_depth_increase_cm", "wrist_depth_added_cm"}, {"overlap_increase_cm", "overlap_added_cm"},
        {"rest_asymmetry_deg", "rest_unlike_deg"}, {"retarget_bone_direction_deg", "retarget_direction_deg"},
    };
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++) {
        size_t length = strlen(old), part = strlen(renamed[i][1]), before = length - part;
        if (length < part || strcmp(old + before, renamed[i][1]) != 0 || (before > 0 && old[before - 1] != '_'))
            continue;
        snprintf(name, size, "%.*s%s", (int)before, old, renamed[i][0]);
        return 1;
    }
    return 0;
}

typedef void PrintStatement(const IndexSchema *s, IndexTable table, FILE *sql);

static Status prepare(const IndexSchema *s, sqlite3 *db, IndexTable table, PrintStatement *print, sqlite3_stmt **out,
                      Error *err)
{
    char *text = NULL;
    size_t size;
    FILE *sql = open_memstream(&text, &size);
    if (!sql)
        return error_no_memory(err);
    print(s, table, sql);
    Status status = fclose(sql) == 0 ? database_prepare(db, text, out, err) : error_no_memory(err);
    free(text);
    return status;
}

Status index_schema_prepare_insert(const IndexSchema *s, sqlite3 *db, IndexTable table, sqlite3_stmt **out, Error *err)
{
    return prepare(s, db, table, print_insert, out, err);
}

Status index_schema_prepare_select(const IndexSchema *s, sqlite3 *db, IndexTable table, sqlite3_stmt **out, Error *err)
{
    return prepare(s, db, table, print_select, out, err);
}

const char *index_table_name(IndexTable table)
{
    return table_columns(table)->name;
}
