/* The tables of an index, out of one table of columns: what makes a table, what inserts into it and what copies it are
 * derived from the same rows, so that a column stands in one place. STRICT, foreign keys with cascades from clip,
 * columns of statistics from the lists of analysis/stats.
 *
 *     clip           one row per clip; an id belongs to one path and is never given again; checksum of all its rows
 *     joint          name, role, segment, parent, mass of every joint
 *     joint_stat     peaks, RMS, percentile, power, work, speed, range of every joint
 *     dof_stat       range of motion, peaks, fractions of limits of every degree of freedom of a model
 *     window         half-second windows with a column <role>_<figure> for the load of every role
 *     torque_peak, foot_contact, flight   what happens when
 *     profile        100 points of torque a role; trace: |torque| of a role at every frame (clip_stats.h)
 *     utilization    largest strength utilization of every frame, and its role
 *     sketch         pose and torque in six samples per second (motion_features.h)
 *     clip_summary   one row per clip with a column <role>_<figure> for every role and statistic of joint_stat
 *     decision       what import decided of what a file does not state, and how surely
 *     warning        what was read or found although it is odd
 *     tag            labels of a clip: actor, show
 *     failure        why a clip is not here
 *     clip_text      FTS5 over path, source and path_words of clip
 *     column_doc     unit and meaning of every column
 *     meta           'schema': the fingerprint of the text that made the tables. A table of other columns has another,
 *                    whether anybody raised INDEX_SCHEMA or not. */
#ifndef KANE_INDEX_INDEX_SCHEMA_H
#define KANE_INDEX_INDEX_SCHEMA_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"

/* SQLite as the index and the query use it: careful settings, errors in words.
 *
 * Nothing a file contains is trusted: its schema can call no function of ours, its triggers do not run, its views are
 * refused, no extension is loaded, and a damaged page is an error. */

/* The path by which an index knows a clip: relative to the folder of the index, and its words, by which the text search
 * finds it. */

/* Path of file relative to the folder that holds database; both folders must exist. *out is owned by the caller. */
Status relative_path(const char *file, const char *database, char **out, Error *err);

/* From the folder of one database to that of another, for any number of paths. {0} is empty. */
typedef struct PathMove {
    char *from, *to; /* absolute folders; owned */
} PathMove;

Status path_move_init(PathMove *move, const char *from_database, const char *to_database, Error *err);
void path_move_free(PathMove *move);

/* A path relative to the first folder as one relative to the second; its own folder need not exist. *out is owned by
 * the caller. */
Status path_move(const PathMove *move, const char *path, char **out, Error *err);

/* "LaFAN/jumpsAndStumbles1_subject2.bvh.h5" gives "la fan jumps and stumbles 1 subject 2". Words end at anything but
 * letters and digits, where a digit meets a letter, and before a capital that follows a small letter or that a small
 * letter follows; the suffixes of containers are left out. Owned by the caller; NULL without memory. */
char *path_words(const char *path);

/* flags: SQLITE_OPEN_READONLY, ... On failure *db is NULL: STATUS_IO where the file cannot be opened. Whether it is a
 * database at all shows with the first statement. */
Status database_open(const char *path, int flags, sqlite3 **db, Error *err);

/* Closes and sets to NULL. */
void database_close(sqlite3 **db);

/* The last failure of db in words; code is what the call returned. */
Status database_error(sqlite3 *db, int code, Error *err);

Status database_exec(sqlite3 *db, const char *sql, Error *err);
Status database_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **statement, Error *err);

/* Runs a statement that gives no row, and resets it. */
Status database_step(sqlite3_stmt *statement, Error *err);

/* The integer that a statement without parameters gives; fallback where it gives no row. */
Status database_integer(sqlite3 *db, const char *sql, sqlite3_int64 fallback, sqlite3_int64 *value, Error *err);

/* Makes an empty file where none is: SQLite's own would not be writable for the group, whatever the umask states. */
void database_make_file(const char *path);

/* The columns of the index: one table states of each its name, type, unit and meaning, and where its value comes
 * from. */

/* In an order in which rows can be inserted: parents first. */
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

/* What a row is filled from, part by part. */
typedef struct RowKey {
    sqlite3_int64 clip;
    int number;              /* of the joint in its clip */
    const char *path, *path_words; /* of the clip */
    const char *text;        /* of its ClipStats */
    uint64_t checksum;       /* index_check.c */
} RowKey;

typedef struct RoleCurve {
    Role role;
    double step;                /* what 1 of the bytes stands for (clip_stats.h) */
    const unsigned char *value;
    size_t bytes;
} RoleCurve;

/* A Utilization in bytes. */
typedef struct UtilizationRow {
    RoleCurve steps, roles; /* no role */
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

/* Which struct a column's value lies in. */
typedef enum RowPart {
    PART_KEY,       /* RowKey */
    PART_ROW,       /* ClipStats, JointStat, Window, Event, RoleCurve, a row above, by the table */
    PART_BESIDE,    /* of clip_summary the JointStat of the hardest joint */
    PART_ROLE,      /* of clip_summary the JointStat of this role, of window its WindowStat */
    PART_COUNT = PART_ROLE + ROLE_COUNT
} RowPart;

/* How it lies there. */
typedef enum ColumnKind {
    COLUMN_ID,     /* sqlite3_int64; 0: NULL, so that SQLite gives the next one */
    COLUMN_INT,
    COLUMN_INDEX,  /* int; negative: NULL */
    COLUMN_REAL,   /* double; what is not finite: NULL */
    COLUMN_ROLE,   /* Role; ROLE_NONE: NULL */
    COLUMN_STRING, /* char[] */
    COLUMN_WORDS,  /* const char *; NULL: NULL */
    COLUMN_TEXT,   /* size_t: offset into the text of the ClipStats */
    COLUMN_CURVE,  /* RoleCurve: its values as they lie */
    COLUMN_SKETCH, /* MotionFeatures: the same */
    COLUMN_CHECKSUM, /* uint64_t, as a signed integer */
} ColumnKind;

typedef struct Column {
    const char *name, *type; /* type with its constraints, as in SQL */
    ColumnKind kind;
    int part;                /* RowPart, PART_ROLE + a role */
    size_t offset;           /* into the part */
    const char *unit, *meaning; /* for column_doc and docs/formats/index.md; unit "": none */
} Column;

/* A table and the columns that are not statistics, which index_schema.c adds from the lists of analysis/stats. */
typedef struct TableColumns {
    const char *name, *key, *kind; /* key NULL: the first column is it */
    const Column *column;          /* [count] */
    size_t count;
} TableColumns;

const TableColumns *table_columns(IndexTable table);

/* Of clip_summary, behind the statistics of the clip. */
const Column *hardest_joint_columns(size_t *count);

#define INDEX_APPLICATION_ID 0x4b414e45 /* "KANE" */
/* PRAGMA user_version: which of two indexes is the older one. Raised with the first change of the tables after a
 * release. 2: height and landing of flights, 3: traces, 4: retargeting, 5: the fingerprint, 6: ids for good, coarse
 * curves, sketches, 7: fewer metrics of retargeting, the names of 0.2. */
#define INDEX_SCHEMA 7

typedef struct IndexSchema {
    Column *column[TABLE_COUNT]; /* [table][count] in their order; this and the next are owned */
    int count[TABLE_COUNT];
    char *text;                  /* CREATE statements */
    char fingerprint[17];        /* 16 hexadecimal digits of a hash of text */
    Arena arena;                 /* holds names that are put together */
} IndexSchema;

/* (IndexSchema){0} is empty. On failure *s is empty. */
Status index_schema_init(IndexSchema *s, Error *err);
void index_schema_free(IndexSchema *s);

/* Makes all tables and the marks of an index in an empty database. */
Status index_schema_create(const IndexSchema *s, sqlite3 *db, Error *err);

/* Writes what a column of an earlier version is called now, "left_knee_" and the like in front; 0 where the name is
 * none of those. */
int index_column_renamed(const char *old, char *name, size_t size);

/* "joint_stat". Valid for the life of the program. */
const char *index_table_name(IndexTable table);

/* INSERT INTO table(name, ...) VALUES (?, ...), SELECT name, ... FROM table: columns in the order of s. */
Status index_schema_prepare_insert(const IndexSchema *s, sqlite3 *db, IndexTable table, sqlite3_stmt **out, Error *err);
Status index_schema_prepare_select(const IndexSchema *s, sqlite3 *db, IndexTable table, sqlite3_stmt **out, Error *err);

#endif
