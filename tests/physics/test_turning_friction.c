/* Friction of contacts against spinning and rolling (condim 4 and 6): closed forms of balls on a plane, with each
 * integrator and solver; energy of piles; balls and a cylinder against mj_step. */
#include "tests/support/test.h"

#include <math.h>

#include "analysis/math/elementary.h"
#include "tests/support/mujoco_text.h"
#include "tests/support/scene_case.h"

#define G 9.81
#define RADIUS 0.1
#define INERTIA (0.4 * RADIUS * RADIUS) /* of 1 kg */

/* A ball of 1 kg on the ground, with attributes of its geom and its speeds. */
#define BALL(contact, qvel) "<mujoco><option timestep=\"0.002\" cone=\"elliptic\"/><worldbody><geom type=\"plane\" " \
    "size=\"9 9 1\" condim=\"1\" friction=\"0 0 0\"/><body pos=\"0 0 .1\"><freejoint/><geom size=\".1\" mass=\"1\" " \
    contact "/></body></worldbody><keyframe><key qvel=\"" qvel "\"/></keyframe></mujoco>"

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

/* The couple .01 m g slows 20 rad/s by .01 m g / I: it stops after 0.8155 s and stays. */
static void check_spin(const SceneDef *def)
{
    SceneCase c = scene_case(BALL("condim=\"4\" friction=\".5 .01 .1\"", "0 0 0 0 0 20"), def);
    scene_case_run(&c, 0.4);
    assert_near(scene_v(c.scene)[5], 20 - 0.4 * 0.01 * G / INERTIA, 1e-4);
    scene_case_run(&c, 0.6);
    assert_near(scene_v(c.scene)[5], 0, 1e-6);
    assert_near(scene_q(c.scene)[0], 0, 1e-9);
    scene_case_free(&c);
}

TEST(torsional_friction_stops_a_spinning_ball) { each_method(check_spin); }

/* m a = -f and I a / R = f R - roll m g: a = -roll g / (R + I / (m R)), in any direction. */
static void check_roll(const SceneDef *def)
{
    double slow = 0.005 * G / (RADIUS + INERTIA / RADIUS);
    for (int k = 0; k < 3; k++) {
        SceneCase c = scene_case(BALL("condim=\"6\" friction=\".5 .005 .005\"", "0 0 0 0 0 0"), def);
        double x = elementary_cos(0.7 * k), y = elementary_sin(0.7 * k);
        double v[6] = {0.5 * x, 0.5 * y, 0, -0.5 * y / RADIUS, 0.5 * x / RADIUS, 0};
        scene_set_state(c.scene, NULL, v, NULL);
        scene_case_run(&c, 0.5);
        const double *now = scene_v(c.scene);
        assert_near(now[0], 0.5 * x * (1 - slow), 5e-6);
        assert_near(now[1], 0.5 * y * (1 - slow), 5e-6);
        scene_case_run(&c, 1.2);
        assert_near(now[0], 0, 1e-6);
        assert_near(now[1], 0, 1e-6);
        scene_case_free(&c);
    }
}

TEST(rolling_friction_stops_a_rolling_ball) { each_method(check_roll); }

/* On a slope a ball rests until sin > roll cos / R; then a = (g sin - roll g cos / R) / (1 + I / (m R^2)). */
static void check_slope(const SceneDef *def)
{
    static const double sine[] = {0.1, 0.3};
    for (int i = 0; i < 2; i++) {
        char text[800];
        double cosine = sqrt(1 - sine[i] * sine[i]), rise = sine[i] - 0.02 * cosine / RADIUS;
        snprintf(text, sizeof text, "<mujoco><option gravity=\"%.12g 0 %.12g\" timestep=\"0.002\"/><worldbody>"
                 "<geom type=\"plane\" size=\"9 9 1\"/><body pos=\"0 0 .1\"><freejoint/><geom size=\".1\" mass=\"1\" "
                 "condim=\"6\" friction=\".9 0 .02\"/></body></worldbody></mujoco>", G * sine[i], -G * cosine);
        SceneCase c = scene_case(text, def);
        scene_case_run(&c, 0.5);
        assert_near(scene_v(c.scene)[0], fmax(0, 0.5 * G * rise / 1.4), 1e-5);
        assert_near(scene_v(c.scene)[1], 0, 1e-8);
        scene_case_free(&c);
    }
}

TEST(ball_rests_on_a_slope) { each_method(check_slope); }

/* A cylinder on its base has several contacts, which divide the couple: the cylinder slows by .02 m g / I as a ball
 * does. The moment of the contact force includes the couple. */
TEST(torsional_friction_slows_a_cylinder)
{
    SceneCase c = scene_case("<mujoco><worldbody><geom type=\"plane\" size=\"9 9 1\"/><body pos=\"0 0 .05\">"
                             "<freejoint/><geom type=\"cylinder\" size=\".1 .05\" mass=\"2\" condim=\"4\" "
                             "friction=\"0 .02 0\" priority=\"1\"/></body></worldbody><keyframe><key "
                             "qvel=\"0 0 0 0 0 30\"/></keyframe></mujoco>", NULL);
    double slow = 0.02 * 2 * G / (0.5 * 2 * 0.1 * 0.1);
    scene_case_run(&c, 0.5);
    assert_near(scene_v(c.scene)[5], 30 - 0.5 * slow, 1e-4);
    assert_near(scene_contact_moment(c.scene, 1).z, -0.02 * 2 * G, 1e-4);
    scene_case_run(&c, 0.5);
    assert_near(scene_v(c.scene)[5], 0, 1e-6);
    scene_case_free(&c);
}

static double total(const SceneCase *c)
{
    SceneEnergy e = scene_energy(c->scene);
    return e.kinetic + e.potential;
}

/* Six bodies that spin fall on each other. Returns the number of islands solved by rows. */
static double check_pile(const char *contact, const char *shape)
{
    char text[4000];
    int at = snprintf(text, sizeof text, "<mujoco><option timestep=\"0.002\"/><default><geom mass=\"1\" %s %s/>"
                      "</default><worldbody><geom type=\"plane\" size=\"9 9 1\" %s/>", contact, shape, contact);
    for (int i = 0; i < 6; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "<body pos=\"%g %g %g\" euler=\"%d 20 5\"><freejoint/>"
                       "<geom/></body>", 0.07 * (i % 2), 0.05 * (i % 3), 0.25 + 0.36 * i, 13 * i);
    snprintf(text + at, sizeof text - (size_t)at, "</worldbody></mujoco>");
    SceneCase c = scene_case(text, NULL);
    double v[36] = {0}, before, rise = 0;
    for (int i = 0; i < 6; i++)
        v[6 * i + 3] = 3 - i, v[6 * i + 5] = 4;
    scene_set_state(c.scene, NULL, v, NULL);
    before = total(&c);
    for (int k = 0; k < 800; k++) {
        scene_case_run(&c, 0.002);
        rise = fmax(rise, total(&c) - before);
        before = total(&c);
    }
    assert_true(rise <= 1e-12);
    double by_rows = scene_solves(c.scene).by_rows;
    scene_case_free(&c);
    return by_rows;
}

TEST(piles_gain_no_energy)
{
    static const char *const contacts[] = {"condim=\"4\" friction=\".6 .01 .002\"",
                                           "condim=\"6\" friction=\".6 .01 .002\""};
    static const char *const shapes[] = {"size=\".1\"", "type=\"box\" size=\".1 .1 .1\"",
                                         "type=\"capsule\" size=\".05 .1\""};
    double by_rows = 0;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++)
            by_rows += check_pile(contacts[i], shapes[k]);
    assert_true(by_rows > 0); /* some of them by Lemke's method */
}

/* MuJoCo's contacts are soft, so speeds agree within 1 % of the first one. */
static void compare_speeds(const char *text, int speed, double time)
{
    mjModel *m = mujoco_read(text);
    mjData *d = mj_makeData(m);
    mj_resetDataKeyframe(m, d, 0);
    SceneCase c = scene_case(text, NULL);
    double first = d->qvel[speed];
    for (int k = 0; k < 4; k++) {
        scene_case_run(&c, time / 4);
        while (d->time < scene_time(c.scene) - 1e-6)
            mj_step(m, d);
        assert_near(scene_v(c.scene)[speed], d->qvel[speed], 0.015 * first);
    }
    assert_true(d->qvel[speed] < 0.6 * first);
    scene_case_free(&c);
    mj_deleteData(d);
    mj_deleteModel(m);
}

TEST(ball_speeds_agree_with_mujoco)
{
    compare_speeds(BALL("condim=\"4\" friction=\".5 .01 .1\"", "0 0 0 0 0 20"), 5, 0.6);
    compare_speeds(BALL("condim=\"6\" friction=\".5 .005 .005\"", "1 0 0 0 10 0"), 0, 2);
    compare_speeds(BALL("condim=\"6\" friction=\".5 .005 .005\"", "1 1 0 -10 10 5"), 1, 2);
}

/* Dimensions and friction of a contact of two overlapping balls, by the geoms or by a pair. */
TEST(contacts_use_friction_of_their_geoms)
{
    static const char *const cases[][3] = {
        {"condim=\"4\" friction=\".5 .2 .3\"", "condim=\"6\" friction=\".4 .3 .1\"", ""},
        {"condim=\"3\" friction=\".5 .2 .3\"", "condim=\"4\" friction=\".4 .3 .1\"", ""},
        {"condim=\"6\" friction=\".5 .2 .3\"", "condim=\"4\" friction=\".4 .3 .1\" priority=\"1\"", ""},
        {"condim=\"1\" friction=\".5 .2 .3\" priority=\"2\"", "condim=\"6\" friction=\".4 .3 .1\"", ""},
        {"condim=\"4\" friction=\".5 .2 .3\"", "friction=\".4 .3 .1\"", "<pair geom1=\"a\" geom2=\"b\"/>"},
        {"", "", "<pair geom1=\"a\" geom2=\"b\" condim=\"6\" friction=\".7 .7 .2 .1 .1\"/>"},
        {"", "friction=\".4 .3 .1\"", "<pair geom1=\"a\" geom2=\"b\" condim=\"4\" friction=\".7 .7 .2\"/>"},
        {"condim=\"6\"", "", "<pair geom1=\"a\" geom2=\"b\" condim=\"3\" friction=\".7 .7 .2\"/>"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[800];
        snprintf(text, sizeof text, "<mujoco><worldbody><body><freejoint/><geom name=\"a\" size=\"1\" %s/></body>"
                 "<body pos=\"1.9 0 0\"><freejoint/><geom name=\"b\" size=\"1\" %s/></body></worldbody><contact>%s"
                 "</contact></mujoco>", cases[i][0], cases[i][1], cases[i][2]);
        mjModel *m = mujoco_read(text);
        mjData *d = mj_makeData(m);
        mj_forward(m, d);
        SceneCase c = scene_case(text, NULL);
        const Model *k = c.model;
        const ModelGeom *a = &k->geom[0], *b = &k->geom[1];
        ModelFriction f = k->contact_pair_count ? k->contact_pair[0].friction
                        : model_limit_friction(model_pair_friction(a, b), model_pair_dimensions(a, b));
        assert_int_equal(d->ncon, 1);
        const mjtNum *theirs = d->contact[0].friction;
        int dimensions = d->contact[0].dim;
        assert_near(f.slide, dimensions > 1 ? theirs[0] : 0, 0);
        assert_near(f.spin, dimensions > 3 ? theirs[2] : 0, 0);
        assert_near(f.roll, dimensions > 4 ? theirs[3] : 0, 0);
        scene_case_free(&c);
        mj_deleteData(d);
        mj_deleteModel(m);
    }
}
