/* Goals of the target's hands: they hold what the source's hands hold, which may be the ground, each other, the hips or
 * the head.
 *
 * A low wrist moves along the ground and in height as the source's does, scaled, and does not sink deeper. A wrist at
 * rest near the other wrist, a hip or the head keeps the scaled vector to it. Elsewhere arms stay as copied.
 *
 * Reference: E. Ho, T. Komura, C.-L. Tai, Spatial Relationship Preserving Character Motion Adaptation (2010), for
 * keeping vectors between near parts; here single vectors replace the mesh. */
#ifndef KANE_RETARGET_HAND_GOAL_H
#define KANE_RETARGET_HAND_GOAL_H

#include "analysis/retarget/foot_goal.h"
#include "analysis/retarget/limb_solve.h"
#include "analysis/retarget/reference_pose.h"

typedef struct HandPair {
    const FootPair *pair;
    const ReferencePose *target, *source;
} HandPair;

/* Whether both bodies have the arm of this side (0 left, 1 right). */
int hand_goal_has_arm(const HandPair *hands, int side);

/* Shoulder, elbow and wrist joints of a body. */
typedef struct ArmJoints {
    int shoulder, elbow, wrist;
} ArmJoints;
ArmJoints hand_goal_arm(const ReferencePose *r, int side);

/* Ratio of the arm lengths, target over source. Equal arms on equal bodies reach the same position unchanged. */
double hand_goal_arm_scale(const HandPair *hands, int side);

/* The copied arm of one frame, m, world; a straight arm bends forward. */
LimbShape hand_goal_shape(const HandPair *hands, int side, int frame);

/* Fills goal[frame]; returns the number of frames with a height goal or a wrist below the floor. */
int hand_goal_fill(const HandPair *hands, int side, LimbGoal *goal);

/* Fills tie with the ties of both hands, ordered by frame, at most HAND_TIES per frame; returns their number. */
enum { HAND_TIES = 7 };
int hand_goal_ties(const HandPair *hands, LimbTie *tie);

#endif
