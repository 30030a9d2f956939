/* See shaking.h. */
#include "analysis/stats/shaking.h"

#include <math.h>

#include "analysis/math/elementary.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"
#include "analysis/stats/verdict_limits.h"

int shaking_lasts(const Clip *clip, int joint)
{
    const uint32_t *own = clip->has_trust ? clip->trust.joint_reason : NULL;
    int shaking = 0, frames = clip->motion.frame_count;
    for (int f = 0; own && f < frames; f++)
        shaking += (own[(size_t)f * (size_t)clip->trust.joint_count + (size_t)joint] & TRUST_FLICKER) != 0;
    return shaking > verdict_limits.left_out * frames;
}

int shaking_is_motion(const Clip *clip)
{
    int shaking = 0, joints = 0;
    for (int j = 0; j < clip->skeleton.joint_count; j++) {
        int has_role = clip->skeleton.role[j] != ROLE_NONE;
        joints += has_role;
        shaking += has_role && shaking_lasts(clip, j);
    }
    return shaking > 0 && shaking < verdict_limits.shaking * joints;
}

typedef struct Steps {
    double turned_back; /* fraction */
    double size;        /* RMS, rad */
} Steps;

static Steps steps_of(const Motion *m, int joint, int first, int last)
{
    int reversals = 0, count = last - first;
    double sum = 0;
    Vec3 before = {0, 0, 0};
    for (int f = first; f < last; f++) {
        Quat a = m->rotation[motion_index(m, f, joint)], b = m->rotation[motion_index(m, f + 1, joint)];
        Quat step = quat_mul(quat_conjugate(a), b);
        Vec3 now = vec3_scale((Vec3){step.x, step.y, step.z}, step.w < 0 ? -2 : 2);
        reversals += vec3_dot(now, before) < 0;
        sum += vec3_dot(now, now);
        before = now;
    }
    return count > 0 ? (Steps){(double)reversals / count, sqrt(sum / count)} : (Steps){0, 0};
}

int shaking_is_jitter(const Motion *motion, int joint, int first, int last)
{
    return steps_of(motion, joint, first, last).turned_back > verdict_limits.jitter;
}

int shaking_is_noise(const Clip *imported)
{
    int jittering = 0, joints = 0;
    for (int j = 0; j < imported->skeleton.joint_count; j++) {
        if (imported->skeleton.role[j] == ROLE_NONE)
            continue;
        Steps steps = steps_of(&imported->motion, j, 0, imported->motion.frame_count - 1);
        jittering += steps.turned_back > verdict_limits.jitter && steps.size > verdict_limits.jitter_size * PI / 180;
        joints++;
    }
    return jittering > verdict_limits.shaking * joints;
}
