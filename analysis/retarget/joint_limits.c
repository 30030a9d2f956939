#include "analysis/retarget/joint_limits.h"

#include <math.h>
#include <stdlib.h>

#define AT_LIMIT 1e-9 /* rad: nearer than this to a limit it holds */

void joint_limits_free(JointLimits *limits)
{
    if (!limits)
        return;
    free(limits->limit);
    *limits = (JointLimits){0};
}

/* Brings *x into its range; 1 where it was at its edge or beyond. */
static int clamp(double *x, double least, double most)
{
    int held = *x < least + AT_LIMIT || *x > most - AT_LIMIT;
    *x = fmin(fmax(*x, least), most);
    return held;
}

/* Turns of a joint in body axes: q_body = c q_local local_ref* c*, with c from the parent's axes to the body's. */
static int limit_joint(const JointLimit *limit, const ReferencePose *r, int joint, Motion *motion)
{
    int parent = r->skeleton->parent[joint], hits = 0;
    Quat c = quat_mul(quat_conjugate(r->body), parent < 0 ? QUAT_IDENTITY : r->orientation[parent]);
    for (int f = 0; f < motion->frame_count; f++) {
        Quat *local = &motion->rotation[motion_index(motion, f, joint)];
        Quat turn = quat_mul(*local, quat_conjugate(r->local[joint]));
        RollPitchYaw a = roll_pitch_yaw_from_quat(quat_mul(quat_mul(c, turn), quat_conjugate(c)));
        int held = clamp(&a.roll, limit->least.roll, limit->most.roll);
        held |= clamp(&a.pitch, limit->least.pitch, limit->most.pitch);
        held |= clamp(&a.yaw, limit->least.yaw, limit->most.yaw);
        if (!held)
            continue;
        turn = quat_mul(quat_mul(quat_conjugate(c), roll_pitch_yaw_to_quat(a)), c);
        *local = quat_normalize(quat_mul(turn, r->local[joint]));
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
