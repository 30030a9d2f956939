/* Tables of springs: `name kind joint_a ax ay az joint_b bx by bz stiffness damping rest`, points in m in axes of the
 * joint, SI. Joints go by name or role, "world" stands for the world. Kinds: analysis/sim/springs.h. */
#ifndef KANE_FORMATS_SPRING_TABLE_H
#define KANE_FORMATS_SPRING_TABLE_H

#include "analysis/clip/skeleton.h"
#include "analysis/sim/springs.h"

/* STATUS_BAD_INPUT with line and column for an unknown kind or joint, a number that is none, or a spring that makes
 * no sense. */
Status springs_read(const char *path, const Skeleton *skeleton, Springs *out, Error *err);

#endif
