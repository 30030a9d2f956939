/* Bounds on the figures of a retargeted clip: a table `figure most`, figures by their names in /retarget. */
#ifndef KANE_FORMATS_SCORE_LIMITS_H
#define KANE_FORMATS_SCORE_LIMITS_H

#include "analysis/base/status.h"
#include "analysis/clip/retarget_score.h"

/* STATUS_BAD_INPUT, which names the figure, its bound and the worst frame, for the first figure beyond its bound; one
 * that is not known passes. Also for a table that cannot be read, then with its place. */
Status score_limits_check(const char *path, const RetargetScore *score, Error *err);

#endif
