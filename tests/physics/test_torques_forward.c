/* Round trip: the torques of an analytic motion by inverse dynamics with exact derivatives, simulated forward in a
 * Scene on a fixed base, reproduce the motion; the error converges with the order of the integrator. */
#include "tests/support/test.h"

#include "analysis/body/body_model.h"
#include "analysis/control/body_scene.h"
#include "analysis/control/lumped_body.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "tests/support/walker.h"

typedef struct Loop {
    LumpedBody lumped;
    Motion motion;         /* one frame */
    Kinematics kinematics; /* one frame */
    Dynamics dynamics;
} Loop;

static void loop_init(Loop *l)
{
    Skeleton skeleton;
    Body body;
    Motion rest;
    BodyDef def = body_default_def();
    *l = (Loop){0};
    walker_skeleton(&skeleton);
    assert_int_equal(body_from_skeleton(&skeleton, &def, &body, NULL), STATUS_OK);
    assert_int_equal(motion_init(&rest, 1, skeleton.joint_count, 0.01, 0, NULL), STATUS_OK);
    for (int j = 0; j < skeleton.joint_count; j++)
        rest.rotation[j] = QUAT_IDENTITY;
    ClipView view = {&skeleton, &body, &rest, NULL};
    assert_int_equal(lumped_body_init(&l->lumped, &view, LUMP_BY_ROLES, NULL), STATUS_OK);
    int joints = l->lumped.skeleton.joint_count;
    assert_int_equal(joints, 17);
    assert_int_equal(motion_init(&l->motion, 1, joints, 0.01, 0, NULL), STATUS_OK);
    assert_int_equal(kinematics_init(&l->kinematics, 1, joints, 0, NULL), STATUS_OK);
    motion_free(&rest);
    body_free(&body);
    skeleton_free(&skeleton);
}

static void loop_free(Loop *l)
{
    lumped_body_free(&l->lumped);
    motion_free(&l->motion);
    kinematics_free(&l->kinematics);
    dynamics_free(&l->dynamics);
}

/* Rotation about one axis by a sum of two sines, with its exact rate and acceleration. */
typedef struct Swing {
    Vec3 axis;
    double angle, rate, acceleration;
} Swing;

static Swing swing_at(int joint, int which, double t)
{
    static const Vec3 axis[2] = {{1, 0, 0}, {0, 0.6, 0.8}};
    Swing s = {axis[which], 0, 0, 0};
    for (int k = 0; k < 2; k++) {
        double w = 2 * PI * (0.4 + 0.3 * k + 0.05 * joint), a = 0.1 / (1 + k), phase = joint + 2 * which + k;
        s.angle += a * elementary_sin(w * t + phase);
        s.rate += a * w * elementary_cos(w * t + phase);
        s.acceleration -= a * w * w * elementary_sin(w * t + phase);
    }
    return s;
}

/* q = q_1 q_2: w = w_1 + R_1 w_2, w' = w'_1 + R_1 w'_2 + w_1 x R_1 w_2; then along the tree (thesis 3.4, 3.7). */
static void pose_at(Loop *l, double t)
{
    Kinematics *k = &l->kinematics;
    for (int j = 0; j < l->motion.joint_count; j++) {
        int p = l->lumped.skeleton.parent[j];
        Swing a = swing_at(j, 0, t), b = swing_at(j, 1, t);
        if (p < 0)
            a = b = (Swing){.axis = {1, 0, 0}, .angle = 0.25 * PI};
        Quat q1 = quat_from_axis_angle(a.axis, a.angle), q = quat_mul(q1, quat_from_axis_angle(b.axis, b.angle));
        Vec3 turned = quat_rotate(q1, b.axis), w1 = vec3_scale(a.axis, a.rate), w2 = vec3_scale(turned, b.rate);
        Vec3 w = vec3_add(w1, w2), alpha = vec3_scale(a.axis, a.acceleration);
        alpha = vec3_add(vec3_mad(alpha, b.acceleration, turned), vec3_cross(w1, w2));
        l->motion.rotation[j] = k->orientation[j] = q;
        if (p < 0)
            continue;
        Vec3 spin = quat_rotate(k->orientation[p], w), up = k->angular_velocity[p];
        k->orientation[j] = quat_mul(k->orientation[p], q);
        k->angular_velocity[j] = vec3_add(up, spin);
        k->angular_acceleration[j] = vec3_add(vec3_add(k->angular_acceleration[p],
                                                       quat_rotate(k->orientation[p], alpha)), vec3_cross(up, spin));
    }
}

/* Torques at the middle of each step; returns the largest orientation error at the end, rad. */
static double play(Loop *l, IntegratorKind integrator, double duration, int steps)
{
    int joints = l->motion.joint_count;
    double h = duration / steps, largest = 0;
    BodyScene *s;
    Motion pose;
    Kinematics state;
    BodySceneDef def = body_scene_default_def();
    InverseDynamicsDef inverse = inverse_dynamics_default_def();
    def.step = h;
    def.integrator = integrator;
    def.root_is_fixed = 1;
    inverse.lanes = LANES_SCALAR;
    assert_int_equal(motion_init(&pose, 1, joints, 1, 0, NULL), STATUS_OK);
    assert_int_equal(kinematics_init(&state, 1, joints, 0, NULL), STATUS_OK);
    pose_at(l, 0);
    BodyStart start = {{0, 0, 0}, {0, 0, 0}, l->motion.rotation, l->kinematics.angular_velocity};
    assert_int_equal(body_scene_create(&l->lumped.skeleton, &l->lumped.body, &def, &start, &s, NULL), STATUS_OK);
    for (int i = 0; i < steps; i++) {
        pose_at(l, (i + 0.5) * h);
        ClipView view = {&l->lumped.skeleton, &l->lumped.body, &l->motion, &l->kinematics};
        assert_int_equal(inverse_dynamics(&view, NULL, &inverse, &l->dynamics, NULL), STATUS_OK);
        for (int j = 1; j < joints; j++)
            body_scene_apply_torque(s, j, l->dynamics.torque[j]);
        assert_int_equal(body_scene_step(s, NULL), STATUS_OK);
    }
    pose_at(l, duration);
    body_scene_read(s, 0, &pose, &state);
    for (int j = 1; j < joints; j++)
        largest = fmax(largest, 2 * vec3_norm(quat_log(quat_mul(pose.rotation[j],
                                                                quat_conjugate(l->motion.rotation[j])))));
    body_scene_destroy(s);
    motion_free(&pose);
    kinematics_free(&state);
    return largest;
}

#define DEGREE (PI / 180)

TEST(torques_reproduce_two_seconds_within_0_1_degree)
{
    Loop l;
    loop_init(&l);
    assert_true(play(&l, SCENE_VARIATIONAL, 2, 32000) < 0.1 * DEGREE);
    loop_free(&l);
}

TEST(error_decreases_with_integrator_order)
{
    Loop l;
    loop_init(&l);
    double euler = play(&l, SYMPLECTIC_EULER, 0.25, 500) / play(&l, SYMPLECTIC_EULER, 0.25, 1000);
    double second = play(&l, SCENE_VARIATIONAL, 0.25, 250) / play(&l, SCENE_VARIATIONAL, 0.25, 500);
    assert_near(euler, 2, 0.1);
    assert_near(second, 4, 0.1);
    loop_free(&l);
}
