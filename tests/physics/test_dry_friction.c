/* Dry friction in joints (frictionloss): closed forms of a slide and a hinge, with each integrator and solver; a
 * pendulum and an arm against mj_step. */
#include "tests/support/test.h"

#include "tests/support/mujoco_text.h"
#include "tests/support/scene_case.h"

#define SLIDE(friction) "<mujoco><option timestep=\"0.002\"/><worldbody><body name=\"b\" pos=\"0 0 1\">" \
    "<joint type=\"slide\" axis=\"0 0 1\" frictionloss=\"" friction "\"/><geom size=\".05\" mass=\"2\"/></body>" \
    "</worldbody></mujoco>"
#define SPIN "<mujoco><option timestep=\"0.002\" gravity=\"0 0 0\"/><worldbody><body><joint axis=\"0 0 1\" " \
    "frictionloss=\"0.3\"/><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\".1 .1 .1\"/></body></worldbody>" \
    "<keyframe><key qvel=\"1.5\"/></keyframe></mujoco>"

static void each_method(void (*check)(const SceneDef *def))
{
    static const int integrators[] = {SYMPLECTIC_EULER, IMPLICIT_EULER, BRIDSON_MARINO, SCENE_VARIATIONAL};
    for (size_t k = 0; k < sizeof integrators / sizeof *integrators; k++)
        for (int f = 0; f < FRICTION_MODEL_COUNT; f++) {
            SceneDef def = scene_default_def();
            def.integrator = (IntegratorKind)integrators[k];
            def.friction_model = (FrictionModel)f;
            check(&def);
        }
}

/* 2 kg under 9.81: it falls with g - f / m, or stays if friction exceeds its weight. */
static void check_slide(const SceneDef *def)
{
    SceneCase c = scene_case(SLIDE("8"), def), held = scene_case(SLIDE("20"), def);
    scene_case_run(&c, 0.5);
    assert_near(scene_v(c.scene)[0], -0.5 * (9.81 - 4), 1e-9);
    scene_case_run(&held, 1);
    assert_near(scene_q(held.scene)[0], 0, 1e-8);
    assert_near(scene_v(held.scene)[0], 0, 1e-8);
    scene_case_free(&c);
    scene_case_free(&held);
}

TEST(dry_friction_stops_a_slide) { each_method(check_slide); }

/* 1.5 rad/s stops after I w / f = 0.5 s and I w^2 / 2 f = 0.375 rad, and stays there. */
static void check_spin(const SceneDef *def)
{
    SceneCase c = scene_case(SPIN, def);
    scene_case_run(&c, 0.25);
    assert_near(scene_v(c.scene)[0], 0.75, 1e-6);
    scene_case_run(&c, 0.75);
    assert_near(scene_v(c.scene)[0], 0, 1e-6);
    assert_near(scene_q(c.scene)[0], 0.375, 0.002);
    scene_case_free(&c);
}

TEST(dry_friction_stops_a_hinge) { each_method(check_spin); }

#define ARM "<mujoco><compiler autolimits=\"true\"/><option timestep=\"0.001\"/><worldbody><body><joint name=\"a\" " \
    "axis=\"0 1 0\" frictionloss=\"0.4\" damping=\"0.05\"/><geom type=\"capsule\" fromto=\"0 0 0 .4 0 0\" " \
    "size=\".03\"/><body pos=\".4 0 0\"><joint name=\"b\" axis=\"0 1 0\" frictionloss=\"0.15\" armature=\"0.01\"/>" \
    "<geom type=\"capsule\" fromto=\"0 0 0 .3 0 0\" size=\".02\"/></body></body></worldbody></mujoco>"

/* MuJoCo's friction is soft, so the arms agree within a fraction of their path. */
TEST(arm_agrees_with_mujoco)
{
    mjModel *m = mujoco_read(ARM);
    mjData *d = mj_makeData(m);
    SceneCase c = scene_case(ARM, NULL);
    for (int k = 0; k < 8; k++) {
        scene_case_run(&c, 0.1);
        for (int i = 0; i < 100; i++)
            mj_step(m, d);
        for (int i = 0; i < 2; i++)
            assert_near(scene_q(c.scene)[i], d->qpos[i], 0.02);
    }
    assert_true(fabs(d->qpos[0]) > 0.5);
    scene_case_free(&c);
    mj_deleteData(d);
    mj_deleteModel(m);
}

/* A joint that is also fixed by a weld, and one with a limit: redundant rows. */
TEST(friction_with_redundant_constraints_is_solved)
{
    SceneCase c = scene_case("<mujoco><compiler autolimits=\"true\"/><worldbody><body name=\"b\"><joint axis=\"0 1 0\" "
                             "frictionloss=\"3\" range=\"-10 10\"/><geom pos=\".2 0 0\" size=\".05\"/></body><body "
                             "name=\"c\"><joint axis=\"0 1 0\" frictionloss=\"0.1\" range=\"-10 10\"/><geom "
                             "pos=\".2 0 0\" size=\".05\"/></body></worldbody><equality><weld body1=\"b\"/></equality>"
                             "</mujoco>", NULL);
    scene_case_run(&c, 1);
    assert_near(scene_q(c.scene)[0], 0, 1e-6);
    assert_near(scene_q(c.scene)[1], 10 * 3.141592653589793 / 180, 1e-3);
    scene_case_free(&c);
}
