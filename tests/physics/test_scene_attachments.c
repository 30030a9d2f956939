/* Attached bodies of scenes: what holds them against closed forms, their motion against the same scene on joints. */
#include "tests/support/test.h"

#include "analysis/math/elementary.h"
#include "tests/support/scene_case.h"

#define G 9.81

static SceneCase attached(const char *text, const SceneAttachment *attachment, int count, IntegratorKind kind,
                          double step)
{
    SceneDef def = scene_default_def();
    def.attachment = attachment;
    def.attachment_count = count;
    def.integrator = kind;
    def.step = step;
    return scene_case(text, &def);
}

/* A beam held at its end, and a box on that: what holds the box weighs m g at its arm, what holds the beam both. */
TEST(forces_of_a_nest_are_its_weights)
{
    const char *text = "<mujoco><worldbody><body name=\"beam\"><freejoint/><geom type=\"box\" pos=\"0.5 0 0\" "
                       "size=\"0.5 0.05 0.05\" mass=\"3\"/></body><body name=\"box\" pos=\"1 0 0.05\"><freejoint/>"
                       "<geom type=\"box\" pos=\"0.2 0 0\" size=\"0.1 0.1 0.1\" mass=\"2\"/></body>"
                       "</worldbody></mujoco>";
    const SceneAttachment listed[2][2] = {{{1, 0, 0}, {2, 1, 0}}, {{2, 1, 0}, {1, 0, 0}}};
    for (int k = 0; k < 2; k++) {
        SceneCase c = attached(text, listed[k], 2, SYMPLECTIC_EULER, 0.002);
        scene_case_run(&c, 0.5);
        assert_vec3_near(scene_motion(c.scene)->position[2], vec3(1, 0, 0.05), 1e-12);
        assert_vec3_near(scene_equality_force(c.scene, k), vec3(0, 0, 5 * G), 1e-9);
        assert_vec3_near(scene_equality_couple(c.scene, k), vec3(0, -(3 * 0.5 + 2 * 1.2) * G, 0), 1e-9);
        assert_vec3_near(scene_equality_force(c.scene, 1 - k), vec3(0, 0, 2 * G), 1e-9);
        assert_vec3_near(scene_equality_couple(c.scene, 1 - k), vec3(0, -2 * 0.2 * G, 0), 1e-9);
        scene_case_free(&c);
    }
}

#define ROD "<body name=\"rod\" pos=\"0 0 0\"><joint axis=\"0 1 0\"/>" \
            "<geom type=\"capsule\" fromto=\"0 0 0 0.4 0 0\" size=\"0.02\" mass=\"0.5\" contype=\"0\"/>"
#define BOB "<geom type=\"box\" size=\"0.05 0.03 0.04\" mass=\"0.8\" contype=\"0\"/>"

/* Angle of a rod whose bob is a part of it, or a free body that it carries. */
static double swing(int carries, IntegratorKind kind, double step)
{
    const char *one = "<mujoco><worldbody>" ROD "<body pos=\"0.5 0 0.1\" quat=\"0.8 0 0.6 0\">" BOB "</body></body>"
                      "</worldbody></mujoco>";
    const char *two = "<mujoco><worldbody>" ROD "</body><body name=\"bob\" pos=\"0.5 0 0.1\" quat=\"0.8 0 0.6 0\">"
                      "<freejoint/>" BOB "</body></worldbody></mujoco>";
    const SceneAttachment a = {2, 1, 0};
    SceneCase c = carries ? attached(two, &a, 1, kind, step) : attached(one, NULL, 0, kind, step);
    scene_case_run(&c, 0.5);
    double angle = scene_q(c.scene)[0];
    if (carries) {
        const ModelMotion *m = scene_motion(c.scene);
        assert_vec3_near(m->position[2], model_point(m, 1, vec3(0.5, 0, 0.1)), 1e-12);
    }
    scene_case_free(&c);
    return angle;
}

/* The added mass of 0.17 is all of it: by each integrator the carried bob comes to swing as the one that is a part. Of
 * first order, as with all constraints on speeds: those of the step's beginning are turned onto its end's. */
TEST(what_is_carried_swings_like_a_part)
{
    double exact = swing(0, BRIDSON_MARINO, 1e-4);
    for (int kind = 0; kind < INTEGRATOR_KIND_COUNT; kind++) {
        double far = fabs(swing(1, (IntegratorKind)kind, 0.004) - exact);
        double near = fabs(swing(1, (IntegratorKind)kind, 0.002) - exact);
        assert_true(near < 0.0125);
        assert_true(far / near > 1.8);
    }
}

/* A free body held by its origin is a pendulum on a ball: small swings of T = 2 pi sqrt(I / (m g l)). */
TEST(a_point_lets_it_turn)
{
    const char *text = "<mujoco><worldbody><body name=\"bob\" pos=\"0 0 1\" euler=\"0 1 0\"><freejoint/>"
                       "<geom type=\"sphere\" size=\"0.05\" pos=\"0 0 -0.3\" mass=\"0.7\"/></body>"
                       "</worldbody></mujoco>";
    const SceneAttachment a = {1, 0, 1};
    SceneCase c = attached(text, &a, 1, BRIDSON_MARINO, 0.001);
    double inertia = 0.4 * 0.05 * 0.05 + 0.3 * 0.3, crossed[3] = {0}, last = 1;
    int count = 0;
    for (int k = 1; count < 3; k++) {
        scene_case_run(&c, 0.001);
        double now = scene_motion(c.scene)->orientation[1].y;
        if (last * now < 0)
            crossed[count++] = 0.001 * (k - now / (now - last));
        last = now;
    }
    assert_near(crossed[2] - crossed[0], 2 * PI * sqrt(inertia / (G * 0.3)), 2e-5);
    assert_vec3_near(scene_motion(c.scene)->position[1], vec3(0, 0, 1), 1e-12);
    scene_case_free(&c);
}

/* A mass on three slides joins a wheel that turns freely: dragged along on its circle, it is held by m w^2 r. */
TEST(a_point_mass_goes_round_with_a_wheel)
{
    const char *text = "<mujoco><option gravity=\"0 0 0\"/><worldbody><body name=\"wheel\"><joint axis=\"0 0 1\"/>"
                       "<geom type=\"cylinder\" size=\"0.4 0.05\" mass=\"2\" contype=\"0\"/></body>"
                       "<body name=\"point\" pos=\"0.3 0 0\"><joint type=\"slide\" axis=\"1 0 0\"/>"
                       "<joint type=\"slide\" axis=\"0 1 0\"/><joint type=\"slide\" axis=\"0 1 1\"/>"
                       "<geom type=\"sphere\" size=\"0.01\" mass=\"0.5\" contype=\"0\"/></body></worldbody>"
                       "<keyframe><key qpos=\"0 0 0 0\" qvel=\"2 0 0 0\"/></keyframe></mujoco>";
    const SceneAttachment a = {2, 1, 1};
    SceneCase c = attached(text, &a, 1, BRIDSON_MARINO, 0.0005);
    scene_case_run(&c, 1);
    const ModelMotion *m = scene_motion(c.scene);
    double angle = scene_q(c.scene)[0];
    assert_near(angle, 2, 2.5e-4); /* it began with the wheel's speed */
    assert_vec3_near(m->position[2], vec3(0.3 * cos(angle), 0.3 * sin(angle), 0), 1e-9);
    assert_near(vec3_norm(scene_equality_force(c.scene, 0)), 0.5 * 4 * 0.3, 2e-3);
    assert_true(vec3_dot(scene_equality_force(c.scene, 0), m->position[2]) < 0);
    scene_case_free(&c);
}

/* A box lies on the ground and carries another, which touches nothing: the ground bears both, by each solver. */
TEST(contacts_bear_what_is_carried)
{
    const char *text = "<mujoco><worldbody><geom type=\"plane\" size=\"0 0 1\"/><body name=\"low\" pos=\"0 0 0.1\">"
                       "<freejoint/><geom type=\"box\" size=\"0.2 0.2 0.1\" mass=\"4\"/></body>"
                       "<body name=\"high\" pos=\"0.05 0 0.28\"><freejoint/>"
                       "<geom type=\"box\" size=\"0.1 0.1 0.1\" mass=\"1.5\"/></body></worldbody></mujoco>";
    const SceneAttachment a = {2, 1, 0};
    for (int k = 0; k < FRICTION_MODEL_COUNT; k++) {
        SceneDef def = scene_default_def();
        def.attachment = &a;
        def.attachment_count = 1;
        def.friction_model = (FrictionModel)k;
        SceneCase c = scene_case(text, &def);
        scene_case_run(&c, 0.5);
        double rough = k == FRICTION_GAUSS_SEIDEL ? 1e-4 : 1e-6;
        assert_near(scene_contact_force(c.scene, 1).z, 5.5 * G, 5.5 * G * rough);
        assert_vec3_near(scene_contact_force(c.scene, 2), vec3(0, 0, 0), 0);
        assert_near(scene_equality_force(c.scene, 0).z, 1.5 * G, 1.5 * G * rough);
        assert_vec3_near(scene_motion(c.scene)->position[2], vec3(0.05, 0, 0.28), 1e-5);
        scene_case_free(&c);
    }
}

static Status try(const char *text, const SceneAttachment *a, int count)
{
    MjcfDef limits = mjcf_default_def();
    MjcfRemarks remarks = {0};
    Model m;
    Scene *s = NULL;
    SceneDef def = scene_default_def();
    def.attachment = a;
    def.attachment_count = count;
    assert_int_equal(mjcf_parse(text, strlen(text), &limits, &m, &remarks, NULL), STATUS_OK);
    Status status = scene_create(&m, &def, &s, NULL);
    scene_destroy(s);
    mjcf_remarks_free(&remarks);
    model_free(&m);
    return status;
}

TEST(what_cannot_be_carried_is_refused)
{
    const char *text = "<mujoco><worldbody><body><freejoint/><geom size=\"0.1\"/><body><joint/><geom size=\"0.1\"/>"
                       "</body></body><body pos=\"1 0 0\"><freejoint/><geom size=\"0.1\"/></body><body>"
                       "<joint type=\"slide\" axis=\"1 0 0\" armature=\"1\"/><joint type=\"slide\" axis=\"0 1 0\"/>"
                       "<joint type=\"slide\" axis=\"1 1 0\" armature=\"1\"/>"
                       "<geom size=\"0.1\"/></body></worldbody></mujoco>";
    const SceneAttachment loop[2] = {{1, 3, 0}, {3, 2, 0}}, twice[2] = {{1, 0, 0}, {1, 3, 0}};
    assert_int_equal(try(text, (SceneAttachment[]){{1, 3, 0}}, 1), STATUS_OK);
    assert_int_equal(try(text, (SceneAttachment[]){{2, 0, 0}}, 1), STATUS_BAD_INPUT);  /* hangs on a hinge */
    assert_int_equal(try(text, (SceneAttachment[]){{1, 2, 0}}, 1), STATUS_BAD_INPUT);  /* to what hangs on it */
    assert_int_equal(try(text, (SceneAttachment[]){{1, 1, 0}}, 1), STATUS_BAD_INPUT);
    assert_int_equal(try(text, (SceneAttachment[]){{4, 0, 0}}, 1), STATUS_BAD_INPUT);  /* slides are not rigid */
    assert_int_equal(try(text, (SceneAttachment[]){{4, 0, 1}}, 1), STATUS_BAD_INPUT);  /* nor do these go up */
    assert_int_equal(try(text, loop, 2), STATUS_BAD_INPUT);
    assert_int_equal(try(text, twice, 2), STATUS_BAD_INPUT);
}
