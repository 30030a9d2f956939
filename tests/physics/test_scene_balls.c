/* Ball joints of scenes by roll, pitch and yaw (docs/sources.md, notes 0.4): actuators against closed forms, limits by
 * overshoot; a hinge at its limit. */
#include "analysis/signal/spring.h"
#include "tests/support/test.h"

#include "analysis/math/elementary.h"
#include "tests/support/scene_case.h"

#define BALL(gravity, com) "<mujoco><option gravity=\"0 0 " gravity "\" timestep=\"0.001\"/><worldbody>" \
    "<body name=\"b\" quat=\"0.8 0.6 0 0\"><joint name=\"j\" type=\"ball\"/><inertial pos=\"" com "\" mass=\"2\" " \
    "diaginertia=\"0.3 0.4 0.5\"/></body></worldbody></mujoco>"

static SceneCase driven(const SceneController *drive, int count, double ratio)
{
    SceneDef def = scene_default_def();
    def.controller = drive;
    def.controller_count = count;
    def.damping_ratio = ratio;
    return scene_case(BALL("0", "0 0 0"), &def);
}

/* For rotation about one axis the angle is a damped spring with the inertia about that axis. */
TEST(angle_drive_is_a_damped_spring)
{
    const double inertia[] = {0.5, 0.4, 0.3}; /* about z, y, x */
    (void)state;
    for (int i = 0; i < 3; i++) {
        SceneController drive = {.joint = 0, .stiffness = 60, .driven = DRIVEN_ROLL + i, .target = 0.4};
        SceneCase c = driven(&drive, 1, 0.5);
        SpringStep exact = spring_step(sqrt(60 / inertia[i]), 0.5, 0.3);
        double x = 0, v = 0, position;
        Vec3 effort;
        spring_advance(&exact, 0.4, &x, &v);
        scene_case_run(&c, 0.3);
        scene_drive_state(c.scene, 0, &position, &effort);
        assert_near(position, x, 1e-5);
        assert_near(scene_v(c.scene)[2 - i], v, 1e-4);
        double damping = 2 * 0.5 * sqrt(60 * inertia[i]);
        assert_near(vec3_component(effort, 2 - i), 60 * (0.4 - position) - damping * scene_v(c.scene)[2 - i], 1e-9);
        scene_case_free(&c);
    }
}

/* From 3 rad to -3 rad is 0.28 rad. */
TEST(angle_drive_rotates_in_the_shorter_direction)
{
    SceneController drive = {.joint = 0, .stiffness = 60, .damping = 5, .driven = DRIVEN_ROLL, .target = -3};
    SceneCase c = driven(&drive, 1, 0);
    double q[4] = {cos(1.5), 0, 0, sin(1.5)}, position;
    Vec3 effort;
    (void)state;
    scene_set_state(c.scene, q, NULL, NULL);
    scene_drive_state(c.scene, 0, &position, &effort);
    assert_near(effort.z, 60 * (2 * PI - 6), 1e-12);
    scene_case_run(&c, 3);
    scene_drive_state(c.scene, 0, &position, &effort);
    assert_near(position, -3, 1e-6);
    scene_case_free(&c);
}

/* Three actuators, one per angle, maintain their target pose, and so does one for the whole rotation. */
TEST(drives_reach_their_targets)
{
    RollPitchYaw pose = {0.5, -0.7, 0.9};
    Quat rotation = roll_pitch_yaw_to_quat(pose);
    SceneController angle[3], whole = {.joint = 0, .stiffness = 60, .damping = 8, .driven = DRIVEN_ROTATION,
                                       .rotation = rotation};
    const double target[] = {pose.roll, pose.pitch, pose.yaw};
    (void)state;
    for (int i = 0; i < 3; i++)
        angle[i] = (SceneController){.joint = 0, .stiffness = 60, .damping = 8, .driven = DRIVEN_ROLL + i,
                                     .target = target[i]};
    for (int way = 0; way < 2; way++) {
        SceneCase c = driven(way ? &whole : angle, way ? 1 : 3, 0);
        double position;
        Vec3 effort;
        scene_drive_state(c.scene, 0, &position, &effort);
        if (way) {
            assert_near(position, 2 * vec3_norm(quat_log(rotation)), 1e-12);
            assert_vec3_near(effort, vec3_scale(quat_log(rotation), 120), 1e-12);
        }
        scene_case_run(&c, 8);
        const double *q = scene_q(c.scene);
        assert_near(fabs(quat_dot((Quat){q[0], q[1], q[2], q[3]}, rotation)), 1, 1e-9);
        scene_case_free(&c);
    }
}

/* Overshoot of the pitch limit while a heavy arm swings along it, rad. */
static double farthest(double step, IntegratorKind kind)
{
    SceneAngleLimits limits = {0, 0, {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, 0.4, INFINITY},
                                      QUAT_IDENTITY, QUAT_IDENTITY}};
    SceneDef def = scene_default_def();
    def.step = step;
    def.integrator = kind;
    def.angle_limits = &limits;
    def.angle_limit_count = 1;
    SceneCase c = scene_case("<mujoco><worldbody><body><joint type=\"ball\"/><inertial pos=\"0.5 0 0\" mass=\"2\" "
                             "diaginertia=\"0.01 0.02 0.03\"/></body></worldbody></mujoco>", &def);
    double v[3] = {0.4, 0, 2}, max = 0;
    scene_set_state(c.scene, NULL, v, NULL);
    for (int k = 0; k < lround(1.5 / step); k++) {
        const double *q = scene_q(c.scene);
        assert_int_equal(scene_step(c.scene, NULL), STATUS_OK);
        double beyond = roll_pitch_yaw_from_quat((Quat){q[0], q[1], q[2], q[3]}).pitch - 0.4;
        max = fmax(max, k * step > 0.7 ? fabs(beyond) : beyond);
    }
    scene_case_free(&c);
    return max;
}

/* The direction of the limit's row changes within a step: with its derivative the error is of third order in the
 * step. */
TEST(limit_row_derivative_gives_third_order_error)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        IntegratorKind kind = i ? SYMPLECTIC_EULER : SCENE_INTEGRATOR_AUTO;
        double coarse = farthest(0.004, kind), fine = farthest(0.002, kind);
        assert_true(coarse < 1e-6);
        assert_true(fine < coarse / 5 || fine < 1e-9);
    }
}

/* A free body with a connect stops at an angle limit like a ball joint. */
TEST(limit_of_a_connected_body_does_not_rebound)
{
    SceneAngleLimits limits = {0, 0, {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, 0.4, INFINITY},
                                      QUAT_IDENTITY, QUAT_IDENTITY}};
    SceneDef def = scene_default_def();
    def.step = 0.002;
    def.angle_limits = &limits;
    def.angle_limit_count = 1;
    SceneCase c = scene_case("<mujoco><option gravity=\"0 0 0\"/><worldbody><body name=\"b\"><freejoint/><inertial "
                             "pos=\"0 0 0\" mass=\"2\" diaginertia=\"0.01 0.02 0.03\"/></body></worldbody><equality>"
                             "<connect body1=\"b\" anchor=\"0 0 0\"/></equality></mujoco>", &def);
    double v[6] = {0, 0, 0, 0, 2, 0};
    scene_set_state(c.scene, NULL, v, NULL);
    scene_case_run(&c, 0.19);
    assert_near(scene_v(c.scene)[4], 2, 1e-9);
    scene_case_run(&c, 0.11);
    assert_near(scene_v(c.scene)[4], 0, 1e-6);
    scene_case_free(&c);
}

/* A limit stops a hinge during a motion and releases it: both ends of the step account for the active limit. */
TEST(hinge_separates_from_its_limit)
{
    const char *text =
        "<mujoco><compiler angle=\"radian\"/><worldbody><body><joint axis=\"0 1 0\" range=\"-1 2\" limited=\"true\"/>"
        "<inertial pos=\"0.15 0 0\" mass=\"2\" diaginertia=\"0.01 0.02 0.02\"/><body pos=\"0.3 0 0\"><joint "
        "axis=\"0 1 0\" armature=\"0.05\"/><inertial pos=\"0.12 0 0\" mass=\"1\" diaginertia=\"0.005 0.01 0.01\"/>"
        "</body></body></worldbody><keyframe><key qpos=\"0.3 0.5\" qvel=\"1 -2\"/></keyframe></mujoco>";
    double angle[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        SceneDef def = scene_default_def();
        def.step = i ? 1e-5 : 1e-3;
        def.integrator = i ? SYMPLECTIC_EULER : SCENE_INTEGRATOR_AUTO;
        SceneCase c = scene_case(text, &def);
        scene_case_run(&c, 0.5);
        angle[i] = scene_q(c.scene)[0];
        scene_case_free(&c);
    }
    assert_true(angle[1] < 1.97);
    assert_near(angle[0], angle[1], 2e-3);
}
