/* Goals of hands that support the body: a low wrist moves along the ground and in height as the source's does, scaled,
 * and does not sink deeper. Hands that hold parts of the body: hand_tie.h. */
#ifndef KANE_RETARGET_HAND_GOAL_H
#define KANE_RETARGET_HAND_GOAL_H

#include "analysis/retarget/foot_goal.h"
#include "analysis/retarget/limb_solve.h"
#include "analysis/retarget/props.h"
#include "analysis/retarget/reference_pose.h"

typedef struct HandPair {
    const FootPair *pair;
    const ReferencePose *target, *source;
    const Props *props; /* NULL: none */
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

/* Weight of a value: 1 up to min, 0 from max, smooth between. */
double hand_goal_fade(double x, double min, double max);

#endif
