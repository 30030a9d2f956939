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
#include "analysis/retarget/foot_outline.h"
#include "analysis/retarget/limb_solve.h"

/* World poses of a body with its soles. */
typedef struct SoledPose {
    const Sole *sole;        /* [foot] */
    const FootOutline *outline; /* [foot]; NULL: only the soles count */
    Vec3 *position;          /* [frame][joint] m */
    Quat *orientation;       /* [frame][joint] */
    int joint_count;
} SoledPose;

static inline const Vec3 *soled_pose_positions(const SoledPose *p, int frame)
{
    return p->position + (size_t)frame * (size_t)p->joint_count;
}

static inline const Quat *soled_pose_orientations(const SoledPose *p, int frame)
{
    return p->orientation + (size_t)frame * (size_t)p->joint_count;
}

/* Rotates ankle or toe joint in a frame by `turn`, world axes; the joints below follow. Requires outlines. */
static inline void soled_pose_rotate(const SoledPose *p, int foot, int frame, int joint, Quat turn)
{
    size_t row = (size_t)frame * (size_t)p->joint_count;
    foot_outline_rotate(&p->outline[foot], joint, turn, p->position + row, p->orientation + row);
}

/* The target as copied and its source. Planting rotates feet and toes in the target's pose. */
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

/* Height along the normal, m, below which a joint or end of the target's foot is deeper in the ground than the
 * source's; of the soles without outlines. */
double foot_goal_floor(const FootPair *pair, int foot, int frame);

/* The same of the soles. */
double foot_goal_sole_floor(const FootPair *pair, int foot, int frame);

/* How far the lowest point of the target's foot above the toes is below the ankle, m. Requires outlines. */
double foot_goal_drop(const FootPair *pair, int foot, int frame);

#endif
