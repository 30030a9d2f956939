/* Energy of scenes with springs, tendons and particles in closed form, its conservation by `auto` with constraints, and
 * diverging scenes. */
#include "tests/support/test.h"

#include <stdio.h>

#include "analysis/math/elementary.h"
#include "tests/support/scene_case.h"

static double total(const SceneCase *c)
{
    SceneEnergy e = scene_energy(c->scene);
    return e.kinetic + e.potential + e.springs;
}

#define BALL "<body name=\"ball\"><freejoint/><inertial pos=\"0 0 0\" mass=\"2\" diaginertia=\"1 1 1\"/></body>"

#define PLAIN {0, 0, 0}, {0, 0, 0}, 0, NULL /* no rotated frames, no law */

/* A bushing of both kinds, an axial spring and a tendon of two segments, each at its closed form. */
TEST(energy_includes_springs)
{
    SpringElement element[] = {
        {"a", SPRING_AXIAL, SPRING_WORLD, 1, {0, 0, 2}, {0, 0, 0}, 100, 0, 0.5, PLAIN},
        {"b", SPRING_TRANSLATION, SPRING_WORLD, 1, {0, 0.3, 0}, {0, 0, 0}, 50, 0, 0, PLAIN},
        {"c", SPRING_TURNING, SPRING_WORLD, 1, {0, 0, 0}, {0, 0, 0}, 20, 0, 0, PLAIN},
        {"d", SPRING_PATH, SPRING_WORLD, 1, {1, 0, 0}, {0, 0, 0}, 40, 0, 1.5, PLAIN},
        {"d", SPRING_PATH, 1, SPRING_WORLD, {0, 0, 0}, {-1, 0, 0}, 40, 0, 1.5, PLAIN},
    };
    Springs springs = {5, element};
    SceneDef def = scene_default_def();
    def.springs = &springs;
    def.step = 5e-4;
    SceneCase c = scene_case("<mujoco><worldbody>" BALL "</worldbody><keyframe><key "
                             "qpos=\"0 0 0 0.95533648912560598 0.29552020666133955 0 0\"/></keyframe></mujoco>", &def);
    double start = 0.5 * 100 * 1.5 * 1.5 + 0.5 * 50 * 0.09 + 0.5 * 20 * 0.36 + 0.5 * 40 * 0.25;
    assert_near(scene_energy(c.scene).springs, start, 1e-9);
    double before = total(&c), max = 0;
    for (int k = 0; k < 20; k++) {
        scene_case_run(&c, 0.1);
        assert_near(total(&c), before, 2e-3 * start);
        max = fmax(max, scene_energy(c.scene).kinetic);
    }
    assert_true(max > 0.3 * start);
    scene_case_free(&c);
}

/* Energy lost or gained relative to the largest kinetic energy. */
static double lost_share(const char *text, double step, double duration)
{
    SceneDef def = scene_default_def();
    def.step = step;
    SceneCase c = scene_case(text, &def);
    double before = total(&c), max = 0;
    for (int k = 0; k < 50; k++) {
        scene_case_run(&c, duration / 50);
        max = fmax(max, scene_energy(c.scene).kinetic);
    }
    double share = fabs(total(&c) - before) / max;
    scene_case_free(&c);
    return share;
}

#define ROD "<geom type=\"capsule\" fromto=\"0 0 0 1 0 0\" size=\"0.02\" mass=\"1\" contype=\"0\"/>"

TEST(auto_integrator_keeps_equality_constraints)
{
    const char *rod = "<mujoco><worldbody><body name=\"rod\"><freejoint/>" ROD "</body></worldbody>"
                      "<equality><connect body1=\"rod\" anchor=\"0 0 0\"/></equality></mujoco>";
    const char *loop = "<mujoco><default><joint axis=\"0 1 0\"/></default><worldbody><body name=\"a\"><joint/>" ROD
        "<body name=\"b\" pos=\"1 0 0\" euler=\"0 90 0\"><joint/>" ROD "<body name=\"c\" pos=\"1 0 0\" "
        "euler=\"0 90 0\"><joint/>" ROD "</body></body></body></worldbody><equality><connect body1=\"c\" "
        "anchor=\"1 0 0\"/></equality><keyframe><key qvel=\"2 -2 2\"/></keyframe></mujoco>";
    const char *welded = "<mujoco><worldbody><body name=\"a\"><joint axis=\"0 1 0\"/>" ROD "</body>"
        "<body name=\"b\" pos=\"1 0 0\"><freejoint/>" ROD "</body></worldbody><equality><weld body1=\"a\" body2=\"b\"/>"
        "</equality></mujoco>";
    assert_near(lost_share(rod, 0.005, 2), 0, 5e-3);
    assert_near(lost_share(loop, 0.002, 5), 0, 5e-3);
    assert_near(lost_share(welded, 0.005, 2), 0, 5e-3);
}

/* A slide on a spring of 1e7 N/m with steps of 10 ms: an error with body and time, and the scene is unchanged. */
TEST(divergence_reports_body_and_time)
{
    const char *text = "<mujoco><option timestep=\"0.01\"/><worldbody><body name=\"calm\"><freejoint/>"
        "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/></body><body name=\"wild\"><joint type=\"slide\" "
        "stiffness=\"1e7\" springref=\"0.1\"/><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/></body>"
        "</worldbody></mujoco>";
    SceneDef def = scene_default_def();
    def.integrator = SYMPLECTIC_EULER;
    SceneCase c = scene_case(text, &def);
    Error err = {0};
    Status status = STATUS_OK;
    char when[64];
    double time = 0;
    for (int k = 0; k < 200 && !status; k++) {
        time = scene_time(c.scene);
        status = scene_step(c.scene, &err);
    }
    assert_int_equal(status, STATUS_NO_RESULT);
    snprintf(when, sizeof when, "at %.4g s: body \"wild\"", time);
    assert_non_null(strstr(err.text, when));
    assert_non_null(strstr(err.text, "time step 0.01 s is too long"));
    assert_true(fabs(scene_v(c.scene)[6]) <= 1e6);
    scene_case_free(&c);
}

/* A falling ball that rotates by 3 rad per step, which is subdivided: its acceleration is that of the whole step. */
TEST(subdivided_step_has_acceleration_of_whole_step)
{
    SceneDef def = scene_default_def();
    def.step = 0.01;
    SceneCase c = scene_case("<mujoco><worldbody><body name=\"ball\"><freejoint/><inertial pos=\"0 0 0\" mass=\"2\" "
                             "diaginertia=\"1 2 2.5\"/></body></worldbody><keyframe><key qvel=\"0 0 0 0 300 20\"/>"
                             "</keyframe></mujoco>", &def);
    for (int k = 0; k < 10; k++) {
        double before = scene_v(c.scene)[2];
        scene_case_run(&c, 0.01);
        assert_near(scene_motion(c.scene)->acceleration[1].z, -9.81, 1e-6);
        assert_near(scene_v(c.scene)[2] - before, -0.0981, 1e-8);
        assert_near(scene_time(c.scene), 0.01 * (k + 1), 1e-12);
    }
    scene_case_free(&c);
}

/* A top driven until no step is short enough: pose and velocities are those before the failed step. */
TEST(failed_step_leaves_state_unchanged)
{
    SceneDef def = scene_default_def();
    def.step = 0.01;
    SceneCase c = scene_case("<mujoco><worldbody><body name=\"top\"><freejoint/><inertial pos=\"0 0 0\" mass=\"1\" "
                             "diaginertia=\"1 2 2.5\"/></body></worldbody></mujoco>", &def);
    double q[7], v[6];
    Status status = STATUS_OK;
    for (int k = 0; k < 5000 && !status; k++) {
        memcpy(q, scene_q(c.scene), sizeof q);
        memcpy(v, scene_v(c.scene), sizeof v);
        scene_apply(c.scene, 1, vec3(3, 0, 0), vec3(9e4, 2e4, 1e4));
        status = scene_step(c.scene, NULL);
    }
    assert_int_equal(status, STATUS_NO_RESULT);
    assert_memory_equal(scene_q(c.scene), q, sizeof q);
    assert_memory_equal(scene_v(c.scene), v, sizeof v);
    scene_case_free(&c);
}
