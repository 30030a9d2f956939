/* Ranges of joint angles: roll, pitch and yaw (docs/sources.md, notes 0.4: about z, then the new y, then the final x).
 *
 * The angles are those of a joint's rotation from the reference pose, in the body's axes there (x left, y up, z front),
 * so that one table applies to every skeleton. */
#ifndef KANE_RETARGET_JOINT_LIMITS_H
#define KANE_RETARGET_JOINT_LIMITS_H

#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/euler.h"
#include "analysis/retarget/reference_pose.h"

typedef struct JointLimit {
    Role role;
    RollPitchYaw min, max;    /* rad */
} JointLimit;

typedef struct JointLimits {
    int count;
    JointLimit *limit; /* owned */
} JointLimits;

void joint_limits_free(JointLimits *limits);

/* Clamps every limited joint of *motion to its range; returns the number of joint-frames at a limit or outside. */
int joint_limits_apply(const JointLimits *limits, const ReferencePose *reference, Motion *motion);

#endif
