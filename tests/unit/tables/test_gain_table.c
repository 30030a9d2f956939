/* formats/tables/gain_table: cells left empty; errors with line. */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/tables/gain_table.h"
#include "tests/support/walker.h"

static Status read_text(const char *text, JointGains *gains, Error *err)
{
    Skeleton walker;
    char path[] = "/tmp/kane_table_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    walker_skeleton(&walker);
    Status status = joint_gains_read(path, &walker, gains, err);
    skeleton_free(&walker);
    unlink(path);
    return status;
}

TEST(joint_gains_may_be_empty)
{
    JointGains g[WALKER_JOINTS];
    assert_int_equal(read_text("joint\tstiffness\tdamping\ttorque_max_nm\nright_knee\t500\t\t90\n"
                                 "LeftLeg\t\t7\t\n", g, NULL), STATUS_OK);
    assert_near(g[6].stiffness, 500, 0);
    assert_near(g[6].torque_max, 90, 0);
    assert_true(isnan(g[6].damping) && isnan(g[6].integral));
    assert_near(g[2].damping, 7, 0);
    assert_true(isnan(g[2].stiffness) && isnan(g[0].stiffness));
}

TEST(invalid_stiffness_and_damping_are_reported)
{
    static const struct {
        const char *rows, *text;
    } cases[] = {
        {"Wing\t1\t1\n", "unknown joint or role \"Wing\""},
        {"LeftLeg\t0\t1\n", "stiffness must be positive"},
        {"LeftLeg\t1\t-1\n", "damping must not be negative"},
        {"LeftLeg\t1\t1\nleft_knee\t1\t1\n", "a second row for \"left_knee\""},
        {"LeftLeg\t1\tmuch\n", "much"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        JointGains g[WALKER_JOINTS];
        Error err = {0};
        char text[200];
        snprintf(text, sizeof text, "joint\tstiffness\tdamping\n%s", cases[i].rows);
        assert_int_equal(read_text(text, g, &err), STATUS_BAD_INPUT);
        assert_non_null(strstr(err.text, cases[i].text));
        assert_true(err.line >= 2);
    }
}
