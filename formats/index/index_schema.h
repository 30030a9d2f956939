/* The tables of an index. The statements that create, fill and copy a table are derived from one table of columns, so
 * that each column is defined once. Tables are STRICT, with cascading foreign keys to clip; columns of statistics come
 * from the lists of analysis/stats.
 *
 *     clip           one row per clip; its ID belongs to one path and is never reused; checksum of all its rows
 *     joint          name, role, segment, parent and mass of each joint
 *     joint_stat     peaks, RMS, percentile, power, work, speed and range of each joint
 *     dof_stat       range of motion, peaks and fractions of limits of each degree of freedom of a model
 *     window         half-second windows with a column <role>_<figure> for the load of each role
 *     torque_peak, foot_contact, flight   events with their times
 *     profile        torque of a role at 100 points; trace: |torque| of a role in each frame (joint_curves.h)
 *     utilization    largest strength utilization in each frame, and its role
 *     sketch         pose and torque in six samples per second (motion_features.h)
 *     clip_summary   one row per clip with a column <role>_<figure> for each role and statistic of joint_stat
 *     decision       what import detected (unit, axes, rate), with confidences
 *     warning        warnings of the stages
 *     tag            labels of a clip: actor, show
 *     failure        why a clip is missing
 *     clip_text      FTS5 over path, source and path_words of clip
 *     column_doc     unit and meaning of each column
 *     meta           'schema': the fingerprint of the CREATE statements, which differs if any column differs, even if
 *                    INDEX_SCHEMA was not raised. */
#ifndef KANE_INDEX_INDEX_SCHEMA_H
#define KANE_INDEX_INDEX_SCHEMA_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"

/* Access to SQLite for index and queries: safe settings, errors as messages.
 *
 * Files are untrusted: their schema can call no application functions, triggers do not run, views are refused,
 * extensions are not loaded, and a damaged page is an error. */

/* The path of a clip in an index, relative to the index's folder, and its words, for the full-text search. */

/* Returns the path of file relative to the folder of database; both folders must exist. The caller frees *out. */
Status relative_path(const char *file, const char *database, char **out, Error *err);

/* Converts paths from the folder of one database to that of another. {0} is empty. */
typedef struct PathMove {
    char *from, *to; /* absolute folders; owned */
} PathMove;

Status path_move_init(PathMove *move, const char *from_database, const char *to_database, Error *err);
void path_move_free(PathMove *move);

/* Converts a path relative to the first folder to one relative to the second; the folder of the path itself need not
 * exist. The caller frees *out. */
Status path_move(const PathMove *move, const char *path, char **out, Error *err);

/* Splits "LaFAN/jumpsAndStumbles1_subject2.bvh.h5" into "la fan jumps and stumbles 1 subject 2". Words end at
 * characters other than letters and digits, between letters and digits, and before a capital next to a small letter;
 * extensions are dropped. The caller frees the result; NULL if memory runs out. */
char *path_words(const char *path);

/* flags: SQLITE_OPEN_READONLY, ... On failure *db is NULL: STATUS_IO if the file cannot be opened. Whether it is a
 * database is only detected by the first statement. */
Status database_open(const char *path, int flags, sqlite3 **db, Error *err);

/* Closes and sets to NULL. */
void database_close(sqlite3 **db);

/* Sets the error of the last failed call on db, which returned code. */
Status database_error(sqlite3 *db, int code, Error *err);

Status database_exec(sqlite3 *db, const char *sql, Error *err);
Status database_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **statement, Error *err);

/* Runs a statement that returns no row, and resets it. */
Status database_step(sqlite3_stmt *statement, Error *err);

/* Returns the integer result of a statement without parameters; fallback if it has no row. */
Status database_integer(sqlite3 *db, const char *sql, sqlite3_int64 fallback, sqlite3_int64 *value, Error *err);

/* Creates an empty file if there is none, with the permissions of the umask: SQLite's own would not be
 * group-writable. */
void database_make_file(const char *path);

/* The columns of the index, in one table: name, type, unit, meaning, and source of the value. */

/* Ordered for insertion: parents first. */
typedef enum IndexTable {
    TABLE_CLIP = 0,
    TABLE_JOINT,
    TABLE_JOINT_STAT,
    TABLE_DOF_STAT,
    TABLE_WINDOW,
    TABLE_TORQUE_PEAK,
    TABLE_FOOT_CONTACT,
    TABLE_FLIGHT,
    TABLE_PROFILE,
    TABLE_TRACE,
    TABLE_SKETCH,
    TABLE_UTILIZATION,
    TABLE_CLIP_SUMMARY,
    TABLE_DECISION,
    TABLE_WARNING,
    TABLE_TAG,
    TABLE_FAILURE,
    TABLE_FAMILY,
    TABLE_COUNT
} IndexTable;

/* Sources of the values of a row. */
typedef struct RowKey {
    sqlite3_int64 clip;
    int number;              /* of the joint in its clip */
    const char *path, *path_words; /* of the clip */
    const char *text;        /* of its ClipStats */
    uint64_t checksum;       /* index_check.c */
} RowKey;

typedef struct RoleCurve {
    Role role;
    double step;                /* value of one step (quantized_curve.h) */
    const unsigned char *value;
    size_t bytes;
} RoleCurve;

/* A Utilization as bytes. */
typedef struct UtilizationRow {
    RoleCurve steps, roles; /* role unused */
} UtilizationRow;

typedef struct DecisionRow {
    const char *what, *value;
    double confidence;
} DecisionRow;

typedef struct WarningRow {
    const char *kind, *message;
} WarningRow;

typedef struct TagRow {
    const char *name, *value;
} TagRow;

typedef struct FailureRow {
    const char *path, *stage, *message;
} FailureRow;

typedef struct FamilyRow {
    const char *skeleton, *what, *value, *kane;
    double confidence;
    int clips;
} FamilyRow;

/* The struct that has a column's value. */
typedef enum RowPart {
    PART_KEY,       /* RowKey */
    PART_ROW,       /* depends on the table: ClipStats, JointStat, Window, Event, RoleCurve, or a row above */
    PART_BESIDE,    /* clip_summary: the JointStat of the joint with the largest torque */
    PART_ROLE,      /* clip_summary: the JointStat of this role; window: its WindowStat */
    PART_COUNT = PART_ROLE + ROLE_COUNT
} RowPart;

/* The type of the member. */
typedef enum ColumnKind {
    COLUMN_ID,     /* sqlite3_int64; 0: NULL, so that SQLite assigns the next one */
    COLUMN_INT,
    COLUMN_INDEX,  /* int; negative: NULL */
    COLUMN_REAL,   /* double; not finite: NULL */
    COLUMN_ROLE,   /* Role; ROLE_NONE: NULL */
    COLUMN_STRING, /* char[] */
    COLUMN_WORDS,  /* const char *; NULL: NULL */
    COLUMN_TEXT,   /* size_t: offset into ClipStats.text */
    COLUMN_CURVE,  /* RoleCurve: its bytes */
    COLUMN_SKETCH, /* MotionFeatures: its bytes */
    COLUMN_CHECKSUM, /* uint64_t, as a signed integer */
} ColumnKind;

typedef struct Column {
    const char *name, *type; /* type: with constraints, as in SQL */
    ColumnKind kind;
    int part;                /* RowPart, or PART_ROLE + role */
    size_t offset;           /* into the part */
    const char *unit, *meaning; /* for column_doc and docs/formats/index.md; unit "": none */
} Column;

/* A table and its columns except statistics, which index_schema.c adds from the lists of analysis/stats. */
typedef struct TableColumns {
    const char *name, *key, *kind; /* key NULL: the first column */
    const Column *column;          /* [count] */
    size_t count;
} TableColumns;

const TableColumns *table_columns(IndexTable table);

/* Returns the columns of clip_summary after the statistics of the clip. */
const Column *hardest_joint_columns(size_t *count);

#define INDEX_APPLICATION_ID 0x4b414e45 /* "KANE" */
/* PRAGMA user_version, which orders versions of the index. Raised with the first change of the tables after a release.
 * 2: height and landing of flights, 3: traces, 4: retargeting, 5: the fingerprint, 6: permanent IDs, quantized curves,
 * motion features, 7: fewer metrics of retargeting, the names of 0.2. */
#define INDEX_SCHEMA 7

typedef struct IndexSchema {
    Column *column[TABLE_COUNT]; /* [table][count] in their order; this and the next are owned */
    int count[TABLE_COUNT];
    char *text;                  /* CREATE statements */
    char fingerprint[17];        /* 16 hexadecimal digits of a hash of text */
    Arena arena;                 /* owns composed names */
} IndexSchema;

/* (IndexSchema){0} is empty. On failure *s is empty. */
Status index_schema_init(IndexSchema *s, Error *err);
void index_schema_free(IndexSchema *s);

/* Creates all tables and the marks of an index in an empty database. */
Status index_schema_create(const IndexSchema *s, sqlite3 *db, Error *err);

/* Writes the current name of a column of an earlier version, also with a prefix such as "left_knee_"; returns 0 if the
 * name is unknown. */
int index_column_renamed(const char *old, char *name, size_t size);

/* Returns "joint_stat" etc. Static. */
const char *index_table_name(IndexTable table);

/* Prepare INSERT INTO table(name, ...) VALUES (?, ...), or SELECT name, ... FROM table, with columns in the order of
 * s. */
Status index_schema_prepare_insert(const IndexSchema *s, sqlite3 *db, IndexTable table, sqlite3_stmt **out, Error *err);
Status index_schema_prepare_select(const IndexSchema *s, sqlite3 *db, IndexTable table, sqlite3_stmt **out, Error *err);

#endif
