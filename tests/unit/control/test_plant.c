/* control/pd: initial state of a controller: a body at rest, its weight, and space for one frame; the inertia of a
 * chain that rotates as one body. */
#include "tests/support/test.h"

#include "analysis/base/standard_gravity.h"
#include "analysis/control/two_links.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "tests/support/control_case.h"

/* Two horizontal links under gravity: the plant's state is valid input for inverse dynamics, and the hinge torques are
 * m g l / 2 and m g (l / 2 + 3 l / 2). */
TEST(static_links_have_gravity_torques)
{
    Clip clip;
    ControlPlant plant;
    Dynamics dynamics = {0};
    InverseDynamicsDef def = inverse_dynamics_default_def();
    assert_int_equal(two_links_clip(TWO_LINKS_STEADY, 1, 0.01, &clip, NULL), STATUS_OK);
    assert_int_equal(plant_init(&plant, &clip.skeleton, &clip.body, 0.02, NULL), STATUS_OK);
    assert_near(plant.dt, 0.02, 0);
    assert_ptr_equal(plant.body, &clip.body);
    assert_int_equal(plant.motion.frame_count, 1);
    assert_int_equal(plant.kinematics.joint_count, 2);
    for (int j = 0; j < 2; j++) {
        assert_vec3_near(plant.kinematics.angular_velocity[j], vec3(0, 0, 0), 0);
        assert_near(plant.motion.rotation[j].w, 1, 0);
        assert_near(plant.kinematics.orientation[j].w, 1, 0);
    }
    plant.kinematics.position[1] = vec3(TWO_LINKS_LENGTH, 0, 0);
    def.gravity = plant.gravity;
    ClipView view = {plant.skeleton, plant.body, &plant.motion, &plant.kinematics};
    assert_int_equal(inverse_dynamics(&view, NULL, &def, &dynamics, NULL), STATUS_OK);
    double moment = TWO_LINKS_MASS * GRAVITY * TWO_LINKS_LENGTH / 2;
    assert_vec3_near(dynamics.torque[1], vec3(0, 0, moment), 1e-12);
    assert_vec3_near(dynamics.torque[0], vec3(0, 0, 4 * moment), 1e-12);
    dynamics_free(&dynamics);
    plant_free(&plant);
    clip_free(&clip);
}

TEST(body_larger_than_memory_is_refused)
{
    ControlPlant plant;
    Skeleton endless = {.joint_count = -1};
    Body body = {.joint_count = -1};
    Error err = {0};
    assert_int_not_equal(plant_init(&plant, &endless, &body, 0.01, &err), STATUS_OK);
    assert_true(err.text[0] != 0);
    assert_null(plant.motion.rotation);
    assert_null(plant.kinematics.orientation);
    plant_free(NULL);
}

/* At zero velocity, all bodies below a joint have the same angular acceleration: its torque is I alpha. */
TEST(chain_torque_is_inertia_times_acceleration)
{
    ControlCase c;
    Subtree chain[CASE_JOINTS];
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

TEST(root_subtree_has_the_total_mass)
{
    ControlCase c;
    Subtree chain[CASE_JOINTS];
    control_case_init(&c, 12);
    chains_find(&c.plant, chain);
    assert_near(chain[0].mass, c.clip.body.total_mass, 1e-12);
    control_case_free(&c);
}

/* A massless body has no centre of mass to divide by. */
TEST(massless_tip_has_no_effect)
{
    ControlCase c;
    Subtree with[CASE_JOINTS], without[CASE_JOINTS];
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
