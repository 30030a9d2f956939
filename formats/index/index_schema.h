/* The tables of an index, out of one table of columns: what makes a table, what inserts into it and what copies it are
 * derived from the same rows, so that a column stands in one place. STRICT, foreign keys with cascades from clip,
 * columns of figures from the lists of analysis/stats.
 *
 *     clip           one row a clip; an id belongs to one path and is never given again
 *     joint          name, role, segment, parent, mass of every joint
 *     joint_stat     peaks, RMS, percentile, power, work, speed, range of every joint
 *     window         half-second windows with a column <role>_<figure> for the load of every role
 *     torque_peak, foot_contact, flight   what happens when
 *     profile        100 points of torque a role; trace: |torque| of a role at every frame (coarse_curve.h)
 *     sketch         pose and torque in six samples a second (motion_sketch.h)
 *     clip_summary   one row a clip with a column <role>_<figure> for every role and figure of joint_stat
 *     decision       what import decided of what a file does not say, and how surely
 *     warning        what was read or found although it is odd
 *     tag            what a person said of a clip: actor, show
 *     failure        why a clip is not here
 *     clip_text      FTS5 over path, source and tags of clip
 *     column_doc     unit and meaning of every column
 *     meta           'schema': the fingerprint of the text that made the tables. A table of other columns has another,
 *                    whether anybody raised INDEX_SCHEMA or not. */
#ifndef KANE_FORMATS_INDEX_SCHEMA_H
#define KANE_FORMATS_INDEX_SCHEMA_H

#include <sqlite3.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "formats/index/index_columns.h"

#define INDEX_APPLICATION_ID 0x4b414e45 /* "KANE" */
/* PRAGMA user_version: which of two indexes is the older one. Raised with the first change of the tables after a
 * release. 2: height and landing of flights, 3: traces, 4: retargeting, 5: the fingerprint, 6: ids for good, coarse
 * curves, sketches. */
#define INDEX_SCHEMA 6

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

/* "joint_stat". Valid for the life of the program. */
const char *index_table_name(IndexTable table);

/* INSERT INTO table(name, ...) VALUES (?, ...), SELECT name, ... FROM table: columns in the order of s. */
Status index_schema_prepare_insert(const IndexSchema *s, sqlite3 *db, IndexTable table, sqlite3_stmt **out, Error *err);
Status index_schema_prepare_select(const IndexSchema *s, sqlite3 *db, IndexTable table, sqlite3_stmt **out, Error *err);

#endif
