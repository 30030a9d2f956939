/* Attached bodies of scenes: constraint forces against closed forms, motion against the same scene with joints. */
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

/* A cantilever beam with a box at its end: the box's reaction is m g with its lever arm, the beam's that of both. */
TEST(nested_attachments_have_forces_of_their_weights)
{
    const char *text = "<mujoco><worldbody><body name=\"beam\"><freejoint/><geom type=\"box\" pos=\"0.5 0 0\" "
                       "size=\"0.5 0.05 0.05\" mass=\"3\"/></body><body name=\"box\" pos=\"1 0 0.05\"><freejoint/>"
                       "<geom type=\"box\" pos=\"0.2 0 0\" size=\"0.1 0.1 0.1\" mass=\"2\"/></body>"
                       "</worldbody></mujoco>";
    const SceneAttachment listed[2][2] = {{{1, 0, 0, 0}, {2, 1, 0, 0}}, {{2, 1, 0, 0}, {1, 0, 0, 0}}};
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

/* Angle of a rod whose bob is part of it, or an attached free body. */
static double swing(int carries, IntegratorKind kind, double step)
{
    const char *one = "<mujoco><worldbody>" ROD "<body pos=\"0.5 0 0.1\" quat=\"0.8 0 0.6 0\">" BOB "</body></body>"
                      "</worldbody></mujoco>";
    const char *two = "<mujoco><worldbody>" ROD "</body><body name=\"bob\" pos=\"0.5 0 0.1\" quat=\"0.8 0 0.6 0\">"
                      "<freejoint/>" BOB "</body></worldbody></mujoco>";
    const SceneAttachment a = {2, 1, 0, 0};
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

/* With the added mass of 0.17 and the fictitious forces of 0.19, the attached bob moves like the integral one, step by
 * step, with each integrator. */
TEST(attached_bob_swings_like_an_integral_bob)
{
    for (int kind = 0; kind <= SCENE_VARIATIONAL; kind++)
        assert_near(swing(1, (IntegratorKind)kind, 0.004), swing(0, (IntegratorKind)kind, 0.004),
                    kind == SYMPLECTIC_EULER || kind == SCENE_VARIATIONAL ? 1e-10 : 1e-7);
}

#define BOX(name, mass) "<geom name=\"" name "\" type=\"box\" size=\"0.05 0.03 0.04\" " \
                        "mass=\"" mass "\" contype=\"0\"/>"

/* Position of a body after half a second with an integrator. */
static Vec3 place_of(const char *text, const char *body, const SceneAttachment *a, int count, IntegratorKind kind)
{
    SceneCase c = attached(text, a, count, kind, 0.004);
    scene_case_run(&c, 0.5);
    Vec3 place = scene_motion(c.scene)->position[model_find_body(c.model, body)];
    scene_case_free(&c);
    return place;
}

static void moves_alike(const char *whole, const char *parts, const char *body, SceneAttachment a)
{
    for (int kind = 0; kind <= SCENE_VARIATIONAL; kind++) {
        Vec3 expected = place_of(whole, body, NULL, 0, (IntegratorKind)kind);
        assert_vec3_near(place_of(parts, body, &a, 1, (IntegratorKind)kind), expected, 1e-7);
    }
}

#define TAIL "<body name=\"tail\" pos=\"0.1 0 0\"><joint axis=\"0 1 0\"/>" BOX("t", "0.3") "</body>"

/* A hinge attached to a free body with its own joint, whichever of the two is the carrier. */
TEST(hinges_and_trees_are_attached)
{
    const char *whole = "<mujoco><worldbody>" ROD "<body name=\"bob\" pos=\"0.5 0.1 0.1\">" BOX("b", "0.8") TAIL
                        "</body></body></worldbody></mujoco>";
    const char *parts = "<mujoco><worldbody>" ROD "</body><body name=\"bob\" pos=\"0.5 0.1 0.1\"><freejoint/>"
                        BOX("b", "0.8") TAIL "</body></worldbody></mujoco>";
    moves_alike(whole, parts, "tail", (SceneAttachment){1, 2, 0, 0});
    moves_alike(whole, parts, "tail", (SceneAttachment){2, 1, 0, 0});
}

#define SLIDE(k) "<joint type=\"slide\" axis=\"1 0 0.5\" stiffness=\"" k "\"/>"

TEST(slides_are_attached)
{
    const char *whole = "<mujoco><worldbody><body>" SLIDE("30") BOX("c", "1") TAIL "<body pos=\"0.3 0.3 0.1\">"
                        BOX("d", "2") "</body></body></worldbody></mujoco>";
    const char *parts = "<mujoco><worldbody><body>" SLIDE("20") BOX("c", "1") TAIL "</body><body name=\"block\" "
                        "pos=\"0.3 0.3 0.1\">" SLIDE("10") BOX("d", "2") "</body></worldbody></mujoco>";
    moves_alike(whole, parts, "tail", (SceneAttachment){3, 1, 0, 0});
}

/* Two arms on hinges and a bar with an attached point between them: a four-bar linkage conserves energy, to second
 * order. */
TEST(loop_of_hinges_is_closed)
{
    const char *text =
        "<mujoco><worldbody><body><joint axis=\"0 1 0\"/><geom type=\"capsule\" fromto=\"0 0 0 0 0 0.4\" "
        "size=\"0.02\" mass=\"0.5\" contype=\"0\"/><body pos=\"0 0 0.4\"><joint axis=\"0 1 0\"/><geom type=\"capsule\" "
        "fromto=\"0 0 0 0.5 0 0.1\" size=\"0.02\" mass=\"0.7\" contype=\"0\"/></body></body><body pos=\"0.5 0 0\">"
        "<joint axis=\"0 1 0\"/><geom type=\"capsule\" fromto=\"0 0 0 0 0 0.5\" size=\"0.02\" mass=\"0.6\" "
        "contype=\"0\"/>"
        "<body pos=\"0 0 0.5\"><inertial pos=\"0 0 0\" mass=\"0.01\" diaginertia=\"1e-5 1e-5 1e-5\"/></body></body>"
        "</worldbody><keyframe><key qvel=\"1 0 1\"/></keyframe></mujoco>";
    const SceneAttachment a = {4, 2, 1, 0};
    for (int kind = TRAPEZOIDAL; kind <= SCENE_VARIATIONAL; kind++) {
        double drift[2];
        for (int k = 0; k < 2; k++) {
            SceneCase c = attached(text, &a, 1, (IntegratorKind)kind, k ? 0.001 : 0.002);
            SceneEnergy before = scene_energy(c.scene);
            scene_case_run(&c, 0.5);
            SceneEnergy after = scene_energy(c.scene);
            drift[k] = fabs(after.kinetic + after.potential - before.kinetic - before.potential);
            const ModelMotion *m = scene_motion(c.scene);
            assert_vec3_near(m->position[4], model_point(m, 2, vec3(0.5, 0, 0.1)), 1e-11);
            assert_true(vec3_distance(m->position[4], vec3(0.5, 0, 0.5)) > 0.05);
            scene_case_free(&c);
        }
        assert_true(drift[1] < 2e-3);
        assert_true(drift[0] / drift[1] > 3);
    }
}

/* 0.18: 5 kg on two particles with weights 1/4 and 3/4. With a force on one of them, accelerations are those of the
 * source's coupled mass matrix, and each transmits its weight of the third's force. */
TEST(weighted_masters_share_a_mass)
{
#define PARTICLE(x, mass) "<body pos=\"" x " 0 0\"><joint type=\"slide\" axis=\"1 0 0\"/><joint type=\"slide\" " \
                          "axis=\"0 1 0\"/><joint type=\"slide\" axis=\"0 0 1\"/>" \
                          "<geom size=\"0.02\" mass=\"" mass "\"/></body>"
    const char *text = "<mujoco><option gravity=\"0 0 0\"/><worldbody>" PARTICLE("0", "2") PARTICLE("1", "3")
                       "<body pos=\"0.75 0 0\"><freejoint/><geom size=\"0.02\" mass=\"5\"/></body>"
                       "</worldbody></mujoco>";
    const SceneAttachment a[2] = {{3, 1, 1, 0.25}, {3, 2, 1, 0.75}};
    double own[2] = {2 + 5 * 0.0625, 3 + 5 * 0.5625}, shared = 5 * 0.1875, by = own[0] * own[1] - shared * shared;
    double first = own[1] / by, second = -shared / by;
    for (int kind = 0; kind <= SCENE_VARIATIONAL; kind++) {
        SceneCase c = attached(text, a, 2, (IntegratorKind)kind, 0.01);
        for (int i = 0; i < 50; i++) {
            scene_apply(c.scene, 1, vec3(0, 1, 0), vec3(0, 0, 0));
            assert_int_equal(scene_step(c.scene, NULL), STATUS_OK);
        }
        const double *v = scene_v(c.scene);
        assert_near(v[1], 0.5 * first, 1e-12);
        assert_near(v[4], 0.5 * second, 1e-12);
        assert_near(scene_motion(c.scene)->velocity[3].y, 0.5 * (0.25 * first + 0.75 * second), 1e-12);
        for (int k = 0; k < 2; k++)
            assert_near(scene_equality_force(c.scene, k).y, a[k].weight * 5 * (0.25 * first + 0.75 * second), 1e-9);
        scene_case_free(&c);
    }
}

/* A free body fixed at its origin is a pendulum on a ball: small oscillations with T = 2 pi sqrt(I / (m g l)). */
TEST(body_attached_at_a_point_rotates_freely)
{
    const char *text = "<mujoco><worldbody><body name=\"bob\" pos=\"0 0 1\" euler=\"0 1 0\"><freejoint/>"
                       "<geom type=\"sphere\" size=\"0.05\" pos=\"0 0 -0.3\" mass=\"0.7\"/></body>"
                       "</worldbody></mujoco>";
    const SceneAttachment a = {1, 0, 1, 0};
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

/* A mass on three slides attached to a freely rotating wheel: on its circle the constraint force is m w^2 r. */
TEST(point_mass_rotates_with_its_wheel)
{
    const char *text = "<mujoco><option gravity=\"0 0 0\"/><worldbody><body name=\"wheel\"><joint axis=\"0 0 1\"/>"
                       "<geom type=\"cylinder\" size=\"0.4 0.05\" mass=\"2\" contype=\"0\"/></body>"
                       "<body name=\"point\" pos=\"0.3 0 0\"><joint type=\"slide\" axis=\"1 0 0\"/>"
                       "<joint type=\"slide\" axis=\"0 1 0\"/><joint type=\"slide\" axis=\"0 1 1\"/>"
                       "<geom type=\"sphere\" size=\"0.01\" mass=\"0.5\" contype=\"0\"/></body></worldbody>"
                       "<keyframe><key qpos=\"0 0 0 0\" qvel=\"2 0 0 0\"/></keyframe></mujoco>";
    const SceneAttachment a = {2, 1, 1, 0};
    SceneCase c = attached(text, &a, 1, BRIDSON_MARINO, 0.0005);
    scene_case_run(&c, 1);
    const ModelMotion *m = scene_motion(c.scene);
    double angle = scene_q(c.scene)[0];
    assert_near(angle, 2, 2.5e-4); /* initial speed of the wheel */
    assert_vec3_near(m->position[2], vec3(0.3 * cos(angle), 0.3 * sin(angle), 0), 1e-9);
    assert_near(vec3_norm(scene_equality_force(c.scene, 0)), 0.5 * 4 * 0.3, 2e-3);
    assert_true(vec3_dot(scene_equality_force(c.scene, 0), m->position[2]) < 0);
    scene_case_free(&c);
}

/* A box on the ground with an attached box that touches nothing: the ground supports both, with each solver. */
TEST(contacts_support_attached_bodies)
{
    const char *text = "<mujoco><worldbody><geom type=\"plane\" size=\"0 0 1\"/><body name=\"low\" pos=\"0 0 0.1\">"
                       "<freejoint/><geom type=\"box\" size=\"0.2 0.2 0.1\" mass=\"4\"/></body>"
                       "<body name=\"high\" pos=\"0.05 0 0.28\"><freejoint/>"
                       "<geom type=\"box\" size=\"0.1 0.1 0.1\" mass=\"1.5\"/></body></worldbody></mujoco>";
    const SceneAttachment a = {2, 1, 0, 0};
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

TEST(invalid_attachments_are_refused)
{
    const char *text = "<mujoco><worldbody><body><freejoint/><geom size=\"0.1\"/><body><joint/><geom size=\"0.1\"/>"
                       "</body></body><body pos=\"1 0 0\"><freejoint/><geom size=\"0.1\"/></body><body>"
                       "<joint type=\"slide\" axis=\"1 0 0\" armature=\"1\"/><joint type=\"slide\" axis=\"0 1 0\"/>"
                       "<joint type=\"slide\" axis=\"1 1 0\" armature=\"1\"/>"
                       "<geom size=\"0.1\"/></body></worldbody></mujoco>";
    const SceneAttachment loop[2] = {{1, 3, 0, 0}, {3, 2, 0, 0}}, twice[2] = {{1, 0, 0, 0}, {1, 3, 0, 0}};
    const SceneAttachment same[2] = {{1, 3, 1, 0.5}, {1, 3, 1, 0.5}};
    assert_int_equal(try(text, (SceneAttachment[]){{1, 3, 0, 0}}, 1), STATUS_OK);
    assert_int_equal(try(text, (SceneAttachment[]){{2, 0, 0, 0}}, 1), STATUS_OK);         /* child of a hinge */
    assert_int_equal(try(text, (SceneAttachment[]){{1, 2, 0, 0}}, 1), STATUS_BAD_INPUT);  /* to its descendant */
    assert_int_equal(try(text, (SceneAttachment[]){{1, 1, 0, 0}}, 1), STATUS_BAD_INPUT);
    assert_int_equal(try(text, (SceneAttachment[]){{4, 0, 0, 0}}, 1), STATUS_OK);         /* slides */
    assert_int_equal(try(text, (SceneAttachment[]){{4, 0, 1, 0}}, 1), STATUS_OK);         /* not vertical */
    assert_int_equal(try(text, loop, 2), STATUS_BAD_INPUT);
    assert_int_equal(try(text, twice, 2), STATUS_BAD_INPUT);
    assert_int_equal(try(text, same, 2), STATUS_BAD_INPUT);
}
