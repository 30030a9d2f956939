/* The tables of an index, out of one table of columns: what makes a table, what inserts into it and what copies it are
 * derived from the same rows, so that a column stands in one place. STRICT, foreign keys with cascades from clip,
 * columns of figures from the lists of analysis/stats.
 *
 *     clip           one row a clip; id is the rank of the path
 *     joint          name, role, segment, parent, mass of every joint
 *     joint_stat     peaks, RMS, percentile, power, work, speed, range of every joint
 *     window         half-second windows; window_stat: the load of every role in each
 *     event          torque_peak (value: Nm/kg), foot_contact (largest force in body weights), flight (s) with their
 *                    time; of a flight also height_m, the rise of the COM from take-off to apex, and landing_peak_bw,
 *                    the largest total vertical force within 0.3 s of landing; NULL where the clip does not show it
 *     profile        100 points of torque a role: little-endian 32-bit floats, Nm/kg
 *     trace          |torque| of a role at every frame: little-endian 32-bit floats, Nm; NaN at frames not to trust
 *     clip_summary   one row a clip with a column <role>_<figure> for every role and figure of joint_stat
 *     failure        why a clip is not here; path is that of the source (or, from kane index, of the container)
 *     clip_text      FTS5 over path, source and tags of clip
 *     meta           'schema': the fingerprint of the text that made the tables. A table of other columns has another,
 *                    whether anybody raised INDEX_SCHEMA or not. */
#ifndef KANE_FORMATS_INDEX_SCHEMA_H
#define KANE_FORMATS_INDEX_SCHEMA_H

#include <sqlite3.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"

#define INDEX_APPLICATION_ID 0x4b414e45 /* "KANE" */
/* PRAGMA user_version: which of two indexes is the older one. Raised with the first change of the tables after a
 * release. 2: height and landing of flights, 3: traces, 4: retargeting, 5: the fingerprint. */
#define INDEX_SCHEMA 5

/* In an order in which rows can be inserted: parents first. */
typedef enum IndexTable {
    TABLE_CLIP = 0,
    TABLE_JOINT,
    TABLE_JOINT_STAT,
    TABLE_WINDOW,
    TABLE_WINDOW_STAT,
    TABLE_EVENT,
    TABLE_PROFILE,
    TABLE_TRACE,
    TABLE_CLIP_SUMMARY,
    TABLE_FAILURE,
    TABLE_COUNT
} IndexTable;

/* What a row is filled from, part by part. */
typedef struct RowKey {
    sqlite3_int64 clip;
    int number;              /* of the joint or event in its clip */
    const char *path, *tags; /* of the clip */
    const char *text;        /* of its ClipStats */
} RowKey;

typedef struct RoleCurve {
    Role role;
    const float *value;
    size_t bytes;
} RoleCurve;

typedef struct FailureRow {
    const char *path, *stage, *message;
} FailureRow;

/* Which struct a column's value lies in. */
typedef enum RowPart {
    PART_KEY,       /* RowKey */
    PART_ROW,       /* ClipStats, JointStat, Window, WindowStat, Event, RoleCurve or FailureRow, by the table */
    PART_BESIDE,    /* of window_stat its Window, of clip_summary the JointStat of the hardest joint */
    PART_ROLE,      /* of clip_summary the JointStat of this role; the roles follow one another */
    PART_COUNT = PART_ROLE + ROLE_COUNT
} RowPart;

/* How it lies there. */
typedef enum ColumnKind {
    COLUMN_ID,     /* sqlite3_int64 */
    COLUMN_INT,
    COLUMN_INDEX,  /* int; negative: NULL */
    COLUMN_REAL,   /* double; what is not finite: NULL */
    COLUMN_ROLE,   /* Role; ROLE_NONE: NULL */
    COLUMN_EVENT,  /* EventKind */
    COLUMN_STRING, /* char[] */
    COLUMN_WORDS,  /* const char *; NULL: NULL */
    COLUMN_TEXT,   /* size_t: offset into the text of the ClipStats */
    COLUMN_CURVE,  /* RoleCurve: its values as they lie */
} ColumnKind;

typedef struct Column {
    const char *name, *type; /* type with its constraints, as in SQL */
    ColumnKind kind;
    int part;                /* RowPart, PART_ROLE + a role */
    size_t offset;           /* into the part */
} Column;

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

/* INSERT INTO table(name, ...) VALUES (?, ...), SELECT name, ... FROM table ORDER BY 1: columns in the order of s. */
Status index_schema_prepare_insert(const IndexSchema *s, sqlite3 *db, IndexTable table, sqlite3_stmt **out, Error *err);
Status index_schema_prepare_select(const IndexSchema *s, sqlite3 *db, IndexTable table, sqlite3_stmt **out, Error *err);

#endif
