/* sim/scene_parts: forces on the speeds by their origin, against MuJoCo and closed forms. */
#include "tests/support/test.h"

#include "analysis/math/elementary.h"
#include "analysis/sim/scene_parts.h"
#include "tests/support/mujoco_text.h"
#include "tests/support/scene_case.h"

static const char driven_arm[] =
    "<mujoco><compiler angle=\"radian\"/><worldbody><site name=\"o\" pos=\"0.3 0.1 0.2\"/><body>"
    "<joint name=\"a\" axis=\"0 1 0\" stiffness=\"3\" springref=\"0.4\" damping=\"0.2\"/>"
    "<geom type=\"capsule\" fromto=\"0 0 0 0.3 0 0\" size=\"0.02\" contype=\"0\"/><body pos=\"0.3 0 0\">"
    "<joint name=\"b\" axis=\"1 1 0\" damping=\"0.1\"/>"
    "<joint name=\"c\" type=\"slide\" axis=\"0 0 1\" stiffness=\"50\"/>"
    "<geom type=\"capsule\" fromto=\"0 0 0 0.2 0.1 0\" size=\"0.02\" contype=\"0\"/>"
    "<site name=\"e\" pos=\"0.2 0.1 0\"/>"
    "</body></body></worldbody><tendon><spatial stiffness=\"20\" damping=\"0.5\" springlength=\"0.1\">"
    "<site site=\"o\"/><site site=\"e\"/></spatial></tendon>"
    "<actuator><motor joint=\"a\" gear=\"2\" ctrllimited=\"true\" ctrlrange=\"-1 1\"/>"
    "<position joint=\"b\" kp=\"5\" forcelimited=\"true\" forcerange=\"-0.4 0.4\"/></actuator>"
    "<keyframe><key qpos=\"0.3 0.5 0.02\" qvel=\"1 -2 0.3\" ctrl=\"3 0.1\"/></keyframe></mujoco>";

/* After some steps, at the same state: qfrc_actuator and qfrc_passive. */
TEST(actuator_and_passive_forces_agree_with_mujoco)
{
    mjModel *m = mujoco_read(driven_arm);
    mjData *d = mj_makeData(m);
    SceneCase c = scene_case(driven_arm, NULL);
    Arena memory = {0};
    SceneParts parts = scene_parts_new(c.model, &memory);
    const double control[] = {3, 0.1};
    scene_set_state(c.scene, NULL, NULL, control);
    scene_case_run(&c, 0.1);
    memcpy(d->qpos, scene_q(c.scene), 3 * sizeof(double));
    memcpy(d->qvel, scene_v(c.scene), 3 * sizeof(double));
    memcpy(d->ctrl, control, sizeof control);
    mj_forward(m, d);
    scene_parts(c.scene, &parts);
    for (int i = 0; i < 3; i++) {
        assert_near(parts.actuator[i], d->qfrc_actuator[i], 1e-9);
        assert_near(parts.passive[i], d->qfrc_passive[i], 1e-9);
        assert_near(parts.constraint[i], 0, 0);
        assert_near(parts.contact[i], 0, 0);
    }
    assert_true(fabs(parts.actuator[0]) > 1 && fabs(parts.passive[2]) > 0.1);
    arena_free(&memory);
    scene_case_free(&c);
    mj_deleteData(d);
    mj_deleteModel(m);
}

/* A pendulum at rest on its limit, one held by dry friction, and a ball on a plane: constraint and contact support the
 * weight, and nothing else does. */
TEST(limit_friction_and_contact_support_weight)
{
    SceneCase c = scene_case(
        "<mujoco><compiler angle=\"radian\"/><worldbody><geom type=\"plane\" size=\"5 5 1\"/>"
        "<body pos=\"0 0 1\"><joint axis=\"0 1 0\" limited=\"true\" range=\"-1 0.2\"/>"
        "<inertial pos=\"0.5 0 0\" mass=\"2\" diaginertia=\".01 .01 .01\"/></body>"
        "<body pos=\"0 1 1\"><joint axis=\"0 1 0\" frictionloss=\"9\"/>"
        "<inertial pos=\"0.4 0 0\" mass=\"2\" diaginertia=\".01 .01 .01\"/></body>"
        "<body pos=\"0 3 0.1\"><freejoint/><geom size=\"0.1\" mass=\"3\"/></body></worldbody>"
        "<keyframe><key qpos=\"0.2 0 0 3 0.1 1 0 0 0\"/></keyframe></mujoco>", NULL);
    Arena memory = {0};
    SceneParts parts = scene_parts_new(c.model, &memory);
    scene_case_run(&c, 0.1);
    scene_parts(c.scene, &parts);
    double g = vec3_norm(c.model->gravity);
    assert_near(parts.constraint[0], -2 * g * 0.5 * elementary_cos(0.2), 1e-6);
    assert_near(scene_parts_own(&parts, 0), parts.constraint[0], 1e-12);
    assert_near(parts.constraint[1], -2 * g * 0.4, 1e-6);
    assert_near(parts.contact[4], 3 * g, 1e-6);
    assert_near(scene_parts_own(&parts, 4), 0, 0);
    for (int i = 0; i < c.model->v_count; i++) {
        assert_near(parts.actuator[i], 0, 0);
        assert_near(parts.passive[i], 0, 0);
        assert_near(parts.applied[i], 0, 0);
    }
    arena_free(&memory);
    scene_case_free(&c);
}

/* M v' is the sum of the parts less the bias (model_inverse). A connect
 * carries a bob. */
TEST(parts_add_up_to_the_motion)
{
    const char *text =
        "<mujoco><compiler angle=\"radian\"/><worldbody><body><joint axis=\"0 1 0\" damping=\"0.1\"/>"
        "<geom type=\"capsule\" fromto=\"0 0 0 0.3 0 0\" size=\"0.02\" contype=\"0\" conaffinity=\"0\"/>"
        "<body name=\"tip\" pos=\"0.3 0 0\"><joint axis=\"0 1 0\"/>"
        "<geom type=\"capsule\" fromto=\"0 0 0 0.3 0 0\" size=\"0.02\" contype=\"0\" conaffinity=\"0\"/></body></body>"
        "<body name=\"bob\" pos=\"0.6 0 0\"><freejoint/>"
        "<geom size=\"0.05\" mass=\"0.4\" contype=\"0\" conaffinity=\"0\"/></body>"
        "</worldbody><equality><connect body1=\"tip\" body2=\"bob\" anchor=\"0.3 0 0\"/></equality></mujoco>";
    double left[2];
    for (int fine = 0; fine < 2; fine++) {
        SceneDef def = scene_default_def();
        def.step = fine ? 0.0005 : 0.001;
        SceneCase c = scene_case(text, &def);
        Arena memory = {0};
        SceneParts p = scene_parts_new(c.model, &memory);
        ModelMotion motion;
        double before[16], rate[16], bias[16], largest = 0;
        int n = c.model->v_count;
        scene_case_run(&c, 0.3);
        memcpy(before, scene_v(c.scene), (size_t)n * sizeof *before);
        double q[16];
        memcpy(q, scene_q(c.scene), (size_t)c.model->q_count * sizeof *q);
        assert_int_equal(scene_step(c.scene, NULL), STATUS_OK);
        scene_parts(c.scene, &p);
        for (int i = 0; i < n; i++)
            rate[i] = (scene_v(c.scene)[i] - before[i]) / def.step;
        assert_int_equal(model_motion_init(&motion, c.model, NULL), STATUS_OK);
        model_motion_set(&motion, c.model, scene_q(c.scene), scene_v(c.scene), rate);
        model_inverse(c.model, &motion, rate, NULL, bias);
        left[fine] = 0;
        for (int i = 0; i < n; i++) {
            double sum = p.actuator[i] + p.passive[i] + p.applied[i] + p.constraint[i] + p.contact[i];
            left[fine] = fmax(left[fine], fabs(sum - bias[i]));
            largest = fmax(largest, fabs(p.constraint[i]));
        }
        assert_true(largest > 1);
        model_motion_free(&motion);
        arena_free(&memory);
        scene_case_free(&c);
    }
    assert_true(left[0] < 0.1);
    assert_near(left[0] / left[1], 2, 0.3);
}
