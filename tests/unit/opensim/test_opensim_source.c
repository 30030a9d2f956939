/* formats/opensim: splines, coordinates and joints, and what is refused with its line. Poses and forces of whole
 * models: tests/interop/test_opensim.py. */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/storage.h"
#include "formats/opensim/osim.h"
#include "formats/source/source_table.h"

#define AXIS(name, coordinate, axis, function) \
    "<TransformAxis name=\"" name "\"><coordinates>" coordinate "</coordinates><axis>" axis "</axis>" function \
    "</TransformAxis>\n"
#define LINE "<LinearFunction><coefficients>1 0</coefficients></LinearFunction>"
#define BODY(name) "<Body name=\"" name "\"><mass>2</mass><mass_center>0 -.1 0</mass_center>" \
    "<inertia>.1 .1 .1 0 0 0</inertia></Body>\n"
#define JOINT(kind, name, parent, child, coordinates, more) \
    "<" kind " name=\"" name "\"><socket_parent_frame>/bodyset/" parent "</socket_parent_frame>" \
    "<socket_child_frame>/bodyset/" child "</socket_child_frame><coordinates>" coordinates "</coordinates>" more \
    "</" kind ">\n"
#define COORDINATE(name) "<Coordinate name=\"" name "\"/>"
#define KNEE "<SpatialTransform>" AXIS("rotation1", "knee", "0 0 1", LINE) \
    AXIS("translation1", "knee", "1 0 0", "<SimmSpline><x>-1 0 2</x><y>1 0 4</y></SimmSpline>") \
    AXIS("translation2", "", "0 1 0", "<Constant><value>-.4</value></Constant>") "</SpatialTransform>"
#define LEG "<OpenSimDocument Version=\"40000\"><Model name=\"leg\"><BodySet><objects>\n" BODY("thigh") BODY("shank") \
    "</objects></BodySet><JointSet><objects>\n" \
    JOINT("PinJoint", "hip", "..", "thigh", COORDINATE("hip"), "") \
    JOINT("CustomJoint", "knee", "thigh", "shank", COORDINATE("knee"), KNEE) \
    "</objects></JointSet></Model></OpenSimDocument>\n"
#define WALK "walk\nversion=1\nnRows=2\nnColumns=3\ninDegrees=yes\nendheader\ntime\thip\tknee\n" \
    "0.5\t90\t-90\n0.6\t60\t0\n"

/* Returns text with the first `from` replaced; the caller frees it. */
static char *edit(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    char *edited;
    assert_non_null(at);
    assert_true(asprintf(&edited, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)) > 0);
    return edited;
}

static char *leg(void) { return edit(LEG, "/bodyset/..", "/ground"); }

static Status read_pair(const char *model, const char *motion, Take *take, Error *err)
{
    SourceDef def = source_default_def();
    SourceFile osim = {.path = "a/leg.osim", .bytes = model, .size = strlen(model)};
    SourceFile mot = {.path = "a/walk.mot", .bytes = motion, .size = strlen(motion), .companion = &osim,
                      .companion_count = model[0] != 0};
    *take = (Take){0};
    *err = (Error){0};
    return source_opensim.read(&mot, 1, &def, take, err);
}

/* By hand. Three points: one parabola through all of them, y = x^2; beyond them straight lines. */
TEST(knee_moves_along_its_curve)
{
    Take take;
    Error err;
    char *model = leg();
    assert_int_equal(read_pair(model, WALK, &take, &err), STATUS_OK);
    const Dofs *d = &take.dof;
    assert_int_equal(take.skeleton.joint_count, 2);
    assert_string_equal(take.skeleton.name[1], "shank");
    assert_int_equal(d->count, 2);
    assert_int_equal(d->kind[0], DOF_HINGE);
    assert_int_equal(d->kind[1], DOF_CUSTOM);
    assert_near(d->position[0], 1.5707963267948966, 1e-15);
    double q = -1.5707963267948966, x = 1 - 2 * (q + 1); /* the slope at -1 is -2 */
    assert_near(take.motion.translation[1].x, x, 1e-12);
    assert_near(take.motion.translation[1].y, -0.4, 1e-12);
    assert_near(d->moving_axis[1].z, 1, 1e-12);
    assert_near(d->moving_velocity[1].x, -2, 1e-12);
    assert_near(d->moving_velocity[3].x, 0, 1e-12);
    assert_near(take.start, 0.5, 0);
    assert_near(take.motion.frame_time, 0.1, 1e-12);
    assert_near(take.body.total_mass, 4, 0);
    take_free(&take);
    free(model);
}

/* Blanks in place of tabs, carriage returns, and the path of a coordinate in a states file; radians. */
TEST(storage_files_may_be_written_otherwise)
{
    Take take;
    Error err;
    char *model = leg();
    const char *states = "states\r\ninDegrees=no\r\nendheader\r\n  time  /jointset/knee/knee/value "
                         "/jointset/hip/hip/speed /jointset/hip/hip/value\r\n  0.5   -1  7   1.5 \r\n"
                         "  0.6  -1  7  0.25\r\n";
    assert_int_equal(read_pair(model, states, &take, &err), STATUS_OK);
    assert_near(take.dof.position[0], 1.5, 0);
    assert_near(take.dof.position[1], -1, 0);
    assert_near(take.dof.position[2], 0.25, 0);
    take_free(&take);
    free(model);
}

TEST(forces_are_no_motion)
{
    const char *forces = "grf\nendheader\ntime\tground_force_vx\tground_force_px\n0\t1\t2\n";
    assert_int_equal(source_opensim.begins(forces, strlen(forces)), 1);
    assert_int_equal(source_opensim.holds_motion(forces, strlen(forces)), 0);
    assert_int_equal(source_opensim.holds_motion(WALK, strlen(WALK)), 1);
}

TEST(bad_models_are_refused_with_their_line)
{
    static const struct { const char *from, *to, *words; int line; } cases[] = {
        {"Version=\"40000\"", "Version=\"20302\"", "version", 1},
        {"<SimmSpline><x>-1 0 2</x>", "<SimmSpline><x>-1 3 2</x>", "do not increase at point 3", 7},
        {"<SimmSpline><x>-1 0 2</x>", "<SimmSpline><x>-1 2</x>", "2 values of x and 3 of y", 7},
        {"<SimmSpline>", "<Sine>", "no XML", 7},
        {"<Constant><value>-.4</value></Constant>", "<Sine/>", "knee: the function Sine is not supported", 8},
        {"/bodyset/thigh", "/bodyset/calf", "there is no body \"calf\"", 0},
        {"<mass>2", "<mass>-2", "has a mass of -2 kg", 2},
        {"<mass>2", "<mass>two", "expected numbers, found \"two\"", 2},
        {"0 0 1", "0 0 0", "the axis of rotation1 is zero", 6},
        {"<coordinates>knee", "<coordinates>hip", "has no coordinate \"hip\"", 6},
        {"<Model name=\"leg\">", "<Model name=\"leg\"><gravity>0 -1.6 0</gravity>", "gravity of the model is 1.6", 1},
        {"<mass_center>0 -.1 0", "<mass_center>0 -.1", "expected 3 numbers", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Take take;
        Error err;
        char *whole = leg(), *model = edit(whole, cases[i].from, cases[i].to), place[64];
        snprintf(place, sizeof place, "a/leg.osim:%d:", cases[i].line);
        Status status = read_pair(model, WALK, &take, &err);
        if (status != STATUS_BAD_INPUT || (!strstr(err.text, cases[i].words) && cases[i].line) ||
            (cases[i].line && !strstr(err.text, place)))
            fail_msg("%s -> %s\n-> %d %s", cases[i].from, cases[i].to, status, err.text);
        take_free(&take);
        free(model);
        free(whole);
    }
}

/* Returns the model with every `from` replaced; frees it. */
static char *edit_all(char *model, const char *from, const char *to)
{
    while (strstr(model, from)) {
        char *next = edit(model, from, to);
        free(model);
        model = next;
    }
    return model;
}

static void assert_same_motion(char *model, const Take *wanted)
{
    Take take;
    Error err;
    if (read_pair(model, WALK, &take, &err))
        fail_msg("%s: %s", model, err.text);
    assert_int_equal(take.motion.joint_count, wanted->motion.joint_count);
    for (int i = 0; i < 2 * take.motion.joint_count; i++)
        assert_true(fabs(quat_dot(take.motion.rotation[i], wanted->motion.rotation[i])) > 1 - 1e-14 &&
                    vec3_distance(take.motion.translation[i], wanted->motion.translation[i]) < 1e-14);
    take_free(&take);
    free(model);
}

/* Drafts of version 40000, a byte order mark, comments; frames that are offset from frames and cancel. */
TEST(models_may_be_written_otherwise)
{
    static const char frames[] =
        "<frames><PhysicalOffsetFrame name=\"a\"><socket_parent>b</socket_parent><translation>1 2 3</translation>"
        "<orientation>.1 .2 .3</orientation></PhysicalOffsetFrame><PhysicalOffsetFrame name=\"b\"><socket_parent>"
        "c</socket_parent><orientation>0 0 -.3</orientation></PhysicalOffsetFrame><PhysicalOffsetFrame name=\"c\">"
        "<socket_parent>/bodyset/thigh</socket_parent><translation>4 5 6</translation></PhysicalOffsetFrame></frames>"
        "<coordinates><Coordinate name=\"knee\"/>";
    Take wanted, moved;
    Error err;
    char *whole = leg();
    assert_int_equal(read_pair(whole, WALK, &wanted, &err), STATUS_OK);
    assert_same_motion(edit(whole, "40000", "30517"), &wanted);
    assert_same_motion(edit(whole, "<Open", "\xEF\xBB\xBF<!-- <Model> -->\n<Open"), &wanted);
    char *draft = edit(whole, "40000", "30512");
    draft = edit_all(draft, "socket_parent_frame>", "socket_parent_frame_connectee_name>");
    assert_same_motion(edit_all(draft, "socket_child_frame>", "socket_child_frame_connectee_name>"), &wanted);
    char *nested = edit(whole, "<coordinates>" COORDINATE("knee"), frames);
    char *model = edit(nested, "<socket_parent_frame>/bodyset/thigh", "<socket_parent_frame>a");
    assert_int_equal(read_pair(model, WALK, &moved, &err), STATUS_OK);
    /* c, b and a from the thigh: (4,5,6) + Rz(-.3) (1,2,3) */
    Vec3 shift = vec3_sub(moved.skeleton.offset[1], vec3(4, 5, 6));
    Vec3 a = quat_rotate(quat_from_axis_angle(vec3(0, 0, 1), -.3), vec3(1, 2, 3));
    Quat z = quat_from_axis_angle(vec3(0, 0, 1), -.3), x = quat_from_axis_angle(vec3(1, 0, 0), .1);
    Quat turn = quat_mul(quat_mul(z, x), quat_mul(quat_from_axis_angle(vec3(0, 1, 0), .2), quat_conjugate(z)));
    assert_true(vec3_distance(shift, vec3_add(a, quat_rotate(turn, wanted.skeleton.offset[1]))) < 1e-12);
    take_free(&moved);
    char *circle = edit(model, "<socket_parent>c<", "<socket_parent>a<");
    assert_int_equal(read_pair(circle, WALK, &moved, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "frames form a circle"));
    take_free(&moved);
    take_free(&wanted);
    free(circle);
    free(model);
    free(nested);
    free(whole);
}

/* The same frames in the joint, and among the components of the body that it is offset from. */
TEST(frames_may_be_components)
{
#define OFFSET(name, parent, more) \
    "<PhysicalOffsetFrame name=\"" name "\"><socket_parent>" parent "</socket_parent><translation>1 2 3</translation>" \
    "<orientation>.1 .2 .3</orientation>" more "</PhysicalOffsetFrame>"
#define COMPONENTS(list) "<components>" list "</components>"
    static const char thigh[] = "<Body name=\"thigh\">", socket[] = "<socket_parent_frame>/bodyset/thigh";
    static const struct { const char *from, *to, *path; } cases[] = {
        {thigh, "<Body name=\"thigh\">" COMPONENTS(OFFSET("a", "..", "")), "/bodyset/thigh/a"},
        {thigh, "<Body name=\"thigh\">" COMPONENTS(OFFSET("a", "/bodyset/thigh", "")), "/bodyset/thigh/a"},
        {"<BodySet>", COMPONENTS(OFFSET("a", "/bodyset/thigh", "")) "<BodySet>", "/a"},
        {"<BodySet>", "<Ground name=\"ground\">" COMPONENTS(OFFSET("a", "..", "")) "</Ground><BodySet>", NULL},
    };
    Take wanted, twice, moved;
    Error err;
    char *whole = leg();
    static const char knee[] = "<coordinates>" COORDINATE("knee");
    char *own = edit(whole, knee, "<frames>" OFFSET("a", "/bodyset/thigh", "") "</frames><coordinates>"
                     COORDINATE("knee"));
    char *model = edit(own, "<socket_parent_frame>/bodyset/thigh", "<socket_parent_frame>a");
    assert_int_equal(read_pair(model, WALK, &wanted, &err), STATUS_OK);
    assert_near(wanted.skeleton.offset[1].z, 3, 0.5);
    for (int i = 0; i < 4; i++) {
        char path[64], *made = edit(whole, cases[i].from, cases[i].to);
        snprintf(path, sizeof path, "<socket_parent_frame>%s", cases[i].path ? cases[i].path : "/ground/a");
        char *used = edit(made, cases[i].path ? socket : "<socket_parent_frame>/ground", path);
        if (cases[i].path)
            assert_same_motion(strdup(used), &wanted);
        else if (read_pair(used, WALK, &moved, &err) || fabs(moved.motion.root_position[0].z - 3) > 1e-12)
            fail_msg("%s", err.text);
        else
            take_free(&moved);
        free(used);
        free(made);
    }
    char *nested = edit(whole, thigh, "<Body name=\"thigh\">" COMPONENTS(OFFSET("a", "..", COMPONENTS(
                        "<PhysicalOffsetFrame name=\"b\"><socket_parent>..</socket_parent></PhysicalOffsetFrame>"))));
    assert_same_motion(edit(nested, socket, "<socket_parent_frame>/bodyset/thigh/a/b"), &wanted);
    char *other = edit(nested, socket, "<socket_parent_frame>/bodyset/shank/a");
    assert_int_equal(read_pair(other, WALK, &twice, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "there is no body \"a\""));
    take_free(&twice);
    take_free(&wanted);
    free(other);
    free(nested);
    free(model);
    free(own);
    free(whole);
}

/* For kane export --for opensim, whose forces are +Y up. */
TEST(other_up_axis_is_noted)
{
    Take take;
    Error err;
    char *whole = leg(), *model = edit(whole, "<BodySet>", "<gravity>0 0 -9.80665</gravity><BodySet>");
    assert_int_equal(read_pair(whole, WALK, &take, &err), STATUS_OK);
    assert_string_equal(take.body.model, "opensim leg");
    take_free(&take);
    assert_int_equal(read_pair(model, WALK, &take, &err), STATUS_OK);
    assert_string_equal(take.body.model, "opensim leg" OPENSIM_OTHER_UP);
    take_free(&take);
    free(model);
    free(whole);
}

TEST(joint_of_an_unknown_kind_is_named)
{
    Take take;
    Error err;
    char *whole = leg(), *opened = edit(whole, "<PinJoint", "<RackJoint"), *model = edit(opened, "</Pin", "</Rack");
    assert_int_equal(read_pair(model, WALK, &take, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "joint hip: RackJoint is not supported"));
    take_free(&take);
    free(model);
    free(opened);
    free(whole);
}

/* A body that hangs on its own child, and one without a joint. */
TEST(joints_that_lead_nowhere_are_refused)
{
    Take take;
    Error err;
    char *circle = edit(LEG, "/bodyset/..", "/bodyset/shank");
    assert_int_equal(read_pair(circle, WALK, &take, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "circle"));
    take_free(&take);
    char *whole = leg(), *lone = edit(whole, BODY("shank"), BODY("shank") BODY("foot"));
    assert_int_equal(read_pair(lone, WALK, &take, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "body foot has no joint"));
    take_free(&take);
    free(circle);
    free(whole);
    free(lone);
}

TEST(bad_motions_are_refused_with_their_line)
{
    static const struct { const char *from, *to, *words; int line; } cases[] = {
        {"endheader\n", "", "line \"endheader\" before the names of the columns", 6},
        {"endheader\ntime", "clock", "the header does not end", 0},
        {"time\t", "frame\t", "expected \"time\"", 0},
        {"hip\tknee", "ankle\telbow", "no column is a coordinate of the model", 0},
        {"0.6\t60", "0.4\t60", "is not after the first", 9},
        {"60\t0", "60\tnan", "expected a number", 9},
        {"60\t0", "60", "row of 2 cells", 9},
        {"0.5\t90\t-90\n0.6\t60\t0\n", "", "has no rows", 0},
        {"0.6\t60\t0\n", "0.6\t60\t0\n0.9\t60\t0\n", "off an even spacing", 9},
    };
    char *model = leg();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Take take;
        Error err;
        char *motion = edit(WALK, cases[i].from, cases[i].to);
        if (read_pair(model, motion, &take, &err) != STATUS_BAD_INPUT || !strstr(err.text, cases[i].words) ||
            err.line != cases[i].line)
            fail_msg("%s -> %s\n-> %d: %s", cases[i].from, cases[i].to, err.line, err.text);
        take_free(&take);
        free(motion);
    }
    free(model);
}

TEST(model_is_required)
{
    Take take;
    Error err;
    assert_int_equal(read_pair("", WALK, &take, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "no OpenSim model beside this motion"));
    take_free(&take);
}
