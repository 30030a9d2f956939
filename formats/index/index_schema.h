/* The tables of an index: STRICT, foreign keys with cascades from clip, columns of figures from the lists of
 * analysis/stats.
 *
 *     clip           one row a clip; id is the rank of the path
 *     joint          name, role, segment, parent, mass of every joint
 *     joint_stat     peaks, RMS, percentile, power, work, speed, range of every joint
 *     window         half-second windows; window_stat: the load of every role in each
 *     event          torque_peak (value: Nm/kg), foot_contact (largest force in body weights), flight (s) with their
 *                    time; of a flight also height_m, the rise of the COM from take-off to apex, and landing_peak_bw, the
 *                    largest total vertical force within 0.3 s of landing; NULL where the clip does not show it
 *     profile        100 points of torque a role: little-endian 32-bit floats, Nm/kg
 *     trace          |torque| of a role at every frame: little-endian 32-bit floats, Nm; NaN at frames not to trust
 *     clip_summary   one row a clip with a column <role>_<figure> for every role and figure of joint_stat
 *     failure        why a clip is not here; path is that of the source (or, from kane index, of the container)
 *     clip_text      FTS5 over path, source and tags of clip */
#ifndef KANE_FORMATS_INDEX_SCHEMA_H
#define KANE_FORMATS_INDEX_SCHEMA_H

#include <sqlite3.h>

#include "analysis/base/status.h"

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

const char *index_table_name(IndexTable table);

/* Makes all tables and the marks of an index in an empty database. */
Status index_schema_create(sqlite3 *db, Error *err);

/* "INSERT INTO table VALUES (?, ...)" with a parameter a column. */
Status index_schema_prepare_insert(sqlite3 *db, IndexTable table, sqlite3_stmt **statement, Error *err);

#endif
