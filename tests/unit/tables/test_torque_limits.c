/* formats/tables/torque_limits: joints by name and role, and errors with line and column. */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "formats/tables/torque_limits.h"

static const char path[] = "/tmp/kane_torque_limits.tsv";

static Status read_text(const char *text, double **limits, Error *err)
{
    Skeleton skeleton;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(skeleton_init(&skeleton, 3, 0, NULL), STATUS_OK);
    assert_int_equal(skeleton_set_name(&skeleton, 0, "Hips", NULL), STATUS_OK);
    assert_int_equal(skeleton_set_name(&skeleton, 1, "LeftLeg", NULL), STATUS_OK);
    assert_int_equal(skeleton_set_name(&skeleton, 2, "Tail", NULL), STATUS_OK);
    skeleton.role[1] = ROLE_LEFT_KNEE;
    Status status = torque_limits_read(path, &skeleton, limits, err);
    skeleton_free(&skeleton);
    unlink(path);
    return status;
}

TEST(joints_have_limits_by_name_and_role)
{
    double *limits;
    assert_int_equal(read_text("joint\ttorque\nleft_knee\t120.5\nTail\t3\n", &limits, NULL), STATUS_OK);
    assert_true(isinf(limits[0]));
    assert_near(limits[1], 120.5, 0);
    assert_near(limits[2], 3, 0);
    free(limits);
}

TEST(invalid_rows_have_line_and_column)
{
    static const struct {
        const char *text, *message;
        int line;
    } wrong[] = {
        {"joint\ttorque\nwing\t3\n", "wing", 2},
        {"joint\ttorque\nTail\t3\nTail\t4\n", "has a limit already", 3},
        {"joint\ttorque\nTail\t3\nleft_knee\t-4\n", "not above 0", 3},
        {"joint\ttorque\nTail\tmuch\n", "expected a number", 2},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        double *limits;
        Error err = {0};
        assert_int_equal(read_text(wrong[i].text, &limits, &err), STATUS_BAD_INPUT);
        assert_null(limits);
        assert_non_null(strstr(err.text, wrong[i].message));
        assert_int_equal(err.line, wrong[i].line);
    }
}
