/* formats/bvh: reads variants that other parsers reject; reports errors with line and column. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/bvh/bvh.h"
#include "tests/support/read_bvh.h"

#define ROOT "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n}\n" /* 6 lines */
#define HEAD ROOT "MOTION\nFrames: 2\nFrame Time: 0.5\n" /* rows start in line 10 */

static Status parse_bytes(const char *text, size_t size, Bvh *out, Error *err)
{
    SourceDef def = source_default_def();
    *err = (Error){0};
    char *exact = malloc(size ? size : 1); /* exact size, so that a sanitizer detects a read beyond the end */
    assert_non_null(exact);
    memcpy(exact, text, size);
    Status status = bvh_parse(exact, size, &def, out, err);
    free(exact);
    return status;
}

static void assert_reads(const char *text, Bvh *out)
{
    Error err;
    Status status = parse_bytes(text, strlen(text), out, &err);
    if (status)
        print_error("%d:%d: %s\n", err.line, err.column, err.text);
    assert_int_equal(status, STATUS_OK);
}

static void assert_fails(const char *text, int line, int column, const char *words)
{
    Bvh bvh;
    Error err;
    assert_int_equal(parse_bytes(text, strlen(text), &bvh, &err), STATUS_BAD_INPUT);
    if (err.line != line || err.column != column || !strstr(err.text, words))
        print_error("%d:%d: %s\nexpected %d:%d: %s\n", err.line, err.column, err.text, line, column, words);
    assert_int_equal(err.line, line);
    assert_int_equal(err.column, column);
    assert_non_null(strstr(err.text, words));
    assert_null(bvh.name);
    assert_null(bvh.value);
}

static void assert_values(const Bvh *bvh, const double *expected, int count)
{
    assert_int_equal(bvh->frame_count * bvh->channel_count, count);
    for (int i = 0; i < count; i++)
        assert_near(bvh->value[i], expected[i], 0);
}

TEST(tree_with_different_channels_is_read)
{
    Bvh b;
    assert_reads("HIERARCHY\nROOT Hips\n{\n\tOFFSET 1 2e0 -.5\n"
                 "\tCHANNELS 6 Zrotation Xrotation Yrotation Xposition Yposition Zposition\n"
                 "\tJOINT Leg\n\t{\n\t\tOFFSET 0 -4 0\n\t\tCHANNELS 1 Xrotation\n"
                 "\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0 -1 0\n\t\t}\n"
                 "\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0 0 1\n\t\t}\n\t}\n"
                 "\tJOINT Spine\n\t{\n\t\tOFFSET 0 3 0\n\t\tCHANNELS 0\n"
                 "\t\tJOINT Head\n\t\t{\n\t\t\tOFFSET 0 1 0\n\t\t\tCHANNELS 3 Yrotation Xrotation Zrotation\n\t\t}\n"
                 "\t}\n}\nMOTION\nFrames: 1\nFrame Time: .0083\n1 2 3 4 5 6 7 8 9 10\n",
                 &b);
    const int parent[] = {-1, 0, 0, 2}, channels[] = {6, 1, 0, 3}, first[] = {0, 6, 7, 7}, line[] = {2, 6, 19, 23};
    assert_int_equal(b.joint_count, 4);
    for (int j = 0; j < 4; j++) {
        assert_int_equal(b.parent[j], parent[j]);
        assert_int_equal(b.joint_channels[j], channels[j]);
        assert_int_equal(b.first_channel[j], first[j]);
        assert_int_equal(b.line[j], line[j]);
    }
    assert_vec3_near(b.offset[0], vec3(1, 2, -0.5), 0);
    assert_int_equal(b.end_count, 2);
    assert_int_equal(b.end_parent[1], 1);
    assert_vec3_near(b.end_offset[1], vec3(0, 0, 1), 0);
    assert_int_equal(b.channel[0], BVH_ZROTATION);
    assert_int_equal(b.channel[3], BVH_XPOSITION);
    assert_int_equal(b.channel[9], BVH_ZROTATION);
    assert_near(b.frame_time, 0.0083, 0);
    assert_near(b.value[9], 10, 0);
    assert_int_equal(b.findings.count, 0);
    bvh_free(&b);
}

static void replace_line_ends(const char *text, const char *line_end, char *out)
{
    for (; *text; text++) {
        if (*text == '\n')
            out = stpcpy(out, line_end);
        else
            *out++ = *text;
    }
    *out = 0;
}

TEST(line_ends_and_rows_in_any_form_are_read)
{
    const double expected[] = {1, 2, 3, 4, 5, 6};
    const char *rows[] = {"1 2 3\n4 5 6\n", "1 2 3\n4 5 6", "1\t2\t3\t\n\n \t\n  4 5 6  \n\n", "1 2 3 4 5 6\n",
                          "1\n2 3\n4\n5\n6\n", "1 2 3 4\n5\n6\n"};
    const char *ends[] = {"\n", "\r\n", "\r"};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (int e = 0; e < 3; e++) {
            char plain[512], text[1024] = "\xEF\xBB\xBF";
            Bvh b;
            snprintf(plain, sizeof plain, "%s%s", HEAD, rows[r]);
            replace_line_ends(plain, ends[e], text + (e == 1 ? 3 : 0));
            assert_reads(text, &b);
            assert_values(&b, expected, 6);
            assert_int_equal(b.findings.count, 0);
            bvh_free(&b);
        }
}

TEST(mixed_line_ends_are_one_line_each)
{
    assert_fails("HIERARCHY\r\nROOT a\r{\nOFFSET 0 x 0\n", 4, 10, "expected a number, found \"x\"");
}

TEST(keywords_are_read_in_any_case_and_spacing)
{
    Bvh b;
    assert_reads("hierarchy root Hips { offset 0 0 0 Channels 2 XROTATION zrotation JOINT b{OFFSET 0 0 0 CHANNELS 0 "
                 "END SITE { OFFSET 1 1 1 } } }\nmotion\nFRAMES : 1\nframe time:0.1\n1 2\n\x1A",
                 &b);
    assert_int_equal(b.joint_count, 2);
    assert_string_equal(b.name[1], "b");
    const double expected[] = {1, 2};
    assert_values(&b, expected, 2);
    bvh_free(&b);
}

static void assert_name(const char *written, const char *expected, int warnings)
{
    char text[512];
    Bvh b;
    snprintf(text, sizeof text,
             "HIERARCHY\nROOT %s\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames: 1\nFrame Time: 1\n0\n",
             written);
    assert_reads(text, &b);
    assert_string_equal(b.name[0], expected);
    assert_int_equal(b.findings.count, warnings);
    bvh_free(&b);
}

TEST(names_are_read_and_cleaned)
{
    assert_name("mixamorig:Hips", "mixamorig:Hips", 0);
    assert_name("  Left Up.Leg-1 #2\t ", "Left Up.Leg-1 #2", 0);
    assert_name("\xE8\x85\xB0 ROOT", "\xE8\x85\xB0 ROOT", 0);
    assert_name("a\tb", "a b", 0);
    assert_name("\x7F", "_", 0);
    assert_name("H\xFC" "fte", "H\xC3\xBC" "fte", 1);       /* Latin-1 */
    assert_name("a\xED\xA0\x80", "a\xC3\xAD\xC2\xA0\xC2\x80", 1); /* a surrogate is not UTF-8 */
}

/* 600 bytes of Latin-1 are 1200 bytes of UTF-8, which would be too long to read again. */
TEST(name_length_is_limited_in_utf8_bytes)
{
    char name[601], text[1024];
    SourceDef def = source_default_def();
    Error err;
    Bvh b;
    memset(name, 0xE5, sizeof name - 1);
    name[sizeof name - 1] = 0;
    snprintf(text, sizeof text, "HIERARCHY\nROOT %s\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\n"
                                "MOTION\nFrames: 1\nFrame Time: 1\n0\n", name);
    assert_int_equal(bvh_parse(text, strlen(text), &def, &b, &err), STATUS_BAD_INPUT);
    assert_string_equal(err.text, "a joint name of more than 1024 bytes");
    assert_int_equal(err.line, 2);
    bvh_free(&b);
}

TEST(repeated_name_is_a_warning)
{
    Bvh b;
    assert_reads("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nJOINT a\n{\n}\n}\n"
                 "MOTION\nFrames: 1\nFrame Time: 1\n0\n",
                 &b);
    assert_int_equal(b.findings.count, 2); /* and the missing OFFSET */
    assert_int_equal(b.findings.found[0].at.line, 6);
    assert_int_equal(b.findings.found[1].at.line, 6);
    bvh_free(&b);
}

TEST(joined_numbers_are_split_with_a_warning)
{
    Bvh b;
    const double expected[] = {0, -7.5, 1, -1e-5, 2, -3};
    assert_reads(HEAD "0.0-7.5 1\n-1e-5+2-3\n", &b);
    assert_values(&b, expected, 6);
    assert_int_equal(b.findings.count, 3);
    assert_int_equal(b.findings.found[0].at.line, 10);
    assert_int_equal(b.findings.found[0].at.column, 4);
    assert_int_equal(b.findings.found[2].at.line, 11);
    assert_int_equal(b.findings.found[2].at.column, 8);
    bvh_free(&b);
}

TEST(many_joined_numbers_are_counted)
{
    char text[4096];
    Bvh b;
    int length = snprintf(text, sizeof text, "%s", HEAD);
    for (int i = 0; i < 200; i++)
        length += snprintf(text + length, sizeof text - (size_t)length, "1-2-3\n");
    assert_reads(text, &b);
    assert_int_equal(b.frame_count, 200);
    assert_true(b.findings.count < 30);
    assert_non_null(strstr(b.findings.found[b.findings.count - 1].text, "400 numbers"));
    bvh_free(&b);
}

TEST(row_count_overrides_the_header)
{
    Bvh b;
    const double expected[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    assert_reads(HEAD "1 2 3\n4 5 6\n7 8 9\n", &b);
    assert_values(&b, expected, 9);
    assert_int_equal(b.findings.count, 1);
    assert_int_equal(b.findings.found[0].at.line, 8);
    assert_int_equal(b.findings.found[0].at.column, 9);
    bvh_free(&b);
    assert_reads(HEAD "1 2 3\n", &b);
    assert_int_equal(b.frame_count, 1);
    assert_int_equal(b.findings.count, 1);
    bvh_free(&b);
}

TEST(warnings_are_limited)
{
    size_t size;
    char *text = NULL;
    Bvh b;
    Error err;
    FILE *f = open_memstream(&text, &size);
    assert_non_null(f);
    fputs("HIERARCHY\nROOT r\n{\nCHANNELS 1 Xrotation\n", f);
    for (int i = 0; i < 3000; i++)
        fputs("End Site\n{\nOFFSET 0-1 0\n}\n", f);
    fputs("}\nMOTION\nFrames: 1\nFrame Time: 1\n0\n", f);
    fclose(f);
    assert_int_equal(parse_bytes(text, size, &b, &err), STATUS_OK);
    assert_int_equal(b.end_count, 3000);
    assert_int_equal(b.findings.count, 1000);
    assert_non_null(strstr(b.findings.found[999].text, "the rest is omitted"));
    bvh_free(&b);
    free(text);
}

/* The declared frame count allocates nothing: memory follows the bytes. */
TEST(huge_counts_do_not_allocate)
{
    Bvh b;
    assert_reads(ROOT "MOTION\nFrames: 99999999999999999999\nFrame Time: 1\n1 2 3\n", &b);
    assert_int_equal(b.frame_count, 1);
    assert_int_equal(b.findings.count, 1);
    bvh_free(&b);
    assert_fails("HIERARCHY\nROOT a\n{\nCHANNELS 99999999999999999999 Xposition\n}\n", 4, 10, "or 9 with scales");
}

TEST(invalid_rows_report_line)
{
    assert_fails(HEAD "1 2 3\n4 5\n", 11, 1, "the last row is cut: 2 values, the hierarchy has 3");
    assert_fails(HEAD "1 2\n3 4 5\n6 7 8\n9\n", 10, 1, "row of 2 values");
    assert_fails(HEAD "1 2 3\n4 5 6 7\n8 9\n", 11, 1, "row of 4 values");
    assert_fails(HEAD "1 2\n3 4\n", 10, 1, "row of 2 values");
    assert_fails(HEAD "1 2\n3 4 5 6\n", 10, 1, "row of 2 values");
    assert_fails(HEAD "1 2 3\n4\n5\n", 11, 1, "cut");
    assert_fails(HEAD "1 2 3 4\n5 6 7 8\n", 10, 1, "row of 4 values");
    assert_fails(ROOT "MOTION\nFrames: 6\nFrame Time: 1\n1\n2\n3\n4\n5\n6\n", 8, 9, "6 rows with 6 values");
    assert_fails(ROOT "MOTION\nFrames: 3\nFrame Time: 1\n1 2\n3 4 5 6\n7 8 9\n", 10, 1, "row of 2 values");
    assert_fails(HEAD, 10, 1, "no motion rows; header declares 2");
}

TEST(invalid_number_reports_line_and_column)
{
    assert_fails(HEAD "1 2 3\n4 nan 6\n", 11, 3, "expected a number, found \"nan\"");
    assert_fails(HEAD "1 2 3\n4 5 -Inf\n", 11, 5, "found \"-Inf\"");
    assert_fails(HEAD "1 2 1e999\n", 10, 5, "below 1.8e308");
    assert_fails(HEAD "1 2 3\n<<<<<<< HEAD\n4 5 6\n", 11, 1, "merge conflict marker");
    assert_fails(HEAD "1,5 2 3\n", 10, 1, "found \"1,5\"");
    assert_fails(HEAD "1 2 1.2.3\n", 10, 5, "found \"1.2.3\"");
    assert_fails(HEAD "1 2 -\n", 10, 5, "found \"-\"");
    assert_fails(HEAD "1 2 0x10\n", 10, 5, "found \"0x10\"");
    assert_fails(HEAD "1 2 3e\n", 10, 5, "found \"3e\"");
    assert_fails(HEAD "1 2 \xC3\xA9\n", 10, 5, "found \"\\xc3\\xa9\"");
}

/* The same errors deep in a long file, where numbers are parsed 64 bytes at a time. */
TEST(errors_in_the_fast_path_are_reported)
{
    const char *bad[] = {"1.2.3", "nan", "1-",    "--1",   "1e",  "1.5x", "/2",
                         "1/2",   ".",   "-",     "1e5.5", "1 e5", "+-1",  "1:2"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (int place = 0; place < 90; place += 7) {
            char text[4096];
            Bvh b;
            Error err;
            int length = snprintf(text, sizeof text, "%s", HEAD);
            for (int n = 0; n < 90; n++)
                length += snprintf(text + length, sizeof text - (size_t)length, "%s%c", n == place ? bad[i] : "-1.25",
                                   n % 3 == 2 ? '\n' : ' ');
            assert_int_equal(parse_bytes(text, (size_t)length, &b, &err), STATUS_BAD_INPUT);
            assert_int_equal(err.line, 10 + place / 3);
        }
}

TEST(nul_bytes_are_reported)
{
    static const char in_row[] = HEAD "1 2 3\n4 \0 6\n", glued[] = HEAD "1 2 3\n4 5\0 6\n";
    static const char in_name[] = "HIERARCHY\nROOT a\0b\n{\n";
    Bvh b;
    Error err;
    assert_int_equal(parse_bytes(in_row, sizeof in_row - 1, &b, &err), STATUS_BAD_INPUT);
    assert_int_equal(err.line, 11);
    assert_int_equal(err.column, 3);
    assert_non_null(strstr(err.text, "NUL"));
    assert_int_equal(parse_bytes(glued, sizeof glued - 1, &b, &err), STATUS_BAD_INPUT);
    assert_int_equal(err.line, 11);
    assert_int_equal(parse_bytes(in_name, sizeof in_name - 1, &b, &err), STATUS_BAD_INPUT);
    assert_int_equal(err.line, 2);
    assert_non_null(strstr(err.text, "NUL"));
}

TEST(invalid_hierarchy_reports_line_and_column)
{
    assert_fails("", 0, 0, "empty");
    assert_fails(" \r\n\t", 0, 0, "empty");
    assert_fails("\xFF\xFEH\x01", 1, 1, "UTF-16");
    assert_fails("PNG", 1, 1, "expected HIERARCHY, found \"PNG\"");
    assert_fails("HIERARCHY\nJOINT a\n", 2, 1, "expected ROOT");
    assert_fails("HIERARCHY\nROOT\n{\n", 3, 1, "expected a joint name");
    assert_fails("HIERARCHY\nROOT a\nOFFSET", 3, 1, "expected \"{\"");
    assert_fails("HIERARCHY\nROOT a\n{\nOFFSET 0 0\nCHANNELS 0\n}", 5, 1, "found \"CHANNELS\"");
    assert_fails("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0 0\n}", 4, 14, "an OFFSET has three numbers, or six");
    assert_fails("HIERARCHY\nROOT a\n{\nCHANNELS 3 Xrotation Yrotation\n}", 5, 1, "expected a channel");
    assert_fails("HIERARCHY\nROOT a\n{\nCHANNELS 1 Xshear\n}", 4, 12, "found \"Xshear\"");
    assert_fails("HIERARCHY\nROOT a\n{\nCHANNELS 10 Xshear\n}", 4, 10, "9 with scales, found \"10\"");
    assert_fails("HIERARCHY\nROOT a\n{\nCHANNELS 2 Xposition Xposition\n}", 4, 31, "same position channel twice");
    assert_fails("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nOFFSET 0 0 0\n}", 5, 7, "second OFFSET");
    assert_fails("HIERARCHY\nROOT a\n{\nEnd Site\n{\nOFFSET 0 0 0\nJOINT b\n", 7, 1, "expected \"}\"");
}

TEST(braces_must_balance)
{
    assert_fails("HIERARCHY\nROOT a\n{\nJOINT b\n{\n}\nMOTION\n", 7, 1, "inside joint \"a\" of line 2");
    assert_fails("HIERARCHY\nROOT a\n{\nJOINT b\n{\n", 6, 1, "the file ends inside joint \"b\" of line 4");
    assert_fails("HIERARCHY\nROOT a\n{\n}\n}\nMOTION\n", 5, 1, "closes nothing");
    assert_fails("HIERARCHY\nROOT a\n{\n}\n", 5, 1, "expected MOTION, found the end of the file");
}

TEST(numbers_out_of_range_report_line)
{
    assert_fails(HEAD "1 2 3\n4 1e300 6\n", 11, 3, "a value of 1e+300 is beyond any motion");
    assert_fails(HEAD "1 2 3\n4 5 -1.1e9\n", 11, 5, "a value of -1.1e+09");
    assert_fails("HIERARCHY\nROOT a\n{\nOFFSET 0 1e10 0\n", 4, 14, "an OFFSET of 1e+10");
}

/* A rate instead of the frame time is a common mistake: used unchanged, with a warning. */
TEST(unlikely_frame_time_is_a_warning)
{
    Bvh b;
    assert_reads(ROOT "MOTION\nFrames: 1\nFrame Time: 30\n1 2 3\n", &b);
    assert_near(b.frame_time, 30, 0);
    assert_int_equal(b.findings.count, 1);
    assert_int_equal(b.findings.found[0].at.line, 9);
    assert_non_null(strstr(b.findings.found[0].text, "--fps"));
    bvh_free(&b);
    assert_reads(ROOT "MOTION\nFrames: 1\nFrame Time: 0.001\n1 2 3\n", &b);
    assert_int_equal(b.findings.count, 0);
    bvh_free(&b);
}

/* import guesses the rate. */
TEST(frame_time_of_zero_or_none_is_unknown)
{
    Bvh b;
    assert_reads(ROOT "MOTION\nFrames: 1\nFrame Time: 0\n1 2 3\n", &b);
    assert_near(b.frame_time, 0, 0);
    assert_int_equal(b.frame_count, 1);
    bvh_free(&b);
    assert_reads(ROOT "MOTION\nFrames: 1\n-1 2 3\n", &b);
    assert_near(b.frame_time, 0, 0);
    assert_near(b.value[0], -1, 0);
    bvh_free(&b);
}

TEST(invalid_motion_header_reports_line_and_column)
{
    assert_fails(ROOT "MOTION\nFrame Time: 1\n1 2 3\n", 9, 1, "expected Frames:");
    assert_fails(ROOT "MOTION\nFrames: 1\nTime 1 2 3\n", 9, 1, "expected Frame Time:");
    assert_fails(ROOT "MOTION\nFrames: -1\n", 8, 9, "a number of frames");
    assert_fails(ROOT "MOTION\nFrames: 1.5\n", 8, 9, "a number of frames");
    assert_fails(ROOT "MOTION\nFrames: 1\nFrame Time: -0.1\n", 9, 13, "positive Frame Time");
    assert_fails(ROOT "MOTION\nFrames: 1\nFrame Time: nan\n", 9, 13, "expected a number");
    assert_fails(ROOT "MOTION\nFrames: 1\nFrame Time: 1e300\n1 2 3\n", 9, 13, "Frame Time 1e+300 s");
    assert_fails(ROOT "MOTION\nFrames: 1\nFrame Time: 1e-300\n1 2 3\n", 9, 13, "Frame Time 1e-300 s");
    assert_fails("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n}\nMOTION\nFrames: 1\nFrame Time: 1\n", 2, 1,
                 "no joint has channels");
}

/* A chain of n nested joints. */
static char *make_chain(int n, size_t *size)
{
    char *text = NULL;
    FILE *f = open_memstream(&text, size);
    assert_non_null(f);
    fputs("HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n", f);
    for (int i = 1; i < n; i++)
        fprintf(f, "JOINT j%d { OFFSET 0 1 0 CHANNELS 0\n", i);
    for (int i = 0; i < n; i++)
        fputs("}\n", f);
    fputs("MOTION\nFrames: 1\nFrame Time: 1\n0\n", f);
    fclose(f);
    return text;
}

TEST(nesting_and_joints_are_limited)
{
    size_t size;
    Bvh b;
    Error err;
    char *text = make_chain(1000, &size);
    SourceDef def = source_default_def();
    assert_int_equal(bvh_parse(text, size, &def, &b, &err), STATUS_OK);
    assert_int_equal(b.parent[999], 998);
    bvh_free(&b);
    def.max_joints = 999;
    assert_int_equal(bvh_parse(text, size, &def, &b, &err), STATUS_LIMIT);
    assert_int_equal(err.line, 5 + 999);
    assert_non_null(strstr(err.text, "more than 999 joints"));
    free(text);
    text = make_chain(200000, &size);
    def = source_default_def();
    assert_int_equal(bvh_parse(text, size, &def, &b, &err), STATUS_LIMIT);
    assert_int_equal(err.line, 5 + 1000);
    assert_non_null(strstr(err.text, "deeper than 1000"));
    def.max_depth = def.max_joints = 200000;
    assert_int_equal(bvh_parse(text, size, &def, &b, &err), STATUS_OK);
    assert_int_equal(b.joint_count, 200000);
    bvh_free(&b);
    free(text);
}

TEST(frames_are_limited)
{
    Bvh b;
    Error err;
    SourceDef def = source_default_def();
    def.max_frames = 1;
    const char *text = HEAD "1 2 3\n4 5 6\n";
    assert_int_equal(bvh_parse(text, strlen(text), &def, &b, &err), STATUS_LIMIT);
    assert_non_null(strstr(err.text, "more than 1 frames"));
}

/* A few kilobytes must not allocate a gigabyte of poses. */
TEST(joints_without_channels_are_limited)
{
    Bvh b;
    Error err = {0};
    SourceDef def = source_default_def();
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fputs("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n", f);
    for (int j = 0; j < 4000; j++)
        fputs("JOINT b\n{\nOFFSET 0 0 0\n}\n", f);
    fputs("}\nMOTION\nFrames: 2000\nFrame Time: 0.01\n", f);
    for (int i = 0; i < 2000; i++)
        fputs("0\n", f);
    fclose(f);
    for (def.tolerant = 0; def.tolerant < 2; def.tolerant++) {
        assert_int_equal(bvh_parse(text, size, &def, &b, &err), STATUS_LIMIT);
        assert_non_null(strstr(err.text, "never move"));
        assert_null(b.value);
    }
    free(text);
}

TEST(streams_and_paths_give_equal_results)
{
    char path[] = "/tmp/kane_test_bvh_XXXXXX";
    const char *text = HEAD "1 2 3\n4 5 6\n";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    Bvh b;
    Error err;
    SourceDef def = source_default_def();
    const double expected[] = {1, 2, 3, 4, 5, 6};
    assert_int_equal(read_bvh(path, &def, &b, &err), STATUS_OK);
    assert_values(&b, expected, 6);
    bvh_free(&b);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(read_bvh_stream(f, &def, &b, &err), STATUS_OK);
    assert_values(&b, expected, 6);
    bvh_free(&b);
    fclose(f);
    unlink(path);
    assert_int_equal(read_bvh(path, &def, &b, &err), STATUS_IO);
    assert_int_equal(read_bvh("/", &def, &b, &err), STATUS_IO);
    assert_non_null(strstr(err.text, "directory"));
}
