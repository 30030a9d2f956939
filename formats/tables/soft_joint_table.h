/* Tables of compliant joints: `joint stiffness damping`, N/m and Ns/m. Joints by name or role. */
#ifndef KANE_TABLES_SOFT_JOINT_TABLE_H
#define KANE_TABLES_SOFT_JOINT_TABLE_H

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"
#include "analysis/sim/soft_joint.h"

/* The caller frees out->joint. STATUS_BAD_INPUT with line and column for an unknown or repeated joint, the root, an
 * invalid number, a stiffness that is not positive or a negative damping. */
Status soft_joints_read(const char *path, const Skeleton *skeleton, SoftJoints *out, Error *err);

#endif
