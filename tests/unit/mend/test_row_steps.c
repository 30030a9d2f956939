/* analysis/mend/row_steps: rows taken out of a smooth motion, or put in, are found where they
 * are; nothing else is. */
#include "tests/support/assert_near.h"

#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/mend/row_steps.h"

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
static double without_five(int f) { return f < 30 ? f : f + 5; }
static double held_twice(int f) { return f == 20 || f == 21 ? 19 : f; }
static double starts(int f) { return f < 30 ? 0 : f - 29; }
static double stops(int f) { return f < 30 ? f : 30; }
static double cut(int f) { return f < 30 ? f : f + 500; } /* to another part of the motion */
static double near_an_end(int f) { return f < 4 ? f : f + 1; }
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
    found = find(without_five);
    assert_only(&found, 30, ROW_STEP_MISSING, 5);
    found = find(once_more);
    assert_only(&found, 20, ROW_STEP_SURPLUS, 0);
    found = find(held);
    assert_only(&found, 20, ROW_STEP_HELD, 0);
    found = find(held_twice);
    assert_int_equal(found.step[20], ROW_STEP_HELD);
    assert_int_equal(found.step[21], ROW_STEP_HELD);
    assert_int_equal(found.step[22], ROW_STEP_PLAIN);
}

/* Held poses, a body that starts or stops from one frame to the next, a cut, and what lies too near an end to
 * be judged. */
static void sound_motion_is_left_alone(void **state)
{
    (void)state;
    double (*const sound[])(int) = {plain, at_rest, starts, stops, cut, near_an_end};
    for (size_t i = 0; i < sizeof sound / sizeof *sound; i++) {
        Found found = find(sound[i]);
        assert_only(&found, -1, ROW_STEP_PLAIN, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fault_is_found_where_it_is),
        cmocka_unit_test(sound_motion_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
