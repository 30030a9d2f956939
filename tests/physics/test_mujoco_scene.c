/* Smooth scenes against MuJoCo for the same file (Runge-Kutta with small steps), each integrator at its order, and
 * against closed forms; energy and momentum within bounds. */
#include "tests/support/test.h"

#include "analysis/math/elementary.h"
#include "tests/support/mujoco_text.h"
#include "tests/support/scene_case.h"

/* Coordinates of MuJoCo after `duration`, with the file's time step. */
static void theirs(const char *text, double duration, double *q)
{
    mjModel *m = mujoco_read(text);
    mjData *d = mj_makeData(m);
    m->opt.integrator = mjINT_RK4;
    m->opt.timestep = 1e-4;
    mj_resetDataKeyframe(m, d, 0);
    for (long k = lround(duration / m->opt.timestep); k > 0; k--)
        mj_step(m, d);
    memcpy(q, d->qpos, (size_t)m->nq * sizeof *q);
    mj_deleteData(d);
    mj_deleteModel(m);
}

static double error_at(const char *text, IntegratorKind kind, double step, double duration, const double *exact)
{
    SceneDef def = scene_default_def();
    def.integrator = kind;
    def.step = step;
    SceneCase c = scene_case(text, &def);
    double worst = 0;
    scene_case_run(&c, duration);
    for (int i = 0; i < c.model->q_count; i++)
        worst = fmax(worst, fabs(scene_q(c.scene)[i] - exact[i]));
    scene_case_free(&c);
    return worst;
}

/* The error at the smaller of two steps is small, and 2^order times less than at the larger. */
static void each_at_its_order(const char *text, double duration, double largest)
{
    static const double order[] = {1, 1, 2, 2};
    double exact[64];
    theirs(text, duration, exact);
    for (IntegratorKind kind = SYMPLECTIC_EULER; kind < INTEGRATOR_KIND_COUNT; kind++) {
        double coarse = error_at(text, kind, 0.002, duration, exact);
        double fine = error_at(text, kind, 0.001, duration, exact);
        assert_near(elementary_log(coarse / fine) / elementary_log(2), order[kind], 0.2);
        assert_true(fine < (order[kind] == 1 ? largest : 0.05 * largest));
    }
}

#define LINK "<joint axis=\"0 1 0\"/><geom type=\"capsule\" fromto=\"0 0 0 0.3 0 0\" size=\"0.02\" contype=\"0\"/>"

TEST(double_pendulum_agrees_with_mujoco)
{
    each_at_its_order("<mujoco><worldbody><body>" LINK "<body pos=\"0.3 0 0\">" LINK "</body></body></worldbody>"
                      "<keyframe><key qpos=\"0.3 0.5\" qvel=\"1 -2\"/></keyframe></mujoco>", 0.6, 0.06);
}

/* A link that a connect hangs up as a pendulum, against the same link on a hinge: where an equality holds, the
 * variational step keeps the second order, and the others are of the first (kane simulate --help). */
TEST(variational_step_keeps_its_order_under_an_equality)
{
    const char *hung = "<mujoco><worldbody><body name=\"a\"><freejoint/><inertial pos=\"0.3 0 0\" mass=\"1\" "
                       "diaginertia=\"0.01 0.02 0.02\"/></body></worldbody><equality><connect body1=\"a\" "
                       "anchor=\"0 0 0\"/></equality></mujoco>";
    const char *hinge = "<mujoco><worldbody><body><joint axis=\"0 1 0\"/><inertial pos=\"0.3 0 0\" mass=\"1\" "
                        "diaginertia=\"0.01 0.02 0.02\"/></body></worldbody><keyframe><key/></keyframe></mujoco>";
    double angle, error[2];
    theirs(hinge, 0.5, &angle);
    for (IntegratorKind kind = SYMPLECTIC_EULER; kind <= SCENE_VARIATIONAL; kind++) {
        for (int fine = 0; fine < 2; fine++) {
            SceneDef def = scene_default_def();
            def.integrator = kind;
            def.step = fine ? 0.001 : 0.002;
            SceneCase c = scene_case(hung, &def);
            scene_case_run(&c, 0.5);
            const double *q = scene_q(c.scene);
            Quat turn = {q[3], q[4], q[5], q[6]};
            error[fine] = vec3_distance(quat_rotate(turn, vec3(1, 0, 0)),
                                        vec3(elementary_cos(angle), 0, -elementary_sin(angle)));
            scene_case_free(&c);
        }
        double order = elementary_log(error[0] / error[1]) / elementary_log(2);
        assert_near(order, kind == SCENE_VARIATIONAL ? 2 : 1, 0.25);
    }
}

TEST(ten_links_agree_with_mujoco)
{
    char text[4096] = "<mujoco><compiler autolimits=\"true\"/><worldbody>";
    for (int k = 0; k < 10; k++)
        sprintf(text + strlen(text), "<body pos=\"%s 0 0\">" LINK, k ? "0.3" : "0");
    for (int k = 0; k < 10; k++)
        strcat(text, "</body>");
    strcat(text, "</worldbody><keyframe><key qpos=\"0 .1 -.1 .1 -.1 .1 -.1 .1 -.1 .1\"/></keyframe></mujoco>");
    each_at_its_order(text, 0.3, 0.05);
}

TEST(spinning_top_agrees_with_mujoco)
{
    each_at_its_order("<mujoco><worldbody><body><joint type=\"ball\"/><inertial pos=\"0 0 0.1\" mass=\"0.5\" "
                      "diaginertia=\"0.002 0.002 0.001\"/></body></worldbody><keyframe>"
                      "<key qpos=\"0.98 0.19899748742132398 0 0\" qvel=\"0.5 0 30\"/></keyframe></mujoco>", 0.3, 0.1);
}

static const char spring_chain[] =
    "<mujoco><worldbody><site name=\"o\"/><body pos=\"0 0 -1\"><joint type=\"slide\" stiffness=\"40\" "
    "damping=\"0.5\" springref=\"0.1\"/><joint type=\"slide\" axis=\"1 0 0\"/><geom size=\".1\" mass=\"1\"/>"
    "<site name=\"a\"/></body><body pos=\"0.2 0 -2\"><freejoint/><geom size=\".1\" mass=\"0.5\"/>"
    "<site name=\"b\" pos=\"0.05 0.05 0\"/></body></worldbody><tendon><spatial stiffness=\"80\" damping=\"1\" "
    "springlength=\"0.9\"><site site=\"o\"/><site site=\"a\"/></spatial><spatial stiffness=\"60\" damping=\"0.5\">"
    "<site site=\"a\"/><site site=\"b\"/></spatial></tendon><keyframe><key qpos=\"0.1 0.2 0.3 0.1 -2 1 0 0 0\" "
    "qvel=\"0 1 0 1 0 1 2 3\"/></keyframe></mujoco>";

TEST(spring_chain_agrees_with_mujoco)
{
    each_at_its_order(spring_chain, 0.5, 0.03);
}

/* Kinetic energy, and the potential energy of gravity, joint springs and tendons. */
TEST(energies_agree_with_mujoco)
{
    mjModel *m = mujoco_read(spring_chain);
    mjData *d = mj_makeData(m);
    SceneCase c = scene_case(spring_chain, NULL);
    m->opt.enableflags |= mjENBL_ENERGY;
    mj_resetDataKeyframe(m, d, 0);
    d->qpos[0] -= 0.6;
    mj_forward(m, d);
    scene_set_state(c.scene, d->qpos, NULL, NULL);
    SceneEnergy e = scene_energy(c.scene);
    assert_true(e.springs > 10);
    assert_near(e.potential + e.springs, d->energy[0], 1e-9);
    assert_near(e.kinetic, d->energy[1], 1e-9);
    mj_deleteData(d);
    mj_deleteModel(m);
    scene_case_free(&c);
}

/* A free body without forces: energy and angular momentum over 10 s, at second order. */
TEST(free_body_keeps_its_momentum)
{
    const char *text = "<mujoco><option gravity=\"0 0 0\"/><worldbody><body><freejoint/><inertial pos=\"0.1 0 0\" "
                       "mass=\"2\" diaginertia=\"0.1 0.2 0.25\"/></body></worldbody><keyframe>"
                       "<key qvel=\"1 2 3 0.5 4 0.2\"/></keyframe></mujoco>";
    SceneDef def = scene_default_def();
    def.integrator = BRIDSON_MARINO;
    def.step = 0.002;
    SceneCase c = scene_case(text, &def);
    Vec3 p, l, p_end, l_end;
    double energy = scene_energy(c.scene).kinetic;
    model_momentum(c.model, scene_motion(c.scene), &p, &l);
    scene_case_run(&c, 10);
    model_momentum(c.model, scene_motion(c.scene), &p_end, &l_end);
    assert_near(scene_energy(c.scene).kinetic / energy, 1, 2e-4);
    assert_near(vec3_distance(p, p_end) / vec3_norm(p), 0, 1e-4);
    assert_near(vec3_distance(l, l_end) / vec3_norm(l), 0, 2e-3);
    scene_case_free(&c);
}

/* x = x0 e^(-zeta omega t) cos(...): a slide on a spring and damper, in closed form. */
TEST(damped_slide_has_its_closed_form)
{
    const char *text = "<mujoco><option gravity=\"0 0 0\"/><worldbody><body><joint type=\"slide\" stiffness=\"32\" "
                       "damping=\"1.6\"/><inertial pos=\"0 0 0\" mass=\"2\" diaginertia=\"1 1 1\"/></body></worldbody>"
                       "<keyframe><key qpos=\"0.5\"/></keyframe></mujoco>";
    double rate = 0.4, omega = sqrt(16 - rate * rate), t = 2;
    double exact = 0.5 * elementary_exp(-rate * t) *
                   (elementary_cos(omega * t) + rate / omega * elementary_sin(omega * t));
    const double largest[] = {4e-3, 4e-3, 2e-5, 2e-5};
    for (IntegratorKind kind = SYMPLECTIC_EULER; kind < INTEGRATOR_KIND_COUNT; kind++) {
        double coarse = error_at(text, kind, 0.002, t, &exact), fine = error_at(text, kind, 0.001, t, &exact);
        assert_true(fine < largest[kind]);
        assert_near(coarse / fine, kind < TRAPEZOIDAL ? 2 : 4, 0.2);
    }
}

/* Six hinges with position actuators, from a keyframe. */
TEST(six_axis_arm_agrees_with_mujoco)
{
    static char text[8192];
    double exact[6];
    FILE *file = fopen("data/scenes/six_axis_arm.xml", "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    theirs(text, 0.5, exact);
    SceneCase c = scene_case(text, NULL);
    scene_case_run(&c, 0.5);
    for (int i = 0; i < 6; i++)
        assert_near(scene_q(c.scene)[i], exact[i], 2e-3);
    scene_case_free(&c);
}
