/* Prescribed hinges, slides and bodies (docs/sources.md, notes 0.21): they are on their paths at the end of each step,
 * and the required force is that of Newton and Euler. */
#include "tests/support/test.h"

#include <math.h>

#include "analysis/math/elementary.h"
#include "tests/support/scene_case.h"

enum { ROWS = 201 };
#define BETWEEN 0.005 /* s */

/* A slide with a mass of 3 kg, an arm of 2 kg on a hinge, a body of 1.2 kg whose frame is not at its centre of mass. */
static const char text[] =
    "<mujoco><option timestep=\"0.001\" gravity=\"0 0 -9.8\"/><worldbody>"
    "<body name=\"lift\"><joint type=\"slide\" axis=\"0 0 1\"/>"
    "<inertial pos=\"0 0 0\" mass=\"3\" diaginertia=\"0.01 0.01 0.01\"/></body>"
    "<body name=\"arm\" pos=\"2 0 0\"><joint axis=\"0 -1 0\"/>"
    "<inertial pos=\"0.4 0 0\" mass=\"2\" diaginertia=\"0.01 0.03 0.03\"/></body>"
    "<body name=\"fly\" pos=\"4 0 0\"><freejoint/>"
    "<inertial pos=\"0.1 0 0\" mass=\"1.2\" diaginertia=\"0.02 0.01 0.015\"/></body></worldbody></mujoco>";

static double wave(double t)
{
    double sine, cosine;
    elementary_sincos(5 * t, &sine, &cosine);
    return 0.2 * sine;
}

static double wave_curve(double t) { return -25 * wave(t); }

/* All three follow the same oscillation: up, about the hinge, along x; the body also rotates about z. */
static void make_paths(double *time, double *value, double *curve, ScenePath path[3])
{
    const int width[] = {1, 1, PATH_OF_BODY};
    for (int k = 0; k < 3; k++) {
        path[k] = (ScenePath){k, ROWS, width[k], time, value, curve};
        for (int i = 0; i < ROWS; i++) {
            double t = time[i] = BETWEEN * i, *row = value + i * width[k];
            row[0] = wave(t) + (k == 2 ? 4 : 0);
            if (k == 2)
                elementary_sincos(0.5 * 3 * t, &row[6], &row[3]);
        }
        assert_int_equal(scene_path_prepare(&path[k], NULL), STATUS_OK);
        value += ROWS * width[k];
        curve += ROWS * width[k];
    }
}

static void check_step(const Scene *s)
{
    double t = scene_time(s), middle = t - 0.5 * scene_step_size(s), sine, cosine;
    const double *q = scene_q(s);
    assert_near(q[0], wave(t), 1e-7);
    assert_near(q[1], wave(t), 1e-7);
    assert_near(q[2], 4 + wave(t), 1e-7);
    elementary_sincos(1.5 * t, &sine, &cosine);
    assert_near(fabs(q[5] * cosine + q[8] * sine), 1, 1e-9);
    double curve = wave_curve(middle);
    assert_vec3_near(scene_equality_force(s, 0), vec3(0, 0, 3 * (curve + 9.8)), 0.05);
    elementary_sincos(wave(middle), &sine, &cosine);
    double torque = (0.03 + 2 * 0.16) * curve + 2 * 9.8 * 0.4 * cosine;
    assert_vec3_near(scene_equality_couple(s, 1), vec3(0, -torque, 0), 0.02);
    elementary_sincos(3 * middle, &sine, &cosine);
    Vec3 arm = vec3(0.1 * cosine, 0.1 * sine, 0), a = vec3(curve - 9 * arm.x, -9 * arm.y, 9.8);
    assert_vec3_near(scene_equality_force(s, 2), vec3_scale(a, 1.2), 0.02);
    assert_vec3_near(scene_equality_couple(s, 2), vec3_scale(vec3_cross(arm, a), 1.2), 0.005);
}

static void run(IntegratorKind kind)
{
    static double time[ROWS], value[ROWS * (2 + PATH_OF_BODY)], curve[ROWS * (2 + PATH_OF_BODY)];
    ScenePath path[3];
    SceneDef def = scene_default_def();
    make_paths(time, value, curve, path);
    def.path = path;
    def.path_count = 3;
    def.integrator = kind;
    SceneCase c = scene_case(text, &def);
    for (int i = 0; i < 900; i++) {
        assert_int_equal(scene_step(c.scene, NULL), STATUS_OK);
        if (i > 20)
            check_step(c.scene);
    }
    scene_case_free(&c);
}

TEST(driven_bodies_follow_paths_with_newtons_forces) { run(SCENE_VARIATIONAL); }

TEST(all_integrators_follow_paths)
{
    for (IntegratorKind kind = SYMPLECTIC_EULER; kind <= BRIDSON_MARINO; kind++)
        run(kind);
}

/* A prescribed box supports a ball, which takes off when the box decelerates; the floor does not stop the box. */
TEST(driven_body_is_not_displaced_by_contact)
{
    static double time[] = {0, 0.2, 0.4, 0.6}, value[4 * PATH_OF_BODY], curve[4 * PATH_OF_BODY];
    for (int i = 0; i < 4; i++) {
        value[i * PATH_OF_BODY + 2] = 2 * time[i];
        value[i * PATH_OF_BODY + 3] = 1;
    }
    ScenePath path = {0, 4, PATH_OF_BODY, time, value, curve};
    assert_int_equal(scene_path_prepare(&path, NULL), STATUS_OK);
    SceneDef def = scene_default_def();
    def.path = &path;
    def.path_count = 1;
    SceneCase c = scene_case(
        "<mujoco><option timestep=\"0.002\"/><worldbody><geom type=\"plane\" size=\"0 0 1\"/>"
        "<body name=\"box\"><freejoint/><geom type=\"box\" size=\"0.2 0.2 0.05\" mass=\"1\"/></body>"
        "<body name=\"ball\" pos=\"0 0 0.15\"><freejoint/><geom size=\"0.1\" mass=\"50\"/></body></worldbody></mujoco>",
        &def);
    while (scene_time(c.scene) < 0.599)
        assert_int_equal(scene_step(c.scene, NULL), STATUS_OK);
    assert_near(scene_q(c.scene)[2], 2 * scene_time(c.scene), 1e-6);
    assert_near(scene_q(c.scene)[7 + 2], 2 * scene_time(c.scene) + 0.15, 1e-3);
    assert_near(scene_v(c.scene)[6 + 2], 2, 1e-3);
    for (int i = 0; i < 25; i++)
        assert_int_equal(scene_step(c.scene, NULL), STATUS_OK);
    assert_near(scene_q(c.scene)[2], 1.2, 1e-6); /* at rest after its last row */
    assert_true(scene_q(c.scene)[7 + 2] > 1.4);
    scene_case_free(&c);
}
