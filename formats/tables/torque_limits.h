/* Tables of joint torque limits: `joint torque`, N m, one row per joint by name or role. */
#ifndef KANE_TABLES_TORQUE_LIMITS_H
#define KANE_TABLES_TORQUE_LIMITS_H

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"

/* Fills *limits with [joint_count] limits, INFINITY for joints without one; the caller frees it. STATUS_BAD_INPUT with
 * line and column for an unknown joint, one that occurs twice, or a limit that is not positive. */
Status torque_limits_read(const char *path, const Skeleton *skeleton, double **limits, Error *err);

#endif
