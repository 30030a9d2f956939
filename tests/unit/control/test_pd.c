/* control/pd: joint errors, gains, and invariance to world axes; loads on a body, and gravity compensation; stable PD
 * torques satisfy (2.8) with the resulting accelerations. */
#include "tests/support/test.h"

#include "analysis/control/pd.h"
#include "analysis/control/stable_pd.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "tests/support/control_case.h"

TEST(pd_without_error_has_no_torque)
{
    ControlCase c;
    Subtree chain[CASE_JOINTS];
    Vec3 torque[CASE_JOINTS];
    PdDef def = pd_default_def();
    control_case_init(&c, 21);
    const Kinematics *k = &c.plant.kinematics;
    Desired same = {k->orientation, k->angular_velocity, k->angular_acceleration, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    chains_find(&c.plant, chain);
    pd_torques(&c.plant, &same, chain, &def, torque);
    for (int j = 0; j < CASE_JOINTS; j++)
        assert_vec3_near(torque[j], vec3(0, 0, 0), 1e-9);
    control_case_free(&c);
}

/* 0.2 rad behind about an axis, 3 rad/s too slow: kp 0.2 + kd 3, with plain and with inertia-scaled gains. */
TEST(torque_of_a_rotation_has_its_closed_form)
{
    ControlCase c;
    Subtree chain[CASE_JOINTS];
    Vec3 torque[CASE_JOINTS], u = vec3_normalize(vec3(1, -2, 0.5));
    control_case_init(&c, 22);
    Kinematics *k = &c.plant.kinematics;
    Quat wanted[CASE_JOINTS];
    Vec3 velocity[CASE_JOINTS];
    for (int j = 0; j < CASE_JOINTS; j++) {
        wanted[j] = k->orientation[j];
        velocity[j] = k->angular_velocity[j] = vec3(0, 0, 0);
    }
    int tip = CASE_JOINTS - 1; /* no joint beyond */
    wanted[tip] = quat_mul(quat_from_axis_angle(u, 0.2), wanted[tip]);
    velocity[tip] = vec3_scale(u, 3);
    Desired desired = {wanted, velocity, velocity, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    chains_find(&c.plant, chain);
    PdDef def = {.gains = {.stiffness = 50, .damping = 4, .scale = GAINS_PLAIN}};
    pd_torques(&c.plant, &desired, chain, &def, torque);
    assert_vec3_near(torque[tip], vec3_scale(u, 50 * 0.2 + 4 * 3), 1e-11);
    def.gains.scale = GAINS_BY_INERTIA;
    pd_torques(&c.plant, &desired, chain, &def, torque);
    assert_vec3_near(torque[tip], sym3_mul(chain[tip].inertia, vec3_scale(u, 50 * 0.2 + 4 * 3)), 1e-11);
    def.zero_velocity = 1;
    pd_torques(&c.plant, &desired, chain, &def, torque);
    assert_vec3_near(torque[tip], sym3_mul(chain[tip].inertia, vec3_scale(u, 50 * 0.2)), 1e-11);
    control_case_free(&c);
}

/* kd = 2 sqrt(kp I): the discriminant of I s^2 + kd s + kp vanishes. */
TEST(default_damping_is_critical)
{
    Subtree chain = {.mass = 2, .inertia = {0.3, 0.3, 0.3, 0, 0, 0}};
    const double unit[] = {0.3, 1, 2};
    for (int scale = GAINS_BY_INERTIA; scale <= GAINS_BY_MASS; scale++) {
        Gains gains = {.stiffness = 70, .scale = (GainScale)scale};
        GainMatrices g = pd_gains(&gains, 0, &chain);
        assert_near(g.kp.xx, 70 * unit[scale], 1e-12);
        assert_near(g.kd.xx * g.kd.xx - 4 * 0.3 * g.kp.xx, 0, 1e-12);
    }
}

TEST(torques_rotate_with_the_world)
{
    ControlCase c;
    Subtree chain[CASE_JOINTS];
    Vec3 before[CASE_JOINTS], after[CASE_JOINTS];
    PdDef def = {.gains = {.stiffness = 50}, .feedforward = 1};
    Quat q = quat_from_axis_angle(vec3_normalize(vec3(1, 2, 3)), 1.1);
    control_case_init(&c, 23);
    chains_find(&c.plant, chain);
    pd_torques(&c.plant, &c.desired, chain, &def, before);
    control_case_rotate(&c, q);
    chains_find(&c.plant, chain);
    pd_torques(&c.plant, &c.desired, chain, &def, after);
    double size = 0;
    for (int j = 0; j < CASE_JOINTS; j++) {
        assert_vec3_near(after[j], quat_rotate(q, before[j]), 1e-8);
        size = fmax(size, vec3_norm(after[j]));
    }
    assert_true(size > 100);
    control_case_free(&c);
}

/* A joint with constant angle below a rotating parent has no relative acceleration. */
TEST(parent_rotation_adds_no_acceleration)
{
    ControlCase c;
    control_case_init(&c, 24);
    const int *parent = c.clip.skeleton.parent;
    int tip = CASE_JOINTS - 1;
    Vec3 *omega = c.clip.kinematics.angular_velocity + CASE_JOINTS;
    Vec3 *alpha = c.clip.kinematics.angular_acceleration + CASE_JOINTS;
    Vec3 spin = {2, 3, -1};
    omega[tip] = vec3_add(omega[parent[tip]], spin);
    alpha[tip] = vec3_add(alpha[parent[tip]], vec3_cross(omega[parent[tip]], spin));
    JointError e = joint_error_find(&c.plant, &c.desired, tip, 0);
    assert_vec3_near(e.acceleration, vec3(0, 0, 0), 1e-10);
    control_case_free(&c);
}

/* The reactions of child joints cancel: the sum on each body is its own torque. */
TEST(child_reactions_cancel_in_the_sum_on_a_body)
{
    ControlCase c;
    Random r = {3};
    Vec3 own[CASE_JOINTS], torque[CASE_JOINTS];
    control_case_init(&c, 31);
    for (int j = 0; j < CASE_JOINTS; j++)
        torque[j] = own[j] = random_vec3(&r, 10);
    bubble_up(&c.clip.skeleton, torque);
    for (int j = 0; j < CASE_JOINTS; j++) {
        Vec3 left = torque[j];
        for (int child = j + 1; child < CASE_JOINTS; child++)
            if (c.clip.skeleton.parent[child] == j)
                left = vec3_sub(left, torque[child]);
        assert_vec3_near(left, own[j], 1e-12);
    }
    control_case_free(&c);
}

/* At rest, inverse dynamics compensates only gravity. */
TEST(static_torques_compensate_gravity)
{
    ControlCase c;
    Subtree chain[CASE_JOINTS];
    Vec3 torque[CASE_JOINTS] = {{0, 0, 0}};
    Dynamics dynamics = {0};
    InverseDynamicsDef def = inverse_dynamics_default_def();
    control_case_init(&c, 32);
    Kinematics *k = &c.plant.kinematics;
    for (int j = 0; j < CASE_JOINTS; j++)
        k->angular_velocity[j] = vec3(0, 0, 0);
    chains_find(&c.plant, chain);
    gravity_compensate(&c.plant, chain, torque);
    ClipView view = {&c.clip.skeleton, &c.clip.body, &c.plant.motion, k};
    assert_int_equal(inverse_dynamics(&view, NULL, &def, &dynamics, NULL), STATUS_OK);
    double size = 0;
    for (int j = 0; j < CASE_JOINTS; j++) {
        assert_vec3_near(torque[j], dynamics.torque[j], 1e-11);
        size = fmax(size, vec3_norm(torque[j]));
    }
    assert_true(size > 1);
    dynamics_free(&dynamics);
    control_case_free(&c);
}

enum { SPEEDS = 3 + 3 * CASE_JOINTS };

/* Accelerations due to torques and a force at the root joint. */
static void accelerate(const ControlCase *c, KaneSystem *s, const Vec3 *torque, Vec3 root_force, double *rate)
{
    Vec3 force[CASE_JOINTS] = {{0, 0, 0}}, couple[CASE_JOINTS] = {{0, 0, 0}};
    double active[SPEEDS], inertia[SPEEDS];
    ClipView view = plant_view(&c->plant);
    kane_set_frame(s, &view, 0);
    kane_add_weight(s, c->plant.gravity, force);
    kane_add_joint_torques(s, torque, root_force, force, couple);
    kane_active_forces(s, force, couple, active);
    kane_inertia_forces(s, NULL, inertia);
    for (int r = 0; r < SPEEDS; r++)
        active[r] += inertia[r];
    assert_int_equal(kane_forward_dynamics(s, active, rate, NULL), STATUS_OK);
}

static Vec3 rate_of(const double *rate, int joint)
{
    return joint < 0 ? vec3(0, 0, 0) : vec3(rate[3 + 3 * joint], rate[4 + 3 * joint], rate[5 + 3 * joint]);
}

/* The root acceleration is affine in the root force: returns the force for a desired acceleration. */
static void accelerate_driven(const ControlCase *c, KaneSystem *s, const Vec3 *torque, Vec3 wanted, double *rate)
{
    double without[SPEEDS], with[SPEEDS];
    Vec3 column[3], unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    accelerate(c, s, torque, vec3(0, 0, 0), without);
    for (int i = 0; i < 3; i++) {
        accelerate(c, s, torque, unit[i], with);
        column[i] = vec3(with[0] - without[0], with[1] - without[1], with[2] - without[2]);
    }
    Vec3 b = vec3_sub(wanted, vec3(without[0], without[1], without[2]));
    double det = vec3_dot(column[0], vec3_cross(column[1], column[2]));
    Vec3 f = {vec3_dot(b, vec3_cross(column[1], column[2])) / det, vec3_dot(column[0], vec3_cross(b, column[2])) / det,
              vec3_dot(column[0], vec3_cross(column[1], b)) / det};
    accelerate(c, s, torque, f, rate);
}

TEST(stable_pd_solves_its_equation)
{
    ControlCase c;
    Subtree chain[CASE_JOINTS];
    Vec3 torque[CASE_JOINTS], root = {1, -2, 4};
    double rate[SPEEDS];
    StablePd pd;
    KaneSystem system;
    PdDef def = {.gains = {.stiffness = 2000}};
    control_case_init(&c, 51);
    c.desired.root_acceleration = root;
    chains_find(&c.plant, chain);
    assert_int_equal(stable_pd_init(&pd, CASE_JOINTS, &def, NULL), STATUS_OK);
    assert_int_equal(kane_init(&system, CASE_JOINTS, NULL), STATUS_OK);
    assert_int_equal(stable_pd_torques(&pd, &c.plant, chain, &c.desired, torque, NULL), STATUS_OK);
    accelerate_driven(&c, &system, torque, root, rate);
    for (int j = 0; j < CASE_JOINTS; j++) {
        JointError e = joint_error_find(&c.plant, &c.desired, j, 0);
        GainMatrices g = pd_gains(&def.gains, j, &chain[j]);
        Sym3 kp = g.kp, kd = g.kd;
        /* tau = kp (q_r - q - dt q') + kd (q'_r - q' - dt q'') */
        Vec3 turning = vec3_sub(rate_of(rate, j), rate_of(rate, c.clip.skeleton.parent[j]));
        Vec3 expected = vec3_add(sym3_mul(kp, vec3_mad(e.rotation, -c.plant.dt, e.spin)),
                                 sym3_mul(kd, vec3_mad(e.velocity, -c.plant.dt, turning)));
        assert_vec3_near(torque[j], expected, 1e-9 * (1 + vec3_norm(sym3_mul(kd, turning))));
    }
    stable_pd_free(&pd);
    kane_free(&system);
    control_case_free(&c);
}

TEST(body_without_inertia_is_reported)
{
    ControlCase c;
    Subtree chain[CASE_JOINTS];
    Vec3 torque[CASE_JOINTS];
    StablePd pd;
    PdDef def = pd_default_def();
    Error err = {0};
    control_case_init(&c, 52);
    int tip = CASE_JOINTS - 1;
    c.clip.body.mass[tip] = 0;
    c.clip.body.inertia[tip] = (Sym3){0};
    chains_find(&c.plant, chain);
    assert_int_equal(stable_pd_init(&pd, CASE_JOINTS, &def, NULL), STATUS_OK);
    assert_int_equal(stable_pd_torques(&pd, &c.plant, chain, &c.desired, torque, &err), STATUS_NO_RESULT);
    assert_non_null(strstr(err.text, "joint 8"));
    stable_pd_free(&pd);
    control_case_free(&c);
}
