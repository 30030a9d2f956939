/* control/playback: errors and metrics of a pose with known deviations. */
#include "tests/support/test.h"

#include "analysis/control/tracking_error.h"
#include "tests/support/random_clip.h"

enum { JOINTS = 4, FRAMES = 20 };

/* The state rotates body 2 by 0.01 rad per frame relative to a static reference; all centres of mass are 3 cm off. */
TEST(given_deviation_has_its_error_metrics)
{
    Clip c;
    LumpedBody lumped;
    Kinematics now;
    Tracking t;
    Vec3 torque[JOINTS] = {{3, 0, 4}, {0, 0, 0}, {0, 5, 0}, {0, 0, 0}};
    assert_true(random_clip_init(&c, JOINTS, FRAMES, 81));
    for (int i = JOINTS; i < JOINTS * FRAMES; i++) {
        c.kinematics.position[i] = c.kinematics.position[i - JOINTS];
        c.kinematics.orientation[i] = c.kinematics.orientation[i - JOINTS];
        c.motion.rotation[i] = c.motion.rotation[i - JOINTS];
    }
    c.body.com[2] = vec3(0, 0, 0);
    ClipView view = {&c.skeleton, &c.body, &c.motion, &c.kinematics};
    assert_int_equal(lumped_body_init(&lumped, &view, LUMP_BY_ROLES, NULL), STATUS_OK);
    assert_int_equal(kinematics_init(&now, 1, JOINTS, 0, NULL), STATUS_OK);
    assert_int_equal(tracking_init(&t, FRAMES, JOINTS, NULL), STATUS_OK);
    assert_int_equal(tracking_add_run(&t, CONTROLLER_KANE, 0, NULL), STATUS_OK);
    TrackingRun *run = &t.run[CONTROLLER_KANE];
    for (int f = 0; f < FRAMES; f++) {
        for (int j = 0; j < JOINTS; j++) {
            now.orientation[j] = c.kinematics.orientation[j];
            now.position[j] = vec3_add(c.kinematics.position[j], vec3(0, 0.03, 0));
        }
        now.orientation[2] = quat_mul(quat_from_axis_angle(vec3(0, 1, 0), 0.01 * f), now.orientation[2]);
        tracking_error_of_frame(&lumped, &c.kinematics, &now, f, f, run);
        tracking_effort_of_frame(&lumped, torque, f, run);
    }
    TrackingSpan span = {t.frame_count, NULL};
    assert_int_equal(tracking_error_sum(&lumped, &span, &t, CONTROLLER_KANE, NULL), STATUS_OK);
    assert_near(run->orientation_error[7 * JOINTS + 2], 0.07, 1e-12);
    assert_near(run->mean_error, 0.01 * (FRAMES - 1) / 2 / JOINTS, 1e-9);
    assert_near(run->final_error, 0.01 * (FRAMES - 1) / JOINTS, 1e-9);
    /* 80 values, 19 of them nonzero: the 76th in order is the 15th of 0.01 .. 0.19 */
    assert_near(run->p95_error, 0.15, 1e-9);
    assert_near(run->mean_distance, 0.03, 1e-12);
    assert_near(run->torque_sum_mean, 10, 1e-12);
    tracking_free(&t);
    kinematics_free(&now);
    lumped_body_free(&lumped);
    clip_free(&c);
}

/* q and -q are the same orientation. */
TEST(sign_of_a_quaternion_is_no_error)
{
    Clip c;
    LumpedBody lumped;
    Tracking t;
    assert_true(random_clip_init(&c, JOINTS, 1, 82));
    ClipView view = {&c.skeleton, &c.body, &c.motion, &c.kinematics};
    assert_int_equal(lumped_body_init(&lumped, &view, LUMP_BY_ROLES, NULL), STATUS_OK);
    assert_int_equal(tracking_init(&t, 1, JOINTS, NULL), STATUS_OK);
    assert_int_equal(tracking_add_run(&t, CONTROLLER_PD, 0, NULL), STATUS_OK);
    Quat kept[JOINTS];
    Kinematics now = c.kinematics;
    now.orientation = kept;
    for (int j = 0; j < JOINTS; j++)
        kept[j] = quat_neg(c.kinematics.orientation[j]);
    tracking_error_of_frame(&lumped, &c.kinematics, &now, 0, 0, &t.run[CONTROLLER_PD]);
    for (int j = 0; j < JOINTS; j++)
        assert_near(t.run[CONTROLLER_PD].orientation_error[j], 0, 1e-7);
    tracking_free(&t);
    lumped_body_free(&lumped);
    clip_free(&c);
}
