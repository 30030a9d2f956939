/* Puppet for tests: the walker's skeleton (tests/support/walker.h), driven by paths of its pelvis and feet. Legs follow
 * from the law of cosines with knees forward, arms hang, the trunk is upright. Soles are PUPPET_SOLE below the ankles,
 * at the toe joints if the skeleton has them. */
#ifndef KANE_TESTS_PUPPET_H
#define KANE_TESTS_PUPPET_H

#include "analysis/body/body_model.h"
#include "analysis/clip/clip.h"
#include "analysis/motion/kinematics.h"
#include "analysis/motion/smooth.h"
#include "tests/support/random_number.h"
#include "tests/support/walker.h"

#define PUPPET_SOLE 0.06   /* m */
#define PUPPET_THIGH 0.42  /* m */
#define PUPPET_SHANK 0.40  /* m */
#define PUPPET_STAND 0.91  /* m, pelvis above the soles, knees slightly flexed */

typedef struct PuppetPose {
    Vec3 pelvis;     /* m */
    Vec3 sole[2];    /* m, left and right: below the ankle, at sole level */
    double pitch[2]; /* rad, positive toe down */
} PuppetPose;

static inline Quat puppet_rotation(Vec3 from, Vec3 to)
{
    Vec3 axis = vec3_cross(from, to);
    double sine = vec3_norm(axis);
    return sine > 0 ? quat_from_axis_angle(vec3_scale(axis, 1 / sine), elementary_atan2(sine, vec3_dot(from, to)))
                    : QUAT_IDENTITY;
}

static inline Quat puppet_pitch(double angle) { return quat_from_axis_angle(vec3(1, 0, 0), angle); }

/* Sets hip, knee and ankle of a leg, from its hip joint to an ankle above the sole. */
static inline void puppet_leg(Quat q[3], Vec3 hip, Vec3 sole, double pitch)
{
    Quat foot = puppet_pitch(pitch);
    Vec3 way = vec3_sub(vec3_add(sole, quat_rotate(foot, vec3(0, PUPPET_SOLE, 0))), hip);
    double a = PUPPET_THIGH, b = PUPPET_SHANK, length = fmin(vec3_norm(way), 0.9999 * (a + b));
    double at_hip = elementary_acos((a * a + length * length - b * b) / (2 * a * length));
    double at_ankle = elementary_acos((b * b + length * length - a * a) / (2 * b * length));
    q[0] = quat_mul(puppet_rotation(vec3(0, -1, 0), vec3_normalize(way)), puppet_pitch(-at_hip));
    q[1] = puppet_pitch(at_hip + at_ankle);
    q[2] = quat_mul(quat_conjugate(quat_mul(q[0], q[1])), foot);
}

typedef PuppetPose PuppetPath(double t, const void *context);

/* Skeleton, de Leva's body and motion. The caller frees the clip. */
static inline void puppet_clip(Clip *c, int frames, double fps, PuppetPath *path, const void *context)
{
    BodyDef body = body_default_def();
    *c = (Clip){0};
    walker_skeleton(&c->skeleton);
    assert_int_equal(motion_init(&c->motion, frames, WALKER_JOINTS, 1 / fps, 0, NULL), STATUS_OK);
    assert_int_equal(body_from_skeleton(&c->skeleton, &body, &c->body, NULL), STATUS_OK);
    for (int f = 0; f < frames; f++) {
        PuppetPose pose = path(f / fps, context);
        Quat *q = c->motion.rotation + (size_t)f * WALKER_JOINTS;
        c->motion.root_position[f] = pose.pelvis;
        for (int j = 0; j < WALKER_JOINTS; j++)
            q[j] = QUAT_IDENTITY;
        for (int side = 0; side < 2; side++)
            puppet_leg(q + 1 + 4 * side, vec3_add(pose.pelvis, walker_joints[1 + 4 * side].offset), pose.sole[side],
                       pose.pitch[side]);
        q[13] = quat_from_axis_angle(vec3(0, 0, 1), -1.3);
        q[16] = quat_from_axis_angle(vec3(0, 0, 1), 1.3);
    }
    motion_make_continuous(&c->motion);
}

/* z is drawn first: the evaluation order within one expression is unspecified. */
static inline Vec3 random_vec3(unsigned *seed)
{
    double z = random_number(seed), y = random_number(seed), x = random_number(seed);
    return vec3(x, y, z);
}

/* Adds white noise: metres on the root position, radians about each axis of each joint. */
static inline void puppet_shake(Clip *c, double metres, double radians)
{
    unsigned seed = 7;
    const double unit = sqrt(3); /* uniform numbers of variance 1 */
    for (int f = 0; f < c->motion.frame_count; f++) {
        Vec3 *p = &c->motion.root_position[f];
        *p = vec3_mad(*p, metres * unit,
                      random_vec3(&seed));
        for (int j = 0; j < c->motion.joint_count; j++) {
            Quat *q = &c->motion.rotation[motion_index(&c->motion, f, j)];
            Vec3 v = vec3_scale(random_vec3(&seed),
                                0.5 * radians * unit);
            *q = quat_normalize(quat_mul(*q, (Quat){1, v.x, v.y, v.z}));
        }
    }
}

/* Default of the stage kinematics: paths stay exact. */
static inline void puppet_follow(Clip *c)
{
    DifferenceDef def = difference_default_def();
    ClipView view = {&c->skeleton, &c->body, &c->motion, &c->kinematics};
    assert_int_equal(differentiate(&view, &def, &c->kinematics, NULL), STATUS_OK);
    c->has_body = c->has_kinematics = 1;
}

/* Defaults of the stages smooth and kinematics. */
static inline void puppet_differentiate(Clip *c)
{
    SmoothDef smooth = smooth_default_def();
    assert_int_equal(smooth_motion(&c->motion, &smooth, NULL, NULL), STATUS_OK);
    puppet_follow(c);
}

/* Minimum-jerk step: from 0 at s = 0 to 1 at s = 1, at rest at both ends, constant beyond. */
static inline double puppet_ease(double s)
{
    s = fmax(0, fmin(1, s));
    return s * s * s * (10 + s * (6 * s - 15));
}

#endif
