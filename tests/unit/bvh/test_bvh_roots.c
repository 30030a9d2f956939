/* formats/bvh/bvh_roots: one of several ROOTs is read, or all with exact motion. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/math/quat.h"
#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_clip.h"

enum { FRAMES = 40, OBJECT_COLUMNS = 6 };

static const char body[] =
    "ROOT Hips\n{\nOFFSET 0 90 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
    "JOINT Spine\n{\nOFFSET 0 20 0\nCHANNELS 0\nJOINT Neck\n{\nOFFSET 0 30 0\nCHANNELS 0\nJOINT Head\n{\n"
    "OFFSET 0 10 0\nCHANNELS 0\n}\n}\nJOINT LeftArm\n{\nOFFSET 18 25 0\nCHANNELS 0\nJOINT LeftForeArm\n{\n"
    "OFFSET 28 0 0\nCHANNELS 0\n}\n}\n"
    "JOINT RightArm\n{\nOFFSET -18 25 0\nCHANNELS 0\nJOINT RightForeArm\n{\nOFFSET -28 0 0\nCHANNELS 0\n}\n}\n"
    "}\n"
    "JOINT LeftUpLeg\n{\nOFFSET 10 0 0\nCHANNELS 0\nJOINT LeftLeg\n{\nOFFSET 0 -42 0\nCHANNELS 0\nJOINT LeftFoot\n{\n"
    "OFFSET 0 -42 0\nCHANNELS 0\n}\n}\n}\nJOINT RightUpLeg\n{\nOFFSET -10 0 0\nCHANNELS 0\nJOINT RightLeg\n{\n"
    "OFFSET 0 -42 0\nCHANNELS 0\nJOINT RightFoot\n{\nOFFSET 0 -42 0\nCHANNELS 0\n}\n}\n}\n}\n"; /* 14 joints */
static const char object[] = "ROOT Prop\n{\nOFFSET 30 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation "
                             "Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 10 0\n}\n}\n";
static const char ball[] = "ROOT Ball\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
                           "Yrotation\n}\n";

static double value(int frame, int column)
{
    return (column % OBJECT_COLUMNS < 3 ? 80 : 40) * elementary_sin(0.07 * frame + column) + frame;
}

static Status parse(const char *one, const char *two, const char *three, const char *root, Bvh *bvh, Error *err)
{
    SourceDef def = source_default_def();
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fprintf(f, "HIERARCHY\n%s%s%sMOTION\nFrames: %d\nFrame Time: 0.01\n", one, two, three, FRAMES);
    for (int i = 0, columns = OBJECT_COLUMNS * (2 + (*three != 0)); i < FRAMES; i++)
        for (int c = 0; c < columns; c++)
            fprintf(f, "%.17g%c", value(i, c), c + 1 < columns ? ' ' : '\n');
    fclose(f);
    def.root = root;
    *err = (Error){0};
    Status status = bvh_parse(text, size, &def, bvh, err);
    free(text);
    return status;
}

static void assert_is_body(const Bvh *bvh, int first_column)
{
    assert_int_equal(bvh->joint_count, 14);
    assert_string_equal(bvh->name[0], "Hips");
    assert_int_equal(bvh->channel_count, 6);
    for (int f = 0; f < FRAMES; f++)
        for (int c = 0; c < 6; c++)
            assert_near(bvh->value[6 * f + c], value(f, first_column + c), 0);
}

TEST(body_is_read_and_the_object_named)
{
    Bvh bvh;
    Error err;
    assert_int_equal(parse(body, object, "", NULL, &bvh, &err), STATUS_OK);
    assert_is_body(&bvh, 0);
    assert_int_equal(bvh.findings.count, 1);
    assert_int_equal(bvh.findings.found[0].kind, BVH_ERROR_ROOTS);
    assert_int_equal(bvh.findings.found[0].at.line, 72);
    assert_string_equal(bvh.findings.found[0].text,
                        "ROOT \"Hips\" is read, left out: \"Prop\" (line 72, 1 joint); import's --root all keeps them, "
                        "import's --root NAME reads another");
    bvh_free(&bvh);
    assert_int_equal(parse(object, body, ball, NULL, &bvh, &err), STATUS_OK); /* the object first, a third last */
    assert_is_body(&bvh, 6);
    bvh_free(&bvh);
}

TEST(named_root_is_read_without_a_word)
{
    Bvh bvh;
    Error err;
    static const char *const names[] = {"Prop", "1"};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(parse(object, body, "", names[i], &bvh, &err), STATUS_OK);
        assert_int_equal(bvh.joint_count, 1);
        assert_int_equal(bvh.end_count, 1);
        assert_near(bvh.value[6 * 7 + 2], value(7, 2), 0);
        assert_int_equal(bvh.findings.count, 0);
        bvh_free(&bvh);
    }
}

TEST(unknown_root_and_several_bodies_are_listed)
{
    Bvh bvh;
    Error err;
    assert_int_equal(parse(body, object, "", "Sword", &bvh, &err), STATUS_BAD_INPUT);
    assert_string_equal(err.text, "no ROOT of this name: \"Hips\" (line 2, 14 joints), \"Prop\" (line 72, 1 joint); "
                                  "choose one by import's --root NAME, or all by import's --root all");
    assert_int_equal(parse(body, body, "", NULL, &bvh, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "several bodies: \"Hips\" (line 2, 14 joints), \"Hips\" (line 72, 14 joints)"));
    assert_int_equal(parse(body, body, "", "Hips", &bvh, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "have the numbers 1, 2"));
    assert_int_equal(parse(body, body, "", "2", &bvh, &err), STATUS_OK);
    assert_is_body(&bvh, 6);
    bvh_free(&bvh);
    assert_int_equal(parse(body, body, "", "all", &bvh, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "a clip has one body"));
    assert_int_equal(parse(ball, object, "", NULL, &bvh, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "none clearly a body"));
}

/* The rotation of a row's object in the world. */
static Quat rotation(int frame, int column)
{
    static const Vec3 axis[3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    Quat q = QUAT_IDENTITY;
    for (int i = 0; i < 3; i++)
        q = quat_mul(q, quat_from_axis_angle(axis[i], value(frame, column + i) * (PI / 180)));
    return q;
}

TEST(all_roots_move_in_the_world_as_their_channels)
{
    Bvh bvh;
    Error err;
    Clip clip = {0};
    ImportGuessDef def = import_guess_default_def();
    def.meters_per_unit = 0.01;
    def.up = UP_Y;
    assert_int_equal(parse(object, body, ball, "all", &bvh, &err), STATUS_OK);
    assert_int_equal(bvh.joint_count, 17);
    assert_int_equal(clip_from_bvh(&bvh, &def, &clip, NULL, &err), STATUS_OK);
    const int joint[3] = {1, 2, 16};
    const Motion *m = &clip.motion;
    for (int f = 0; f < m->frame_count; f++)
        for (int i = 0; i < 3; i++) {
            int source = f + FRAMES - m->frame_count;
            Vec3 at = vec3(value(source, 6 * i), value(source, 6 * i + 1), value(source, 6 * i + 2));
            assert_string_equal(clip.skeleton.name[joint[i]], i == 0 ? "Prop" : i == 1 ? "Hips" : "Ball");
            assert_int_equal(clip.skeleton.parent[joint[i]], 0);
            assert_vec3_near(m->root_position[f], vec3(0, 0, 0), 0);
            assert_near(fabs(quat_dot(m->rotation[motion_index(m, f, 0)], QUAT_IDENTITY)), 1, 0);
            assert_vec3_near(m->translation[motion_index(m, f, joint[i])], vec3_scale(at, 0.01), 1e-12);
            Quat turned = m->rotation[motion_index(m, f, joint[i])];
            assert_near(fabs(quat_dot(turned, rotation(source, 6 * i + 3))), 1, 1e-13);
        }
    clip_free(&clip);
    bvh_free(&bvh);
}
