/* Order in time with bilateral constraints (docs/sources.md, notes 0.10): halving the step divides the error by four,
 * with a connect, a weld, a joint equality, and loops of rods. */
#include "tests/support/test.h"

#include "tests/support/scene_case.h"

/* The constraints; coordinates are compared at 0.4 s. */
static const char *const scenes[] = {
    /* a rod whose end is connected to the world */
    "<mujoco><worldbody><body name=\"rod\"><freejoint/><inertial pos=\"0.3 0 0\" mass=\"1\" "
    "diaginertia=\"0.01 0.03 0.035\"/></body></worldbody><equality><connect body1=\"rod\" anchor=\"0 0 0\"/>"
    "</equality><keyframe><key qpos=\"0 0 0 1 0 0 0\" qvel=\"0 0 0 3 1 2\"/></keyframe></mujoco>",
    /* a box welded to a pendulum */
    "<mujoco><worldbody><body name=\"arm\"><joint type=\"ball\"/><inertial pos=\"0.2 0 0\" mass=\"1\" "
    "diaginertia=\"0.01 0.02 0.025\"/></body><body name=\"box\" pos=\"0.5 0 0\"><freejoint/><inertial pos=\"0 0.1 0\" "
    "mass=\"1\" diaginertia=\"0.01 0.02 0.015\"/></body></worldbody><equality><weld body1=\"arm\" body2=\"box\"/>"
    "</equality></mujoco>",
    /* two hinges with a quadratic joint equality */
    "<mujoco><worldbody><body><joint name=\"a\" axis=\"0 1 0\"/><inertial pos=\"0.3 0 0\" mass=\"1\" "
    "diaginertia=\"0.01 0.02 0.02\"/></body><body pos=\"0 1 0\"><joint name=\"b\" axis=\"0 1 0\"/><inertial "
    "pos=\"0.2 0 0\" mass=\"2\" diaginertia=\"0.01 0.02 0.02\"/></body></worldbody><equality><joint joint1=\"a\" "
    "joint2=\"b\" polycoef=\"0 0.5 0.3 0 0\"/></equality></mujoco>",
    /* a four-bar linkage */
    "<mujoco><worldbody><body name=\"crank\"><joint axis=\"0 1 0\"/><inertial pos=\"0 0 0.1\" mass=\"1\" "
    "diaginertia=\"0.01 0.01 0.01\"/><body name=\"coupler\" pos=\"0 0 0.2\"><joint axis=\"0 1 0\"/><inertial "
    "pos=\"0.25 0 0\" mass=\"1\" diaginertia=\"0.01 0.02 0.02\"/></body></body><body name=\"rocker\" pos=\"0.5 0 0\">"
    "<joint axis=\"0 1 0\"/><inertial pos=\"0 0 0.2\" mass=\"1\" diaginertia=\"0.01 0.02 0.02\"/></body></worldbody>"
    "<equality><connect body1=\"coupler\" body2=\"rocker\" anchor=\"0.5 0 0\"/></equality>"
    "<keyframe><key qvel=\"3 -3 1.5\"/></keyframe></mujoco>",
    /* two bodies on springs, at a distance fixed by a rod */
    "<mujoco><worldbody><body name=\"a\"><joint type=\"slide\" axis=\"1 0 0\" stiffness=\"40\"/>"
    "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/><body name=\"rod\"><joint axis=\"0 1 0\"/>"
    "<inertial pos=\"0.2 0 0\" mass=\"0.1\" diaginertia=\"0.001 0.002 0.002\"/></body></body>"
    "<body name=\"b\" pos=\"0.4 0 0\"><joint type=\"slide\" axis=\"0 0 1\" stiffness=\"40\"/>"
    "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/></body></worldbody>"
    "<equality><connect body1=\"rod\" body2=\"b\" anchor=\"0.4 0 0\"/></equality></mujoco>",
};

static void end_of(const char *text, double step, double *q)
{
    SceneDef def = scene_default_def();
    def.step = step;
    SceneCase c = scene_case(text, &def);
    scene_case_run(&c, 0.4);
    memcpy(q, scene_q(c.scene), (size_t)c.model->q_count * sizeof *q);
    scene_case_free(&c);
}

static double error_of(const char *text, double step, const double *exact)
{
    double q[16] = {0}, max = 0;
    end_of(text, step, q);
    for (int i = 0; i < 16; i++)
        max = fmax(max, fabs(q[i] - exact[i]));
    return max;
}

/* With the integrator selected by auto. */
TEST(constrained_scenes_converge_at_second_order)
{
    (void)state;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        double exact[16] = {0};
        end_of(scenes[i], 0.0000625, exact);
        double coarse = error_of(scenes[i], 0.002, exact), fine = error_of(scenes[i], 0.001, exact);
        assert_true(coarse < 1e-4);
        assert_true(coarse > 3.7 * fine && coarse < 4.3 * fine);
    }
}
