/* control/bubble_up: what acts on a body, and a body held against gravity. */
#include "tests/support/assert_near.h"

#include "analysis/clip/dynamics.h"
#include "analysis/control/bubble_up.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "tests/support/control_case.h"

/* The reactions of the joints beyond cancel: what is left on each body is its own torque. */
static void every_body_feels_its_own_torque(void **state)
{
    (void)state;
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

/* At rest inverse dynamics has nothing but gravity to hold. */
static void gravity_is_held(void **state)
{
    (void)state;
    ControlCase c;
    Chain chain[CASE_JOINTS];
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_body_feels_its_own_torque),
        cmocka_unit_test(gravity_is_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
