/* analysis/mend/row_gaps: a turn at constant rate about a slanted axis comes back, whatever its angles do. */
#include "tests/support/assert_near.h"

#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/mend/row_gaps.h"

enum { FRAMES = 21, COLUMNS = 5 };
static const EulerTurns turns[2] = {{3, {2, 0, 1}, {1, 2, 3}}, {1, {0}, {4}}};

static Quat slanted(int frame)
{
    return quat_from_axis_angle(vec3(0.6, 0, 0.8), 0.15 * frame);
}

/* Column 0 a position on a line, 1 to 3 a slanted turn, 4 a single angle that wraps at 180 deg. */
static ChannelRows make_rows(double *value)
{
    Vec3 angles = vec3(0, 0, 0);
    for (int f = 0; f < FRAMES; f++) {
        double *row = value + f * COLUMNS, turned = 100 + 10 * f;
        angles = euler_from_quat(turns[0].axis, slanted(f), angles);
        row[0] = 3 + 2 * f;
        row[1] = angles.x, row[2] = angles.y, row[3] = angles.z;
        row[4] = turned > 180 ? turned - 360 : turned;
    }
    return (ChannelRows){FRAMES, COLUMNS, 2, turns, value};
}

static Quat rotation_of(const ChannelRows *rows, int frame)
{
    Quat q[2];
    euler_to_quat(&(ChannelRows){1, COLUMNS, 2, turns, channel_row(rows, frame)}, LANES_AUTO, q);
    return q[0];
}

static void a_turn_at_constant_rate_comes_back(void **state)
{
    (void)state;
    double value[FRAMES * COLUMNS];
    ChannelRows rows = make_rows(value);
    for (int f = 6; f < 13; f++) {
        channel_row(&rows, f)[0] = NAN;
        channel_row(&rows, f)[1 + f % 3] = NAN; /* one angle of the three is enough */
        channel_row(&rows, f)[4] = NAN;
    }
    assert_int_equal(row_gaps_fill(&rows, NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++) {
        assert_near(channel_row(&rows, f)[0], 3 + 2 * f, 1e-12);
        assert_near(fabs(quat_dot(rotation_of(&rows, f), slanted(f))), 1, 1e-12);
        assert_near(elementary_sin(channel_row(&rows, f)[4] * (PI / 180)),
                    elementary_sin((100 + 10 * f) * (PI / 180)), 1e-12);
    }
}

static void edges_hold(void **state)
{
    (void)state;
    double value[FRAMES * COLUMNS];
    ChannelRows rows = make_rows(value);
    channel_row(&rows, 0)[0] = channel_row(&rows, 1)[0] = channel_row(&rows, FRAMES - 1)[2] = NAN;
    assert_int_equal(row_gaps_fill(&rows, NULL), STATUS_OK);
    assert_near(channel_row(&rows, 0)[0], 7, 0);
    assert_near(fabs(quat_dot(rotation_of(&rows, FRAMES - 1), slanted(FRAMES - 2))), 1, 1e-12);
}

static void a_column_without_numbers_is_refused(void **state)
{
    (void)state;
    double value[FRAMES * COLUMNS];
    Error err = {0};
    ChannelRows rows = make_rows(value);
    for (int f = 0; f < FRAMES; f++)
        channel_row(&rows, f)[0] = NAN;
    assert_int_equal(row_gaps_fill(&rows, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "column 1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_turn_at_constant_rate_comes_back),
        cmocka_unit_test(edges_hold),
        cmocka_unit_test(a_column_without_numbers_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
