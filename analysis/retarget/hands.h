/* Hands that keep their reach: inverse kinematics of the arms moves the wrists to the positions of the source's,
 * relative to the body or to the world. */
#ifndef KANE_RETARGET_HANDS_H
#define KANE_RETARGET_HANDS_H

#include "analysis/clip/motion.h"
#include "analysis/retarget/reference_pose.h"

typedef enum HandReach {
    HANDS_ROTATION = 0, /* as the rotations give */
    HANDS_BODY,         /* same position relative to the middle of the shoulders, scaled by arm length */
    HANDS_WORLD,        /* same position in the world scaled by leg length, as on one door handle */
    HANDS_AUTO          /* as the rotations give, except where they hold something */
} HandReach;

/* World poses of target and source, [frame][joint]; `pose` is that of the motion to change. */
typedef struct HandPoses {
    const ReferencePose *target, *source;
    const Kinematics *pose;
    const Vec3 *source_position;
} HandPoses;

/* Rotates the arms of *motion for HANDS_BODY and HANDS_WORLD; other values change nothing. Arms that lack a joint stay
 * unchanged. */
void hands_reach(const HandPoses *poses, HandReach reach, Motion *motion);

/* Mean distance of the wrists from their targets, m (HANDS_ROTATION and HANDS_AUTO: those of HANDS_BODY); NaN without
 * hands. */
double hands_error(const HandPoses *poses, HandReach reach);

#endif
