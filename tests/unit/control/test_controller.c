/* control/controller: forward dynamics (Kane's method) reproduces the accelerations behind computed torques; each
 * controller equals the sum of its terms. */
#include "tests/support/test.h"

#include "analysis/control/computed_torque.h"
#include "analysis/control/controller.h"
#include "analysis/control/pd.h"
#include "analysis/dynamics/kane_method.h"
#include "tests/support/control_case.h"

TEST(torques_produce_the_desired_accelerations)
{
    enum { SPEEDS = 3 + 3 * CASE_JOINTS };
    ControlCase c;
    KaneSystem s;
    Dynamics dynamics = {0};
    Vec3 torque[CASE_JOINTS], force[CASE_JOINTS] = {{0, 0, 0}}, couple[CASE_JOINTS] = {{0, 0, 0}};
    double active[SPEEDS], inertia[SPEEDS], rate[SPEEDS];
    ComputedTorqueDef def = computed_torque_default_def();
    def.feedforward = 1;
    control_case_init(&c, 41);
    assert_int_equal(computed_torques(&c.plant, &c.desired, &def, &dynamics, torque, NULL), STATUS_OK);
    assert_int_equal(kane_init(&s, CASE_JOINTS, NULL), STATUS_OK);
    ClipView view = plant_view(&c.plant);
    kane_set_frame(&s, &view, 0);
    kane_add_weight(&s, c.plant.gravity, force);
    kane_add_joint_torques(&s, torque, dynamics.residual_force[0], force, couple);
    kane_active_forces(&s, force, couple, active);
    kane_inertia_forces(&s, NULL, inertia);
    for (int r = 0; r < SPEEDS; r++)
        active[r] += inertia[r];
    assert_int_equal(kane_forward_dynamics(&s, active, rate, NULL), STATUS_OK);
    assert_vec3_near(vec3(rate[0], rate[1], rate[2]), c.desired.root_acceleration, 1e-7);
    for (int j = 0; j < CASE_JOINTS; j++) {
        Vec3 wanted = desired_acceleration(&c.plant, &c.desired, j, &def);
        assert_vec3_near(vec3(rate[3 + 3 * j], rate[4 + 3 * j], rate[5 + 3 * j]), wanted, 1e-7);
    }
    kane_free(&s);
    dynamics_free(&dynamics);
    control_case_free(&c);
}

/* alpha = kp theta + 2 sqrt(kp) (omega_d - omega) + alpha_r, each term separately. */
TEST(desired_acceleration_has_its_terms)
{
    ControlCase c;
    control_case_init(&c, 42);
    const Kinematics *k = &c.plant.kinematics;
    Quat wanted[CASE_JOINTS];
    Vec3 zero[CASE_JOINTS] = {{0, 0, 0}}, alpha[CASE_JOINTS], u = {0, 0.6, 0.8};
    for (int j = 0; j < CASE_JOINTS; j++) {
        wanted[j] = quat_mul(quat_from_axis_angle(u, 0.3), k->orientation[j]);
        alpha[j] = vec3(1, 2, 3);
    }
    Desired d = {wanted, k->angular_velocity, alpha, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    ComputedTorqueDef def = {.gains.stiffness = 25};
    assert_vec3_near(desired_acceleration(&c.plant, &d, 4, &def), vec3_scale(u, 25 * 0.3), 1e-12);
    def.feedforward = 1;
    assert_vec3_near(desired_acceleration(&c.plant, &d, 4, &def), vec3_add(vec3_scale(u, 25 * 0.3), alpha[4]), 1e-12);
    def = (ComputedTorqueDef){.gains.stiffness = 25, .zero_velocity = 1};
    Desired rests = {k->orientation, zero, alpha, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    assert_vec3_near(desired_acceleration(&c.plant, &rests, 4, &def), vec3_scale(k->angular_velocity[4], -2 * 5),
                     1e-12);
    control_case_free(&c);
}

static void torques_of(ControlCase *c, ControllerKind kind, Vec3 *torque)
{
    Controller controller;
    ControllerDef def = controller_default_def();
    def.kind = kind;
    assert_int_equal(controller_init(&controller, CASE_JOINTS, &def, NULL), STATUS_OK);
    assert_int_equal(controller_torques(&controller, &c->plant, &c->desired, &c->desired, torque, NULL), STATUS_OK);
    controller_free(&controller);
}

TEST(bubble_up_is_pd_with_two_additional_terms)
{
    ControlCase c;
    Subtree chain[CASE_JOINTS];
    Vec3 expected[CASE_JOINTS], actual[CASE_JOINTS];
    control_case_init(&c, 61);
    torques_of(&c, CONTROLLER_PD, expected);
    chains_find(&c.plant, chain);
    bubble_up(&c.clip.skeleton, expected);
    gravity_compensate(&c.plant, chain, expected);
    torques_of(&c, CONTROLLER_BUBBLE_UP, actual);
    for (int j = 0; j < CASE_JOINTS; j++)
        assert_vec3_near(actual[j], expected[j], 0);
    control_case_free(&c);
}

static void set_loads(ControlCase *c)
{
    for (int j = 1; j < CASE_JOINTS; j++) {
        c->plant.loads.force[j] = vec3(20 + j, 300 - 10 * j, -15 * j);
        c->plant.loads.moment[j] = vec3(3 * j, -4, 40 - j);
    }
}

/* Joint torques of the loads are the difference of inverse dynamics with and without them. */
TEST(every_controller_compensates_given_loads)
{
    ControlCase c;
    control_case_init(&c, 65);
    for (int kind = 0; kind < CONTROLLER_COUNT; kind++) {
        Vec3 bare[CASE_JOINTS], loaded[CASE_JOINTS], borne[CASE_JOINTS] = {{0, 0, 0}};
        for (int j = 0; j < CASE_JOINTS; j++)
            c.plant.loads.force[j] = c.plant.loads.moment[j] = vec3(0, 0, 0);
        torques_of(&c, (ControllerKind)kind, bare);
        set_loads(&c);
        torques_of(&c, (ControllerKind)kind, loaded);
        loads_compensate(&c.plant, borne);
        assert_true(vec3_norm(borne[0]) > 10);
        int is_stable = kind == CONTROLLER_STABLE_PD || kind == CONTROLLER_PD_INVERSE;
        for (int j = 0; !is_stable && j < CASE_JOINTS; j++)
            assert_vec3_near(vec3_sub(loaded[j], bare[j]), borne[j], 1e-8);
        for (int j = 1; is_stable && j < CASE_JOINTS; j++) /* minus the damping torque */
            assert_true(vec3_norm(vec3_sub(loaded[j], bare[j])) > 0.05 * vec3_norm(borne[j]));
    }
    control_case_free(&c);
}

/* At leaf joints, feedforward adds the reference's relative acceleration times the inertia. */
TEST(feedforward_adds_the_acceleration)
{
    ControlCase c;
    Subtree chain[CASE_JOINTS];
    Vec3 without[CASE_JOINTS], with[CASE_JOINTS];
    control_case_init(&c, 62);
    chains_find(&c.plant, chain);
    torques_of(&c, CONTROLLER_PD, without);
    torques_of(&c, CONTROLLER_PD_FEEDFORWARD, with);
    int tip = CASE_JOINTS - 1;
    JointError e = joint_error_find(&c.plant, &c.desired, tip, 0);
    assert_vec3_near(vec3_sub(with[tip], without[tip]), sym3_mul(chain[tip].inertia, e.acceleration), 1e-9);
    assert_true(vec3_norm(vec3_sub(with[tip], without[tip])) > 0.1);
    control_case_free(&c);
}

TEST(stable_pd_with_small_step_equals_pd)
{
    ControlCase c;
    Vec3 stable[CASE_JOINTS], plain[CASE_JOINTS];
    control_case_init(&c, 63);
    c.plant.dt = 1e-9;
    torques_of(&c, CONTROLLER_PD, plain);
    torques_of(&c, CONTROLLER_STABLE_PD, stable);
    for (int j = 0; j < CASE_JOINTS; j++)
        assert_vec3_near(stable[j], plain[j], 1e-5 * (1 + vec3_norm(plain[j])));
    control_case_free(&c);
}

/* Stable PD uses the reference at the end of the step, with the root's acceleration over the step. */
TEST(stable_pd_aims_at_the_end_of_the_step)
{
    ControlCase c;
    Controller controller;
    StablePd pd;
    Subtree chain[CASE_JOINTS];
    Quat wanted[CASE_JOINTS];
    Vec3 expected[CASE_JOINTS], actual[CASE_JOINTS];
    ControllerDef def = {.kind = CONTROLLER_STABLE_PD, .gains.stiffness = 200};
    PdDef pd_def = {.gains.stiffness = 200};
    control_case_init(&c, 64);
    for (int j = 0; j < CASE_JOINTS; j++)
        wanted[j] = quat_mul(quat_from_axis_angle(vec3(0, 0.6, 0.8), 0.4), c.desired.orientation[j]);
    Desired next = c.desired, aim;
    next.orientation = wanted;
    next.root_acceleration = vec3(1e3, 1e3, 1e3); /* of another step */
    aim = next;
    aim.root_acceleration = c.desired.root_acceleration;
    chains_find(&c.plant, chain);
    assert_int_equal(stable_pd_init(&pd, CASE_JOINTS, &pd_def, NULL), STATUS_OK);
    assert_int_equal(stable_pd_torques(&pd, &c.plant, chain, &aim, expected, NULL), STATUS_OK);
    assert_int_equal(controller_init(&controller, CASE_JOINTS, &def, NULL), STATUS_OK);
    assert_int_equal(controller_torques(&controller, &c.plant, &c.desired, &next, actual, NULL), STATUS_OK);
    for (int j = 0; j < CASE_JOINTS; j++)
        assert_vec3_near(actual[j], expected[j], 1e-12 * (1 + vec3_norm(expected[j])));
    controller_free(&controller);
    stable_pd_free(&pd);
    control_case_free(&c);
}

TEST(stiffness_of_zero_is_refused)
{
    Controller controller;
    ControllerDef def = controller_default_def();
    def.gains.stiffness = 0;
    assert_int_equal(controller_init(&controller, 3, &def, NULL), STATUS_USAGE);
}
