/* Soft constraints (docs/sources.md, notes 0.11): each step of equalities and limits against (0.9) and (0.10) in closed
 * form; solref and solimp against MuJoCo at rest. */
#include "tests/support/test.h"

#include "tests/support/mujoco_text.h"
#include "tests/support/scene_case.h"

#define STEP 0.004
#define ALPHA 2e-3
#define BETA 0.03
#define SLIDER(more) "<mujoco><option gravity=\"0 0 0\" timestep=\"0.004\"/><worldbody><body name=\"b\"><joint " \
    "name=\"j\" type=\"slide\" axis=\"1 0 0\"" more "/><inertial pos=\"0 0 0\" mass=\"2\" diaginertia=\"1 1 1\"/>" \
    "</body></worldbody>"
#define START "<keyframe><key qpos=\"0.03\" qvel=\"-1\"/></keyframe></mujoco>"
#define HINGE "<mujoco><option gravity=\"0 0 0\" timestep=\"0.004\"/><worldbody><body name=\"b\"><joint name=\"j\" " \
    "axis=\"0 0 1\"/><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"3 3 2\"/></body></worldbody><equality>" \
    "<weld name=\"e\" body1=\"b\"/></equality>" START

static SceneDef soft(const SceneCompliance *c, IntegratorKind kind)
{
    SceneDef def = scene_default_def();
    def.integrator = kind;
    def.compliance = c;
    def.compliance_count = 1;
    return def;
}

/* v after a step of a mass m at distance phi from a bilateral constraint: (0.9) with one unknown. */
static double step_by_hand(double m, double phi, double v)
{
    double gamma = 1 / (0.5 + BETA / STEP), give = gamma * ALPHA / (STEP * STEP);
    double lambda = (-gamma * phi / STEP - v) / (give + 1 / m);
    return v + lambda / m;
}

/* A connect and a joint equality for a mass, and a weld for an inertia, whose phi is 2 sin(q / 2). */
TEST(compliant_equality_has_its_closed_form)
{
    static const struct { const char *text; int is_weld; } cases[] = {
        {SLIDER("") "<equality><connect name=\"e\" body1=\"b\" anchor=\"0 0 0\"/></equality>" START, 0},
        {SLIDER("") "<equality><joint name=\"e\" joint1=\"j\" polycoef=\"0 0 0 0 0\"/></equality>" START, 0},
        {HINGE, 1},
    };
    const SceneCompliance c = {SOFT_EQUALITY, 0, -1, -1, ALPHA, BETA};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int way = 0; way < 2; way++) {
            SceneDef def = soft(&c, way ? SCENE_INTEGRATOR_AUTO : SYMPLECTIC_EULER);
            SceneCase s = scene_case(cases[i].text, &def);
            for (int k = 0; k < 50; k++) {
                double q = scene_q(s.scene)[0], v = scene_v(s.scene)[0];
                double phi = cases[i].is_weld ? 2 * sin(q / 2) : q, slope = cases[i].is_weld ? cos(q / 2) : 1;
                double hand = step_by_hand(2 / (slope * slope), phi, slope * v) / slope;
                assert_int_equal(scene_step(s.scene, NULL), STATUS_OK);
                assert_near(scene_v(s.scene)[0], hand, 1e-12);
                assert_near(scene_q(s.scene)[0], q + STEP * hand, 1e-12);
            }
            scene_case_free(&s);
        }
}

/* Soft along one axis of the first body only; rigid along the others. */
TEST(weld_is_compliant_along_one_axis)
{
    const char *text = "<mujoco><option gravity=\"0 -3 -4\" timestep=\"0.004\"/><worldbody><body name=\"b\" "
                       "quat=\"0.8 0.6 0 0\"><freejoint/><inertial pos=\"0 0 0\" mass=\"2\" diaginertia=\"1 1 1\"/>"
                       "</body></worldbody><equality><weld name=\"e\" body1=\"b\"/></equality></mujoco>";
    const SceneCompliance c = {SOFT_EQUALITY, 0, -1, 1, ALPHA, BETA};
    SceneDef def = soft(&c, SCENE_INTEGRATOR_AUTO);
    SceneCase s = scene_case(text, &def);
    Vec3 y = quat_rotate((Quat){0.8, 0.6, 0, 0}, vec3(0, 1, 0));
    double load = 2 * vec3_dot(vec3(0, -3, -4), y);
    (void)state;
    scene_case_run(&s, 8);
    Vec3 place = vec3_load(scene_q(s.scene));
    assert_vec3_near(place, vec3_scale(y, load * ALPHA), 1e-8);
    assert_vec3_near(scene_equality_force(s.scene, 0), vec3(0, -6, -8), 1e-6);
    scene_case_free(&s);
}

/* (0.10): with z > 0 like a bilateral constraint, else free; no damping before the limit is reached. */
TEST(compliant_limit_has_its_closed_form)
{
    const char *text = SLIDER(" range=\"0 9\" limited=\"true\"") START;
    const SceneCompliance c = {SOFT_LIMIT, 0, -1, -1, ALPHA, BETA};
    int beyond = 0;
    (void)state;
    for (int way = 0; way < 2; way++) {
        SceneDef def = soft(&c, way ? SCENE_INTEGRATOR_AUTO : SYMPLECTIC_EULER);
        SceneCase s = scene_case(text, &def);
        for (int k = 0; k < 150; k++) {
            double q = scene_q(s.scene)[0], v = scene_v(s.scene)[0];
            double gamma = 1 / (0.5 + (q < 0 ? BETA : 0) / STEP), give = gamma * ALPHA / (STEP * STEP);
            double z = fmax(0, (-gamma * q / STEP - v) / (give + 0.5));
            assert_int_equal(scene_step(s.scene, NULL), STATUS_OK);
            assert_near(scene_v(s.scene)[0], v + z / 2, 1e-12);
            beyond += q < -0.01;
        }
        assert_true(scene_v(s.scene)[0] > 0.1);
        scene_case_free(&s);
    }
    assert_true(beyond > 10);
}

/* A start beyond a soft limit is a compressed spring; a hard limit separates. */
TEST(compliant_limit_keeps_its_initial_state)
{
    const SceneCompliance c = {SOFT_LIMIT, 0, -1, -1, ALPHA, BETA};
    const double beyond = -0.2;
    (void)state;
    for (int is_soft = 0; is_soft < 2; is_soft++) {
        SceneDef def = soft(&c, SCENE_INTEGRATOR_AUTO);
        def.compliance_count = is_soft;
        SceneCase s = scene_case(SLIDER(" range=\"0 9\" limited=\"true\"") START, &def);
        SceneOverlap o;
        scene_set_state(s.scene, &beyond, NULL, NULL);
        assert_int_equal(scene_part_overlaps(s.scene, &o, NULL), STATUS_OK);
        assert_int_equal(o.limit_count, !is_soft);
        assert_near(scene_q(s.scene)[0], is_soft ? -0.2 : 0, 1e-6);
        scene_case_free(&s);
    }
}

/* Contacts with compliance of one geom, of a pair, of both sides in series: a weight penetrates by its alpha. */
TEST(contact_penetration_equals_its_compliance)
{
    const char *text =
        "<mujoco><option gravity=\"0 0 -10\" timestep=\"0.001\"/><worldbody><geom name=\"floor\" type=\"plane\" "
        "size=\"9 9 1\"/><body name=\"one\" pos=\"0 0 0.1\"><freejoint/><geom name=\"a\" size=\"0.1\" mass=\"1\"/>"
        "</body><body name=\"two\" pos=\"1 0 0.1\"><freejoint/><geom name=\"b\" size=\"0.1\" mass=\"1\"/></body>"
        "</worldbody></mujoco>";
    const SceneCompliance rows[] = {{SOFT_GEOM, 1, -1, -1, 1e-4, 0.05}, {SOFT_GEOM, 0, 2, -1, 3e-4, 0.05},
                                    {SOFT_BODY, 2, -1, -1, 7e-4, 0.05}, {SOFT_GEOM, 0, -1, -1, 2e-4, 0.05}};
    const double depth[2][2] = {{1e-3, 3e-3}, {3e-3, 3e-3}};
    (void)state;
    for (int way = 0; way < 2; way++) {
        SceneDef def = soft(rows, SCENE_INTEGRATOR_AUTO);
        def.compliance_count = way ? 4 : 3;
        SceneCase s = scene_case(text, &def);
        scene_case_run(&s, 3);
        assert_near(0.1 - scene_q(s.scene)[2], depth[way][0], 1e-6);
        assert_near(0.1 - scene_q(s.scene)[9], depth[way][1], 1e-6);
        scene_case_free(&s);
    }
}

/* Rest positions of MuJoCo, m and rad. */
static double rest_of_mujoco(const char *text, int at)
{
    mjModel *m = mujoco_read(text);
    mjData *d = mj_makeData(m);
    m->opt.integrator = mjINT_EULER;
    for (int k = 0; k < 8000; k++)
        mj_step(m, d);
    double q = d->qpos[at];
    mj_deleteData(d);
    mj_deleteModel(m);
    return q;
}

#define ARM "<mujoco><compiler angle=\"radian\" autolimits=\"true\"/><option timestep=\"0.002\"/><worldbody><body " \
    "name=\"arm\"><joint name=\"j\" axis=\"0 1 0\" damping=\"0.1\" %s/><inertial pos=\"0.3 0 0\" mass=\"2\" " \
    "diaginertia=\"0.02 0.05 0.05\"/><body name=\"fore\" pos=\"0.6 0 0\"><joint name=\"k\" axis=\"0 1 0\" " \
    "stiffness=\"40\" damping=\"1\"/><inertial pos=\"0.1 0 0\" mass=\"1\" diaginertia=\"0.01 0.02 0.02\"/></body>" \
    "</body></worldbody>%s</mujoco>"

/* Compliance by the mapping of scene_softness.h, equal to MuJoCo's. */
TEST(solref_and_solimp_penetration_agrees_with_mujoco)
{
    static const char *const cases[][2] = {
        {"range=\"-1 0.2\" solreflimit=\"0.05 0.8\" solimplimit=\"0.8 0.93 0.1 0.3 3\"", ""},
        {"range=\"-1 0.2\" solreflimit=\"-300 -20\"", ""},
        {"", "<equality><joint joint1=\"j\" polycoef=\"0 0 0 0 0\" solref=\"0.04 1\"/></equality>"},
        {"", "<equality><connect body1=\"arm\" anchor=\"0.5 0 0\" solref=\"0.06 1.2\" solimp=\"0.7 0.9 0.05\"/>"
             "</equality>"},
        {"", "<default><equality solref=\"0.05 1\"/></default><equality><weld body1=\"arm\" "
             "solimp=\"0.9 0.95 0.01\"/></equality>"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1500];
        snprintf(text, sizeof text, ARM, cases[i][0], cases[i][1]);
        SceneCase c = scene_case(text, NULL);
        scene_case_run(&c, 16);
        double theirs = rest_of_mujoco(text, 0), ours = scene_q(c.scene)[0];
        assert_true(fabs(theirs - (i < 2 ? 0.2 : 0)) > 8e-4);
        assert_near(ours, theirs, 1e-6);
        scene_case_free(&c);
    }
}
