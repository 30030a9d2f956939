/* analysis/repair/row_steps: rows removed from a smooth motion, or inserted, are found at their position; nothing else
 * is. */
#include "tests/support/test.h"

#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/repair/channel_rows.h"
#include "analysis/repair/row_steps.h"

enum { FRAMES = 60, COLUMNS = 6 };
static const EulerChannels turns[2] = {{3, {2, 0, 1}, {1, 2, 3}}, {2, {0, 2}, {4, 5}}};

/* Pose of a motion that never rests; t in frames. */
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
    assert_int_equal(row_steps_find(&rows, 30, 0.01, found.step, found.missing, NULL), STATUS_OK);
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
static double without_every_tenth(int f) { return f + f / 9; }
static double near_an_end(int f) { return f < 4 ? f : f + 1; }
static double at_rest(int f) { return f < 20 ? f : f < 40 ? 20 : f - 20; }

static void assert_only(const Found *found, int frame, RowStep step, int missing)
{
    for (int f = 0; f < FRAMES; f++) {
        assert_int_equal(found->step[f], f == frame ? step : ROW_STEP_PLAIN);
        assert_int_equal(found->missing[f], f == frame ? missing : 0);
    }
}

TEST(each_row_error_is_found_at_its_row)
{
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

/* A recorder that drops every tenth row: the windows of noise around a loss contain others, and the last is near the
 * end. */
TEST(losses_at_a_regular_interval_are_all_found)
{
    Found found = find(without_every_tenth);
    for (int f = 0; f < FRAMES; f++) {
        assert_int_equal(found.step[f], f > 0 && f % 9 == 0 ? ROW_STEP_MISSING : ROW_STEP_PLAIN);
        assert_int_equal(found.missing[f], f > 0 && f % 9 == 0);
    }
}

/* One of the steps is longer by a jerk, as by two lost rows. */
static double with_a_jerk(int f) { return without_every_tenth(f) + (f >= 27 ? 0.8 : 0); }

/* The last row follows a loss: 55 rows, lost after every ninth. */
TEST(loss_before_the_last_row_is_found_at_an_interval)
{
    double value[FRAMES * COLUMNS];
    RowStep step[FRAMES];
    int missing[FRAMES];
    ChannelRows rows = {55, COLUMNS, 2, turns, value};
    for (int f = 0; f < 55; f++)
        pose(without_every_tenth(f), channel_row(&rows, f));
    assert_int_equal(row_steps_find(&rows, 30, 0.01, step, missing, NULL), STATUS_OK);
    assert_int_equal(missing[54], 1);
    for (int f = 50; f < 55; f++) /* a last step like that before is sound */
        pose(without_every_tenth(f) - (f == 54), channel_row(&rows, f));
    assert_int_equal(row_steps_find(&rows, 30, 0.01, step, missing, NULL), STATUS_OK);
    assert_int_equal(missing[54], 0);
    assert_int_equal(missing[45], 1);
}

/* Three steps of two rows, and one of 1.54: a loss only beside proven ones. */
static double with_a_doubtful_step(int f) { return f + (f > 18) + (f > 27) + (f > 47) + (f > 37 ? 0.54 : 0); }
static double with_only_a_doubtful_step(int f) { return f + (f > 37 ? 0.54 : 0); }

TEST(three_losses_lower_the_certainty_for_others)
{
    Found found = find(with_a_doubtful_step);
    for (int f = 0; f < FRAMES; f++)
        assert_int_equal(found.missing[f], f == 19 || f == 28 || f == 38 || f == 48);
    found = find(with_only_a_doubtful_step);
    assert_int_equal(found.missing[38], 0);
}

TEST(losses_at_a_regular_interval_have_one_number)
{
    Found found = find(with_a_jerk);
    for (int f = 0; f < FRAMES; f++)
        assert_int_equal(found.missing[f], f > 0 && f % 9 == 0);
}

/* Frozen poses, a body that starts or stops within one frame, a cut, and cases too near an end to judge. */
TEST(clean_motion_has_no_row_errors)
{
    double (*const sound[])(int) = {plain, at_rest, starts, stops, cut, near_an_end};
    for (size_t i = 0; i < sizeof sound / sizeof *sound; i++) {
        Found found = find(sound[i]);
        assert_only(&found, -1, ROW_STEP_PLAIN, 0);
    }
}

/* The frames of a motion: rotations and the root's path, or only the translation of a joint. */
static Found find_in_motion(double (*when)(int frame), int slides)
{
    double value[FRAMES * COLUMNS];
    ChannelRows rows = {FRAMES, COLUMNS, 2, turns, value};
    Quat rotation[FRAMES * 2];
    Vec3 root[FRAMES] = {{0}}, translation[FRAMES * 2] = {{0}};
    Motion m = {.frame_count = FRAMES, .joint_count = 2, .root_position = root, .rotation = rotation};
    Found found;
    for (int f = 0; f < FRAMES; f++)
        pose(when(f), channel_row(&rows, f));
    euler_to_quat(&rows, LANES_AUTO, rotation);
    for (int f = 0; f < FRAMES; f++) {
        root[f].x = value[f * COLUMNS];
        translation[2 * f + 1] = vec3(value[f * COLUMNS], value[f * COLUMNS + 1], value[f * COLUMNS + 2]);
        if (slides)
            root[f].x = 0, rotation[2 * f] = rotation[2 * f + 1] = (Quat){1, 0, 0, 0};
    }
    m.translation = slides ? translation : NULL;
    assert_int_equal(motion_steps_find(&m, 30, found.step, found.missing, NULL), STATUS_OK);
    return found;
}

TEST(frames_of_a_motion_have_the_errors_of_its_rows)
{
    double (*const cases[])(int) = {without_two, once_more, held, without_every_tenth, plain, starts};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Found rows = find(cases[i]), motion = find_in_motion(cases[i], 0);
        assert_memory_equal(motion.step, rows.step, sizeof rows.step);
        assert_memory_equal(motion.missing, rows.missing, sizeof rows.missing);
    }
}

TEST(lost_frame_is_found_in_a_translation)
{
    Found found = find_in_motion(without_two, 1);
    assert_only(&found, 20, ROW_STEP_MISSING, 2);
}
