/* control/chain: the inertia of a chain is what resists when it turns as one. */
#include "tests/support/assert_near.h"

#include "analysis/clip/dynamics.h"
#include "analysis/control/chain.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "tests/support/control_case.h"

/* Nothing turns yet; all bodies beyond a joint take the same angular acceleration: its torque is I alpha. */
static void torque_of_a_chain_that_turns_as_one(void **state)
{
    (void)state;
    ControlCase c;
    Chain chain[CASE_JOINTS];
    Dynamics dynamics = {0};
    InverseDynamicsDef def = inverse_dynamics_default_def();
    const Vec3 alpha = {3, -7, 5};
    def.gravity = vec3(0, 0, 0);
    control_case_init(&c, 11);
    Kinematics *k = &c.plant.kinematics;
    for (int j = 0; j < CASE_JOINTS; j++)
        k->angular_velocity[j] = vec3(0, 0, 0);
    chains_find(&c.plant, chain);
    for (int joint = 0; joint < CASE_JOINTS; joint++) {
        int moves[CASE_JOINTS] = {0};
        for (int j = 0; j < CASE_JOINTS; j++) {
            moves[j] = j == joint || (j > 0 && moves[c.clip.skeleton.parent[j]]);
            k->angular_acceleration[j] = moves[j] ? alpha : vec3(0, 0, 0);
        }
        ClipView view = {&c.clip.skeleton, &c.clip.body, &c.plant.motion, k};
        assert_int_equal(inverse_dynamics(&view, NULL, &def, &dynamics, NULL), STATUS_OK);
        assert_vec3_near(sym3_mul(chain[joint].inertia, alpha), dynamics.torque[joint], 1e-11);
    }
    dynamics_free(&dynamics);
    control_case_free(&c);
}

static void the_root_moves_everything(void **state)
{
    (void)state;
    ControlCase c;
    Chain chain[CASE_JOINTS];
    control_case_init(&c, 12);
    chains_find(&c.plant, chain);
    assert_near(chain[0].mass, c.clip.body.total_mass, 1e-12);
    control_case_free(&c);
}

/* A massless body has no COM to divide by. */
static void a_tip_without_mass_changes_nothing(void **state)
{
    (void)state;
    ControlCase c;
    Chain with[CASE_JOINTS], without[CASE_JOINTS];
    control_case_init(&c, 13);
    int tip = CASE_JOINTS - 1;
    c.clip.body.mass[tip] = 1e-30;
    c.clip.body.inertia[tip] = (Sym3){0};
    chains_find(&c.plant, with);
    c.clip.body.mass[tip] = 0;
    chains_find(&c.plant, without);
    assert_near(without[tip].mass, 0, 0);
    for (int j = 0; j < CASE_JOINTS; j++) {
        assert_near(without[j].inertia.xx, with[j].inertia.xx, 1e-12);
        assert_vec3_near(without[j].moment, with[j].moment, 1e-12);
    }
    control_case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(torque_of_a_chain_that_turns_as_one),
        cmocka_unit_test(the_root_moves_everything),
        cmocka_unit_test(a_tip_without_mass_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
