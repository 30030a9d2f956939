/* analysis/motion/row_steps: rows taken out of a smooth motion, or put in, are found where they are; nothing else is.
 * */
#include "tests/assert_near.h"

#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/motion/row_steps.h"

enum { FRAMES = 60, COLUMNS = 6 };
static const EulerTurns turns[2] = {{3, {2, 0, 1}, {1, 2, 3}}, {2, {0, 2}, {4, 5}}};

/* A moment of a motion that never stands still; t in frames. */
static void pose(double t, double *row)
{
    for (int c = 0; c < COLUMNS; c++)
        row[c] = 40 * elementary_sin(0.11 * t + c) + 3 * t;
}

typedef struct Found {
    RowStep step[FRAMES];
    int missing[FRAMES];
} Found;

static Found find(double (*when)(int frame))
{
    double value[FRAMES * COLUMNS];
    ChannelRows rows = {FRAMES, COLUMNS, 2, turns, value};
    Found found;
    for (int f = 0; f < FRAMES; f++)
        pose(when(f), channel_row(&rows, f));
    assert_int_equal(row_steps_find(&rows, 30, found.step, found.missing, NULL), STATUS_OK);
    return found;
}

static double plain(int f) { return f; }
static double without_two(int f) { return f < 20 ? f : f + 2; }
static double once_more(int f) { return f < 20 ? f : f - 1; }
static double held(int f) { return f == 20 ? 19 : f; }
static double at_rest(int f) { return f < 20 ? f : f < 40 ? 20 : f - 20; }

static void assert_only(const Found *found, int frame, RowStep step, int missing)
{
    for (int f = 0; f < FRAMES; f++) {
        assert_int_equal(found->step[f], f == frame ? step : ROW_STEP_PLAIN);
        assert_int_equal(found->missing[f], f == frame ? missing : 0);
    }
}

static void each_fault_is_found_where_it_is(void **state)
{
    (void)state;
    Found found = find(without_two);
    assert_only(&found, 20, ROW_STEP_MISSING, 2);
    found = find(once_more);
    assert_only(&found, 20, ROW_STEP_SURPLUS, 0);
    found = find(held);
    assert_only(&found, 20, ROW_STEP_HELD, 0);
}

static void sound_motion_and_a_held_pose_are_left_alone(void **state)
{
    (void)state;
    Found found = find(plain);
    assert_only(&found, -1, ROW_STEP_PLAIN, 0);
    found = find(at_rest);
    assert_only(&found, -1, ROW_STEP_PLAIN, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fault_is_found_where_it_is),
        cmocka_unit_test(sound_motion_and_a_held_pose_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
