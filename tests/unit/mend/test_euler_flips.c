/* analysis/mend/euler_flips: the angles become continuous and the rotation stays. */
#include "tests/support/assert_near.h"

#include <stdlib.h>

#include "analysis/mend/euler_flips.h"

enum { FRAMES = 40 };
static const EulerTurns zxy = {3, {2, 0, 1}, {0, 1, 2}}, zxz = {3, {2, 0, 2}, {0, 1, 2}};

/* Slow turns; from frame 10 the other writing, from frame 20 a whole turn more about the last axis. */
static void make_rows(double value[FRAMES][3])
{
    for (int f = 0; f < FRAMES; f++) {
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

static void flips_go_and_the_rotation_stays(void **state)
{
    (void)state;
    double value[FRAMES][3];
    Quat before[FRAMES], after[FRAMES];
    ChannelRows rows = {FRAMES, 3, 1, &zxy, &value[0][0]};
    int first = 0;
    make_rows(value);
    euler_to_quat(&rows, LANES_AUTO, before);
    assert_int_equal(euler_flips_count(&rows, 0, &first), 2);
    assert_int_equal(first, 10);
    euler_flips_remove(&rows, 0);
    assert_int_equal(euler_flips_count(&rows, 0, &first), 0);
    euler_to_quat(&rows, LANES_AUTO, after);
    for (int f = 0; f < FRAMES; f++) {
        assert_near(fabs(quat_dot(before[f], after[f])), 1, 1e-14);
        assert_near(value[f][0], 3 * f - 50, 1e-12);
    }
}

static void a_rotation_that_jumps_is_no_flip(void **state)
{
    (void)state;
    double value[4][3] = {{0, 0, 0}, {5, 0, 0}, {140, 0, 0}, {145, 0, 0}};
    ChannelRows rows = {4, 3, 1, &zxy, &value[0][0]};
    int first;
    assert_int_equal(euler_flips_count(&rows, 0, &first), 0);
    euler_flips_remove(&rows, 0);
    assert_near(value[2][0], 140, 0);
}

static void an_axis_that_comes_twice_has_whole_turns_alone(void **state)
{
    (void)state;
    double value[2][3] = {{170, 10, 0}, {-175, 10, 0}};
    ChannelRows rows = {2, 3, 1, &zxz, &value[0][0]};
    int first;
    assert_int_equal(euler_flips_count(&rows, 0, &first), 1);
    euler_flips_remove(&rows, 0);
    assert_near(value[1][0], 185, 0);
    assert_near(value[1][1], 10, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flips_go_and_the_rotation_stays),
        cmocka_unit_test(a_rotation_that_jumps_is_no_flip),
        cmocka_unit_test(an_axis_that_comes_twice_has_whole_turns_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
