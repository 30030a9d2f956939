/* A clip with torque, power and motion in closed form: a knee that swings below hips at rest. */
#ifndef KANE_TESTS_HINGE_CLIP_H
#define KANE_TESTS_HINGE_CLIP_H

#include "analysis/clip/clip.h"
#include "analysis/math/elementary.h"
#include "tests/support/zeroed_dynamics.h"

#define HINGE_MASS 50.0      /* kg */
#define HINGE_FPS 100.0
#define HINGE_SWING 0.8      /* rad */

/* Two joints, hips and left_knee, over frames at 100 Hz. The knee angle is HINGE_SWING sin(2 pi t) about z, its torque
 * amplitude sin(2 pi t) N m and its power 100 sin(2 pi t) W. The caller frees the clip. */
static inline Clip hinge_clip(int frames, double amplitude)
{
    Clip c = {0};
    assert_int_equal(skeleton_init(&c.skeleton, 2, 0, NULL), STATUS_OK);
    skeleton_set_name(&c.skeleton, 0, "Hips", NULL);
    skeleton_set_name(&c.skeleton, 1, "LeftLeg", NULL);
    c.skeleton.parent[1] = 0;
    c.skeleton.role[0] = c.skeleton.segment[0] = ROLE_HIPS;
    c.skeleton.role[1] = c.skeleton.segment[1] = ROLE_LEFT_KNEE;
    assert_int_equal(motion_init(&c.motion, frames, 2, 1 / HINGE_FPS, 0, NULL), STATUS_OK);
    assert_int_equal(body_init(&c.body, 2, NULL), STATUS_OK);
    assert_int_equal(kinematics_init(&c.kinematics, frames, 2, 0, NULL), STATUS_OK);
    assert_int_equal(zeroed_dynamics(&c.dynamics, frames, 2), STATUS_OK);
    c.has_body = c.has_kinematics = c.has_dynamics = 1;
    c.body.total_mass = HINGE_MASS;
    c.body.mass[0] = 0.9 * HINGE_MASS;
    c.body.mass[1] = 0.1 * HINGE_MASS;
    clip_set_source(&c, "folder/hinge.bvh", NULL);
    clip_add_history(&c, "import --up Y", NULL);
    const double rate = 2 * PI;
    for (int f = 0; f < frames; f++) {
        double t = c.motion.time[f], s = elementary_sin(rate * t), k = elementary_cos(rate * t);
        size_t row = (size_t)f * 2;
        c.kinematics.valid[f] = 1;
        c.motion.rotation[row] = QUAT_IDENTITY;
        c.motion.rotation[row + 1] = quat_from_axis_angle(vec3(0, 0, 1), HINGE_SWING * s);
        c.kinematics.orientation[row] = quat_from_axis_angle(vec3(0, 0, 1), t);
        c.kinematics.orientation[row + 1] = quat_mul(c.kinematics.orientation[row], c.motion.rotation[row + 1]);
        /* the whole body rotates at 1 rad/s about z, which leaves relative joint motion unchanged */
        c.kinematics.angular_velocity[row] = vec3(0, 0, 1);
        c.kinematics.angular_velocity[row + 1] = vec3(0, 0, 1 + HINGE_SWING * rate * k);
        c.kinematics.angular_acceleration[row + 1] = vec3(0, 0, -HINGE_SWING * rate * rate * s);
        c.dynamics.torque[row + 1] = vec3(0, 0, amplitude * s);
        c.dynamics.power[row + 1] = 100 * s;
        c.dynamics.residual_force[f] = vec3(0, 3, 4);
        c.dynamics.residual_torque[f] = vec3(1, 2, 2);
    }
    return c;
}

#endif
