/* control/controller: every kind gives what its parts give. */
#include "tests/support/assert_near.h"

#include "analysis/control/bubble_up.h"
#include "analysis/control/controller.h"
#include "tests/support/control_case.h"

static void torques_of(ControlCase *c, ControllerKind kind, Vec3 *torque)
{
    Controller controller;
    ControllerDef def = controller_default_def();
    def.kind = kind;
    assert_int_equal(controller_init(&controller, CASE_JOINTS, &def, NULL), STATUS_OK);
    assert_int_equal(controller_torques(&controller, &c->plant, &c->desired, &c->desired, torque, NULL), STATUS_OK);
    controller_free(&controller);
}

static void bubble_up_is_pd_with_its_two_additions(void **state)
{
    (void)state;
    ControlCase c;
    Chain chain[CASE_JOINTS];
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

/* At the tips feedforward adds the reference's relative acceleration times the inertia. */
static void feedforward_adds_the_acceleration(void **state)
{
    (void)state;
    ControlCase c;
    Chain chain[CASE_JOINTS];
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

static void a_small_step_makes_stable_pd_a_pd(void **state)
{
    (void)state;
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

static void a_stiffness_of_zero_is_refused(void **state)
{
    (void)state;
    Controller controller;
    ControllerDef def = controller_default_def();
    def.stiffness = 0;
    assert_int_equal(controller_init(&controller, 3, &def, NULL), STATUS_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bubble_up_is_pd_with_its_two_additions),
        cmocka_unit_test(feedforward_adds_the_acceleration),
        cmocka_unit_test(a_small_step_makes_stable_pd_a_pd),
        cmocka_unit_test(a_stiffness_of_zero_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
