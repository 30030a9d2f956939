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

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "formats/index/index_columns.h"

#define INDEX_APPLICATION_ID 0x4b414e45 /* "KANE" */
/* PRAGMA user_version, which orders versions of the index. Raised with the first change of the tables after a release.
 * 2: height and landing of flights, 3: traces, 4: retargeting, 5: the fingerprint, 6: permanent IDs, quantized curves,
 * motion features, 7: fewer metrics of retargeting, the names of 0.2, 8: settings. */
#define INDEX_SCHEMA 9

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
