/* What the target's feet should do so that its soles move as the source's do, scaled: in contact along the ground and
 * up and down, in the air a little, and nowhere deeper in the ground.
 *
 * A foot keeps the orientation that it has (sole_level.h); its places then follow from the ankle's, and the points that
 * bear ask for the ankle's velocity and height. Where the source's feet slide the
 * target's slide along: only what retargeting adds is taken out. A locked contact stands still instead. */
#ifndef KANE_RETARGET_FOOT_GOAL_H
#define KANE_RETARGET_FOOT_GOAL_H

#include "analysis/motion/forward_kinematics.h"
#include "analysis/retarget/foot_contact.h"
#include "analysis/retarget/limb_solve.h"

/* A body in motion with its soles. */
typedef struct SoledPose {
    const Sole *sole;        /* [foot] */
    const Vec3 *position;    /* [frame][joint] m */
    const Quat *orientation; /* [frame][joint] */
    int joint_count;
} SoledPose;

/* The target as copied, and its source. */
typedef struct FootPair {
    SoledPose target, source;
    const FootContact *contact; /* of the source */
    double scale, leg;          /* of target over source; m, leg of the target */
} FootPair;

typedef struct FootGoalDef {
    double near;   /* s before and after heel or ball is down in which it gains and loses its say; default 0.12 */
    double in_air; /* the say that it keeps in the air, 0 .. 1; default 0.005 */
} FootGoalDef;

FootGoalDef foot_goal_default_def(void);

/* goal[frame] of one foot that both bodies have. weight[2]: [frame] scratch. */
void foot_goal_fill(const FootPair *pair, const FootGoalDef *def, int foot, LimbGoal *goal, double *const weight[2]);

/* Height along the normal below which a sole of the target is deeper in the ground than the source's is, m. */
double foot_goal_floor(const FootPair *pair, int foot, int frame);

#endif
