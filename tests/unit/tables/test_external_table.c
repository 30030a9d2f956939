/* formats/tables/external_table: rows by joint name; errors with line and column. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/tables/external_table.h"

static Skeleton skeleton;

static int make_skeleton(void **state)
{
    (void)state;
    return skeleton_init(&skeleton, 2, 0, NULL) || skeleton_set_name(&skeleton, 0, "Hips", NULL) ||
           skeleton_set_name(&skeleton, 1, "Right Foot", NULL);
}

static int drop_skeleton(void **state)
{
    (void)state;
    skeleton_free(&skeleton);
    return 0;
}

static Status read_text(const char *text, ExternalRows *rows, Error *err)
{
    char path[] = "/tmp/kane_external_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    Status status = external_read(path, &skeleton, rows, err);
    unlink(path);
    return status;
}

TEST(columns_are_found_by_name)
{
    ExternalRows rows;
    assert_int_equal(read_text("# plates\ntz\tty\ttx\tpz\tpy\tpx\tfz\tfy\tfx\tnote\tjoint\ttime\r\n"
                               "9\t8\t7\t6\t5\t4\t3\t2\t1\tleft alone\tRight Foot\t0.5\r\n"
                               "0\t0\t0\t0\t0\t0\t0\t-1e3\t0\t\tHips\t0.25\r\n", &rows, NULL), STATUS_OK);
    assert_int_equal(rows.row_count, 2);
    assert_int_equal(rows.joint[0], 1);
    assert_int_equal(rows.joint[1], 0);
    assert_near(rows.time[0], 0.5, 0);
    assert_vec3_near(rows.force[0], vec3(1, 2, 3), 0);
    assert_vec3_near(rows.point[0], vec3(4, 5, 6), 0);
    assert_vec3_near(rows.couple[0], vec3(7, 8, 9), 0);
    assert_vec3_near(rows.force[1], vec3(0, -1000, 0), 0);
    external_rows_free(&rows);
}

#define HEADER "time\tjoint\tfx\tfy\tfz\tpx\tpy\tpz\ttx\tty\ttz\n"
#define ZEROS "\t0\t0\t0\t0\t0\t0\t0\t0\t0\n"

static void assert_refused(const char *text, int line, int column, const char *words)
{
    ExternalRows rows;
    Error err = {0};
    assert_int_equal(read_text(text, &rows, &err), STATUS_BAD_INPUT);
    assert_int_equal(err.line, line);
    assert_int_equal(err.column, column);
    assert_non_null(strstr(err.text, words));
    assert_int_equal(rows.row_count, 0);
    assert_null(rows.force);
}

TEST(invalid_cells_report_line_and_column)
{
    assert_refused(HEADER "0\tHips" ZEROS "1\tTail" ZEROS, 3, 3, "unknown joint or role \"Tail\"");
    assert_refused(HEADER "0\tHips\t0\tx\t0\t0\t0\t0\t0\t0\t0\n", 2, 10, "\"fy\"");
    assert_refused(HEADER "0\tHips\tnan\t0\t0\t0\t0\t0\t0\t0\t0\n", 2, 8, "\"fx\"");
    assert_refused(HEADER "1\tHips" ZEROS "0.5\tRight Foot" ZEROS "0.5\tHips" ZEROS, 4, 1, "time 0.5 of joint Hips");
    assert_refused("time\tjoint\tfx\tfy\tfz\tpx\tpy\tpz\ttx\tty\n", 0, 0, "tz");
}

TEST(missing_file_is_an_error)
{
    ExternalRows rows;
    assert_int_equal(external_read("/nowhere/forces.tsv", &skeleton, &rows, NULL), STATUS_IO);
}

TEST_GROUP(make_skeleton, drop_skeleton)
