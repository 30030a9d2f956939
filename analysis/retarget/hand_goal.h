/* What the target's hands should do so that they hold what the source's hold: the ground, each other, hips and head.
 *
 * A wrist that is low goes along the ground and up and down as the source's does, scaled, and is nowhere deeper in it.
 * One that rests near the other, a hip or the head keeps the scaled vector to it. Everywhere else arms stay as copied.
 *
 * Reference: E. Ho, T. Komura, C.-L. Tai, Spatial Relationship Preserving Character Motion Adaptation (2010), for
 * keeping vectors between near parts; here single vectors in place of a mesh. */
#ifndef KANE_RETARGET_HAND_GOAL_H
#define KANE_RETARGET_HAND_GOAL_H

#include "analysis/retarget/foot_goal.h"
#include "analysis/retarget/reference_pose.h"

typedef struct HandPair {
    const FootPair *pair;
    const ReferencePose *target, *source;
} HandPair;

/* Whether both bodies have the arm of this side, 0 left, 1 right. */
int hand_goal_has_arm(const HandPair *hands, int side);

/* Shoulder, elbow and wrist joints of the target. */
typedef struct ArmJoints {
    int shoulder, elbow, wrist;
} ArmJoints;
ArmJoints hand_goal_arm(const ReferencePose *r, int side);

/* Of the target's arm over the source's: arms that are alike need no change to reach the same place of alike bodies. */
double hand_goal_arm_scale(const HandPair *hands, int side);

/* The copied arm of one frame; a straight one bends forward. */
LimbShape hand_goal_shape(const HandPair *hands, int side, int frame);

/* goal[frame]; returns how many of them want something. */
int hand_goal_fill(const HandPair *hands, int side, LimbGoal *goal);

/* Ties of both hands, in the order of frames: at most HAND_TIES a frame. Fills tie and returns how many. */
enum { HAND_TIES = 7 };
int hand_goal_ties(const HandPair *hands, LimbTie *tie);

#endif
