/* formats/amc: rotations about a bone's axes, degrees of freedom, and what is refused with its line. */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/amc/amc.h"
#include "formats/source/source.h"
#include "formats/source/source_table.h"
#include "tests/support/test_folder.h"

#define LEG                                                                                                       \
    "# a leg\n:version 1.10\n:units\n mass 1.0\n length 0.45\n angle deg\n:root\n order TX TY TZ RX RY RZ\n"          \
    " axis XYZ\n position 0 0 0\n orientation 0 0 0\n:bonedata\n begin\n id 1\n name hip\n direction 0 -4 0\n"        \
    " length 2\n axis 0 0 90 XYZ\n dof rx\n limits (-160.0 20.0)\n end\n begin\n name knee\n direction 0 0 1\n"       \
    " length 3\n axis 0 0 0 XYZ\n dof rx ry rz\n limits (-inf inf)\n        (-70 70)\n        (-60 70)\n end\n"       \
    ":hierarchy\n begin\n root hip\n hip knee\n end\n"
#define WALK "#!OML:ASF leg.ASF\n:FULLY-SPECIFIED\n:DEGREES\n1\nroot 1 2 3 0 90 0\nhip 90\nknee 90 90 0\n"

static Status read_pair(const char *skeleton, const char *motion, const SourceDef *given, Take *take, Error *err)
{
    SourceDef def = given ? *given : source_default_def();
    SourceFile asf = {.path = "a/leg.asf", .bytes = skeleton, .size = strlen(skeleton)};
    SourceFile amc = {.path = "a/leg.amc", .bytes = motion, .size = strlen(motion), .companion = &asf,
                      .companion_count = skeleton[0] != 0};
    *take = (Take){0};
    *err = (Error){0};
    return source_amc.read(&amc, 1, &def, take, err);
}

/* Returns text with the first `from` replaced; the caller frees it. */
static char *edit(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    char *edited;
    assert_non_null(at);
    assert_true(asprintf(&edited, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)) > 0);
    return edited;
}

static void assert_at(Vec3 point, double x, double y, double z)
{
    assert_near(point.x, x, 1e-12);
    assert_near(point.y, y, 1e-12);
    assert_near(point.z, z, 1e-12);
}

/* World positions of frame 0: the joints, then the end. */
static void pose(const Take *take, Vec3 point[4])
{
    const Skeleton *s = &take->skeleton;
    Vec3 position[3];
    Quat turn[3];
    for (int j = 0; j < 3; j++) {
        int p = s->parent[j];
        position[j] = j ? vec3_add(position[p], quat_rotate(turn[p], s->offset[j])) : take->motion.root_position[0];
        turn[j] = j ? quat_mul(turn[p], take->motion.rotation[j]) : take->motion.rotation[0];
    }
    skeleton_points(s, position, turn, point);
}

/* By hand: the root turns by 90 degrees about y. The hip's x axis is y of the world at rest, so that its 90 degrees are
 * about y, too. The knee first turns about x, which takes the shank from z to -y, then about y, which leaves it. */
TEST(rotation_is_about_the_axes_of_the_bone)
{
    Take take;
    Error err;
    Vec3 point[4];
    assert_int_equal(read_pair(LEG, WALK, NULL, &take, &err), STATUS_OK);
    assert_int_equal(take.skeleton.joint_count, 3);
    assert_int_equal(take.skeleton.end_count, 1);
    assert_string_equal(take.skeleton.name[2], "knee");
    Quat hip = take.motion.rotation[1];
    assert_near(fabs(hip.w), sqrt(0.5), 1e-12);
    assert_near(hip.y / hip.w, 1, 1e-12);
    pose(&take, point);
    assert_at(point[0], 1, 2, 3);
    assert_at(point[1], 1, 2, 3);
    assert_at(point[2], 1, 0, 3);
    assert_at(point[3], 1, -3, 3);
    assert_true(take.root_given[0] && take.root_given[1] && take.root_given[2]);
    assert_near(take.motion.frame_time, 0, 0);
    take_free(&take);
}

/* An axis in XYZ turns about x first: C = Rz Rx takes x to y, Rx Rz takes it to z. */
TEST(axis_angles_are_applied_in_their_order)
{
    Take take;
    Error err;
    char *asf = edit(LEG, "axis 0 0 90 XYZ", "axis 90 0 90 XYZ");
    char *other = edit(LEG, "axis 0 0 90 XYZ", "axis 90 0 90 zyx");
    assert_int_equal(read_pair(asf, WALK, NULL, &take, &err), STATUS_OK);
    assert_near(take.motion.rotation[1].y / take.motion.rotation[1].w, 1, 1e-12);
    take_free(&take);
    assert_int_equal(read_pair(other, WALK, NULL, &take, &err), STATUS_OK);
    assert_near(take.motion.rotation[1].z / take.motion.rotation[1].w, 1, 1e-12);
    take_free(&take);
    free(asf);
    free(other);
}

TEST(radians_and_rate_are_those_of_the_files)
{
    static const char motion[] = ":RADIANS\n:SAMPLES-PER-SECOND 60\n7\nroot 1 2 3 0 1.5707963267948966 0\n"
                                 "hip 1.5707963267948966\nknee 0 0 0\n";
    static const char plain[] = "1\r\nroot 1 2 3 0 0 0\r\nhip 1.5707963267948966\r\nknee 0 0 0\r\n";
    char *asf = edit(LEG, "angle deg", "angle rad"), *turned = edit(asf, "0 0 90", "0 0 1.5707963267948966");
    Take take;
    Error err;
    assert_int_equal(read_pair(LEG, motion, NULL, &take, &err), STATUS_OK);
    assert_near(take.motion.frame_time, 1.0 / 60, 1e-15);
    assert_near(take.motion.rotation[1].y / take.motion.rotation[1].w, 1, 1e-12);
    take_free(&take);
    assert_int_equal(read_pair(turned, plain, NULL, &take, &err), STATUS_OK);
    assert_near(take.motion.rotation[1].y / take.motion.rotation[1].w, 1, 1e-12);
    take_free(&take);
    free(turned);
    free(asf);
}

/* The leg is 2 units to the last joint, an inch over .45 each: no adult. Ten times as long it is one of 1.13 m. */
TEST(stated_unit_is_kept_if_the_body_is_human_sized)
{
    char *asf = edit(LEG, "length 2\n", "length 20\n");
    Take take;
    Error err;
    assert_int_equal(read_pair(LEG, WALK, NULL, &take, &err), STATUS_OK);
    assert_near(take.meters_per_unit, 0, 0);
    take_free(&take);
    assert_int_equal(read_pair(asf, WALK, NULL, &take, &err), STATUS_OK);
    assert_near(take.meters_per_unit, 0.0254 / 0.45, 1e-15);
    take_free(&take);
    /* A child in cm. */
    char *cm = edit(asf, "length 0.45", "length 1"), *child = edit(cm, "length 20\n", "length 65\n");
    assert_int_equal(read_pair(child, WALK, NULL, &take, &err), STATUS_OK);
    assert_near(take.meters_per_unit, 0, 0);
    take_free(&take);
    free(child);
    free(cm);
    free(asf);
}

TEST(bone_without_rows_does_not_turn)
{
    Take take;
    Error err;
    assert_int_equal(read_pair(LEG, "1\nroot 0 0 0 0 0 0\nhip 5\n2\nhip 6\nroot 0 0 0 0 0 0\n", NULL, &take, &err),
                     STATUS_OK);
    assert_int_equal(take.motion.frame_count, 2);
    assert_near(take.motion.rotation[5].w, 1, 0);
    assert_near(take.motion.rotation[4].w, cos(3 * 3.14159265358979323846 / 180), 1e-12);
    take_free(&take);
}

TEST(take_for_check_has_rows_and_lines)
{
    SourceDef def = source_default_def();
    Take take;
    Error err;
    def.tolerant = 1;
    assert_int_equal(read_pair(LEG, WALK, &def, &take, &err), STATUS_OK);
    assert_int_equal(take.rows.row_size, 10);
    assert_near(take.rows.value[6], 90, 0);
    assert_int_equal(take.where(&take, 0, 1, TAKE_WHOLE).line, 4);
    assert_int_equal(take.where(&take, TAKE_NO_FRAME, 1, TAKE_WHOLE).line, 0);
    take_free(&take);
}

/* Errors of the skeleton name its file. */
TEST(broken_skeletons_are_refused_with_file_and_line)
{
    static const char *const cases[][3] = {
        {"angle deg", "angle grad", "leg.asf:6: expected deg or rad, found \"grad\""},
        {"direction 0 -4 0", "direction 0 -4", "leg.asf:16: expected a direction, found the end of the line"},
        {"length 2\n", "length 2,5\n", "leg.asf:17: expected a length, found \"2,5\""},
        {"length 2\n", "length 1e12\n", "leg.asf:17: expected a length, found \"1e12\""},
        {"90 XYZ", "90 XXZ", "leg.asf:18: expected an order of axes such as XYZ, found \"XXZ\""},
        {"dof rx\n", "dof rx rx\n", "leg.asf:19: expected degrees of freedom tx ty tz rx ry rz l, each once"},
        {"dof rx\n", "dof rw\n", "found \"rw\""},
        {"name knee", "name hip", "leg.asf:23: a second bone \"hip\""},
        {"name knee", "name k\xff", "leg.asf:23: a name is not UTF-8 text"},
        {" name knee\n", "", "leg.asf:30: the bone begun in line 22 has no name"},
        {" end\n:hierarchy", ":hierarchy", "leg.asf:31: the bone begun in line 22 has no end"},
        {"hip knee\n", "hip toe\n", "leg.asf:35: expected the name of a bone of :bonedata, found \"toe\""},
        {"hip knee\n", "hip knee hip\n", "leg.asf:35: bone \"hip\" has a second parent"},
        {"root hip\n hip knee\n", "hip knee\n knee hip\n", "leg.asf:13: bone \"hip\" is not below the root"},
        {":hierarchy", ":tree", "no section :hierarchy: is this an ASF skeleton?"},
        {":version 1.10", ":hierarchy", "a second section :hierarchy"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *asf = edit(LEG, cases[i][0], cases[i][1]);
        Take take;
        Error err;
        assert_int_equal(read_pair(asf, WALK, NULL, &take, &err), STATUS_BAD_INPUT);
        if (!strstr(err.text, cases[i][2]))
            fail_msg("expected %s, found %s", cases[i][2], err.text);
        assert_int_equal(err.line, 0);
        take_free(&take);
        free(asf);
    }
}

TEST(broken_motions_are_refused_with_their_line)
{
    static const struct {
        const char *from, *to, *text;
        int line;
    } cases[] = {
        {"hip 90", "hip", "expected an angle, found the end of the line", 6},
        {"hip 90", "hip 90 1", "bone \"hip\" has 1 degree of freedom in leg.asf, the row more numbers", 6},
        {"hip 90", "hip nan", "expected an angle, found \"nan\"", 6},
        {"hip 90", "toe 90", "leg.asf has no bone \"toe\": give the skeleton", 6},
        {"hip 90", "root 0 0 0 0 0 0", "a second row of bone \"root\" in frame 1", 6},
        {"1\nroot", "root", "expected the number of a frame, found \"root\"", 4},
        {"1\nroot", "1 2\nroot", "expected the end of the line", 4},
        {"knee 90 90 0\n", "knee 0 0 0\n2\nroot 0 0 0 0 0 0\nhip 0\n", "frame 2 ends without a row of", 10},
        {"knee 90 90 0\n", "2\nroot 0 0 0 0 0 0\nhip 0\nknee 0 0 0\n", "no row of bone \"knee\"", 10},
        {"knee 90 90 0\n", "knee 0 0 0\n1\n", "frame 1 follows frame 1: number the frames in equal steps", 8},
        {"1\nroot 1 2 3 0 90 0\nhip 90\nknee 90 90 0\n", "1\n2\n", "frame 1 has no rows", 5},
        {"1\nroot 1 2 3 0 90 0\nhip 90\nknee 90 90 0\n", "", "no frames", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *amc = edit(WALK, cases[i].from, cases[i].to);
        Take take;
        Error err;
        assert_int_equal(read_pair(LEG, amc, NULL, &take, &err), STATUS_BAD_INPUT);
        if (!strstr(err.text, cases[i].text))
            fail_msg("expected %s, found %s", cases[i].text, err.text);
        assert_int_equal(err.line, cases[i].line);
        take_free(&take);
        free(amc);
    }
}

TEST(translating_bone_is_refused)
{
    char *asf = edit(LEG, "dof rx\n", "dof l\n");
    Take take;
    Error err;
    assert_int_equal(read_pair(asf, WALK, NULL, &take, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "bone \"hip\" changes its length or place by 90: bones of kane keep both"));
    take_free(&take);
    free(asf);
}

TEST(limits_name_their_option)
{
    SourceDef def = source_default_def();
    Take take;
    Error err;
    def.max_joints = 2;
    assert_int_equal(read_pair(LEG, WALK, &def, &take, &err), STATUS_LIMIT);
    assert_non_null(strstr(err.text, "--max-joints"));
    def = source_default_def();
    def.max_depth = 2;
    assert_int_equal(read_pair(LEG, WALK, &def, &take, &err), STATUS_LIMIT);
    assert_non_null(strstr(err.text, "--max-depth"));
    def = source_default_def();
    def.max_frames = 1;
    assert_int_equal(read_pair(LEG, WALK "2\n", &def, &take, &err), STATUS_LIMIT);
    assert_non_null(strstr(err.text, "--max-frames"));
    assert_int_equal(read_pair("", WALK, NULL, &take, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "no skeleton beside this motion"));
}

static void put(TestFolder *folder, const char *name, const char *text)
{
    FILE *file = fopen(test_folder_file(folder, name), "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void assert_companion(TestFolder *folder, const char *motion, const char *skeleton)
{
    Companions found = {0};
    assert_int_equal(source_amc.find_companions(test_folder_file(folder, motion), &found, NULL), STATUS_OK);
    assert_int_equal(found.count, skeleton != NULL);
    if (skeleton)
        assert_string_equal(strrchr(found.path[0], '/') + 1, skeleton);
    companions_free(&found);
}

TEST(skeleton_is_that_of_the_name_of_the_subject_or_the_only_one)
{
    TestFolder folder = test_folder_make();
    SourceDef def = source_default_def();
    Source source;
    assert_companion(&folder, "07_01.amc", NULL);
    put(&folder, "other.ASF", LEG);
    assert_companion(&folder, "07_01.amc", "other.ASF");
    put(&folder, "07.asf", LEG);
    assert_companion(&folder, "07_01.amc", "07.asf");
    assert_companion(&folder, "07_01_fast.amc", "07.asf");
    put(&folder, "07_01.asf", LEG);
    assert_companion(&folder, "07_01.amc", "07_01.asf");
    assert_companion(&folder, "08_01.amc", NULL);
    put(&folder, "08_01.amc", WALK);
    char *other = strdup(test_folder_file(&folder, "other.ASF"));
    def.skeleton = other;
    assert_int_equal(source_open(test_folder_file(&folder, "08_01.amc"), &def, &source, NULL), STATUS_OK);
    assert_string_equal(source.file.companion[0].path, other);
    source_close(&source);
    free(other);
    test_folder_remove(&folder);
}

TEST(content_or_name_determines_the_format)
{
    assert_ptr_equal(source_of_front("#!OML:ASF x", 11), &source_amc);
    assert_ptr_equal(source_of_front("# text\n:FULLY-SPECIFIED\n", 24), &source_amc);
    assert_null(source_of_front("1\nroot 0 0 0\n", 13));
    assert_null(source_of_front(":version 1.10\n", 14));
    assert_ptr_equal(source_of_name("a.AMC", 5), &source_amc);
}
