/* Intervals of clips within or over limits, for @within and @over. */
#ifndef KANE_QUERY_QUERY_INTERVALS_H
#define KANE_QUERY_QUERY_INTERVALS_H

#include <sqlite3.h>

#include "analysis/base/status.h"
#include "formats/query/query_def.h"

/* Fill the table temp.limit_interval. An interval is a run of trusted frames in which all limited roles of
 * the clip are at or below their limits (within), or in each of which at least one role is above (over). t1 is the time
 * of the frame after the last. If a clip has a limited role, every trusted frame is in one or the other. */
Status query_within_prepare(sqlite3 *db, const QueryDef *def, const char *database, Error *err);
Status query_over_prepare(sqlite3 *db, const QueryDef *def, const char *database, Error *err);

#define LIMIT_INTERVAL_TABLE \
    "CREATE TEMP TABLE limit_interval(path TEXT, t0 REAL, t1 REAL, seconds REAL, frame0 INTEGER, frame1 INTEGER," \
    " limiting_role TEXT, limit_fraction REAL)"

/* STATUS_BAD_INPUT if the index has no traces. */
Status query_traces_check(sqlite3 *db, Error *err);

#endif
