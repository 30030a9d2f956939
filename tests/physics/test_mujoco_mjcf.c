/* Values read from a file against MuJoCo's compiler for the same text; the table of elements and attributes against
 * MuJoCo's schema; boxes on slopes against its steps. */
#include "tests/support/test.h"

#include <stdlib.h>

#include "analysis/math/vec.h"
#include "formats/model/mjcf_word.h"
#include "tests/support/mujoco_text.h"
#include "tests/support/scene_case.h"

static Model ours(const char *text)
{
    MjcfDef def = mjcf_default_def();
    MjcfRemarks remarks = {0};
    Error err = {0};
    Model m;
    Status status = mjcf_parse(text, strlen(text), &def, &m, &remarks, &err);
    if (status)
        print_error("%s\n%d: %s\n", text, err.line, err.text);
    assert_int_equal(status, STATUS_OK);
    mjcf_remarks_free(&remarks);
    return m;
}

static void assert_turn(const double *theirs, Quat q)
{
    assert_near(fabs(theirs[0] * q.w + theirs[1] * q.x + theirs[2] * q.y + theirs[3] * q.z), 1, 1e-9);
}

static Vec3 at(const double *v) { return vec3(v[0], v[1], v[2]); }

static void compare_geoms(const mjModel *m, const Model *k)
{
    assert_int_equal(k->geom_count, m->ngeom);
    for (int i = 0; i < m->ngeom; i++) {
        const ModelGeom *g = &k->geom[i];
        assert_vec3_near(g->position, at(m->geom_pos + 3 * i), 1e-12);
        assert_turn(m->geom_quat + 4 * i, g->orientation);
        for (int c = 0; c < (g->shape == MODEL_SPHERE ? 1 : g->shape < MODEL_BOX ? 2 : 3); c++)
            assert_near(vec3_component(g->size, c), m->geom_size[3 * i + c], 1e-12);
        assert_near(g->friction.slide, m->geom_friction[3 * i], 0);
        assert_near(g->friction.spin, m->geom_friction[3 * i + 1], 0);
        assert_near(g->friction.roll, m->geom_friction[3 * i + 2], 0);
        assert_int_equal(g->dimensions, m->geom_condim[i]);
        assert_int_equal(g->priority, m->geom_priority[i]);
        assert_int_equal(g->type_bits, m->geom_contype[i]);
        assert_int_equal(g->affinity_bits, m->geom_conaffinity[i]);
    }
}

static void compare_bodies(const mjModel *m, const Model *k)
{
    assert_int_equal(k->body_count, m->nbody);
    for (int i = 1; i < m->nbody; i++) {
        const ModelBody *b = &k->body[i];
        const double *d = m->body_inertia + 3 * i, *q = m->body_iquat + 4 * i;
        Sym3 inertia = sym3_rotate(quat_to_mat3((Quat){q[0], q[1], q[2], q[3]}), (Sym3){d[0], d[1], d[2], 0, 0, 0});
        double size = d[0] + d[1] + d[2];
        assert_near(b->mass, m->body_mass[i], 1e-9 * m->body_mass[i]);
        assert_vec3_near(b->com, at(m->body_ipos + 3 * i), 1e-9);
        assert_vec3_near(vec3(b->inertia.xx, b->inertia.yy, b->inertia.zz),
                         vec3(inertia.xx, inertia.yy, inertia.zz), 1e-7 * size);
        assert_vec3_near(vec3(b->inertia.xy, b->inertia.xz, b->inertia.yz),
                         vec3(inertia.xy, inertia.xz, inertia.yz), 1e-7 * size);
        assert_vec3_near(b->position, at(m->body_pos + 3 * i), 1e-12);
        assert_turn(m->body_quat + 4 * i, b->orientation);
    }
}

static void compare_joints(const mjModel *m, const Model *k)
{
    assert_int_equal(k->joint_count, m->njnt);
    for (int i = 0; i < m->njnt; i++) {
        const ModelJoint *j = &k->joint[i];
        int dof = m->jnt_dofadr[i];
        assert_int_equal(j->limited, m->jnt_limited[i]);
        assert_near(j->min, m->jnt_range[2 * i], 1e-12);
        assert_near(j->max, m->jnt_range[2 * i + 1], 1e-12);
        assert_near(j->stiffness, m->jnt_stiffness[i], 0);
        assert_near(j->damping, m->dof_damping[dof], 0);
        assert_near(j->armature, m->dof_armature[dof], 0);
        if (j->kind == MODEL_FREE)
            continue;
        assert_vec3_near(j->anchor, at(m->jnt_pos + 3 * i), 1e-12);
        assert_vec3_near(j->axis, at(m->jnt_axis + 3 * i), 1e-9);
    }
}

static void compare_actuators(const mjModel *m, const Model *k)
{
    assert_int_equal(k->actuator_count, m->nu);
    for (int i = 0; i < m->nu; i++) {
        const ModelActuator *a = &k->actuator[i];
        int is_affine = m->actuator_biastype[i] == mjBIAS_AFFINE;
        assert_int_equal(a->joint, m->actuator_trnid[2 * i]);
        assert_near(a->gain, m->actuator_gainprm[mjNGAIN * i], 0);
        for (int b = 0; b < 3; b++)
            assert_near(a->bias[b], is_affine ? m->actuator_biasprm[mjNBIAS * i + b] : 0, 0);
        assert_near(a->gear, m->actuator_gear[6 * i], 0);
        assert_int_equal(a->control_limited, m->actuator_ctrllimited[i]);
        assert_near(a->control_min, m->actuator_ctrlrange[2 * i], 0);
        assert_near(a->control_max, m->actuator_ctrlrange[2 * i + 1], 0);
        assert_int_equal(a->force_limited, m->actuator_forcelimited[i]);
        assert_near(a->force_min, m->actuator_forcerange[2 * i], 0);
        assert_near(a->force_max, m->actuator_forcerange[2 * i + 1], 0);
    }
}

static void compare(const char *text)
{
    mjModel *m = mujoco_read(text);
    Model k = ours(text);
    compare_geoms(m, &k);
    compare_bodies(m, &k);
    compare_joints(m, &k);
    compare_actuators(m, &k);
    model_free(&k);
    mj_deleteModel(m);
}

#define HEAD "<mujoco><compiler autolimits=\"true\"/>"
#define ARM "<worldbody><body><joint name=\"h\" axis=\"1 0 0\"/><geom size=\".1\"/></body></worldbody>"
#define FIVE "<actuator><position joint=\"h\"/><position joint=\"h\" kp=\"4\" gear=\"5\"/><velocity joint=\"h\"/>" \
    "<motor joint=\"h\"/><general joint=\"h\"/><general joint=\"h\" biastype=\"none\"/></actuator>"

/* Common defaults of all actuators from any element; nested classes; values that a class does not set. */
TEST(actuators_inherit_a_default)
{
    static const char *const defaults[] = {
        "<default/>",
        "<default><general gainprm=\"7\" biastype=\"affine\" biasprm=\"5 -2 -3\" gear=\"2\" ctrlrange=\"-1 1\" "
        "forcerange=\"-9 9\"/></default>",
        "<default><position kp=\"6\" gear=\"3\"/><velocity kv=\"8\"/></default>",
        "<default><velocity kv=\"8\" ctrlrange=\"-3 2\"/><position kp=\"6\" ctrllimited=\"false\"/></default>",
        "<default><motor gear=\"3\" ctrlrange=\"-2 2\"/><general gainprm=\"2 3\"/></default>",
        "<default><general ctrlrange=\"-2 2\" gainprm=\"3\"/></default><default><motor gear=\"4\"/></default>",
    };
    char text[2048];
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
        snprintf(text, sizeof text, HEAD "%s" ARM FIVE "</mujoco>", defaults[i]);
        compare(text);
    }
    compare(HEAD "<default><motor gear=\"3\"/><default class=\"a\"><position kp=\"5\" ctrlrange=\"-1 1\"/>"
            "<default class=\"b\"><general biasprm=\"1\" forcerange=\"-2 2\"/></default></default></default>" ARM
            "<actuator><general joint=\"h\" class=\"a\"/><motor joint=\"h\" class=\"a\"/><velocity joint=\"h\" "
            "class=\"b\"/><general joint=\"h\" class=\"b\"/><general jointinparent=\"h\" gainprm=\"3\"/></actuator>"
            "</mujoco>");
}

/* All attributes that rotate a geom, site, body and inertia, directly and by a default; a rotation by 180 degrees
 * about x for straight down. */
TEST(orientations_agree_with_mujoco)
{
    static const char *const own[] = {"", "quat=\"0 1 0 0\"", "euler=\"0 0 90\"", "zaxis=\"0 0 -1\"", "zaxis=\"1 2 3\"",
                                      "zaxis=\"1e-11 0 -3\"", "xyaxes=\"1 1 0 0 1 1\"", "axisangle=\"1 1 0 40\""};
    static const char *const defaults[] = {"", "quat=\"1 2 3 4\"", "euler=\"10 20 30\""};
    char text[1024];
    for (size_t d = 0; d < 3; d++)
        for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
            if (d == 2 && i > 2) /* two orientations: rejected */
                continue;
            snprintf(text, sizeof text, HEAD "<default><geom type=\"box\" size=\".1 .2 .3\" %s/></default><worldbody>"
                     "<geom %s/><body %s><joint/><geom %s pos=\"1 0 0\"/></body></worldbody></mujoco>",
                     defaults[d], own[i], own[i], own[i]);
            compare(text);
        }
    compare(HEAD "<default><geom size=\".1 .2 .3\"/><default class=\"s\"><geom size=\".3\" friction=\".5\"/></default>"
            "</default><worldbody><geom type=\"capsule\" fromto=\"0 0 0 0 0 1\"/><geom type=\"box\" "
            "fromto=\"0 0 1 0 0 0\"/><geom type=\"ellipsoid\" fromto=\"0 0 1 .2 0 0\"/><geom type=\"box\" class=\"s\"/>"
            "<geom type=\"cylinder\" fromto=\"1 0 0 0 0 0\" size=\".2\"/></worldbody></mujoco>");
}

TEST(masses_agree_with_mujoco)
{
    static const char *const compilers[] = {"", "boundinertia=\".05\" boundmass=\"3\"", "balanceinertia=\"true\"",
                                            "settotalmass=\"20\"", "inertiafromgeom=\"true\"",
                                            "inertiagrouprange=\"1 2\""};
    char text[2048];
    for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++) {
        snprintf(text, sizeof text, "<mujoco><compiler autolimits=\"true\" %s/><worldbody>"
                 "<body><joint/><inertial pos=\".1 0 0\" mass=\"1\" fullinertia=\".04 .03 .05 .01 .002 -.003\"/>"
                 "<geom size=\".1\" group=\"1\"/></body>"
                 "<body><joint/><inertial pos=\"0 0 .1\" mass=\"4\" diaginertia=\".04 .06 .05\" euler=\"0 0 30\"/>"
                 "<geom size=\".2\" mass=\"2\" group=\"1\"/></body>"
                 "<body><joint/><geom type=\"box\" size=\".1 .2 .3\" euler=\"10 20 30\" group=\"1\"/>"
                 "<geom type=\"capsule\" size=\".1 .2\" pos=\"0 .3 0\" density=\"300\" group=\"2\"/>"
                 "<geom size=\".1\" group=\"3\"/></body></worldbody></mujoco>", compilers[i]);
        compare(text);
    }
    compare("<mujoco><compiler balanceinertia=\"true\"/><worldbody><body><joint/><inertial pos=\"0 0 0\" mass=\"1\" "
            "fullinertia=\"1 1 5 .5 0 0\"/></body></worldbody></mujoco>");
}

TEST(contacts_agree_with_mujoco)
{
    compare(HEAD "<default><geom condim=\"1\" priority=\"2\" friction=\".3 .2\" contype=\"2\"/><default class=\"a\">"
            "<geom condim=\"3\" friction=\".7\"/></default></default><worldbody><geom size=\"1\"/><geom size=\"1\" "
            "class=\"a\" priority=\"-1\"/><body childclass=\"a\"><joint limited=\"true\" range=\"-10 20\"/><geom "
            "size=\".1\" conaffinity=\"4\"/><body><joint type=\"ball\" range=\"0 30\" damping=\"1\"/><geom size=\".1\" "
            "condim=\"1\"/></body></body></worldbody></mujoco>");
}

TEST(kane_and_mujoco_refuse_invalid_models)
{
    static const char *const texts[] = {
        "<worldbody><body><joint/><inertial pos=\"0 0 0\" mass=\"1\" fullinertia=\"1 1 1 2 0 0\"/></body></worldbody>",
        "<worldbody><body><joint/><inertial pos=\"0 0 0\" mass=\"1\" fullinertia=\"1 1 0 0 0 0\"/></body></worldbody>",
        "<worldbody><body><joint/><inertial pos=\"0 0 0\" mass=\"1\" fullinertia=\"1 1 5 .5 0 0\"/></body></worldbody>",
        "<worldbody><body><joint/><inertial pos=\"0 0 0\" mass=\"1\" euler=\"1 0 0\" fullinertia=\"1 1 1 0 0 0\"/>"
        "</body></worldbody>",
        "<worldbody><geom size=\"1\" quat=\"0 1 0 0\" euler=\"0 0 90\"/></worldbody>",
        "<worldbody><geom size=\"1\" condim=\"2\"/></worldbody>",
        "<worldbody><geom type=\"capsule\" size=\".1\" fromto=\"0 0 0 1 0 0\" pos=\"0 0 1\"/></worldbody>",
        "<worldbody><geom name=\"a\" size=\"1\"/><geom name=\"a\" size=\"1\"/></worldbody>",
        "<worldbody><body name=\"world\"><joint/><geom size=\"1\"/></body></worldbody>",
        "<worldbody><body><joint type=\"ball\" limited=\"true\" range=\"10 30\"/><geom size=\"1\"/></body></worldbody>",
        "<default><joint damping=\"1\"/><joint damping=\"2\"/></default>" ARM,
        ARM "<equality><joint name=\"a\" joint1=\"h\"/><joint name=\"a\" joint1=\"h\"/></equality>",
        ARM "<actuator><motor name=\"a\" joint=\"h\"/><position name=\"a\" joint=\"h\"/></actuator>",
        ARM "<actuator><motor joint=\"h\" ctrlrange=\"-1 1\"/></actuator>",
        ARM "<keyframe><key name=\"a\"/><key name=\"a\"/></keyframe>",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[1024], path[] = "/tmp/kane_mujoco_XXXXXX.xml", words[500] = "";
        MjcfDef def = mjcf_default_def();
        MjcfRemarks remarks = {0};
        Error err = {0};
        Model m;
        snprintf(text, sizeof text, "<mujoco><compiler autolimits=\"false\"/>\n%s</mujoco>", texts[i]);
        int fd = mkstemps(path, 4);
        assert_true(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
        close(fd);
        assert_null(mj_loadXML(path, NULL, words, sizeof words));
        remove(path);
        if (mjcf_parse(text, strlen(text), &def, &m, &remarks, &err) == STATUS_OK)
            fail_msg("%s is read; MuJoCo: %s", texts[i], words);
        assert_int_equal(err.line, 2);
        mjcf_remarks_free(&remarks);
    }
}

/* --- the schema --- */

enum { DEEPEST = 12, NAME = 64 };

/* The attributes of an element of the schema, below its parent. */
static const char *words_of(const char *parent, const char *name)
{
    static const char *const other[][3] = {{"equality", "joint", "couple"}, {"equality", "tendon", "tendoncouple"},
                                           {"spatial", "site", "tendonsite"}, {"spatial", "geom", "tendongeom"},
                                           {"mujoco", "(world)body", "body"}};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (!strcmp(parent, other[i][0]) && !strcmp(name, other[i][1]))
            return other[i][2];
    return name;
}

/* Parses a line of the schema: depth, or -1 if it continues attributes; name and first attribute. */
static int parse_line(const char *line, char name[NAME], const char **attributes)
{
    int indent = (int)strspn(line, " ");
    *attributes = line;
    if (indent >= 20)
        return -1;
    assert_int_equal(sscanf(line, " %63[^ ]", name), 1);
    const char *bracket = strchr(line + indent + strlen(name), '(');
    *attributes = bracket ? strchr(bracket, ')') + 1 : line + strlen(line);
    return indent / 3;
}

static void check_words(const char *words, const char *attributes, int *count)
{
    char copy[512], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", attributes);
    for (char *a = strtok_r(copy, " ", &rest); a; a = strtok_r(NULL, " ", &rest), ++*count)
        if (!mjcf_word_find(words, a))
            fail_msg("data/mjcf_words.tsv has no row %s %s", words, a);
}

/* Each attribute of each element has a row, or its element has one for all its content. */
TEST(attribute_table_equals_mujoco_schema)
{
    static char schema[1 << 18];
    char open[DEEPEST][NAME] = {"mujoco"}, *rest = NULL;
    int covered = DEEPEST, depth = 0, count = 0;
    (void)state;
    assert_true(mj_printSchema(NULL, schema, sizeof schema, 0, 0) > 0);
    for (char *line = strtok_r(schema, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char name[NAME];
        const char *attributes;
        int at = parse_line(line, name, &attributes);
        depth = at >= 0 ? at : depth;
        if (at >= 0) {
            const char *words = depth ? words_of(open[depth - 1], name) : "mujoco";
            const MjcfWord *all = mjcf_word_find(words, "*");
            snprintf(open[depth], NAME, "%s", words);
            covered = covered < depth ? covered : DEEPEST;
            if (covered == DEEPEST && all && (all->use == MJCF_SKIP || all->use == MJCF_REFUSE) &&
                strcmp(open[depth ? depth - 1 : 0], "default") != 0)
                covered = depth;
            if (covered == DEEPEST && depth > 0 && !strcmp(open[depth - 1], "asset"))
                covered = depth;
            if (covered == DEEPEST && all && depth > 0 && !strcmp(open[depth - 1], "default") &&
                (all->use == MJCF_SKIP || all->use == MJCF_REFUSE))
                covered = depth;
        }
        if (covered > depth)
            check_words(open[depth], attributes, &count);
    }
    assert_true(count > 400);
}

/* --- steps --- */

/* Position along the slope of a box that slides down 30 degrees for 0.5 s. */
TEST(sliding_on_a_slope_agrees_with_mujoco)
{
    static const char *const geoms[][2] = {
        {"condim=\"1\"", "condim=\"1\""}, {"condim=\"1\" friction=\"0.1\"", "condim=\"3\" friction=\"0.2\""},
        {"condim=\"1\" priority=\"1\"", "condim=\"3\" friction=\"0.9\""},
        {"friction=\"0.9\"", "friction=\"0.1\" priority=\"2\""}, {"friction=\"0.1\"", "friction=\"0.3\""}};
    (void)state;
    for (size_t i = 0; i < sizeof geoms / sizeof *geoms; i++) {
        char text[1024];
        snprintf(text, sizeof text, "<mujoco><option timestep=\"0.001\" gravity=\"4.905 0 -8.4957\" cone=\"elliptic\"/>"
                 "<worldbody><geom type=\"plane\" size=\"0 0 1\" %s/><body pos=\"0 0 .1\"><freejoint/><geom "
                 "type=\"box\" size=\".2 .2 .1\" mass=\"1\" %s/></body></worldbody></mujoco>", geoms[i][0],
                 geoms[i][1]);
        mjModel *m = mujoco_read(text);
        mjData *d = mj_makeData(m);
        while (d->time < 0.4995)
            mj_step(m, d);
        SceneCase c = scene_case(text, NULL);
        scene_case_run(&c, 0.5);
        assert_true(d->qpos[0] > 0.1);
        assert_near(scene_q(c.scene)[0], d->qpos[0], 0.02 * d->qpos[0]);
        scene_case_free(&c);
        mj_deleteData(d);
        mj_deleteModel(m);
    }
}
