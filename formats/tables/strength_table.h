/* Strength of one person: the table of --strength. */
#ifndef KANE_FORMATS_STRENGTH_TABLE_H
#define KANE_FORMATS_STRENGTH_TABLE_H

#include "analysis/anatomy/strength_curve.h"
#include "analysis/base/status.h"

/* A table with the columns of data/strength_athlete.tsv, a row a motion, torques in Nm of this person. The caller frees
 * *curves. Errors name line and column. */
Status strength_table_read(const char *path, PersonCurve **curves, int *count, Error *err);

#endif
