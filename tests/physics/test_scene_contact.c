/* Scenes with contacts, limits and constraints against closed forms. */
#include "tests/support/test.h"

#include <stdio.h>

#include "analysis/math/elementary.h"
#include "tests/support/scene_case.h"

#define G 9.81

static Vec3 place(const SceneCase *c, const char *body)
{
    return scene_motion(c->scene)->position[model_find_body(c->model, body)];
}

/* A box on a plane inclined by the angle with tangent share times mu: at rest below 1; above, it slides with g (sin -
 * mu cos). The plane is level and gravity inclined. */
static double slide(FrictionModel friction_model, double share, double duration, double *speed)
{
    const double mu = 0.5;
    double angle = elementary_atan2(share * mu, 1);
    char text[1024];
    snprintf(text, sizeof text, "<mujoco><option timestep=\"0.005\" gravity=\"%.17g 0 %.17g\"/><worldbody>"
             "<geom type=\"plane\" size=\"0 0 1\" friction=\"0.5\"/><body name=\"box\" pos=\"0 0 0.1\"><freejoint/>"
             "<geom type=\"box\" size=\"0.2 0.15 0.1\" friction=\"0.5\"/></body></worldbody></mujoco>",
             G * elementary_sin(angle), -G * elementary_cos(angle));
    SceneDef def = scene_default_def();
    def.friction_model = friction_model;
    SceneCase c = scene_case(text, &def);
    scene_case_run(&c, duration);
    double way = place(&c, "box").x;
    *speed = scene_v(c.scene)[0];
    scene_case_free(&c);
    return way;
}

TEST(boxes_slide_beyond_the_friction_angle)
{
    const double mu = 0.5, share = 1.02, angle = atan(share * mu);
    double wanted = G * (elementary_sin(angle) - mu * elementary_cos(angle)), speed;
    for (FrictionModel m = FRICTION_CONE; m <= FRICTION_GAUSS_SEIDEL; m++) {
        assert_near(slide(m, 0.98, 1, &speed), 0, 1e-4);
        assert_near(speed, 0, 1e-6);
        slide(m, share, 1, &speed);
        assert_near(speed / wanted, 1, 0.01);
    }
}

/* Gravity inclined in any direction: the box slides along it, although the cone is a pyramid. */
TEST(boxes_slide_straight)
{
    const double mu = 0.5, angle = atan(1.05 * mu);
    for (FrictionModel m = FRICTION_CONE; m <= FRICTION_BOX; m++)
        for (int k = 0; k < 5; k++) {
            double turn = PI / 180 * (7 + 20 * k), speed = G * elementary_sin(angle);
            char text[1024];
            snprintf(text, sizeof text, "<mujoco><option timestep=\"0.005\" gravity=\"%.17g %.17g %.17g\"/>"
                     "<worldbody><geom type=\"plane\" size=\"0 0 1\" friction=\"0.5\"/><body name=\"box\" "
                     "pos=\"0 0 0.1\"><freejoint/><geom type=\"box\" size=\"0.2 0.15 0.1\" friction=\"0.5\"/></body>"
                     "</worldbody></mujoco>", speed * elementary_cos(turn), speed * elementary_sin(turn),
                     -G * elementary_cos(angle));
            SceneDef def = scene_default_def();
            def.friction_model = m;
            SceneCase c = scene_case(text, &def);
            scene_case_run(&c, 1);
            Vec3 way = place(&c, "box");
            assert_true(hypot(way.x, way.y) > 0.05);
            assert_near(elementary_atan2(way.y, way.x) * 180 / PI, 7 + 20 * k, 2);
            scene_case_free(&c);
        }
}

/* Dropped from h it rebounds to e^2 h. */
TEST(ball_rebounds_with_its_restitution)
{
    const char *text = "<mujoco><option timestep=\"0.0005\"/><worldbody><geom type=\"plane\" size=\"0 0 1\"/>"
                       "<body name=\"ball\" pos=\"0 0 1.1\"><freejoint/><geom size=\"0.1\"/></body></worldbody>"
                       "</mujoco>";
    SceneDef def = scene_default_def();
    def.restitution = 0.8;
    SceneCase c = scene_case(text, &def);
    double fall = sqrt(2 / G), top = 0;
    scene_case_run(&c, fall + 0.01);
    for (int k = 0; k < 1000; k++) {
        scene_case_run(&c, 0.0005);
        top = fmax(top, place(&c, "ball").z - 0.1);
    }
    assert_near(top, 0.64, 0.01);
    scene_case_free(&c);
}

/* A compliant ground (m/N): a ball of 1 kg penetrates by the compliance times its weight. */
TEST(ball_penetrates_compliant_ground_by_its_weight)
{
    const char *text = "<mujoco><option timestep=\"0.002\"/><worldbody><geom type=\"plane\" size=\"0 0 1\"/>"
                       "<body name=\"ball\" pos=\"0 0 0.1\"><freejoint/><geom size=\"0.1\" mass=\"1\"/></body>"
                       "</worldbody></mujoco>";
    for (FrictionModel m = FRICTION_CONE; m <= FRICTION_GAUSS_SEIDEL; m++) {
        SceneDef def = scene_default_def();
        def.friction_model = m;
        def.softness = 2e-4;
        def.softness_damping = 0.01;
        SceneCase c = scene_case(text, &def);
        scene_case_run(&c, 2);
        assert_near(place(&c, "ball").z, 0.1 - 2e-4 * G, 2e-5);
        scene_case_free(&c);
    }
}

/* A ball on one vertical slide has no mobile friction direction, but the plane supports it. The slide is vertical
 * exactly, or up to rounding. */
TEST(plane_supports_ball_on_vertical_slide)
{
    static const char *const axes[] = {"0 0 1", "1e-17 0 1"};
    for (FrictionModel m = FRICTION_CONE; m <= FRICTION_GAUSS_SEIDEL; m++)
        for (int k = 0; k < 2; k++) {
            char text[512];
            snprintf(text, sizeof text, "<mujoco><option timestep=\"0.002\"/><worldbody><geom type=\"plane\" "
                     "size=\"0 0 1\"/><body name=\"ball\" pos=\"0 0 0.3\"><joint type=\"slide\" axis=\"%s\"/>"
                     "<geom size=\"0.1\" mass=\"1\"/></body></worldbody></mujoco>", axes[k]);
            SceneDef def = scene_default_def();
            def.friction_model = m;
            SceneCase c = scene_case(text, &def);
            scene_case_run(&c, 1);
            assert_near(place(&c, "ball").z, 0.1, 1e-3);
            assert_near(scene_contact_force(c.scene, 1).z, G, 1e-3);
            assert_int_equal(scene_unsettled(c.scene)->count, 0);
            scene_case_free(&c);
        }
}

/* Heavy boxes on light ones: the sweeps of a step do not converge, which the scene counts. */
TEST(sweeps_without_convergence_are_counted)
{
    char text[4096] = "<mujoco><option timestep=\"0.005\"/><worldbody><geom type=\"plane\" size=\"0 0 1\"/>";
    for (int k = 0; k < 6; k++)
        sprintf(text + strlen(text), "<body pos=\"0 0 %.17g\"><freejoint/><geom type=\"box\" size=\"0.1 0.1 0.05\" "
                "mass=\"%d\"/></body>", 0.05 + 0.1 * k, k == 5 ? 1000 : 1);
    strcat(text, "</worldbody></mujoco>");
    SceneDef def = scene_default_def();
    def.friction_model = FRICTION_GAUSS_SEIDEL;
    SceneCase c = scene_case(text, &def);
    scene_case_run(&c, 0.1);
    const UnsettledSweeps *u = scene_unsettled(c.scene);
    assert_true(u->count > 0 && u->count <= 20);
    assert_true(u->time >= 0 && u->time < 0.1);
    assert_non_null(strstr(u->why.text, "did not converge in 500 sweeps"));
    scene_case_free(&c);
}

/* A stack of ten boxes is stable; each supports those above it. */
TEST(stack_of_ten_boxes_is_stable)
{
    char text[4096] = "<mujoco><option timestep=\"0.005\"/><worldbody><geom type=\"plane\" size=\"0 0 1\"/>";
    for (int k = 0; k < 10; k++)
        sprintf(text + strlen(text), "<body name=\"b%d\" pos=\"0 0 %.17g\"><freejoint/><geom type=\"box\" "
                "size=\"0.1 0.1 0.05\" mass=\"1\"/></body>", k, 0.05 + 0.1 * k);
    strcat(text, "</worldbody></mujoco>");
    for (FrictionModel m = FRICTION_CONE; m <= FRICTION_GAUSS_SEIDEL; m++) {
        SceneDef def = scene_default_def();
        def.friction_model = m;
        SceneCase c = scene_case(text, &def);
        scene_case_run(&c, 0.25);
        for (int k = 0; k < 10; k++) {
            char name[16];
            snprintf(name, sizeof name, "b%d", k);
            assert_vec3_near(place(&c, name), vec3(0, 0, 0.05 + 0.1 * k), 6e-5); /* 1 mm in a second */
        }
        assert_near(scene_contact_force(c.scene, 10).z, G, 0.05);
        assert_near(scene_contact_force(c.scene, 0).z, -10 * G, 0.05);
        scene_case_free(&c);
    }
}

/* A weld supports a cantilever beam: force m g up, couple m g l / 2. */
TEST(weld_supports_cantilever_beam)
{
    const char *text = "<mujoco><worldbody><body name=\"beam\"><freejoint/><geom type=\"box\" pos=\"0.5 0 0\" "
                       "size=\"0.5 0.05 0.05\" mass=\"3\"/></body></worldbody><equality>"
                       "<weld body1=\"beam\"/></equality></mujoco>";
    SceneCase c = scene_case(text, NULL);
    scene_case_run(&c, 1);
    assert_vec3_near(place(&c, "beam"), vec3(0, 0, 0), 1e-9);
    assert_vec3_near(scene_equality_force(c.scene, 0), vec3(0, 0, -3 * G), 1e-8);
    assert_vec3_near(scene_equality_couple(c.scene, 0), vec3(0, 3 * G * 0.5, 0), 1e-8);
    scene_case_free(&c);
}

/* A stiff spring presses a box to the ground: the contact force is the spring's plus the weight, also with the implicit
 * rules, whose velocities respond to an impulse by M^ instead of M. */
TEST(implicit_integrators_use_the_whole_contact_force)
{
    const char *text = "<mujoco><option timestep=\"0.005\"/><worldbody><geom type=\"plane\" size=\"0 0 1\"/>"
                       "<body name=\"press\" pos=\"0 0 0.1\"><joint type=\"slide\" axis=\"0 0 1\" stiffness=\"2000\" "
                       "springref=\"-0.05\" damping=\"20\"/><geom type=\"box\" size=\"0.1 0.1 0.1\" mass=\"1\"/></body>"
                       "</worldbody></mujoco>";
    static const IntegratorKind kinds[] = {SYMPLECTIC_EULER, IMPLICIT_EULER, TRAPEZOIDAL};
    for (int i = 0; i < 3; i++) {
        SceneDef def = scene_default_def();
        def.integrator = kinds[i];
        SceneCase c = scene_case(text, &def);
        scene_case_run(&c, 1);
        assert_near(scene_contact_force(c.scene, 1).z, 100 + G, 0.1);
        scene_case_free(&c);
    }
}

/* A chain connected to the world at both ends hangs in a closed loop, and its ends stay connected. */
TEST(loop_stays_closed)
{
    const char *text = "<mujoco><option timestep=\"0.001\"/><default><geom type=\"capsule\" fromto=\"0 0 0 1 0 0\" "
        "size=\"0.05\" mass=\"1\" contype=\"0\"/><joint axis=\"0 1 0\"/></default><worldbody><body name=\"a\"><joint/>"
        "<geom/><body name=\"b\" pos=\"1 0 0\" euler=\"0 90 0\"><joint/><geom/><body name=\"c\" pos=\"1 0 0\" "
        "euler=\"0 90 0\"><joint/><geom/></body></body></body></worldbody><equality>"
        "<connect body1=\"c\" anchor=\"1 0 0\"/></equality><keyframe><key qvel=\"2 -2 2\"/></keyframe></mujoco>";
    SceneCase c = scene_case(text, NULL);
    scene_case_run(&c, 3);
    const ModelMotion *m = scene_motion(c.scene);
    assert_vec3_near(model_point(m, 3, vec3(1, 0, 0)), vec3(0, 0, -1), 1e-5);
    scene_case_free(&c);
}

/* A pendulum rests at its limit, and a coupled joint follows its polynomial. */
TEST(joint_limit_and_coupling_are_satisfied)
{
    const char *text = "<mujoco><option timestep=\"0.002\"/><default><joint axis=\"0 1 0\" damping=\"0.2\"/></default>"
        "<worldbody><body name=\"a\"><joint name=\"a\" range=\"-30 200\" ref=\"0\"/><geom size=\".1\" pos=\"-1 0 0\" "
        "mass=\"1\"/></body><body pos=\"0 5 0\"><joint name=\"b\"/><geom size=\".1\" mass=\"1\"/></body></worldbody>"
        "<equality><joint joint1=\"b\" joint2=\"a\" polycoef=\"0.1 2 0.5 0 0\"/></equality></mujoco>";
    SceneCase c = scene_case(text, NULL);
    scene_case_run(&c, 4);
    double a = scene_q(c.scene)[0], b = scene_q(c.scene)[1];
    assert_near(a, -PI / 6, 1e-4);
    assert_near(b, 0.1 + 2 * a + 0.5 * a * a, 1e-6);
    scene_case_free(&c);
}

/* Spheres, capsules and boxes fall on each other and come to rest without penetration or ejection. */
TEST(shapes_come_to_rest_on_each_other)
{
    const char *text = "<mujoco><option timestep=\"0.002\"/><worldbody><geom type=\"plane\" size=\"0 0 1\"/>"
        "<body name=\"table\" pos=\"0 0 0.2\"><freejoint/><geom type=\"box\" size=\"1 1 0.2\" mass=\"50\"/>"
        "</body>"
        "<body name=\"rod\" pos=\"0 0 0.62\" euler=\"90 0 20\"><freejoint/>"
        "<geom type=\"capsule\" size=\"0.1 0.4\" mass=\"2\"/></body>"
        "<body name=\"rod2\" pos=\"0 0.05 0.9\" euler=\"90 0 110\"><freejoint/><geom type=\"capsule\" "
        "size=\"0.1 0.3\" mass=\"2\"/></body>"
        "<body name=\"cube\" pos=\"0.6 0.5 0.8\" euler=\"10 20 30\"><freejoint/>"
        "<geom type=\"box\" size=\"0.1 0.1 0.1\" mass=\"1\"/></body>"
        "<body name=\"ball\" pos=\"-0.6 -0.5 0.7\"><freejoint/>"
        "<geom size=\"0.1\" mass=\"1\"/></body></worldbody></mujoco>";
    SceneCase c = scene_case(text, NULL);
    scene_case_run(&c, 2);
    assert_near(place(&c, "table").z, 0.2, 2e-3);
    assert_near(place(&c, "ball").z, 0.5, 2e-3);
    assert_near(place(&c, "cube").z, 0.5, 2e-3);
    assert_near(place(&c, "rod").z, 0.5, 2e-3);
    assert_true(place(&c, "rod2").z > 0.49);
    scene_case_free(&c);
}

#define PLANE "<mujoco><worldbody><geom type=\"plane\" size=\"0 0 1\"/>"
#define BOX(pose, joint) "<body pos=\"0 0 0.4\" " pose ">" joint "<geom type=\"box\" size=\"0.1 0.1 0.1\"/></body>"
#define END "</worldbody></mujoco>"

/* Redundant contacts exchange load without effect on motion: convergence is measured by the velocity change of
 * bodies. */
TEST(box_at_rest_converges)
{
    static const char *const texts[] = {
        PLANE BOX("", "<joint type=\"slide\" axis=\"0 0 1\"/>") END,
        PLANE BOX("euler=\"10 20 0\"", "<freejoint/>") END,
    };
    for (int i = 0; i < 2; i++) {
        SceneDef def = scene_default_def();
        def.friction_model = FRICTION_GAUSS_SEIDEL;
        SceneCase c = scene_case(texts[i], &def);
        scene_case_run(&c, 1);
        assert_int_equal(scene_unsettled(c.scene)->count, 0);
        assert_true(scene_contact_force(c.scene, 1).z > 1);
        scene_case_free(&c);
    }
}

/* Geoms keep a distance of the larger margin minus the larger gap. */
TEST(margin_minus_gap_separates_geoms)
{
    static const struct { const char *ground, *ball; double height; } cases[] = {
        {"", "margin=\"0.03\"", 0.13},
        {"margin=\"0.02\"", "margin=\"0.03\" gap=\"0.03\"", 0.1},
        {"margin=\"0.05\" gap=\"0.01\"", "margin=\"0.03\"", 0.14},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text, "<mujoco><option timestep=\"0.001\"/><worldbody><geom type=\"plane\" "
                 "size=\"0 0 1\" %s/><body pos=\"0 0 0.3\"><freejoint/><geom size=\"0.1\" %s/></body>"
                 "</worldbody></mujoco>",
                 cases[i].ground, cases[i].ball);
        SceneCase c = scene_case(text, NULL);
        scene_case_run(&c, 1);
        assert_near(scene_q(c.scene)[2], cases[i].height, 5e-4);
        scene_case_free(&c);
    }
}

/* A geom penetrates by r = g (1 - d) / (k d^2) with k = 1 / (d timeconst)^2; for two with equal priority the means are
 * used. */
TEST(geoms_penetrate_by_solref_and_solimp)
{
    static const struct { const char *ground, *ball; double d, time; } cases[] = {
        {"solref=\"0.05 1\" solimp=\"0.9 0.9 0.001\"", "solref=\"0.05 1\" solimp=\"0.9 0.9 0.001\"", 0.9, 0.05},
        {"solref=\"0.02 1\" solimp=\"0.8 0.8 0.001\"", "solref=\"0.06 1\" solimp=\"0.6 0.6 0.001\"", 0.7, 0.04},
        {"solref=\"0.3 1\" solimp=\"0.5 0.5 0.001\"",
         "priority=\"1\" solref=\"0.05 1\" solimp=\"0.6 0.6 0.001\"", 0.6, 0.05},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text, "<mujoco><option timestep=\"0.001\"/><worldbody><geom type=\"plane\" "
                 "size=\"0 0 1\" %s/><body pos=\"0 0 0.11\"><freejoint/><geom size=\"0.1\" %s/></body>"
                 "</worldbody></mujoco>",
                 cases[i].ground, cases[i].ball);
        SceneCase c = scene_case(text, NULL);
        scene_case_run(&c, 2);
        double d = cases[i].d, sinks = G * (1 - d) * cases[i].time * cases[i].time;
        assert_near((0.1 - scene_q(c.scene)[2]) / sinks, 1, 0.01);
        scene_case_free(&c);
    }
}
