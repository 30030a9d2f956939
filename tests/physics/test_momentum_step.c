/* The variational step (sim/scene_system.h): conserved quantities and order. */
#include "tests/support/test.h"

#include <stdio.h>

#include "analysis/math/elementary.h"
#include "tests/support/scene_case.h"

enum { BODIES = 17 };

/* Pelvis, spine, chest, neck, head; arm, forearm, hand and thigh, shank, foot on each side. */
static const int parent[BODIES] = {-1, 0, 1, 2, 3, 2, 5, 6, 2, 8, 9, 0, 11, 12, 0, 14, 15};
static const Vec3 offset[BODIES] = {{0, 0.95, 0},     {0, 0.1, 0},      {0, 0.2, 0},  {0, 0.25, 0},   {0, 0.1, 0},
                                    {0.18, 0.2, 0},   {0.28, 0, 0},     {0.25, 0, 0}, {-0.18, 0.2, 0}, {-0.28, 0, 0},
                                    {-0.25, 0, 0},    {0.09, -0.05, 0}, {0, -0.42, 0}, {0, -0.42, 0}, {-0.09, -0.05, 0},
                                    {0, -0.42, 0},    {0, -0.42, 0}};
static const double mass[BODIES] = {8, 9, 14, 1, 4.5, 2, 1.2, 0.5, 2, 1.2, 0.5, 9, 3.5, 1, 9, 3.5, 1};

/* Writes a body with its children; returns the end of the text. */
static char *write_body(char *at, int b)
{
    double i = mass[b] * 0.01, x = b < 5 || b > 10 ? 0 : b < 8 ? 0.1 : -0.1, y = b < 5 ? 0.08 : b < 11 ? 0 : -0.15;
    at += sprintf(at, "<body name=\"b%d\" pos=\"%g %g %g\"><joint type=\"%s\"/><inertial pos=\"%g %g 0\" mass=\"%g\" "
                  "diaginertia=\"%.17g %.17g %.17g\"/>", b, offset[b].x, offset[b].y, offset[b].z,
                  b ? "ball" : "free", x, y, mass[b], i, 0.8 * i, 1.1 * i);
    for (int child = b + 1; child < BODIES; child++)
        if (parent[child] == b)
            at = write_body(at, child);
    return at + sprintf(at, "</body>");
}

static SceneCase humanoid(double step)
{
    static char text[8192];
    char *at = text + sprintf(text, "<mujoco><option gravity=\"0 0 0\"/><worldbody>");
    sprintf(write_body(at, 0), "</worldbody></mujoco>");
    SceneDef def = scene_default_def();
    def.integrator = SCENE_VARIATIONAL;
    def.step = step;
    return scene_case(text, &def);
}

/* Speeds of up to 4 rad/s about each axis. */
static void spin(const SceneCase *c)
{
    double v[6 + 3 * BODIES] = {0};
    unsigned seed = 7;
    for (int i = 3; i < c->model->v_count; i++) {
        seed = seed * 1664525u + 1013904223u;
        v[i] = 8 * (seed >> 8) / 16777216.0 - 4;
    }
    scene_set_state(c->scene, NULL, v, NULL);
}

static double total(const SceneCase *c)
{
    SceneEnergy e = scene_energy(c->scene);
    return e.kinetic + e.potential + e.springs;
}

/* Largest relative change of energy at a hundred times; *ends: that at the end; *lost: of angular momentum. */
static double tumble(double step, double duration, double *ends, double *lost)
{
    SceneCase c = humanoid(step);
    Vec3 linear, before, after;
    double max = 0;
    spin(&c);
    double start = total(&c);
    model_momentum(c.model, scene_motion(c.scene), &linear, &before);
    for (int i = 0; i < 100; i++) {
        scene_case_run(&c, duration / 100);
        max = fmax(max, fabs(total(&c) / start - 1));
    }
    model_momentum(c.model, scene_motion(c.scene), &linear, &after);
    *lost = vec3_distance(before, after) / vec3_norm(before);
    *ends = total(&c) / start;
    scene_case_free(&c);
    return max;
}

TEST(tumbling_body_conserves_energy_and_momentum)
{
    double ends, lost;
    assert_near(tumble(0.01, 10, &ends, &lost), 0, 1e-3);
    assert_near(ends, 1, 1e-3);
    assert_near(lost, 0, 1e-7);
    assert_near(tumble(0.005, 10, &ends, &lost), 0, 4e-4);
    assert_near(lost, 0, 1e-7);
    assert_near(tumble(0.001, 2, &ends, &lost), 0, 2e-5);
    assert_near(lost, 0, 1e-7);
}

/* Largest relative change of a top's energy within 5 s. */
static double top_wanders(double step)
{
    SceneDef def = scene_default_def();
    def.integrator = SCENE_VARIATIONAL;
    def.step = step;
    SceneCase c = scene_case("<mujoco><worldbody><body><joint type=\"ball\"/><inertial pos=\"0 0 0.1\" mass=\"0.5\" "
                             "diaginertia=\"0.002 0.002 0.001\"/></body></worldbody><keyframe><key "
                             "qpos=\"0.98 0.19899748742132398 0 0\" qvel=\"0.5 0 30\"/></keyframe></mujoco>", &def);
    double start = total(&c), max = 0;
    for (int i = 0; i < 500; i++) {
        scene_case_run(&c, 0.01);
        max = fmax(max, fabs(total(&c) / start - 1));
    }
    scene_case_free(&c);
    return max;
}

TEST(top_keeps_spinning)
{
    assert_near(top_wanders(0.001), 0, 1e-4);
    assert_near(top_wanders(0.01), 0, 0.004);
}

/* Two links of 1 kg and 0.5 m on ball joints, in a plane, released horizontally. */
static const char two_links[] =
    "<mujoco><option gravity=\"0 -9.81 0\"/><worldbody><body><joint type=\"ball\"/>"
    "<inertial pos=\"0.25 0 0\" mass=\"1\" diaginertia=\"0.002 0.021 0.021\"/><body pos=\"0.5 0 0\">"
    "<joint type=\"ball\"/><inertial pos=\"0.25 0 0\" mass=\"1\" diaginertia=\"0.002 0.021 0.021\"/></body></body>"
    "</worldbody></mujoco>";

/* Angles of both links about z after a second. */
static void swing_scene(IntegratorKind kind, double step, double angle[2])
{
    SceneDef def = scene_default_def();
    def.integrator = kind;
    def.step = step;
    SceneCase c = scene_case(two_links, &def);
    scene_case_run(&c, 1);
    const ModelMotion *m = scene_motion(c.scene);
    for (int k = 0; k < 2; k++)
        angle[k] = 2 * elementary_atan2(m->orientation[k + 1].z, m->orientation[k + 1].w);
    scene_case_free(&c);
}

static double apart(const double a[2], const double b[2])
{
    double max = 0;
    for (int k = 0; k < 2; k++) {
        double turn = fabs(a[k] - b[k]);
        max = fmax(max, fmin(turn, fabs(turn - 4 * PI)));
    }
    return max;
}

TEST(two_links_converge_to_fine_steps)
{
    double exact[2], now[2], before = 0;
    swing_scene(TRAPEZOIDAL, 2e-4, exact);
    static const double steps[] = {0.01, 0.005, 0.0025, 0.001};
    for (int i = 0; i < 4; i++) {
        swing_scene(SCENE_VARIATIONAL, steps[i], now);
        double error = apart(now, exact);
        assert_near(error, 0, 75 * steps[i] * steps[i]); /* 7.3e-3 at 0.01 s: like SHAKE in maximal coordinates */
        if (i == 1 || i == 2)
            assert_near(elementary_log(before / error) / elementary_log(2), 2, 0.1);
        before = error;
    }
    assert_near(before, 0, 1e-4);
}

/* A damped rod with a bob, and a box on that: speed after half a second, for a step. */
static double fall(double step)
{
    SceneAttachment attachment[] = {{.body = 3, .to = 2}, {.body = 2, .to = 1}};
    SceneDef def = scene_default_def();
    def.step = step;
    def.integrator = SCENE_VARIATIONAL;
    def.attachment = attachment;
    def.attachment_count = 2;
    SceneCase c = scene_case("<mujoco><worldbody><body name=\"rod\"><joint axis=\"0 1 0\" damping=\"0.1\"/>"
        "<geom type=\"capsule\" fromto=\"0 0 0 0.4 0 0\" size=\"0.02\"/></body><body name=\"bob\" pos=\"0.5 0 0\">"
        "<freejoint/><geom size=\"0.05\"/></body><body name=\"box\" pos=\"0.5 0 0.1\"><freejoint/><geom type=\"box\" "
        "size=\"0.05 0.05 0.05\"/></body></worldbody></mujoco>", &def);
    scene_case_run(&c, 0.5);
    double speed = scene_v(c.scene)[0];
    scene_case_free(&c);
    return speed;
}

TEST(nested_bodies_converge_at_second_order)
{
    double fine = fall(1e-4), half = fall(0.001), whole = fall(0.002);
    assert_near(whole, fine, 1e-4 * fabs(fine));
    assert_near(elementary_log((whole - fine) / (half - fine)) / elementary_log(2), 2, 0.1);
}
