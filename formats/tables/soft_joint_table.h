/* Tables of joints that give way: `joint stiffness damping`, N/m and Ns/m. Joints go by name or role. */
#ifndef KANE_FORMATS_SOFT_JOINT_TABLE_H
#define KANE_FORMATS_SOFT_JOINT_TABLE_H

#include "analysis/clip/skeleton.h"
#include "analysis/sim/soft_joints.h"

/* out->joint is the caller's to free. STATUS_BAD_INPUT with line and column for an unknown joint, one named twice, the
 * root, a number that is none, a stiffness that is not positive and a damping below zero. */
Status soft_joints_read(const char *path, const Skeleton *skeleton, SoftJoints *out, Error *err);

#endif
