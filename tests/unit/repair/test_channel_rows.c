/* analysis/repair/channel_rows: a constant-rate rotation about an oblique axis is restored, whatever its angles;
 * flipped angles become continuous without changing the rotation. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/repair/channel_rows.h"

enum { FRAMES = 21, COLUMNS = 5 };
static const EulerChannels turns[2] = {{3, {2, 0, 1}, {1, 2, 3}}, {1, {0}, {4}}};

static Quat slanted(int frame)
{
    return quat_from_axis_angle(vec3(0.6, 0, 0.8), 0.15 * frame);
}

/* Column 0 is a linear position, 1 to 3 an oblique rotation, 4 a single angle that wraps at 180 deg. */
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

TEST(constant_rotation_across_a_gap_is_restored)
{
    double value[FRAMES * COLUMNS];
    ChannelRows rows = make_rows(value);
    for (int f = 6; f < 13; f++) {
        channel_row(&rows, f)[0] = NAN;
        channel_row(&rows, f)[1 + f % 3] = NAN; /* one of the three angles is sufficient */
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

/* Angles in a gap continue from the row before it, whatever the earlier rows. */
TEST(angles_continue_from_the_previous_row)
{
    double value[(FRAMES + 1) * COLUMNS];
    ChannelRows rows = make_rows(value + COLUMNS);
    for (int i = 0; i < COLUMNS; i++)
        value[i] = 7200;
    for (int f = 1; f < 4; f++)
        channel_row(&rows, f)[1] = NAN;
    assert_int_equal(row_gaps_fill(&rows, NULL), STATUS_OK);
    for (int f = 1; f < 5; f++)
        for (int i = 1; i < 4; i++)
            assert_true(fabs(channel_row(&rows, f)[i] - channel_row(&rows, f - 1)[i]) < 180);
}

/* The position changes by more than 180; the angle changes in the shorter direction. */
TEST(position_beside_an_angle_is_interpolated_linearly)
{
    static const EulerChannels first = {1, {0}, {0}};
    double value[FRAMES * 2];
    ChannelRows rows = {FRAMES, 2, 1, &first, value};
    for (int f = 0; f < FRAMES; f++) {
        int is_known = f < 6 || f > 12;
        value[2 * f] = is_known ? 170 + 2 * f - (f > 12 ? 360 : 0) : NAN;
        value[2 * f + 1] = is_known ? 100 * f : NAN;
    }
    assert_int_equal(row_gaps_fill(&rows, NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++) {
        assert_near(elementary_cos((value[2 * f] - 170 - 2 * f) * (PI / 180)), 1, 1e-12);
        assert_near(value[2 * f + 1], 100 * f, 1e-9);
    }
}

TEST(gaps_at_both_ends_repeat_the_nearest_row)
{
    double value[FRAMES * COLUMNS];
    ChannelRows rows = make_rows(value);
    channel_row(&rows, 0)[0] = channel_row(&rows, 1)[0] = channel_row(&rows, FRAMES - 1)[2] = NAN;
    assert_int_equal(row_gaps_fill(&rows, NULL), STATUS_OK);
    assert_near(channel_row(&rows, 0)[0], 7, 0);
    assert_near(fabs(quat_dot(rotation_of(&rows, FRAMES - 1), slanted(FRAMES - 2))), 1, 1e-12);
}

TEST(column_without_numbers_is_refused)
{
    double value[FRAMES * COLUMNS];
    Error err = {0};
    ChannelRows rows = make_rows(value);
    for (int f = 0; f < FRAMES; f++)
        channel_row(&rows, f)[0] = NAN;
    assert_int_equal(row_gaps_fill(&rows, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "column 1"));
}

enum { FLIP_FRAMES = 40 };
static const EulerChannels zxy = {3, {2, 0, 1}, {0, 1, 2}}, zxz = {3, {2, 0, 2}, {0, 1, 2}};

/* Slow rotations; from frame 10 the equivalent Euler angles, from frame 20 another full turn about the last axis. */
static void make_flips(double value[FLIP_FRAMES][3])
{
    for (int f = 0; f < FLIP_FRAMES; f++) {
        value[f][0] = 3 * f - 50;
        value[f][1] = 70 - 2 * f;
        value[f][2] = 1.5 * f;
        if (f >= 10) {
            value[f][0] += 180;
            value[f][1] = 180 - value[f][1];
            value[f][2] -= 180;
        }
        if (f >= 20)
            value[f][2] += 360;
    }
}

TEST(removing_flips_keeps_the_rotation)
{
    double value[FLIP_FRAMES][3];
    Quat before[FLIP_FRAMES], after[FLIP_FRAMES];
    ChannelRows rows = {FLIP_FRAMES, 3, 1, &zxy, &value[0][0]};
    int first = 0;
    make_flips(value);
    euler_to_quat(&rows, LANES_AUTO, before);
    assert_int_equal(euler_flips_count(&rows, 0, &first), 2);
    assert_int_equal(first, 10);
    euler_flips_remove(&rows, 0);
    assert_int_equal(euler_flips_count(&rows, 0, &first), 0);
    euler_to_quat(&rows, LANES_AUTO, after);
    for (int f = 0; f < FLIP_FRAMES; f++) {
        assert_near(fabs(quat_dot(before[f], after[f])), 1, 1e-14);
        assert_near(value[f][0], 3 * f - 50, 1e-12);
    }
}

TEST(rotation_jump_is_not_a_flip)
{
    double value[4][3] = {{0, 0, 0}, {5, 0, 0}, {140, 0, 0}, {145, 0, 0}};
    ChannelRows rows = {4, 3, 1, &zxy, &value[0][0]};
    int first;
    assert_int_equal(euler_flips_count(&rows, 0, &first), 0);
    euler_flips_remove(&rows, 0);
    assert_near(value[2][0], 140, 0);
}

TEST(repeated_axis_has_full_turn_flips_only)
{
    double value[2][3] = {{170, 10, 0}, {-175, 10, 0}};
    ChannelRows rows = {2, 3, 1, &zxz, &value[0][0]};
    int first;
    assert_int_equal(euler_flips_count(&rows, 0, &first), 1);
    euler_flips_remove(&rows, 0);
    assert_near(value[1][0], 185, 0);
    assert_near(value[1][1], 10, 0);
}
