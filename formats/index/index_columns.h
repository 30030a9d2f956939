/* The columns of the index: one table says of each its name, type, unit and meaning, and where its value comes from. */
#ifndef KANE_FORMATS_INDEX_COLUMNS_H
#define KANE_FORMATS_INDEX_COLUMNS_H

#include <sqlite3.h>
#include <stddef.h>

#include "analysis/clip/skeleton.h"

/* In an order in which rows can be inserted: parents first. */
typedef enum IndexTable {
    TABLE_CLIP = 0,
    TABLE_JOINT,
    TABLE_JOINT_STAT,
    TABLE_WINDOW,
    TABLE_TORQUE_PEAK,
    TABLE_FOOT_CONTACT,
    TABLE_FLIGHT,
    TABLE_PROFILE,
    TABLE_TRACE,
    TABLE_SKETCH,
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
    const char *path, *tags; /* of the clip */
    const char *text;        /* of its ClipStats */
} RowKey;

typedef struct RoleCurve {
    Role role;
    double step;                /* what 1 of the bytes stands for (coarse_curve.h) */
    const unsigned char *value;
    size_t bytes;
} RoleCurve;

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
    COLUMN_SKETCH, /* MotionSketch: the same */
} ColumnKind;

typedef struct Column {
    const char *name, *type; /* type with its constraints, as in SQL */
    ColumnKind kind;
    int part;                /* RowPart, PART_ROLE + a role */
    size_t offset;           /* into the part */
    const char *unit, *meaning; /* for column_doc and docs/formats.md; unit "": none */
} Column;

/* A table and the columns that are not figures, which index_schema.c adds from the lists of analysis/stats. */
typedef struct TableColumns {
    const char *name, *key, *kind; /* key NULL: the first column is it */
    const Column *column;          /* [count] */
    size_t count;
} TableColumns;

const TableColumns *table_columns(IndexTable table);

/* Of clip_summary, behind the figures of the clip. */
const Column *hardest_joint_columns(size_t *count);

#endif
