/* The columns of an index, in one table: name, type, unit, meaning, and source of the value. Columns of statistics come
 * from the lists of analysis/stats. */
#ifndef KANE_INDEX_INDEX_COLUMNS_H
#define KANE_INDEX_INDEX_COLUMNS_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/clip/skeleton.h"

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

#endif
