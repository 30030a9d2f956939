/* formats/tables/soft_joint_table: joints by name or role; errors with line and column. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/tables/soft_joint_table.h"
#include "tests/support/walker.h"

static Status read_text(const char *text, SoftJoints *out, Error *err)
{
    Skeleton walker;
    char path[] = "/tmp/kane_table_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    walker_skeleton(&walker);
    Status status = soft_joints_read(path, &walker, out, err);
    skeleton_free(&walker);
    unlink(path);
    return status;
}

TEST(joints_are_found_by_name_or_role)
{
    SoftJoints soft;
    assert_int_equal(read_text("damping\tjoint\tstiffness\n5\tLeftLeg\t2000\n0\tright_knee\t3000\n", &soft, NULL),
                     STATUS_OK);
    assert_int_equal(soft.count, 2);
    assert_int_equal(soft.joint[0].joint, 2);
    assert_int_equal(soft.joint[1].joint, 6);
    assert_near(soft.joint[0].stiffness, 2000, 0);
    assert_near(soft.joint[0].damping, 5, 0);
    assert_near(soft.joint[1].stiffness, 3000, 0);
    free(soft.joint);
}

TEST(invalid_rows_report_line)
{
    static const struct {
        const char *row, *said;
    } wrong[] = {
        {"Wing\t1\t0\n", "2:1: unknown joint or role \"Wing\""},
        {"Hips\t1\t0\n", "2:1: the root"},
        {"LeftLeg\t1\t0\nleft_knee\t1\t0\n", "3:1: a second row"},
        {"LeftLeg\tstiff\t0\n", "2:9"},
        {"LeftLeg\t0\t0\n", "2:9: a stiffness"},
        {"LeftLeg\t1\t-1\n", "2:11: a damping"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[256] = "joint\tstiffness\tdamping\n", said[600];
        SoftJoints soft;
        Error err = {0};
        strcat(text, wrong[i].row);
        assert_int_equal(read_text(text, &soft, &err), STATUS_BAD_INPUT);
        assert_null(soft.joint);
        snprintf(said, sizeof said, "%d:%d: %s", err.line, err.column, err.text);
        assert_non_null(strstr(said, wrong[i].said));
    }
    SoftJoints soft;
    assert_int_not_equal(soft_joints_read("/nowhere/at/all", NULL, &soft, NULL), STATUS_OK);
    assert_int_equal(read_text("joint\tstiffness\n", &soft, NULL), STATUS_BAD_INPUT);
}
