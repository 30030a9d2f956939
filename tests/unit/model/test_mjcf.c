/* formats/model: what is read, reported and rejected, with line and column. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/math/elementary.h"
#include "formats/model/mjcf.h"
#include "formats/model/mjcf_word.h"
#include "tests/support/test_folder.h"

#define WORLD(inner) "<mujoco>\n<worldbody>\n" inner "\n</worldbody>\n</mujoco>"
#define BALL "<geom type=\"sphere\" size=\"0.1\"/>"

static Status parse(const char *text, Model *m, MjcfRemarks *remarks, Error *err)
{
    MjcfDef limits = mjcf_default_def();
    *err = (Error){0};
    return mjcf_parse(text, strlen(text), &limits, m, remarks, err);
}

/* Each error states its line and subject. */
TEST(refused_element_reports_line)
{
    const struct { const char *text, *words; int line; } cases[] = {
        {"<mujoco>\n<worldbody>\n</mujoco>", "no XML: mismatched tag", 3},
        {"<!DOCTYPE m [<!ENTITY a \"b\">]>\n<mujoco/>", "document type", 1},
        {"<robot/>", "this is URDF, which kane does not read: convert it to MJCF", 1},
        {"<root/>", "the root of a model is <mujoco>", 1},
        {"<mujoco>\n<include file=\"other.xml\"/></mujoco>", "inside the directory", 2},
        {"<mujoco>\n<deformable/></mujoco>", "<deformable> in mujoco is not supported", 2},
        {WORLD("<body><joint dampin=\"1\"/>" BALL "</body>"),
         "unknown attribute \"dampin\" of joint; did you mean damping?", 3},
        {WORLD("<body><joint springdamper=\"1 1\"/>" BALL "</body>"), "springdamper=\"1 1\" is not supported", 3},
        {WORLD("<body><joint frictionloss=\"-1\"/>" BALL "</body>"), "armature or frictionloss below 0", 3},
        {WORLD("<body>\n<composite/></body>"), "<composite> in body", 4},
        {WORLD("<body><geom type=\"box\" size=\"1 2\"/></body>"), "box: expected 3 sizes, found 2", 3},
        {WORLD("<body><geom type=\"torus\" size=\"1 2\"/></body>"), "unknown value type=\"torus\"", 3},
        {WORLD("<body><geom size=\"1 x\"/></body>"), "size: expected 1 to 3 numbers, found \"1 x\"", 3},
        {WORLD("<body><geom size=\"nan\"/></body>"), "size: expected", 3},
        {WORLD("<body><freejoint/>" BALL "<body><freejoint/>" BALL "</body></body>"), "a free joint stands alone", 3},
        {WORLD("<body><joint range=\"2 1\" limited=\"true\"/>" BALL "</body>"), "lower bound", 3},
        {WORLD("<body><joint class=\"none\"/>" BALL "</body>"), "unknown default class \"none\"", 3},
        {WORLD("<body><geom type=\"mesh\" mesh=\"m\"/><joint/></body>"), "mesh=\"m\": not found", 3},
        {"<mujoco><asset><mesh name=\"m\" file=\"m.stl\"/></asset>\n<worldbody><body>\n<geom type=\"mesh\" "
         "mesh=\"m\"/></body></worldbody></mujoco>", "is that of mesh m, whose file m.stl is missing", 2},
        {"<mujoco><asset>\n<mesh name=\"m\" vertex=\"0 0 0 1 0 0 0 1 0 1 1 0\"/></asset><worldbody><body><geom "
         "type=\"mesh\" mesh=\"m\"/></body></worldbody></mujoco>", "mesh m: all vertices lie in a plane", 2},
        {"<mujoco><asset>\n<mesh name=\"m\" vertex=\"0 0 0 1 0 0 0 1 0 1 1\"/></asset><worldbody><body><geom "
         "type=\"mesh\" mesh=\"m\"/></body></worldbody></mujoco>", "vertex: expected numbers in threes", 2},
        {"<mujoco><asset>\n<mesh name=\"m\" vertex=\"0 0 0 1 0 0 0 1 0 1 1 1\" face=\"0 1 4\"/></asset><worldbody>"
         "<body><geom type=\"mesh\" mesh=\"m\"/></body></worldbody></mujoco>", "face: there is no vertex 4 of 4", 2},
        {"<mujoco><worldbody><geom name=\"a\" size=\"1\"/></worldbody>\n<contact>\n<pair geom1=\"a\" geom2=\"b\"/>"
         "</contact></mujoco>", "geom2=\"b\": not found", 3},
        {WORLD("<body><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 3\"/></body>"), "exceeds the sum", 3},
        {WORLD("<body name=\"a\"/>\n<body name=\"a\"/>"), "duplicate body \"a\", also at line 3", 4},
        {WORLD("<site name=\"a\"/>\n<site name=\"a\"/>"), "duplicate site \"a\", also at line 3", 4},
        {WORLD("<body><inertial pos=\"0 0 0\" mass=\"1\" fullinertia=\"1 1 1 2 0 0\"/></body>"),
         "positive eigenvalues, has -1, 3 and 1", 3},
        {WORLD("<body><inertial pos=\"0 0 0\" mass=\"1\" quat=\"1 0 0 0\" fullinertia=\"1 1 1 0 0 0\"/></body>"),
         "fullinertia and quat both rotate the inertia", 3},
        {WORLD("<body><inertial pos=\"0 0 0\" mass=\"1\" axisangle=\"1 0 0 0\" fullinertia=\"1 1 1 0 0 0\"/></body>"),
         "fullinertia and axisangle both", 3},
        {WORLD("<body><inertial pos=\"0 0 0\" mass=\"1\" xyaxes=\"1 0 0 0 1 0\" fullinertia=\"1 1 1 0 0 0\"/></body>"),
         "fullinertia and xyaxes both", 3},
        {WORLD("<body><inertial pos=\"0 0 0\" mass=\"1\" zaxis=\"0 0 1\" fullinertia=\"1 1 1 0 0 0\"/></body>"),
         "fullinertia and zaxis both", 3},
        {WORLD("<body><inertial pos=\"0 0 0\" mass=\"1\" euler=\"0 0 0\" fullinertia=\"1 1 1 0 0 0\"/></body>"),
         "fullinertia and euler both", 3},
        {WORLD("<body><geom fromto=\"0 0 0 1 0 0\" size=\".1 .2 .3\"/></body>"), "fromto requires an elongated shape",
         3},
        {WORLD("<body><geom type=\"capsule\" fromto=\"0 0 0 1 0 0\" pos=\"1 0 0\" size=\".1\"/></body>"),
         "geom has both fromto and pos", 3},
        {WORLD("<body><geom type=\"box\" size=\"1 2\"/></body>"), "box: expected 3 sizes, found 2", 3},
        {WORLD("<body><geom type=\"capsule\" size=\".1 0\"/></body>"), "capsule: expected positive sizes", 3},
        {WORLD("<body><geom size=\".1\" mass=\"-1\"/></body>"), "a geom weighs less than nothing", 3},
        {WORLD("<body><geom size=\".1\" friction=\"-.1 0 0\"/></body>"), "friction below 0", 3},
        {WORLD("<body><geom size=\".1\" condim=\"2\"/></body>"), "condim is 1, 3, 4 or 6", 3},
        {WORLD("<body><joint type=\"ball\" range=\"1 2\" limited=\"true\"/><geom size=\".1\"/></body>"),
         "the range of a ball begins at 0", 3},
        {WORLD("<body><joint axis=\"0 0 0\"/><geom size=\".1\"/></body>"), "a joint has no axis", 3},
        {WORLD("<body><joint armature=\"-1\"/><geom size=\".1\"/></body>"),
         "a joint has stiffness, damping, armature or frictionloss below 0", 3},
        {WORLD("<body><joint stiffness=\"-1\"/><geom size=\".1\"/></body>"),
         "a joint has stiffness, damping, armature or frictionloss below 0", 3},
        {WORLD("<body><joint damping=\"-1\"/><geom size=\".1\"/></body>"),
         "a joint has stiffness, damping, armature or frictionloss below 0", 3},
        {WORLD("<body><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 -1 1\"/></body>"), "an inertia is below 0", 3},
        {WORLD("<body><inertial pos=\"0 0 0\" mass=\"-1\" diaginertia=\"1 1 1\"/></body>"),
         "inertial: expected a mass of 0 or more", 3},
        {WORLD("<joint/>"), "the world has no joints", 3},
        {WORLD("<body><joint type=\"ball\"/><joint type=\"ball\"/><geom size=\".1\"/></body>"),
         "a body has two ball joints", 3},
        {WORLD("<body quat=\"0 0 0 0\"><geom size=\".1\"/></body>"), "quat has no length", 3},
        {WORLD("<body axisangle=\"0 0 0 1\"><geom size=\".1\"/></body>"), "axisangle has no axis", 3},
        {WORLD("<body zaxis=\"0 0 0\"><geom size=\".1\"/></body>"), "zaxis has no length", 3},
        {WORLD("<body xyaxes=\"1 0 0 2 0 0\"><geom size=\".1\"/></body>"),
         "xyaxes: expected two different directions", 3},
        {WORLD("<body quat=\"1 0 0 0\" euler=\"0 0 0\"><geom size=\".1\"/></body>"), "body has two rotations", 3},
        {WORLD("<body pos=\"1 2\"><geom size=\".1\"/></body>"), "pos: expected 3 to 3 numbers, found \"1 2\"", 3},
        {WORLD("<body pos=\"1 2 3 4\"><geom size=\".1\"/></body>"), "pos: expected 3 to 3 numbers, found \"1 2 3 4\"",
         3},
        {WORLD("<body><geom size=\".1\" group=\"1.5\" condim=\"1.5\"/></body>"), "condim: expected an integer", 3},
        {WORLD("<body><joint range=\"1 1\" limited=\"true\"/><geom size=\".1\"/></body>"),
         "range: expected a lower bound below the upper one", 3},
        {"<mujoco><compiler eulerseq=\"xyw\"/><worldbody>\n<body euler=\"1 2 3\"/></worldbody></mujoco>",
         "eulerseq \"xyw\": expected three of xyz or XYZ", 2},
        {"<mujoco><default>\n<default/></default></mujoco>", "a default within another needs a class", 2},
        {"<mujoco><default><default class=\"a\"/>\n<default class=\"a\"/></default></mujoco>",
         "there are two classes \"a\"", 2},
        {"<mujoco><default><geom/>\n<geom/></default></mujoco>", "a class has one <geom>", 2},
        {"<world>\n</world>", "the root of a model is <mujoco>, not <world>", 1},
        {"<mujoco>\n<option timestep=\"-1\"/></mujoco>", "a timestep must be above 0", 2},
        {"<mujoco><compiler autolimits=\"false\"/><worldbody><body>\n<joint range=\"0 1\"/></body></worldbody>"
         "</mujoco>",
         "range without limited=\"true\", and autolimits is off", 2},
        {"<mujoco><worldbody><geom name=\"a\" size=\"1\"/><body><freejoint/><geom name=\"b\" size=\"1\"/></body>"
         "</worldbody><contact>\n<pair geom1=\"a\" geom2=\"b\" condim=\"6\" friction=\"1 1 1 .1 .2\"/></contact>"
         "</mujoco>", "pair with another friction against rolling along its second direction", 2},
        {"<mujoco><worldbody><geom name=\"a\" size=\"1\"/><body><freejoint/><geom name=\"b\" size=\"1\"/></body>"
         "</worldbody><contact>\n<pair geom1=\"a\" geom2=\"b\" condim=\"5\"/></contact></mujoco>",
         "condim is 1, 3, 4 or 6", 2},
        {WORLD("<gem/>"), "unknown element <gem> in worldbody", 3},
        {WORLD("<frame>\n<frame pos=\"1 2\"><body/></frame></frame>"), "pos: expected 3 to 3 numbers", 4},
        {WORLD("<frame>\n<gem/></frame>"), "unknown element <gem> in frame", 4},
        {WORLD("<body><frame>\n<inertial pos=\"0 0 0\" mass=\"1\"/></frame></body>"), "not in a frame", 4},
        {WORLD("<replicate>\n<body/></replicate>"), "<replicate> in worldbody is not supported", 3},
        {WORLD("<geom type=\"hfield\" hfield=\"h\"/>"), "geom with hfield=\"h\" is not supported", 3},
        {"<mujoco>\n<default><gem/></default></mujoco>", "unknown element <gem> in default", 2},
        {"<mujoco><default>\n<joint margin=\"1\"/></default><worldbody><body><joint range=\"0 1\"/>" BALL
         "</body></worldbody></mujoco>", "joint with margin=\"1\" is not supported", 2},
        {WORLD("<body name=\"a\"/>") , NULL, 0},
        {"<mujoco><worldbody/><equality>\n<weld body1=\"a\"/></equality></mujoco>", "body1=\"a\": not found", 2},
        {"<mujoco><worldbody/><equality>\n<tendon/></equality></mujoco>", "<tendon> in equality", 2},
        {"<mujoco><worldbody/><tendon>\n<fixed/></tendon></mujoco>", "<fixed> in tendon", 2},
        {"<mujoco><worldbody/><actuator>\n<muscle/></actuator></mujoco>", "<muscle> in actuator", 2},
        {"<mujoco><worldbody/><keyframe>\n<key qpos=\"1\"/></keyframe></mujoco>", "qpos: expected 0 to 0", 2},
        {"<mujoco>\n<option density=\"1.2\"/></mujoco>", "density=\"1.2\" is not supported", 2},
        {"<mujoco>\n<option timestep=\"0\"/></mujoco>", "above 0", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Model m;
        MjcfRemarks remarks = {0};
        Error err;
        Status status = parse(cases[i].text, &m, &remarks, &err);
        if (!cases[i].words) {
            assert_int_equal(status, STATUS_OK);
        } else {
            if (status == STATUS_OK || !strstr(err.text, cases[i].words) || err.line != cases[i].line)
                print_error("%s\n-> %d: %s\n", cases[i].text, err.line, err.text);
            assert_int_not_equal(status, STATUS_OK);
            assert_non_null(strstr(err.text, cases[i].words));
            assert_int_equal(err.line, cases[i].line);
            assert_null(m.body);
        }
        mjcf_remarks_free(&remarks);
        model_free(&m);
    }
}

#define SCENE(inner) "<mujoco><worldbody><site name=\"o\"/><site name=\"p\" pos=\"0 0 1\"/><body name=\"a\">" \
    "<freejoint name=\"f\"/>" BALL "<body name=\"b\"><joint name=\"h\"/>" BALL "</body></body></worldbody>\n" \
    inner "</mujoco>"

/* References to missing or unsuitable objects report their line. */
TEST(invalid_references_are_refused)
{
    static const char *const cases[][2] = {
        {"<equality><joint joint1=\"none\"/></equality>", "joint1=\"none\": not found"},
        {"<equality><joint/></equality>", "joint1=\"\": not found"},
        {"<equality><joint joint1=\"h\" joint2=\"f\"/></equality>", "joint f is neither hinge nor slide"},
        {"<equality><weld body1=\"a\" torquescale=\"0\"/></equality>", "a weld without torque is a connect"},
        {"<actuator><position joint=\"h\" kp=\"1\" kv=\"-1\"/></actuator>", "kv below 0"},
        {"<actuator><general joint=\"h\" gaintype=\"muscle\"/></actuator>", "general with gaintype=\"muscle\""},
        {"<actuator><general joint=\"h\" biastype=\"muscle\"/></actuator>", "general with biastype=\"muscle\""},
        {"<equality><connect body1=\"b\" body2=\"b\" anchor=\"0 0 0\"/></equality>", "a body is held to itself"},
        {"<tendon><spatial><geom/></spatial></tendon>", "a tendon over <geom> is not supported"},
        {"<tendon><spatial><site site=\"o\"/></spatial></tendon>", "two sites or more"},
        {"<tendon><spatial stiffness=\"-1\"><site site=\"o\"/><site site=\"p\"/></spatial></tendon>", "of 0 or more"},
        {"<tendon><spatial><site site=\"o\"/><site site=\"q\"/></spatial></tendon>", "site=\"q\": not found"},
        {"<tendon><spatial springlength=\"2 1\"><site site=\"o\"/><site site=\"p\"/></spatial></tendon>",
         "the shorter length first"},
        {"<actuator><motor joint=\"f\"/></actuator>", "<motor> on a ball or free joint is not supported"},
        {"<actuator><motor/></actuator>", "joint=\"\": not found"},
        {"<contact><pair geom1=\"a\" geom2=\"b\"/></contact>", "geom1=\"a\": not found"},
        {"<keyframe><key qpos=\"0 0 0 0 0 0 0 1\"/></keyframe>", "qpos has a quaternion without length"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        Model m;
        MjcfRemarks remarks = {0};
        Error err;
        snprintf(text, sizeof text, SCENE("%s"), cases[i][0]);
        assert_int_equal(parse(text, &m, &remarks, &err), STATUS_BAD_INPUT);
        if (!strstr(err.text, cases[i][1]) || err.line != 2)
            fail_msg("%s\n-> %d: %s", cases[i][0], err.line, err.text);
        mjcf_remarks_free(&remarks);
        model_free(&m);
    }
}

TEST(size_and_depth_limits_are_enforced)
{
    const MjcfDef tight[] = {{{.max_bytes = 20, .max_elements = 100, .max_depth = 100, .max_files = 4}, NULL},
                             {{.max_bytes = 1000, .max_elements = 3, .max_depth = 100, .max_files = 4}, NULL},
                             {{.max_bytes = 1000, .max_elements = 100, .max_depth = 3, .max_files = 4}, NULL}};
    for (size_t i = 0; i < sizeof tight / sizeof *tight; i++) {
        const char *text = "<mujoco><worldbody><body><body/></body></worldbody></mujoco>";
        Model m;
        MjcfRemarks remarks = {0};
        Error err = {0};
        assert_int_equal(mjcf_parse(text, strlen(text), &tight[i], &m, &remarks, &err), STATUS_LIMIT);
    }
}

/* Classes nest up to the bound of the reader's tables, 64. */
TEST(default_classes_nest_to_64_levels)
{
    for (int depth = 64; depth <= 65; depth++) {
        char text[8192] = "<mujoco>";
        size_t n = strlen(text);
        for (int i = 0; i < depth; i++)
            n += (size_t)snprintf(text + n, sizeof text - n, "<default class=\"c%d\">", i);
        for (int i = 0; i < depth; i++)
            n += (size_t)snprintf(text + n, sizeof text - n, "</default>");
        snprintf(text + n, sizeof text - n, "<worldbody><body>" BALL "</body></worldbody></mujoco>");
        Model m = {0};
        MjcfRemarks remarks = {0};
        Error err = {0};
        Status status = parse(text, &m, &remarks, &err);
        assert_int_equal(status, depth == 64 ? STATUS_OK : STATUS_BAD_INPUT);
        if (status)
            assert_non_null(strstr(err.text, "more than 64 classes lie in each other"));
        mjcf_remarks_free(&remarks);
        model_free(&m);
    }
}

TEST(remarks_are_counted)
{
    Model m;
    MjcfRemarks remarks = {0};
    Error err;
    const char *text = "<mujoco><asset>\n<mesh name=\"m\" file=\"m.stl\"/></asset><worldbody><body><inertial "
        "pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/><geom type=\"mesh\" mesh=\"m\" contype=\"0\" "
        "conaffinity=\"0\"/>\n<geom mesh=\"m\" contype=\"0\" conaffinity=\"0\"/><geom size=\"1\" "
        "solref=\"0.02\"/></body></worldbody></mujoco>";
    assert_int_equal(parse(text, &m, &remarks, &err), STATUS_OK);
    assert_int_equal(remarks.count, 1);
    assert_string_equal(remarks.remark[0].text, "mesh m is left out: standard input has no folder for m.stl");
    assert_int_equal(remarks.remark[0].count, 1);
    assert_int_equal(remarks.remark[0].line, 2);
    assert_int_equal(m.geom_count, 1);
    mjcf_remarks_free(&remarks);
    model_free(&m);
}

/* Ranges, references and actuators in the angle unit; gains of the short forms; keyframes. */
TEST(joints_and_drives_are_read)
{
    Model m;
    MjcfRemarks remarks = {0};
    Error err;
    const char *text = "<mujoco><default><joint range=\"-10 90\"/><position kp=\"5\" ctrlrange=\"-1 1\"/></default>"
        "<worldbody><body><joint name=\"h\" ref=\"18\" armature=\"2\"/>"
        "<joint name=\"s\" type=\"slide\" range=\"0 0\"/>" BALL "</body></worldbody><actuator>"
        "<position joint=\"h\" kv=\"2\" gear=\"3\"/>"
        "<motor joint=\"s\" forcerange=\"-4 4\"/></actuator><keyframe>"
        "<key name=\"k\" time=\"2\" qpos=\"1 2\" qvel=\"3 4\" ctrl=\"5 6\"/></keyframe></mujoco>";
    assert_int_equal(parse(text, &m, &remarks, &err), STATUS_OK);
    assert_int_equal(m.joint[0].limited, 1);
    assert_near(m.joint[0].max, PI / 2, 1e-15);
    assert_near(m.joint[0].reference, PI / 10, 1e-15);
    assert_near(m.joint[0].armature, 2, 0);
    assert_int_equal(m.joint[1].limited, 0);
    assert_near(m.actuator[0].gain, 5, 0);
    assert_near(m.actuator[0].bias[1], -5, 0);
    assert_near(m.actuator[0].bias[2], -2, 0);
    assert_near(m.actuator[0].gear, 3, 0);
    assert_int_equal(m.actuator[0].control_limited, 1);
    assert_int_equal(m.actuator[1].force_limited, 1);
    assert_near(m.actuator[1].force_max, 4, 0);
    assert_near(m.key[0].q[1], 2, 0);
    assert_near(m.key[0].v[0], 3, 0);
    assert_near(m.key[0].control[1], 6, 0);
    mjcf_remarks_free(&remarks);
    model_free(&m);
}

/* The anchors of both bodies coincide in the reference configuration; there, a tendon has its rest length. */
TEST(equality_anchors_of_both_bodies_coincide)
{
    Model m;
    MjcfRemarks remarks = {0};
    Error err;
    const char *text = "<mujoco><worldbody><site name=\"o\" pos=\"0 0 5\"/><body name=\"a\" pos=\"1 0 0\">"
        "<freejoint/>" BALL "</body><body name=\"b\" pos=\"0 2 0\" euler=\"0 0 90\"><freejoint/>" BALL
        "<site name=\"t\" pos=\"2 0 1\"/></body>"
        "</worldbody><equality><connect body1=\"a\" body2=\"b\" anchor=\"0 1 0\"/><weld body1=\"a\"/>"
        "<weld body1=\"a\" body2=\"b\" active=\"false\"/></equality><tendon><spatial stiffness=\"3\"><site site=\"o\"/>"
        "<site site=\"t\"/></spatial></tendon><contact><exclude body1=\"a\" body2=\"b\"/></contact></mujoco>";
    assert_int_equal(parse(text, &m, &remarks, &err), STATUS_OK);
    assert_int_equal(m.equality_count, 2);
    assert_vec3_near(m.equality[0].second_anchor, vec3(-1, -1, 0), 1e-15);
    assert_int_equal(m.equality[1].second, 0);
    assert_vec3_near(m.equality[1].anchor, vec3(-1, 0, 0), 1e-15);
    assert_near(m.tendon[0].min, sqrt(16 + 16), 1e-14);
    assert_int_equal(m.exclude_count, 1);
    mjcf_remarks_free(&remarks);
    model_free(&m);
}

/* A weld without a relative pose keeps the reference pose; so does a connect. */
TEST(weld_without_pose_keeps_reference_pose)
{
    static const char text[] =
        "<mujoco><compiler angle=\"degree\"/><worldbody>"
        "<body name=\"a\" pos=\"0 0 1\" euler=\"0 0 30\"><freejoint/>" BALL "</body>"
        "<body name=\"b\" pos=\"0 0 2\" euler=\"0 0 90\"><freejoint/>" BALL "</body></worldbody>"
        "<equality><weld body1=\"a\" body2=\"b\"/><connect body1=\"a\" body2=\"b\" anchor=\"0 0 0\"/></equality>"
        "</mujoco>";
    MjcfRemarks remarks = {0};
    Model m;
    Error err;
    assert_int_equal(parse(text, &m, &remarks, &err), STATUS_OK);
    for (int i = 0; i < 2; i++) {
        Vec3 turn = vec3_scale(quat_log(m.equality[i].relative), 2);
        assert_near(vec3_norm(turn), 60 * PI / 180, 1e-9);
    }
    mjcf_remarks_free(&remarks);
    model_free(&m);
}

/* Couplings, a weld's own pose, tendon lengths and other actuators, as given by the file. */
TEST(equality_and_tendon_parameters_are_read)
{
    Model m;
    MjcfRemarks remarks = {0};
    Error err;
    const char *text = SCENE("<equality><joint joint1=\"h\" polycoef=\"0.5 2\"/>"
        "<weld body1=\"a\" body2=\"b\" relpose=\"0 0 1 0 0 0 2\" anchor=\"1 0 0\"/></equality>"
        "<tendon><spatial springlength=\"0.5\"><site site=\"o\"/><site site=\"p\"/></spatial>"
        "<spatial springlength=\"0.25 -1\"><site site=\"o\"/><site site=\"p\"/></spatial></tendon>"
        "<actuator><velocity joint=\"h\" kv=\"4\"/><general joint=\"h\" gainprm=\"3\" biastype=\"affine\" "
        "biasprm=\"1 2 3\"/><general joint=\"h\" biasprm=\"1 2 3\"/></actuator>"
        "<keyframe><key qpos=\"0 0 2 0 3 0 0 0.5\"/></keyframe>");
    assert_int_equal(parse(text, &m, &remarks, &err), STATUS_OK);
    assert_int_equal(m.equality[0].kind, MODEL_COUPLE);
    assert_int_equal(m.equality[0].second, -1);
    assert_near(m.equality[0].polynomial[0], 0.5, 0);
    assert_near(m.equality[0].polynomial[1], 2, 0);
    assert_near(m.equality[0].polynomial[2], 0, 0);
    assert_near(m.equality[1].relative.z, 1, 0); /* 180 degrees */
    assert_vec3_near(m.equality[1].second_anchor, vec3(1, 0, 0), 0);
    assert_vec3_near(m.equality[1].anchor, vec3(-1, 0, 1), 1e-15);
    assert_near(m.tendon[0].min, 0.5, 0);
    assert_near(m.tendon[0].max, 0.5, 0);
    assert_near(m.tendon[1].min, 0.25, 0);
    assert_near(m.tendon[1].max, 1, 1e-15);
    assert_near(m.actuator[0].gain, 4, 0);
    assert_near(m.actuator[0].bias[2], -4, 0);
    assert_near(m.actuator[1].gain, 3, 0);
    assert_near(m.actuator[1].bias[1], 2, 0);
    assert_near(m.actuator[2].gain, 1, 0);
    assert_near(m.actuator[2].bias[1], 0, 0); /* no bias without biastype */
    assert_near(m.key[0].q[4], 1, 0);         /* unit length */
    assert_near(m.key[0].q[7], 0.5, 0);
    mjcf_remarks_free(&remarks);
    model_free(&m);
}

/* Nested frames transform their content; their class applies to it. */
TEST(frames_are_read)
{
    const char *text = "<mujoco><default><default class=\"thin\"><geom size=\"0.2\"/></default></default><worldbody>"
                       "<frame pos=\"1 0 0\" euler=\"0 0 90\"><geom name=\"g\" size=\".1\" pos=\"1 0 0\"/>"
                       "<frame name=\"f\" pos=\"0 0 1\" childclass=\"thin\"><body name=\"b\" pos=\"2 0 0\">"
                       "<frame euler=\"90 0 0\" pos=\"0 0 3\"><joint name=\"j\" axis=\"0 1 0\" pos=\"0 1 0\"/>"
                       "<geom/><geom type=\"capsule\" fromto=\"0 0 0 0 2 0\"/><site name=\"s\" pos=\"0 1 0\"/></frame>"
                       "<body name=\"c\" pos=\"0 0 1\"><geom/></body></body></frame></frame></worldbody></mujoco>";
    MjcfRemarks remarks = {0};
    Error err = {0};
    Model m;
    (void)state;
    assert_int_equal(parse(text, &m, &remarks, &err), STATUS_OK);
    assert_int_equal(m.body_count, 3);
    assert_near(vec3_distance(m.geom[0].position, vec3(1, 1, 0)), 0, 1e-12);
    assert_near(vec3_distance(m.body[1].position, vec3(1, 2, 1)), 0, 1e-12);
    assert_near(vec3_distance(quat_rotate(m.body[1].orientation, vec3(1, 0, 0)), vec3(0, 1, 0)), 0, 1e-12);
    assert_near(vec3_distance(m.joint[0].axis, vec3(0, 0, 1)), 0, 1e-12);
    assert_near(vec3_distance(m.joint[0].anchor, vec3(0, 0, 4)), 0, 1e-12);
    assert_near(vec3_distance(m.site[0].position, vec3(0, 0, 4)), 0, 1e-12);
    assert_near(vec3_distance(m.geom[2].position, vec3(0, 0, 4)), 0, 1e-12);
    assert_near(m.geom[2].size.y, 1, 1e-12);
    assert_near(fabs(quat_rotate(m.geom[2].orientation, vec3(0, 0, 1)).z), 1, 1e-12);
    assert_int_equal(m.body[2].parent, 1);
    assert_near(vec3_distance(m.body[2].position, vec3(0, 0, 1)), 0, 1e-12);
    assert_near(m.geom[3].size.x, 0.2, 0);
    assert_int_equal(remarks.count, 0);
    mjcf_remarks_free(&remarks);
    model_free(&m);
}

/* --- rejected input, and --leave-out --- */

/* Template with a position for an attribute or element; %s is replaced by the text under test, on line 2. */
static const struct Place {
    const char *words, *text;
} places[] = {
    {"compiler", "<mujoco>\n<compiler%s/></mujoco>"},
    {"option", "<mujoco>\n<option%s/></mujoco>"},
    {"flag", "<mujoco><option>\n<flag%s/></option></mujoco>"},
    {"body", "<mujoco><worldbody>\n<body%s/></worldbody></mujoco>"},
    {"joint", "<mujoco><worldbody><body>\n<joint%s/>" BALL "</body></worldbody></mujoco>"},
    {"limit", "<mujoco><default>\n<joint%s/></default><worldbody><body><joint range=\"0 1\"/>" BALL
              "</body></worldbody></mujoco>"},
    {"freejoint", "<mujoco><worldbody><body>\n<freejoint%s/>" BALL "</body></worldbody></mujoco>"},
    {"geom", "<mujoco><worldbody>\n<geom size=\"1\"%s/></worldbody></mujoco>"},
    {"connect", SCENE("<equality><connect body1=\"a\"%s/></equality>")},
    {"weld", SCENE("<equality><weld body1=\"a\"%s/></equality>")},
    {"couple", SCENE("<equality><joint joint1=\"h\"%s/></equality>")},
    {"equality", "<mujoco><default>\n<equality%s/></default><worldbody><body name=\"a\"><freejoint/>" BALL
                 "</body></worldbody><equality><weld body1=\"a\"/></equality></mujoco>"},
    {"spatial", SCENE("<tendon><spatial%s><site site=\"o\"/><site site=\"p\"/></spatial></tendon>")},
    {"tendon", "<mujoco><default>\n<tendon%s/></default><worldbody><site name=\"o\"/><site name=\"p\" "
               "pos=\"1 0 0\"/></worldbody><tendon><spatial><site site=\"o\"/><site site=\"p\"/></spatial>"
               "</tendon></mujoco>"},
    {"motor", SCENE("<actuator><motor joint=\"h\"%s/></actuator>")},
    {"position", SCENE("<actuator><position joint=\"h\"%s/></actuator>")},
    {"velocity", SCENE("<actuator><velocity joint=\"h\"%s/></actuator>")},
    {"general", SCENE("<actuator><general joint=\"h\"%s/></actuator>")},
    {"key", SCENE("<keyframe><key%s/></keyframe>")},
    {"*replicate attach composite flexcomp plugin", "<mujoco><worldbody>\n<%s/></worldbody></mujoco>"},
    {"*deformable extension", "<mujoco>\n<%s/></mujoco>"},
    {"*distance flex flexvert flexstrain tendoncouple", SCENE("<equality><%s/></equality>")},
    {"*fixed", SCENE("<tendon><%s/></tendon>")},
    {"pair", "<mujoco><worldbody><geom name=\"g\" size=\"1\"/><body><freejoint/><geom name=\"b\" size=\"1\"/></body>"
             "</worldbody><contact>\n<pair geom1=\"g\" geom2=\"b\"%s/></contact></mujoco>"},
    {"mesh", "<mujoco><asset>\n<mesh name=\"m\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\"%s/></asset><worldbody><geom "
             "type=\"mesh\" mesh=\"m\"/></worldbody></mujoco>"},
    {"*intvelocity damper cylinder muscle adhesion dcmotor", SCENE("<actuator><%s joint=\"h\"/></actuator>")},
    {"*tendongeom pulley", SCENE("<tendon><spatial><%s/></spatial></tendon>")},
    {"*hfield sdf", "<mujoco><worldbody>\n<geom type=\"%s\"/></worldbody></mujoco>"},
};

static const struct Place *place_of(const MjcfWord *w)
{
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (strcmp(w->attribute, "*") ? !strcmp(places[i].words, w->element)
                                      : *places[i].words == '*' && strstr(places[i].words, w->element))
            return &places[i];
    fail_msg("no place for %s %s", w->element, w->attribute);
    return NULL;
}

/* The error for a text, which ends with the name to leave out; with --leave-out it is read, with a note. */
static void refused_until_left_out(const char *text)
{
    MjcfDef def = mjcf_default_def();
    MjcfRemarks remarks = {0};
    Error err;
    Model m;
    char name[256];
    assert_int_equal(parse(text, &m, &remarks, &err), STATUS_BAD_INPUT);
    const char *at = strstr(err.text, "--leave-out=");
    if (!at || err.line != 2 || sscanf(at, "--leave-out=%255s", name) != 1)
        fail_msg("%s\n-> %d: %s", text, err.line, err.text);
    assert_int_equal(remarks.count, 0);
    def.leave_out = name;
    err = (Error){0};
    if (mjcf_parse(text, strlen(text), &def, &m, &remarks, &err) != STATUS_OK)
        fail_msg("%s\nwithout %s -> %d: %s", text, name, err.line, err.text);
    assert_int_equal(remarks.count, 1);
    assert_non_null(strstr(remarks.remark[0].text, "is ignored (--leave-out)"));
    mjcf_remarks_free(&remarks);
    model_free(&m);
}

/* Contact attributes of geoms without contacts; mocap bodies that nothing moves. */
TEST(attributes_without_effect_are_accepted)
{
    static const char *const texts[] = {
        WORLD("<body><joint/><geom size=\".1\" margin=\".1\" solref=\".01 1\"/></body>"),
        WORLD("<geom size=\"1\" gap=\".1\" contype=\"2\" conaffinity=\"2\"/><body><freejoint/>" BALL "</body>"),
        "<mujoco><worldbody><body name=\"a\"><freejoint/><geom size=\".1\" solimp=\".9 .99 .01\"/></body>"
        "<body name=\"b\"><freejoint/>" BALL "</body></worldbody><contact><exclude body1=\"a\" body2=\"b\"/></contact>"
        "</mujoco>",
        WORLD("<body mocap=\"true\">" BALL "</body>"),
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        MjcfRemarks remarks = {0};
        Error err = {0};
        Model m;
        if (parse(texts[i], &m, &remarks, &err) != STATUS_OK)
            fail_msg("%s\n-> %d: %s", texts[i], err.line, err.text);
        assert_int_equal(remarks.count, 0);
        model_free(&m);
    }
}

/* Each rejected row of the table is reported with line and name, and left out on request. */
TEST(unsupported_elements_can_be_left_out)
{
    int count = 0;
    (void)state;
    for (int i = 0; i < mjcf_words_count; i++) {
        const MjcfWord *w = &mjcf_words[i];
        char text[1024], tried[128];
        if (w->use != MJCF_REFUSE || mjcf_word_find(w->element, w->attribute) != w)
            continue;
        if (strcmp(w->attribute, "*") != 0)
            snprintf(tried, sizeof tried, " %s=\"true\"", w->attribute);
        else
            snprintf(tried, sizeof tried, "%s", !strcmp(w->element, "tendoncouple") ? "tendon"
                                                : !strcmp(w->element, "tendongeom") ? "geom" : w->element);
        snprintf(text, sizeof text, place_of(w)->text, tried);
        refused_until_left_out(text);
        count++;
    }
    assert_true(count > 80);
}

/* All required names in one message; invalid and unused names; controls of left-out actuators. */
TEST(leave_out_names_are_checked)
{
    MjcfDef def = mjcf_default_def();
    MjcfRemarks remarks = {0};
    Error err;
    Model m;
    const char *text = SCENE("<actuator><muscle joint=\"h\"/><motor joint=\"h\"/><motor joint=\"f\"/></actuator>"
                             "<option density=\"1\"/><keyframe><key ctrl=\"1 2 3\"/></keyframe>");
    (void)state;
    assert_int_equal(parse(text, &m, &remarks, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "option with density=\"1\" is not supported"));
    assert_non_null(strstr(err.text, "--leave-out=density,muscle,motor"));
    def.leave_out = "density, muscle,motor,mesh";
    assert_int_equal(mjcf_parse(text, strlen(text), &def, &m, &remarks, &err), STATUS_OK);
    assert_int_equal(m.actuator_count, 1);
    assert_near(m.key[0].control[0], 2, 0);
    assert_int_equal(remarks.count, 4);
    assert_string_equal(remarks.remark[3].text, "--leave-out: nothing called mesh was to be left out");
    model_free(&m);
    def.leave_out = "density,muscel";
    assert_int_equal(mjcf_parse(text, strlen(text), &def, &m, &remarks, &err), STATUS_USAGE);
    assert_non_null(strstr(err.text, "unknown element or attribute \"muscel\"; did you mean muscle?"));
    mjcf_remarks_free(&remarks);
}

/* Flags that disable only springs, dampers or control limits. */
TEST(flags_are_read)
{
    MjcfRemarks remarks = {0};
    Error err;
    Model m;
    const char *text = "<mujoco><option><flag spring=\"disable\" clampctrl=\"disable\"/></option><worldbody><body>"
                       "<joint name=\"h\" stiffness=\"2\" damping=\"3\"/>" BALL "</body></worldbody><actuator><motor "
                       "joint=\"h\" ctrlrange=\"-1 1\"/></actuator></mujoco>";
    (void)state;
    assert_int_equal(parse(text, &m, &remarks, &err), STATUS_OK);
    assert_near(m.joint[0].stiffness, 0, 0);
    assert_near(m.joint[0].damping, 3, 0);
    assert_int_equal(m.actuator[0].control_limited, 0);
    assert_near(vec3_norm(m.gravity), 9.81, 1e-12);
    model_free(&m);
    text = "<mujoco><option><flag gravity=\"disable\"/></option><worldbody><body>" BALL "</body></worldbody></mujoco>";
    assert_int_equal(parse(text, &m, &remarks, &err), STATUS_OK);
    assert_near(vec3_norm(m.gravity), 0, 0);
    model_free(&m);
}

static Status read_file(const char *path, Model *m, Error *err)
{
    MjcfDef limits = mjcf_default_def();
    MjcfRemarks remarks = {0};
    *err = (Error){0};
    Status status = mjcf_read(path, &limits, m, &remarks, err);
    mjcf_remarks_free(&remarks);
    return status;
}

static void put(const char *folder, const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

/* Included elements replace the include; loops, paths out of the folder and nested errors are reported. */
TEST(includes_outside_the_folder_are_refused)
{
    TestFolder made = test_folder_make();
    const char *folder = made.path;
    char path[512];
    Model m;
    Error err;
    snprintf(path, sizeof path, "%s/main.xml", folder);
    put(folder, "leg.xml", "<x><body name=\"leg\"><joint name=\"knee\"/>" BALL "</body></x>");
    put(folder, "main.xml", WORLD("<body name=\"a\"/><include file=\"leg.xml\"/><body name=\"b\"/>"));
    assert_int_equal(read_file(path, &m, &err), STATUS_OK);
    assert_int_equal(m.body_count, 4);
    assert_string_equal(m.body[2].name, "leg");
    assert_string_equal(m.joint[0].name, "knee");
    model_free(&m);
    put(folder, "leg.xml", "<x>\n<body wrong=\"1\"/></x>");
    assert_int_equal(read_file(path, &m, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "leg.xml:2: unknown attribute \"wrong\" of body"));
    put(folder, "leg.xml", "<x>\n<include file=\"main.xml\"/></x>");
    assert_int_equal(read_file(path, &m, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "main.xml is included twice, or in itself"));
    put(folder, "main.xml", WORLD("\n<include file=\"leg.xml\"/>"));
    snprintf(path, sizeof path, "%s/leg.xml", folder);
    assert_int_equal(remove(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    snprintf(path, sizeof path, "%s/main.xml", folder);
    alarm(20); /* opening a FIFO would block */
    assert_int_equal(read_file(path, &m, &err), STATUS_BAD_INPUT);
    alarm(0);
    assert_int_equal(err.line, 4);
    assert_non_null(strstr(err.text, "the included file leg.xml: is no regular file"));
    const char *const outside[] = {"/etc/passwd", "../main.xml", "link.xml", ""};
    char link[512];
    snprintf(link, sizeof link, "%s/link.xml", folder);
    assert_int_equal(symlink("/etc/passwd", link), 0);
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        char text[256];
        snprintf(text, sizeof text, "<mujoco>\n<include file=\"%s\"/></mujoco>", outside[i]);
        put(folder, "main.xml", text);
        assert_int_not_equal(read_file(path, &m, &err), STATUS_OK);
        assert_int_equal(err.line, 2);
        assert_null(m.body);
    }
    test_folder_remove(&made);
}

/* Closed forms against sums over small cells, to the accuracy of these. */
TEST(shapes_have_their_inertia)
{
    const Vec3 size = {0.3, 0.5, 0.4};
    enum { CELLS = 120 };
    for (int shape = 0; shape < MODEL_PLANE; shape++) {
        double volume = 0, xx = 0, zz = 0, h = 2.0 / CELLS, r = size.x;
        for (int c = 0; c < CELLS * CELLS * CELLS; c++) {
            double x = -1 + h * (c % CELLS + 0.5), y = -1 + h * (c / CELLS % CELLS + 0.5);
            double z = -1 + h * (c / CELLS / CELLS + 0.5);
            double beyond = fmax(0, fabs(z) - size.y), round = x * x + y * y;
            const int inside[] = {
                [MODEL_SPHERE] = round + z * z < r * r, [MODEL_CAPSULE] = round + beyond * beyond < r * r,
                [MODEL_CYLINDER] = round < r * r && fabs(z) < size.y,
                [MODEL_BOX] = fabs(x) < size.x && fabs(y) < size.y && fabs(z) < size.z,
                [MODEL_ELLIPSOID] = x * x / 0.09 + y * y / 0.25 + z * z / 0.16 < 1};
            double cell = inside[shape] ? h * h * h : 0;
            volume += cell;
            xx += cell * (y * y + z * z);
            zz += cell * round;
        }
        Vec3 moments = model_shape_inertia((ModelShape)shape, size);
        assert_near(model_shape_volume((ModelShape)shape, size) / volume, 1, 0.01);
        assert_near(moments.x / xx, 1, 0.02);
        assert_near(moments.z / zz, 1, 0.02);
    }
}
