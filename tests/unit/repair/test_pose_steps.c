/* analysis/repair/pose_steps: steps of a constant-rate rotation are equal, whatever its angles; repeated rows have no
 * step; relations vanish on the motions that satisfy them; a lost row is evident, a jolt is not one. */
#include "analysis/math/elementary.h"
#include "analysis/math/quat.h"
#include "analysis/repair/channel_rows.h"
#include "analysis/repair/pose_steps.h"
#include "tests/support/random_number.h"
#include "tests/support/test.h"

#define NOISE 0.5 /* square of the noise of a step of one frame over that of one that lasts two: 5 of 10 */

enum { POSE_FRAMES = 30, POSE_COLUMNS = 4 };
static const EulerChannels pose_turns[2] = {{3, {2, 0, 1}, {1, 2, 3}}, {0}};

/* An oblique rotation by 0.2 rad per frame and a line; rows 10 and 11 repeat row 9 if `holds`. */
static ChannelRows make_rows(double *value, int holds)
{
    Vec3 angles = vec3(0, 0, 0);
    for (int f = 0; f < POSE_FRAMES; f++) {
        int t = holds && f > 9 ? (f < 12 ? 9 : f - 2) : f;
        double *row = value + f * POSE_COLUMNS;
        angles = euler_from_quat(pose_turns[0].axis, quat_from_axis_angle(vec3(0.6, 0, 0.8), 0.2 * t), angles);
        row[0] = 5 * t;
        row[1] = angles.x, row[2] = angles.y, row[3] = angles.z;
    }
    return (ChannelRows){POSE_FRAMES, POSE_COLUMNS, 2, pose_turns, value};
}

TEST(steps_are_rotation_angle_and_distance)
{
    double value[POSE_FRAMES * POSE_COLUMNS];
    ChannelRows rows = make_rows(value, 0);
    PoseSteps steps;
    assert_int_equal(pose_steps_init(&steps, &rows, 50, NULL), STATUS_OK);
    assert_int_equal(steps.count, POSE_FRAMES - 1);
    assert_int_equal(steps.size, 4); /* a joint without pose_turns has none */
    assert_int_equal(steps.moving, 3);
    for (int k = 0; k < steps.count; k++) {
        const double *step = steps.value + k * steps.size;
        assert_vec3_near(vec3(step[0], step[1], step[2]), vec3(0.12, 0, 0.16), 1e-12);
        assert_near(step[3], 0.1, 1e-15);
    }
    pose_steps_free(&steps);
}

TEST(repeated_rows_make_no_steps)
{
    double value[POSE_FRAMES * POSE_COLUMNS];
    ChannelRows rows = make_rows(value, 1);
    PoseSteps steps;
    assert_int_equal(pose_steps_init(&steps, &rows, 50, NULL), STATUS_OK);
    assert_int_equal(steps.count, POSE_FRAMES - 3);
    assert_int_equal(steps.frame[9], 9);
    assert_int_equal(steps.frame[10], 12);
    assert_near(steps.value[9 * steps.size + 3], 0.1, 1e-15);
    pose_steps_free(&steps);
}

TEST(satisfied_relation_has_no_surprise)
{
    double value[POSE_FRAMES * POSE_COLUMNS];
    ChannelRows rows = make_rows(value, 0);
    PoseSteps steps;
    assert_int_equal(pose_steps_init(&steps, &rows, 50, NULL), STATUS_OK);
    assert_int_equal(pose_steps_weigh(&steps, 5, 4), 0);
    assert_int_equal(pose_steps_weigh(&steps, 6, 4), 1);
    assert_near(pose_steps_surprise(&steps, 6, step_relation(-0.5, 1, -0.5), NULL), 0, 1e-9);
    /* a motion without noise: deviation of each component relative to the floor of 1e-5 rad; noise sqrt(2) */
    double off[] = {0.12e5, 0.16e5, 0.1e5}, expected = 0, squares, sum = 0;
    for (int i = 0; i < 3; i++) {
        expected += elementary_log(1 + off[i] * off[i] * NOISE) / sqrt(3);
        sum += off[i] * off[i] * NOISE;
    }
    assert_near(pose_steps_surprise(&steps, 6, step_relation_lasting(2, STEP_REACH_NARROW), &squares), expected, 1e-6);
    assert_near(squares, sum, 1e-6 * sum);
    pose_steps_free(&steps);
}

TEST(nan_values_have_no_vote)
{
    double value[POSE_FRAMES * POSE_COLUMNS];
    ChannelRows rows = make_rows(value, 0);
    PoseSteps steps;
    value[8 * POSE_COLUMNS + 2] = NAN;
    assert_int_equal(pose_steps_init(&steps, &rows, 50, NULL), STATUS_OK);
    assert_int_equal(pose_steps_weigh(&steps, 12, 4), 1);
    double expected = elementary_log(1 + 1e8 * NOISE) / sqrt(3);
    assert_near(pose_steps_surprise(&steps, 12, step_relation(-1, 1, -1), NULL), expected, 1e-6);
    pose_steps_free(&steps);
}

/* Places on a polynomial, without the n - 1 places before the third of six. */
static double relation_of_power(int power, int n, StepReach reach)
{
    StepRelation r = step_relation_lasting(n, reach);
    double place[6], sum = 0;
    for (int i = 0; i < 6; i++) {
        double t = (i < 3 ? i : i + n - 1) - 1.3;
        place[i] = 1;
        for (int p = 0; p < power; p++)
            place[i] *= t;
    }
    for (int i = 0; i < RELATION_STEPS; i++)
        sum += r.weight[i] * (place[i + 1] - place[i]);
    return sum;
}

TEST(relations_vanish_on_parabola_and_quartic)
{
    (void)state;
    for (int n = 1; n <= 4; n++) {
        assert_near(relation_of_power(2, n, STEP_REACH_NARROW), 0, 1e-12);
        assert_near(relation_of_power(4, n, STEP_REACH_WIDE), 0, 1e-10);
        assert_true(fabs(relation_of_power(3, n, STEP_REACH_NARROW)) > 0.1);
        assert_true(fabs(relation_of_power(5, n, STEP_REACH_WIDE)) > 0.1);
    }
}

enum { NOISY_FRAMES = 60, NOISY_COLUMNS = 40, PLACE = 30 };

/* 40 positions that swing, with noise; `lost` rows are missing before row 30, at which all jump by `jolt`. */
static double evidence_at_place(int lost, double jolt, int asked)
{
    static double value[NOISY_FRAMES * NOISY_COLUMNS];
    static const EulerChannels none[1] = {{0}};
    ChannelRows rows = {NOISY_FRAMES, NOISY_COLUMNS, 1, none, value};
    PoseSteps steps;
    unsigned seed = 3;
    for (int f = 0; f < NOISY_FRAMES; f++)
        for (int c = 0; c < NOISY_COLUMNS; c++) {
            double t = f < PLACE ? f : f + lost;
            value[f * NOISY_COLUMNS + c] = 3 * elementary_sin(0.1 * t + c) + 0.02 * random_number(&seed) +
                                           (f >= PLACE ? jolt * random_number(&seed) : 0);
        }
    assert_int_equal(pose_steps_init(&steps, &rows, 1, NULL), STATUS_OK);
    assert_int_equal(pose_steps_weigh(&steps, PLACE - 1, 4), 1);
    assert_int_equal(steps.has_wide, 1);
    double evidence = pose_steps_evidence(&steps, PLACE - 1, asked);
    pose_steps_free(&steps);
    return evidence;
}

TEST(lost_rows_are_evident_and_complete_ones_are_not)
{
    (void)state;
    assert_true(evidence_at_place(1, 0, 1) > 20);
    assert_true(evidence_at_place(0, 0, 1) < -20);
    assert_true(evidence_at_place(2, 0, 2) > evidence_at_place(2, 0, 1) + 5);
}

/* A jolt makes the step long, but not along the motion. */
TEST(jolt_is_no_lost_row)
{
    (void)state;
    assert_true(evidence_at_place(0, 0.5, 1) < 0);
    assert_true(evidence_at_place(0, 5, 1) < 0);
}
