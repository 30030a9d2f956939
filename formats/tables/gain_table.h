/* Tables of controller gains: `joint stiffness damping`, optionally `integral` and `torque_max_nm`; an empty cell keeps
 * the default of the joint. Joints by name or role. */
#ifndef KANE_TABLES_GAIN_TABLE_H
#define KANE_TABLES_GAIN_TABLE_H

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"
#include "analysis/control/gains.h"

/* Fills gains[joint]; NaN where the table has no value. STATUS_BAD_INPUT with line and column for an unknown or
 * repeated joint, an invalid number, a stiffness that is not positive or another negative value. */
Status joint_gains_read(const char *path, const Skeleton *skeleton, JointGains *gains, Error *err);

#endif
