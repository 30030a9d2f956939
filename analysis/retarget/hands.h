/* Hands that keep their reach: the wrists go where the source's are, relative to the body or to the world, by inverse
 * kinematics of the arms. */
#ifndef KANE_RETARGET_HANDS_H
#define KANE_RETARGET_HANDS_H

#include "analysis/clip/kinematics.h"
#include "analysis/clip/motion.h"
#include "analysis/retarget/reference_pose.h"

typedef enum HandReach {
    HANDS_ROTATION = 0, /* as the rotations have them */
    HANDS_BODY,         /* as far from the middle of the shoulders as the source's, scaled by arm length */
    HANDS_WORLD,        /* where the source's are in the world that is scaled by leg length: on the same door handle */
    HANDS_AUTO          /* as the rotations have them, but where they hold something (hand_goal.h) */
} HandReach;

/* World pose of target and source, [frame][joint]; the target's is of *motion. */
typedef struct HandPoses {
    const ReferencePose *target, *source;
    const Kinematics *pose;
    const Vec3 *source_position;
} HandPoses;

/* Turns the arms of *motion; HANDS_ROTATION and HANDS_AUTO leave them. Arms that lack a joint stay. */
void hands_reach(const HandPoses *poses, HandReach reach, Motion *motion);

/* Mean distance of the wrists from where they should be (HANDS_ROTATION and HANDS_AUTO: as for HANDS_BODY), m; NaN
 * without hands. */
double hands_error(const HandPoses *poses, HandReach reach);

#endif
