/* analysis/mend/pose_steps: steps of a turn at constant rate are all alike, whatever its angles do; rows that repeat
 * make none; a relation that holds surprises nobody. */
#include "tests/support/assert_near.h"

#include "analysis/math/elementary.h"
#include "analysis/mend/pose_steps.h"

enum { FRAMES = 30, COLUMNS = 4 };
static const EulerTurns turns[2] = {{3, {2, 0, 1}, {1, 2, 3}}, {0}};

/* A slanted turn by 0.2 rad a frame and a line; rows 10 and 11 repeat row 9 where `holds`. */
static ChannelRows make_rows(double *value, int holds)
{
    Vec3 angles = vec3(0, 0, 0);
    for (int f = 0; f < FRAMES; f++) {
        int t = holds && f > 9 ? (f < 12 ? 9 : f - 2) : f;
        double *row = value + f * COLUMNS;
        angles = euler_from_quat(turns[0].axis, quat_from_axis_angle(vec3(0.6, 0, 0.8), 0.2 * t), angles);
        row[0] = 5 * t;
        row[1] = angles.x, row[2] = angles.y, row[3] = angles.z;
    }
    return (ChannelRows){FRAMES, COLUMNS, 2, turns, value};
}

static void steps_are_the_turn_and_the_way(void **state)
{
    (void)state;
    double value[FRAMES * COLUMNS];
    ChannelRows rows = make_rows(value, 0);
    PoseSteps steps;
    assert_int_equal(pose_steps_init(&steps, &rows, 50, NULL), STATUS_OK);
    assert_int_equal(steps.count, FRAMES - 1);
    assert_int_equal(steps.size, 4); /* a joint without turns has none */
    assert_int_equal(steps.moving, 3);
    for (int k = 0; k < steps.count; k++) {
        const double *step = steps.value + k * steps.size;
        assert_vec3_near(vec3(step[0], step[1], step[2]), vec3(0.12, 0, 0.16), 1e-12);
        assert_near(step[3], 0.1, 1e-15);
    }
    pose_steps_free(&steps);
}

static void repeated_rows_make_no_steps(void **state)
{
    (void)state;
    double value[FRAMES * COLUMNS];
    ChannelRows rows = make_rows(value, 1);
    PoseSteps steps;
    assert_int_equal(pose_steps_init(&steps, &rows, 50, NULL), STATUS_OK);
    assert_int_equal(steps.count, FRAMES - 3);
    assert_int_equal(steps.frame[9], 9);
    assert_int_equal(steps.frame[10], 12);
    assert_near(steps.value[9 * steps.size + 3], 0.1, 1e-15);
    pose_steps_free(&steps);
}

static void a_relation_that_holds_does_not_surprise(void **state)
{
    (void)state;
    double value[FRAMES * COLUMNS];
    ChannelRows rows = make_rows(value, 0);
    PoseSteps steps;
    assert_int_equal(pose_steps_init(&steps, &rows, 50, NULL), STATUS_OK);
    assert_int_equal(pose_steps_weigh(&steps, 5), 0);
    assert_int_equal(pose_steps_weigh(&steps, 6), 1);
    assert_near(pose_steps_surprise(&steps, 6, (StepRelation){1, -0.5, -0.5}), 0, 1e-9);
    /* a motion without noise: each component off by itself over 1e-5 rad of least chance; noise sqrt(2) */
    double off[] = {0.12e5, 0.16e5, 0.1e5}, expected = 0;
    for (int i = 0; i < 3; i++)
        expected += elementary_log(1 + off[i] * off[i] / 2) / sqrt(3);
    assert_near(pose_steps_surprise(&steps, 6, (StepRelation){1, -1, -1}), expected, 1e-6);
    pose_steps_free(&steps);
}

static void what_is_no_number_has_no_vote(void **state)
{
    (void)state;
    double value[FRAMES * COLUMNS];
    ChannelRows rows = make_rows(value, 0);
    PoseSteps steps;
    value[8 * COLUMNS + 2] = NAN;
    assert_int_equal(pose_steps_init(&steps, &rows, 50, NULL), STATUS_OK);
    assert_int_equal(pose_steps_weigh(&steps, 12), 1);
    double expected = elementary_log(1 + 1e8 / 2) / sqrt(3);
    assert_near(pose_steps_surprise(&steps, 12, (StepRelation){1, -1, -1}), expected, 1e-6);
    pose_steps_free(&steps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_the_turn_and_the_way),
        cmocka_unit_test(repeated_rows_make_no_steps),
        cmocka_unit_test(a_relation_that_holds_does_not_surprise),
        cmocka_unit_test(what_is_no_number_has_no_vote),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
