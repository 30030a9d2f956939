/* See raw_speed.h. */
#include "analysis/stats/raw_speed.h"

#include <math.h>

#include "analysis/angles/strength.h"
#include "analysis/math/elementary.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"
#include "analysis/stats/shaking.h"
#include "analysis/stats/verdict_limits.h"

#define SWING_TIME 0.5   /* s */
#define SWING_SPEED 10.0 /* rad/s, RMS: more than noise */
#define SWING_PACE 0.5   /* m/s, the same of the body */

static double turn(const Motion *m, int frame, int joint)
{
    Quat a = m->rotation[motion_index(m, frame, joint)], b = m->rotation[motion_index(m, frame + 1, joint)];
    return 2 * elementary_acos(fmin(1, fabs(quat_dot(a, b)))) / m->frame_time;
}

/* Flags that make a speed an artifact. */
static uint32_t speed_faults(const Clip *c)
{
    uint32_t faults = TRUST_RECORDING & ~(uint32_t)TRUST_NO_ROOT_PATH;
    return shaking_is_motion(c) ? faults & ~(uint32_t)TRUST_FLICKER : faults;
}

/* Whether frames of a joint are sound enough for its speed. */
static int has_speed(const Clip *c, int first, int last, int joint, uint32_t faults)
{
    for (int f = first; c->has_trust && f <= last; f++)
        if (trust_joint_reason(&c->trust, f, joint) & faults)
            return 0;
    return 1;
}

/* A point that may swing to and fro: the end of a bone of length 1 as its parent sees it, or the root. */
typedef struct Swing {
    int joint;    /* -1: the root's path, in m */
    Vec3 bone;
    double speed; /* RMS: more than noise */
    double limit; /* of the acceleration */
} Swing;

static Vec3 place_of(const Clip *c, int frame, const Swing *swing)
{
    const Motion *m = &c->motion;
    if (swing->joint < 0)
        return m->root_position[frame];
    return quat_rotate(m->rotation[motion_index(m, frame, swing->joint)], swing->bone);
}

/* What a point does between two frames: the squares of its steps, how often it turns back, and the smallest of its ways
 * from one turn to the next. */
typedef struct SwingSums {
    double squares, least;
    int reversals;
} SwingSums;

static SwingSums sum_swing(const Clip *c, int first, int last, const Swing *swing)
{
    SwingSums sums = {0, INFINITY, 0};
    Vec3 before = {0, 0, 0}, at = place_of(c, first, swing), turned = at;
    for (int f = first + 1; f <= last; f++) {
        Vec3 now = place_of(c, f, swing), step = vec3_sub(now, at);
        if (vec3_dot(step, before) < 0) {
            if (sums.reversals++)
                sums.least = fmin(sums.least, vec3_norm(vec3_sub(at, turned)));
            turned = at;
        }
        sums.squares += vec3_dot(step, step);
        before = step;
        at = now;
    }
    return sums;
}

/* Largest acceleration of a swing between two frames over its limit, by its reversals and, of a bone, its mean square
 * speed: noise has these without the speed, and more of them. Rotation of a bone about its own axis is no swing. The
 * body also travels: the smallest of its ways counts. */
static double swing_factor(const Clip *c, int first, int last, const Swing *swing)
{
    SwingSums sums = sum_swing(c, first, last, swing);
    double seconds = (last - first) * c->motion.frame_time, pulse = PI * sums.reversals / seconds;
    double speed = sqrt(sums.squares / (last - first)) / c->motion.frame_time;
    if (speed < swing->speed || sums.reversals > verdict_limits.jitter * (last - first) || !(sums.least < INFINITY))
        return 0;
    return swing->joint < 0 ? pulse * pulse * sums.least / 2 / swing->limit : sqrt(2) * pulse * speed / swing->limit;
}

/* The fastest swing over 0.5 s, if it is worse than what was found. */
static void search_swing(const Clip *c, const Swing *swing, uint32_t faults, RawSpeed *found)
{
    int span = (int)ceil(SWING_TIME / c->motion.frame_time), joint = swing->joint < 0 ? 0 : swing->joint;
    for (int f = 1; f + span < c->motion.frame_count; f += (span + 3) / 4) {
        double factor = swing_factor(c, f, f + span, swing);
        if (factor > found->factor && has_speed(c, f, f + span, joint, faults))
            *found = (RawSpeed){joint, f + span / 2, factor, found->is_noise};
    }
}

/* Swings of upper arms, shanks and the whole body. */
static void search_swings(const Clip *c, uint32_t faults, RawSpeed *found)
{
    static const Role limb[][2] = {{ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW}, {ROLE_RIGHT_SHOULDER, ROLE_RIGHT_ELBOW},
                                   {ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE}, {ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE}};
    Swing body = {.joint = -1, .speed = SWING_PACE, .limit = verdict_limits.swing_body};
    for (size_t i = 0; i < sizeof limb / sizeof *limb; i++) {
        int joint = skeleton_find_role(&c->skeleton, limb[i][0]), end = skeleton_find_role(&c->skeleton, limb[i][1]);
        if (joint < 0 || end < 0)
            continue;
        Swing bone = {.joint = joint, .bone = vec3_normalize(c->skeleton.offset[end]), .speed = SWING_SPEED,
                      .limit = i < 2 ? verdict_limits.swing : verdict_limits.swing_shank};
        search_swing(c, &bone, faults, found);
    }
    search_swing(c, &body, faults, found);
}

static int is_jitter_around(const Motion *m, int joint, int frame)
{
    int reach = (int)ceil(SWING_TIME / 2 / m->frame_time);
    return shaking_is_jitter(m, joint, (int)fmax(0, frame - reach), (int)fmin(m->frame_count - 1, frame + reach));
}

static void search_hinge(const Clip *c, Coordinate hinge, uint32_t faults, RawSpeed *found)
{
    int joint = skeleton_find_role(&c->skeleton, coordinate_role(hinge));
    double limit = verdict_limits.speed * fmax(strength_speed_max(hinge, 1), strength_speed_max(hinge, -1));
    for (int f = 1; joint >= 0 && f + 2 < c->motion.frame_count; f++) {
        double speed = turn(&c->motion, f, joint);
        if (!(speed / limit > found->factor))
            continue;
        double around = fmax(turn(&c->motion, f - 1, joint), turn(&c->motion, f + 1, joint));
        if (around > speed / 2 && has_speed(c, f, f + 1, joint, faults) && !is_jitter_around(&c->motion, joint, f))
            *found = (RawSpeed){joint, f, speed / limit, found->is_noise};
    }
}

RawSpeed raw_speed_find(const Clip *c)
{
    static const Coordinate hinge[] = {COORDINATE_LEFT_ELBOW_FLEXION, COORDINATE_RIGHT_ELBOW_FLEXION,
                                       COORDINATE_LEFT_KNEE_FLEXION, COORDINATE_RIGHT_KNEE_FLEXION};
    RawSpeed found = {-1, -1, 0, shaking_is_noise(c)};
    uint32_t faults = speed_faults(c);
    for (size_t i = 0; i < sizeof hinge / sizeof *hinge; i++)
        search_hinge(c, hinge[i], faults, &found);
    search_swings(c, faults, &found);
    return found;
}
