/* Strength of one subject: the table of --strength. */
#ifndef KANE_TABLES_STRENGTH_TABLE_H
#define KANE_TABLES_STRENGTH_TABLE_H

#include "analysis/angles/strength_curve.h"
#include "analysis/base/status.h"

/* Reads a table with the columns of data/strength_athlete.tsv, one row per motion, torques in N m. The caller frees
 * *curves. Errors have line and column. */
Status strength_table_read(const char *path, PersonCurve **curves, int *count, Error *err);

#endif
