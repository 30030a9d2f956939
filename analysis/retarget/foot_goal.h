/* Goals of the target's feet: their soles move as the source's do, scaled. In contact the goals are velocity along the
 * ground and height, in the air they have a small weight, and nowhere does a sole sink deeper than the source's.
 *
 * A foot keeps its orientation (sole_level.c), so its points follow from the ankle; the supporting points determine the
 * ankle's velocity and height. If the source's feet slide, the target's slide with them: only the sliding that
 * retargeting adds is removed. A locked contact stays at rest instead. */
#ifndef KANE_RETARGET_FOOT_GOAL_H
#define KANE_RETARGET_FOOT_GOAL_H

#include <stddef.h>

#include "analysis/math/quat.h"
#include "analysis/retarget/foot_contact.h"
#include "analysis/retarget/limb_solve.h"

/* World poses of a body with its soles. */
typedef struct SoledPose {
    const Sole *sole;        /* [foot] */
    const Vec3 *position;    /* [frame][joint] m */
    const Quat *orientation; /* [frame][joint] */
    int joint_count;
} SoledPose;

static inline const Vec3 *soled_pose_positions(const SoledPose *p, int frame)
{
    return p->position + (size_t)frame * (size_t)p->joint_count;
}

/* The target as copied and its source. */
typedef struct FootPair {
    SoledPose target, source;
    const FootContact *contact; /* of the source */
    double scale, leg;          /* size of target over source; m, leg of the target */
} FootPair;

typedef struct FootGoalDef {
    double near;   /* s before and after a contact over which the weight of heel or ball rises and falls; default
                      0.12 */
    double in_air; /* weight of heel and ball in the air, 0 .. 1; default 0.005 */
} FootGoalDef;

/* Fills goal[frame] of a foot that both bodies have. weight[2]: [frame] scratch. */
void foot_goal_fill(const FootPair *pair, const FootGoalDef *def, int foot, LimbGoal *goal, double *const weight[2]);

/* Height along the normal, m, below which a sole of the target is deeper in the ground than the source's. */
double foot_goal_floor(const FootPair *pair, int foot, int frame);

#endif
