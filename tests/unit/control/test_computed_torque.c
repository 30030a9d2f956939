/* control/computed_torque: Kane's forward dynamics gives the desired accelerations back. */
#include "tests/support/assert_near.h"

#include "analysis/control/computed_torque.h"
#include "analysis/dynamics/kane.h"
#include "tests/support/control_case.h"

static void torques_make_the_desired_accelerations(void **state)
{
    (void)state;
    enum { SPEEDS = 3 + 3 * CASE_JOINTS };
    ControlCase c;
    KaneSystem s;
    Dynamics dynamics = {0};
    Vec3 torque[CASE_JOINTS], force[CASE_JOINTS] = {{0, 0, 0}}, couple[CASE_JOINTS] = {{0, 0, 0}};
    double active[SPEEDS], inertia[SPEEDS], rate[SPEEDS];
    ComputedTorqueDef def = computed_torque_default_def();
    def.feedforward = 1;
    control_case_init(&c, 41);
    assert_int_equal(computed_torques(&c.plant, &c.desired, NULL, &def, &dynamics, torque, NULL), STATUS_OK);
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

/* alpha = kp theta + 2 sqrt(kp) (omega_d - omega) + alpha_r, each term by itself. */
static void terms_of_the_desired_acceleration(void **state)
{
    (void)state;
    ControlCase c;
    control_case_init(&c, 42);
    const Kinematics *k = &c.plant.kinematics;
    Quat wanted[CASE_JOINTS];
    Vec3 zero[CASE_JOINTS] = {{0, 0, 0}}, alpha[CASE_JOINTS], u = {0, 0.6, 0.8};
    for (int j = 0; j < CASE_JOINTS; j++) {
        wanted[j] = quat_mul(quat_from_axis_angle(u, 0.3), k->orientation[j]);
        alpha[j] = vec3(1, 2, 3);
    }
    Desired d = {wanted, k->angular_velocity, alpha, {0, 0, 0}};
    ComputedTorqueDef def = {.stiffness = 25};
    assert_vec3_near(desired_acceleration(&c.plant, &d, 4, &def), vec3_scale(u, 25 * 0.3), 1e-12);
    def.feedforward = 1;
    assert_vec3_near(desired_acceleration(&c.plant, &d, 4, &def), vec3_add(vec3_scale(u, 25 * 0.3), alpha[4]), 1e-12);
    def = (ComputedTorqueDef){.stiffness = 25, .zero_velocity = 1};
    Desired rests = {k->orientation, zero, alpha, {0, 0, 0}};
    assert_vec3_near(desired_acceleration(&c.plant, &rests, 4, &def), vec3_scale(k->angular_velocity[4], -2 * 5),
                     1e-12);
    control_case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(torques_make_the_desired_accelerations),
        cmocka_unit_test(terms_of_the_desired_acceleration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
