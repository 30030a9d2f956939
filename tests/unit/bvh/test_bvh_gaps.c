/* formats/bvh/bvh_gaps: cells that are no numbers give one finding per cause, and joints without numbers are left out
 * or get their rest pose. */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_gaps.h"

enum { FRAMES = 30, ROW_0 = 27, COLUMNS = 12 }; /* the first row is line ROW_0 */

typedef const char *Cell(int frame, int column);

/* Hips, Arm with Hand below it, Leg: three rotations each. */
static char *make_file(Cell *cell)
{
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    const char *channels = "CHANNELS 3 Zrotation Xrotation Yrotation";
    fprintf(f, "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\n%s\nJOINT Arm\n{\nOFFSET 1 0 0\n%s\nJOINT Hand\n{\n"
               "OFFSET 2 0 0\n%s\n}\n}\nJOINT Leg\n{\nOFFSET 0 -3 0\n%s\nEnd Site\n{\nOFFSET 0 -1 0\n}\n}\n}\n"
               "MOTION Frames: %d Frame Time: 0.01\n", channels, channels, channels, channels, FRAMES);
    for (int i = 0; i < FRAMES; i++)
        for (int c = 0; c < COLUMNS; c++)
            fprintf(f, "%s%c", cell(i, c) ? cell(i, c) : "1.5", c + 1 < COLUMNS ? ' ' : '\n');
    fclose(f);
    return text;
}

static Status parse(Cell *cell, const char *drop, int tolerant, Bvh *bvh, Error *err)
{
    SourceDef def = source_default_def();
    char *text = make_file(cell);
    def.drop_joints = drop;
    def.tolerant = tolerant;
    *err = (Error){0};
    Status status = bvh_parse(text, strlen(text), &def, bvh, err);
    free(text);
    return status;
}

static const char *hand_is_nan(int f, int c) { (void)f; return c >= 6 && c < 9 ? "nan" : NULL; }
static const char *arm_is_nan(int f, int c) { (void)f; return c >= 3 && c < 6 ? "NaN" : NULL; }
static const char *arm_and_hand_are_nan(int f, int c) { (void)f; return c >= 3 && c < 9 ? "-nan(ind)" : NULL; }
static const char *some_cells(int f, int c)
{
    return f % 10 == 4 && c >= 9 ? "nan" : f == 7 && c == 1 ? "1e30" : f > 20 && c == 2 ? "abc" : NULL;
}

static void assert_finding(const Finding *f, int line, const char *text)
{
    assert_int_equal(f->kind, BVH_ERROR_NUMBER);
    assert_int_equal(f->at.line, line);
    assert_string_equal(f->text, text);
}

TEST(leaf_without_numbers_is_one_error_with_remedies)
{
    Bvh bvh;
    Error err;
    assert_int_equal(parse(hand_is_nan, NULL, 0, &bvh, &err), STATUS_BAD_INPUT);
    assert_int_equal(err.line, ROW_0);
    assert_int_equal(err.column, 25);
    assert_string_equal(err.text, "expected a number, found \"nan\", in every row of Hand; import's --drop-joints auto "
                                  "leaves these leaves out, kane check --repair holds their rest pose");
}

TEST(leaf_without_numbers_is_left_out_with_its_channels)
{
    Bvh bvh;
    Error err;
    assert_int_equal(parse(hand_is_nan, "auto", 0, &bvh, &err), STATUS_OK);
    assert_int_equal(bvh.joint_count, 3);
    assert_int_equal(bvh.channel_count, 9);
    assert_string_equal(bvh.name[2], "Leg");
    assert_int_equal(bvh.parent[2], 0);
    assert_int_equal(bvh.first_channel[2], 6);
    assert_null(bvh.location);
    for (int i = 0; i < FRAMES * 9; i++)
        assert_near(bvh.value[i], 1.5, 0);
    assert_int_equal(bvh.end_count, 2); /* the arm keeps its length */
    assert_int_equal(bvh.end_parent[1], 1);
    assert_vec3_near(bvh.end_offset[1], vec3(2, 0, 0), 0);
    assert_int_equal(bvh.findings.count, 1);
    assert_string_equal(bvh.findings.found[0].text, "1 joint left out: Hand");
    bvh_free(&bvh);
}

TEST(joint_above_others_is_not_left_out_by_itself)
{
    Bvh bvh;
    Error err;
    assert_int_equal(parse(arm_is_nan, "auto", 0, &bvh, &err), STATUS_BAD_INPUT);
    assert_string_equal(err.text, "expected a number, found \"NaN\", in every row of Arm; kane check --repair holds "
                                  "the rest pose there");
    assert_int_equal(parse(arm_is_nan, "Arm", 0, &bvh, &err), STATUS_OK); /* with the hand */
    assert_int_equal(bvh.joint_count, 2);
    bvh_free(&bvh);
    assert_int_equal(parse(arm_and_hand_are_nan, "auto", 0, &bvh, &err), STATUS_OK);
    assert_int_equal(bvh.joint_count, 2);
    bvh_free(&bvh);
}

TEST(unknown_joint_and_root_are_not_left_out)
{
    Bvh bvh;
    Error err;
    assert_int_equal(parse(hand_is_nan, "Hnad", 0, &bvh, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "no joint \"Hnad\" to leave out"));
    assert_non_null(strstr(err.text, "did you mean Hand?"));
    assert_int_equal(parse(hand_is_nan, "Hand,Hips", 0, &bvh, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "the root \"Hips\""));
}

TEST(every_cause_is_one_finding_with_its_count)
{
    Bvh bvh;
    Error err;
    assert_int_equal(parse(some_cells, NULL, 1, &bvh, &err), STATUS_OK);
    assert_int_equal(bvh.findings.count, 3);
    assert_finding(&bvh.findings.found[0], ROW_0 + 4, "expected a number, found \"nan\", in 9 cells of 3 rows of Leg; "
                   "kane check --repair interpolates them");
    assert_finding(&bvh.findings.found[1], ROW_0 + 7, "a value of 1e+30 is beyond any motion");
    assert_finding(&bvh.findings.found[2], ROW_0 + 21,
                   "expected a number, found \"abc\", in 9 cells of 9 rows of Hips; "
                   "kane check --repair interpolates them");
    bvh_free(&bvh);
    assert_int_equal(parse(some_cells, "auto", 0, &bvh, &err), STATUS_BAD_INPUT); /* no joint is without numbers */
    assert_int_equal(err.line, ROW_0 + 4);
}

TEST(joint_without_numbers_gets_its_rest)
{
    Bvh bvh;
    Error err;
    assert_int_equal(parse(arm_is_nan, NULL, 1, &bvh, &err), STATUS_OK);
    bvh.channel[4] = BVH_XPOSITION;
    assert_int_equal(bvh_set_rest(&bvh), 3);
    for (int f = 0; f < FRAMES; f++)
        for (int c = 0; c < COLUMNS; c++)
            assert_near(bvh.value[f * COLUMNS + c], c < 3 || c > 5 ? 1.5 : c == 4, 0);
    assert_int_equal(bvh_set_rest(&bvh), 0);
    bvh_free(&bvh);
}

TEST(words_of_programs_for_no_number_are_one_kind)
{
    static const char *const nans[] = {"nan", "NaN", "-nan(ind)", "-1.#IND", "+Inf", "null", "--"};
    for (size_t i = 0; i < sizeof nans / sizeof *nans; i++)
        assert_int_equal(bvh_gap_of_word(nans[i], strlen(nans[i])), BVH_GAP_NAN);
    assert_int_equal(bvh_gap_of_word("#REF!", 5), BVH_GAP_TEXT);
    assert_int_equal(bvh_gap_of_word("1,5", 3), BVH_GAP_TEXT);
}
