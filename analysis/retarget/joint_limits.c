/* See joint_limits.h. */
#include "analysis/retarget/joint_limits.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/retarget/reference_pose.h"

#define AT_LIMIT 1e-9 /* rad: closer to a limit than this counts as at the limit */

void joint_limits_free(JointLimits *limits)
{
    if (!limits)
        return;
    free(limits->limit);
    *limits = (JointLimits){0};
}

/* Clamps *x to its range; returns 1 if it was at a limit or outside. */
static int clamp(double *x, double min, double max)
{
    int held = *x < min + AT_LIMIT || *x > max - AT_LIMIT;
    *x = fmin(fmax(*x, min), max);
    return held;
}

/* Limits the rotation of a joint expressed in body axes: q_body = c q_local local_ref* c*, c from the parent's axes to
 * the body's. */
static int limit_joint(const JointLimit *limit, const ReferencePose *r, int joint, Motion *motion)
{
    int parent = r->skeleton->parent[joint], hits = 0;
    Quat c = quat_mul(quat_conjugate(r->body), parent < 0 ? QUAT_IDENTITY : r->orientation[parent]);
    for (int f = 0; f < motion->frame_count; f++) {
        Quat *local = &motion->rotation[motion_index(motion, f, joint)];
        Quat rotation = quat_mul(*local, quat_conjugate(r->local[joint]));
        RollPitchYaw a = roll_pitch_yaw_from_quat(quat_mul(quat_mul(c, rotation), quat_conjugate(c)));
        int held = clamp(&a.roll, limit->min.roll, limit->max.roll);
        held |= clamp(&a.pitch, limit->min.pitch, limit->max.pitch);
        held |= clamp(&a.yaw, limit->min.yaw, limit->max.yaw);
        if (!held)
            continue;
        rotation = quat_mul(quat_mul(quat_conjugate(c), roll_pitch_yaw_to_quat(a)), c);
        *local = quat_normalize(quat_mul(rotation, r->local[joint]));
        hits++;
    }
    return hits;
}

int joint_limits_apply(const JointLimits *limits, const ReferencePose *reference, Motion *motion)
{
    int hits = 0;
    for (int i = 0; i < limits->count; i++) {
        int joint = reference->joint[limits->limit[i].role];
        if (joint >= 0)
            hits += limit_joint(&limits->limit[i], reference, joint, motion);
    }
    if (hits > 0)
        motion_make_continuous(motion);
    return hits;
}
