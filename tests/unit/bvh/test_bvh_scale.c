/* formats/bvh/bvh_scale: scale channels of 1 are removed, others refused with joint and value. */
#include "tests/support/test.h"

#include <string.h>

#include "formats/bvh/bvh.h"

#define HEAD                                                                                                       \
    "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 9 Xposition Yposition Zposition Zrotation Xrotation Yrotation "  \
    "Xscale Yscale Zscale\nJOINT Leg\n{\nOFFSET 0 -4 0\nCHANNELS 4 Zrotation Xscale Xrotation Yrotation\n}\n}\n"       \
    "MOTION\nFrames: 2\nFrame Time: 0.5\n" /* rows start in line 15 */

static Status parse(const char *text, int tolerant, Bvh *bvh, Error *err)
{
    SourceDef def = source_default_def();
    def.tolerant = tolerant;
    *err = (Error){0};
    return bvh_parse(text, strlen(text), &def, bvh, err);
}

TEST(scale_of_one_is_removed)
{
    static const double expected[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19};
    Bvh bvh;
    Error err;
    static const char text[] = HEAD "1 2 3 4 5 6 1 1 0.99999 7 1 8 9\n11 12 13 14 15 16 1 1 1 17 1.00001 18 19\n";
    assert_int_equal(parse(text, 0, &bvh, &err), STATUS_OK);
    assert_int_equal(bvh.channel_count, 9);
    assert_int_equal(bvh.joint_channels[0], 6);
    assert_int_equal(bvh.first_channel[1], 6);
    assert_int_equal(bvh.joint_channels[1], 3);
    for (int i = 0; i < 18; i++)
        assert_near(bvh.value[i], expected[i], 0);
    assert_int_equal(bvh.findings.count, 0);
    bvh_free(&bvh);
}

TEST(other_scale_is_refused_with_joint_and_value)
{
    Bvh bvh;
    Error err;
    static const char constant[] = HEAD "1 2 3 4 5 6 1 1 1 7 1.5 8 9\n1 2 3 4 5 6 1 1 1 7 1.5 8 9\n";
    static const char animated[] = HEAD "1 2 3 4 5 6 1 1 1 7 1 8 9\n1 2 3 4 5 6 1 2 1 7 1.5 8 9\n";
    assert_int_equal(parse(constant, 0, &bvh, &err), STATUS_BAD_INPUT);
    assert_int_equal(err.line, 6);
    assert_non_null(strstr(err.text, "Xscale of joint \"Leg\" is 1.5: bones"));
    assert_int_equal(parse(animated, 0, &bvh, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "Yscale of joint \"Hips\" is 2, and changes: bones"));
    assert_int_equal(parse(animated, 1, &bvh, &err), STATUS_OK);
    assert_int_equal(bvh.findings.count, 1);
    assert_int_equal(bvh.findings.found[0].kind, BVH_ERROR_SCALE);
    assert_int_equal(bvh.findings.found[0].at.line, 16);
    assert_int_equal(bvh.channel_count, 9);
    bvh_free(&bvh);
}

/* A child may come before the CHANNELS of its parent: columns keep their joints. */
TEST(columns_keep_their_joints_in_any_order)
{
    Bvh bvh;
    Error err;
    assert_int_equal(parse("HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nJOINT Leg\n{\nOFFSET 0 -4 0\n"
                           "CHANNELS 2 Xscale Zrotation\n}\nCHANNELS 3 Yrotation Zscale Xrotation\n}\n"
                           "MOTION\nFrames: 1\nFrame Time: 1\n1 20 30 1 40\n", 0, &bvh, &err), STATUS_OK);
    assert_int_equal(bvh.channel_count, 3);
    assert_int_equal(bvh.first_channel[1], 0);
    assert_int_equal(bvh.joint_channels[1], 1);
    assert_int_equal(bvh.first_channel[0], 1);
    assert_int_equal(bvh.joint_channels[0], 2);
    assert_int_equal(bvh.channel[0], BVH_ZROTATION);
    assert_int_equal(bvh.channel[1], BVH_YROTATION);
    assert_int_equal(bvh.channel[2], BVH_XROTATION);
    for (int i = 0; i < 3; i++)
        assert_near(bvh.value[i], 20 + 10 * i, 0);
    bvh_free(&bvh);
}

TEST(scale_counts_beside_six_other_channels)
{
    Bvh bvh;
    Error err;
    assert_int_equal(parse("HIERARCHY\nROOT a\n{\nCHANNELS 7 Xposition Yposition Zposition Zrotation Xrotation "
                           "Yrotation Zrotation\n}\n", 0, &bvh, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "expected at most 6 positions and rotations, found \"Zrotation\""));
    assert_int_equal(parse("HIERARCHY\nROOT a\n{\nCHANNELS 2 Xscale Xscale\n}\n", 0, &bvh, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "the same scale channel twice"));
    static const char nothing[] = "HIERARCHY\nROOT a\n{\nCHANNELS 1 Xscale\n}\nMOTION\nFrames: 1\nFrame Time: 1\n1\n";
    assert_int_equal(parse(nothing, 0, &bvh, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "no joint has channels"));
}
