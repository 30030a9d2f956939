/* Models read by formats/model against MuJoCo for the same file: forward kinematics and inverse dynamics of the robots
 * of the shared data and of small scenes, at random states. */
#include "tests/support/test.h"

#include <stdlib.h>

#include "analysis/model/model_motion.h"
#include "formats/base/bytes.h"
#include "formats/model/mjcf.h"
#include "tests/support/mujoco_text.h"
#include "tests/support/random_number.h"

enum { STATES = 100 };

/* Removes every `name="..."`. */
static void strip(char *text, const char *name)
{
    size_t length = strlen(name);
    for (char *at = text; (at = strstr(at, name));) {
        char *end = at[length] == '=' && at[-1] == ' ' ? strchr(at + length + 2, '"') : NULL;
        if (end)
            memmove(at, end + 1, strlen(end + 1) + 1);
        else
            at++;
    }
}

/* Removes text from `<name` up to `end`. */
static void cut(char *text, const char *begin, const char *end)
{
    char *from, *to;
    while ((from = strstr(text, begin)) && (to = strstr(from, end)))
        memmove(from, to + strlen(end), strlen(to + strlen(end)) + 1);
}

/* Adds limited="true", which newer versions infer from ranges. */
static char *with_limits(char *text)
{
    const char word[] = " autolimits=\"true\"";
    char *longer = malloc(strlen(text) + sizeof word), *at = strstr(text, "<compiler");
    assert_true(longer && at);
    size_t before = (size_t)(at - text) + strlen("<compiler");
    memcpy(longer, text, before);
    memcpy(longer + before, word, sizeof word - 1);
    strcpy(longer + before + sizeof word - 1, text + before);
    free(text);
    return longer;
}

/* Mesh files are missing: removes their geoms and assets, and features that Debian's MuJoCo does not support. */
static char *older_text(const char *path)
{
    char *text = NULL;
    size_t size;
    assert_int_equal(bytes_read_path(path, &text, &size, NULL), STATUS_OK);
    cut(text, "<!--", "-->");
    cut(text, "<asset>", "</asset>");
    cut(text, "<sensor>", "</sensor>");
    cut(text, "<visual>", "</visual>");
    for (char *at = text; (at = strstr(at, "<geom"));) {
        char *end = strchr(at, '>'), *mesh = strstr(at, " mesh=\"");
        if (mesh && mesh < end && end[-1] == '/')
            memmove(at, end + 1, strlen(end + 1) + 1);
        else
            at++;
    }
    const char *const newer[] = {"actuatorfrcrange", "actuatorfrclimited", "material", "autolimits"};
    for (size_t i = 0; i < sizeof newer / sizeof *newer; i++)
        strip(text, newer[i]);
    return with_limits(text);
}

/* MuJoCo's model without constraints. Its compiler diagonalises inertias only to 1e-8, so files must have principal
 * ones. */
static mjModel *theirs(const char *text)
{
    mjModel *m = mujoco_read(text);
    m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT;
    return m;
}

static Model ours(const char *text)
{
    MjcfDef limits = mjcf_default_def();
    MjcfRemarks remarks = {0};
    Error err = {0};
    Model m;
    Status status = mjcf_parse(text, strlen(text), &limits, &m, &remarks, &err);
    if (status)
        print_error("%d: %s\n", err.line, err.text);
    assert_int_equal(status, STATUS_OK);
    mjcf_remarks_free(&remarks);
    return m;
}

static void random_state(const Model *m, unsigned *seed, double *q, double *v, double *a)
{
    for (int i = 0; i < m->q_count; i++)
        q[i] = 1.5 * random_number(seed);
    for (int i = 0; i < m->v_count; i++) {
        v[i] = 5 * random_number(seed);
        a[i] = 50 * random_number(seed);
    }
    for (int j = 0; j < m->joint_count; j++) {
        double *at = q + m->joint[j].q_start + (m->joint[j].kind == MODEL_FREE ? 3 : 0);
        Quat turn;
        if (m->joint[j].kind != MODEL_FREE && m->joint[j].kind != MODEL_BALL)
            continue;
        memcpy(&turn, at, sizeof turn);
        turn = quat_normalize(turn);
        memcpy(at, &turn, sizeof turn);
    }
}

/* Largest difference of positions and of rotations. */
static double kinematic_difference(const mjModel *m, const mjData *d, const ModelMotion *s)
{
    double worst = 0;
    for (int b = 0; b < m->nbody; b++) {
        Vec3 x = vec3(d->xpos[3 * b], d->xpos[3 * b + 1], d->xpos[3 * b + 2]);
        Quat q = {d->xquat[4 * b], d->xquat[4 * b + 1], d->xquat[4 * b + 2], d->xquat[4 * b + 3]};
        worst = fmax(worst, vec3_distance(x, s->position[b]));
        worst = fmax(worst, fabs(1 - fabs(quat_dot(q, s->orientation[b]))));
    }
    return worst;
}

/* Positions to 1e-9 m; generalised forces to 1e-8 of the largest; M by M a + bias = inverse. */
static void compare(const char *text)
{
    mjModel *m = theirs(text);
    mjData *d = mj_makeData(m);
    Model model = ours(text);
    ModelMotion s;
    unsigned seed = 17;
    assert_int_equal(model.body_count, m->nbody);
    assert_int_equal(model.q_count, m->nq);
    assert_int_equal(model.v_count, m->nv);
    assert_int_equal(model_motion_init(&s, &model, NULL), STATUS_OK);
    size_t n = (size_t)m->nv;
    double *v = calloc(n, sizeof *v), *a = calloc(n, sizeof *a), *f = calloc(n, sizeof *f);
    double *bias = calloc(n, sizeof *bias), *mass = calloc(n * n, sizeof *mass), *q = calloc((size_t)m->nq, sizeof *q);
    for (int k = 0; k < STATES; k++) {
        double largest = 0, worst = 0;
        random_state(&model, &seed, q, v, a);
        memcpy(d->qpos, q, (size_t)m->nq * sizeof *q);
        memcpy(d->qvel, v, n * sizeof *v);
        memcpy(d->qacc, a, n * sizeof *a);
        mj_inverse(m, d);
        model_motion_set(&s, &model, q, v, a);
        assert_near(kinematic_difference(m, d, &s), 0, 1e-9);
        model_inverse(&model, &s, a, NULL, f);
        memset(bias, 0, n * sizeof *bias);
        model_add_passive(&model, q, v, bias);
        for (size_t i = 0; i < n; i++) {
            largest = fmax(largest, fabs(d->qfrc_inverse[i]));
            worst = fmax(worst, fabs(f[i] - bias[i] - d->qfrc_inverse[i]));
        }
        assert_near(worst / largest, 0, 1e-8);
        model_mass(&model, &s, mass);
        model_motion_set(&s, &model, q, v, NULL);
        model_inverse(&model, &s, NULL, NULL, bias);
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n; j++)
                bias[i] += mass[i * n + j] * a[j];
            assert_near(bias[i] / largest, f[i] / largest, 1e-12);
        }
    }
    free(v);
    free(a);
    free(f);
    free(bias);
    free(mass);
    free(q);
    model_motion_free(&s);
    model_free(&model);
    mj_deleteData(d);
    mj_deleteModel(m);
}

TEST(robots_agree_with_mujoco)
{
    const char *const files[] = {"g1_29dof.xml", "t1_23dof.xml", "n1_23dof.xml"};
    const char *shared = getenv("KANE_SHARED");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/robots/%s", shared ? shared : "../shared", files[i]);
        if (access(path, R_OK) != 0) {
            print_message("%s: skipped, no shared data\n", files[i]);
            continue;
        }
        char *text = older_text(path);
        compare(text);
        free(text);
    }
}

/* All kinds of joints, several per body, anchors, references, springs, armature, inertia of all shapes, all
 * orientations, nested classes. */
static const char *const zoo =
    "<mujoco><compiler angle=\"degree\" eulerseq=\"ZyX\"/>"
    "<option gravity=\"0.3 -1 -9.81\"/>"
    "<default><geom density=\"700\"/><joint damping=\"0.3\"/>"
    "<default class=\"a\"><joint armature=\"0.02\" stiffness=\"3\"/>"
    "<default class=\"b\"><joint damping=\"0.1\"/><geom type=\"box\" size=\".1 .2 .3\"/></default></default></default>"
    "<worldbody><body name=\"p\" pos=\"1 2 3\" quat=\"1 2 3 4\"><freejoint/><geom type=\"capsule\" size=\".1 .2\" "
    "axisangle=\"1 1 0 40\"/><geom type=\"cylinder\" size=\".05 .3\" pos=\".2 .1 0\" zaxis=\"1 2 3\"/>"
    "<body name=\"q\" pos=\".3 0 .1\" euler=\"10 20 30\" childclass=\"a\"><joint type=\"ball\" pos=\".1 0 0\"/>"
    "<geom type=\"ellipsoid\" size=\".1 .2 .15\" xyaxes=\"1 1 0 0 1 1\"/>"
    "<body name=\"r\" pos=\"0 .2 0\"><joint class=\"b\" axis=\"1 2 3\" pos=\"0 .1 .2\" ref=\"30\" springref=\"-20\"/>"
    "<joint type=\"slide\" axis=\"0 1 1\" ref=\".2\"/><joint axis=\"0 0 1\" pos=\".1 .1 .1\"/>"
    "<geom class=\"b\"/><geom type=\"capsule\" size=\".04\" fromto=\"0 0 0 .3 .2 .1\"/>"
    "<body name=\"still\" pos=\".1 .1 .1\" euler=\"5 6 7\"><geom type=\"sphere\" size=\".1\" mass=\"2\"/>"
    "<body name=\"s\"><joint type=\"slide\"/><joint type=\"ball\"/><inertial pos=\".1 0 0\" mass=\"2\" "
    "fullinertia=\".3 .4 .5 .01 .02 .03\"/></body></body></body></body></body>"
    "<body name=\"t\"><joint type=\"hinge\" axis=\"0 1 0\"/><inertial pos=\"0 0 -1\" mass=\"1\" euler=\"1 2 3\" "
    "diaginertia=\".1 .2 .15\"/></body></worldbody></mujoco>";

TEST(every_joint_kind_agrees_with_mujoco)
{
    compare(zoo);
}
