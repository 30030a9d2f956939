/* Tables of the retargeting stage: round trips; errors with line and column. */
#include "tests/support/test.h"

#include <string.h>

#include "analysis/math/elementary.h"
#include "formats/tables/retarget_tables.h"
#include "tests/support/test_folder.h"
#include "tests/support/walker.h"

static void write_file(TestFolder *folder, const char *text)
{
    FILE *stream = fopen(test_folder_file(folder, "t.tsv"), "w");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
}

TEST(joint_map_round_trip_is_exact)
{
    const JointMapRow rows[] = {{0, 0, 1}, {9, 9, 0.25}, {9, 10, 0.75}, {14, 14, 1}};
    TestFolder folder = test_folder_make();
    Skeleton s;
    JointMap map, back;
    (void)state;
    walker_skeleton(&s);
    assert_int_equal(joint_map_from_rows(&map, WALKER_JOINTS, rows, 4, NULL), STATUS_OK);
    FILE *stream = fopen(test_folder_file(&folder, "t.tsv"), "w");
    assert_non_null(stream);
    assert_int_equal(joint_map_write(&map, &s, &s, stream, NULL), STATUS_OK);
    fclose(stream);
    assert_int_equal(joint_map_read(test_folder_file(&folder, "t.tsv"), &s, &s, &back, NULL), STATUS_OK);
    assert_int_equal(back.row_count, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(back.row[i].target, map.row[i].target);
        assert_int_equal(back.row[i].source, map.row[i].source);
        assert_near(back.row[i].weight, map.row[i].weight, 1e-9);
    }
    joint_map_free(&map);
    joint_map_free(&back);
    skeleton_free(&s);
    test_folder_remove(&folder);
}

TEST(invalid_joint_maps_report_line)
{
    TestFolder folder = test_folder_make();
    Skeleton s;
    JointMap map;
    Error err = {0};
    (void)state;
    walker_skeleton(&s);
    write_file(&folder, "target\tsource\tweight\nHips\tTail\t1\n");
    assert_int_equal(joint_map_read(test_folder_file(&folder, "t.tsv"), &s, &s, &map, &err), STATUS_BAD_INPUT);
    assert_int_equal(err.line, 2);
    assert_int_equal(err.column, 6);
    assert_non_null(strstr(err.text, "Tail"));
    write_file(&folder, "target\tweight\nHips\t1\n");
    assert_int_equal(joint_map_read(test_folder_file(&folder, "t.tsv"), &s, &s, &map, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "source"));
    assert_int_equal(skeleton_set_name(&s, 2, "Hips", NULL), STATUS_OK);
    write_file(&folder, "target\tsource\nHips\tHips\n");
    assert_int_equal(joint_map_read(test_folder_file(&folder, "t.tsv"), &s, &s, &map, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "several"));
    skeleton_free(&s);
    test_folder_remove(&folder);
}

/* Impossible angles and a duplicate role are reported with line and column. */
TEST(invalid_limits_report_line)
{
    static const struct {
        const char *rows;
        int line, column;
    } wrong[] = {
        {"left_knee\t-1\t270\t-2\t2\t0\t150\n", 2, 14},
        {"left_knee\t-1\t1\t-2\t100\t0\t150\n", 2, 19},
        {"left_knee\t-1\t1\t-2\t2\t0\t150\nleft_knee\t-1\t1\t-2\t2\t0\t9\n", 3, 1},
    };
    TestFolder folder = test_folder_make();
    JointLimits limits;
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[256];
        Error err = {0};
        snprintf(text, sizeof text, "role\troll_min\troll_max\tpitch_min\tpitch_max\tyaw_min\tyaw_max\n%s",
                 wrong[i].rows);
        write_file(&folder, text);
        assert_int_equal(joint_limits_read(test_folder_file(&folder, "t.tsv"), &limits, &err), STATUS_BAD_INPUT);
        assert_int_equal(err.line, wrong[i].line);
        assert_int_equal(err.column, wrong[i].column);
    }
    test_folder_remove(&folder);
}

TEST(limits_are_read_in_degrees)
{
    TestFolder folder = test_folder_make();
    JointLimits limits;
    Error err = {0};
    (void)state;
    write_file(&folder, "role\troll_min\troll_max\tpitch_min\tpitch_max\tyaw_min\tyaw_max\n"
                        "left_knee\t-1\t1\t-2\t2\t0\t150\n");
    assert_int_equal(joint_limits_read(test_folder_file(&folder, "t.tsv"), &limits, NULL), STATUS_OK);
    assert_int_equal(limits.count, 1);
    assert_int_equal(limits.limit[0].role, ROLE_LEFT_KNEE);
    assert_near(limits.limit[0].max.yaw, 150 * PI / 180, 1e-15);
    assert_near(limits.limit[0].min.pitch, -2 * PI / 180, 1e-15);
    joint_limits_free(&limits);
    write_file(&folder, "role\troll_min\troll_max\tpitch_min\tpitch_max\tyaw_min\tyaw_max\n"
                        "left_knee\t-1\t1\t2\t-2\t0\t150\n");
    assert_int_equal(joint_limits_read(test_folder_file(&folder, "t.tsv"), &limits, &err), STATUS_BAD_INPUT);
    assert_int_equal(err.line, 2);
    test_folder_remove(&folder);
}

TEST(contact_edits_round_trip_is_exact)
{
    ContactRow row[] = {{FOOT_LEFT, SOLE_HEEL, 0.25, 1.5, PLANT_KEEP}, {FOOT_RIGHT, SOLE_BALL, 2, 2.125, PLANT_LOCK},
                        {FOOT_RIGHT, SOLE_HEEL, 3, 4, PLANT_NONE}};
    const ContactEdits rows = {3, row};
    TestFolder folder = test_folder_make();
    ContactEdits back;
    (void)state;
    FILE *stream = fopen(test_folder_file(&folder, "t.tsv"), "w");
    assert_non_null(stream);
    assert_int_equal(contact_edits_write(&rows, stream, NULL), STATUS_OK);
    fclose(stream);
    assert_int_equal(contact_edits_read(test_folder_file(&folder, "t.tsv"), &back, NULL), STATUS_OK);
    assert_int_equal(back.count, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(back.row[i].foot, row[i].foot);
        assert_int_equal(back.row[i].part, row[i].part);
        assert_int_equal(back.row[i].mode, row[i].mode);
        assert_near(back.row[i].from, row[i].from, 0);
        assert_near(back.row[i].to, row[i].to, 0);
    }
    contact_edits_free(&back);
    stream = fopen("/dev/full", "w");
    assert_int_equal(contact_edits_write(&rows, stream, NULL), STATUS_IO);
    fclose(stream);
    test_folder_remove(&folder);
}

TEST(invalid_contact_edits_report_line)
{
    static const struct {
        const char *row, *words;
        int column;
    } wrong[] = {
        {"middle\tball\t0\t1\tkeep\n", "expected left or right, found \"middle\"", 1},
        {"left\ttoe\t0\t1\tkeep\n", "expected heel or ball, found \"toe\"", 6},
        {"left\tball\t0\t1\thold\n", "expected keep or lock or free, found \"hold\"", 15},
        {"left\tball\tx\t1\tkeep\n", "x", 11},
        {"left\tball\t1\t1\tkeep\n", "ends after it begins", 13},
    };
    TestFolder folder = test_folder_make();
    ContactEdits rows;
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[256];
        Error err = {0};
        snprintf(text, sizeof text, "foot\tpart\tfrom\tto\tmode\n%s", wrong[i].row);
        write_file(&folder, text);
        assert_int_equal(contact_edits_read(test_folder_file(&folder, "t.tsv"), &rows, &err), STATUS_BAD_INPUT);
        if (!strstr(err.text, wrong[i].words) || err.line != 2 || err.column != wrong[i].column)
            fail_msg("%d:%d: %s", err.line, err.column, err.text);
        assert_null(rows.row);
    }
    test_folder_remove(&folder);
}
