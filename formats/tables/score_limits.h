/* Bounds on the metrics of a retargeted clip: a table `metric max` with the names of /retarget. */
#ifndef KANE_TABLES_SCORE_LIMITS_H
#define KANE_TABLES_SCORE_LIMITS_H

#include "analysis/base/status.h"
#include "analysis/clip/retarget_score.h"

/* STATUS_BAD_INPUT, with metric, bound and worst frame, for the first metric above its bound; unknown (NaN) metrics
 * pass. is_whole: 1 if residuals and mirror_cm were computed; if 0, a bound on these is an error. Errors of the table
 * have its line and column. */
Status score_limits_check(const char *path, const RetargetScore *score, int is_whole, Error *err);

#endif
