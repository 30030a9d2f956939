/* analysis/math/passes: each pass at every width; analysis/motion/rotation_changes: the differences of flicker. */
#include "analysis/math/passes.h"
#include "analysis/motion/rotation_changes.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdint.h>
#include <string.h>


enum { MAX = 40, JOINTS = 11, FRAMES = 9 };

static const LaneWidth widths[] = {LANES_SCALAR, LANES_PAIR, LANES_AVX2, LANES_AVX512};
enum { WIDTHS = sizeof widths / sizeof *widths };

/* In [-1, 1). */
static double next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) * 0x1p-23 - 1;
}

static void fill_rotations(Quat *q, size_t count)
{
    uint32_t state = 7;
    for (size_t i = 0; i < count; i++) {
        double w = next_random(&state), x = next_random(&state), y = next_random(&state);
        q[i] = quat_normalize((Quat){w, x, y, next_random(&state)});
    }
}

/* One nonfinite value at every index of arrays of every length. */
TEST(nonfinite_value_is_found_at_every_index)
{
    const double bad[] = {NAN, INFINITY, -INFINITY};
    double value[MAX];
    for (size_t count = 0; count < MAX; count++)
        for (size_t at = 0; at <= count; at++)
            for (int w = 0; w < WIDTHS; w++) {
                for (size_t i = 0; i < MAX; i++)
                    value[i] = i % 3 ? -1.7976931348623157e308 : 5e-324;
                if (at < count)
                    value[at] = bad[at % 3];
                LaneWidth width = lane_width_choose(widths[w]);
                assert_int_equal(LANE_TWIN(values_finite, width)(value, count), at == count);
            }
    assert_true(values_finite(value, 0));
}

TEST(bounds_are_min_and_max_rotation_norm)
{
    Quat q[MAX];
    for (size_t count = 1; count < MAX; count++)
        for (int w = 0; w < WIDTHS; w++) {
            RotationsBounds *bounds = LANE_TWIN(rotations_bounds, lane_width_choose(widths[w]));
            for (size_t i = 0; i < MAX; i++)
                q[i] = QUAT_IDENTITY;
            assert_near(rotations_length_error(q, count), 0, 0);
            q[count - 1] = (Quat){0, 1.25, 0, 0};
            assert_near(bounds(q, count).max, 1.5625, 0);
            assert_near(bounds(q, count).min, 1, 0);
            q[count / 2] = (Quat){0, 0, 0.5, 0};
            assert_near(bounds(q, count).min, 0.25, 0);
            assert_near(rotations_length_error(q, count), 0.5, 0);
            q[count / 3].z = NAN;
            assert_true(isnan(bounds(q, count).min) && isnan(bounds(q, count).max));
            assert_true(isinf(rotations_length_error(q, count)));
            q[count / 3].z = INFINITY;
            assert_true(isnan(bounds(q, count).max));
        }
}

/* For more and for fewer joints than lanes; each rotation depends on the sign that its predecessor got. */
TEST(signs_follow_the_previous_row)
{
    Quat first[JOINTS * FRAMES], q[JOINTS * FRAMES];
    fill_rotations(first, JOINTS * FRAMES);
    for (size_t row = 1; row <= JOINTS; row++)
        for (int w = 0; w < WIDTHS; w++) {
            size_t count = row * FRAMES;
            memcpy(q, first, sizeof q);
            LANE_TWIN(rotations_follow, lane_width_choose(widths[w]))(q, row, count);
            for (size_t i = 0; i < count; i++) {
                Quat expected = i < row ? first[i] : quat_nearest(first[i], q[i - row]);
                assert_memory_equal(&q[i], &expected, sizeof expected);
            }
        }
}

static Vec3 turn_to(const Quat *rotation, size_t f, size_t j)
{
    Quat q = quat_mul(rotation[f * JOINTS + j], quat_conjugate(rotation[(f - 1) * JOINTS + j]));
    return vec3_scale(vec3(q.x, q.y, q.z), q.w < 0 ? -2 : 2);
}

/* Against differences written out for each joint; 11 joints leave a partial block at every width above 1. */
TEST(all_lane_widths_give_same_rotation_differences)
{
    Quat rotation[JOINTS * FRAMES];
    double before[ROTATION_VALUES * JOINTS], after[ROTATION_VALUES * JOINTS], size[FRAMES * JOINTS], sums[3][JOINTS];
    uint32_t random = 3;
    fill_rotations(rotation, JOINTS * FRAMES);
    for (int i = 0; i < ROTATION_VALUES * JOINTS; i++)
        before[i] = next_random(&random);
    for (int w = 0; w < WIDTHS; w++) {
        RotationChangesView v = {.joint_count = JOINTS, .first = 2, .length = FRAMES - 2, .opposite = 0.25,
                                 .rotation = rotation, .before = before, .after = after, .size = size,
                                 .second = sums[0], .fourth = sums[1], .reversed = sums[2]};
        LANE_TWIN(rotation_changes, lane_width_for_frames(widths[w], JOINTS))(&v);
        for (size_t j = 0; j < JOINTS; j++) {
            Vec3 turn = {before[j], before[JOINTS + j], before[2 * JOINTS + j]};
            Vec3 second = {before[3 * JOINTS + j], before[4 * JOINTS + j], before[5 * JOINTS + j]};
            Vec3 third = {before[6 * JOINTS + j], before[7 * JOINTS + j], before[8 * JOINTS + j]};
            double last = before[9 * JOINTS + j], squares[2] = {0, 0};
            int reversed = 0;
            for (size_t f = 2; f < FRAMES; f++) {
                Vec3 now = turn_to(rotation, f, j), next = vec3_sub(now, turn), change = vec3_sub(next, second);
                Vec3 fourth = vec3_sub(change, third);
                squares[0] += vec3_dot(next, next);
                squares[1] += vec3_dot(fourth, fourth);
                reversed += vec3_dot(change, third) < -0.25 * vec3_norm(change) * last;
                last = vec3_norm(change);
                assert_memory_equal(&size[(f - 2) * JOINTS + j], &last, sizeof last);
                turn = now;
                second = next;
                third = change;
            }
            assert_memory_equal(&sums[0][j], &squares[0], sizeof squares[0]);
            assert_memory_equal(&sums[1][j], &squares[1], sizeof squares[1]);
            assert_near(sums[2][j], reversed, 0);
            const double end[] = {turn.x,   turn.y,  turn.z,  second.x, second.y,
                                  second.z, third.x, third.y, third.z,  last};
            for (size_t k = 0; k < ROTATION_VALUES; k++)
                assert_memory_equal(&after[k * JOINTS + j], &end[k], sizeof end[k]);
        }
    }
}
