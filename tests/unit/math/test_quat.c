/* analysis/math/quat: rotations. */
#include "analysis/math/euler.h"
#include "tests/support/test.h"

#include "analysis/math/elementary.h"
#include "analysis/math/quat.h"
#include "tests/support/random_clip.h"

/* Identities of rotations, and invalid input. */

static const Quat sample = {0.5, -0.1, 0.7, 0.5};

TEST(exp_inverts_log)
{
    Quat q = quat_normalize(sample), back = quat_exp(quat_log(q));
    assert_near(quat_dot(q, back), 1, 1e-15);
    Vec3 tiny = {1e-12, -2e-12, 3e-12};
    assert_vec3_near(quat_log(quat_exp(tiny)), tiny, 1e-27);
}

TEST(log_takes_the_shortest_arc)
{
    Quat q = quat_from_axis_angle(vec3(0, 0, 1), 3.5); /* 3.5 rad is 2 pi - 3.5 the other way */
    assert_vec3_near(quat_log(q), vec3(0, 0, 0.5 * (3.5 - 2 * PI)), 1e-15);
    assert_vec3_near(quat_log(quat_neg(q)), quat_log(q), 1e-15);
}

TEST(matrix_and_quaternion_agree)
{
    Quat q = quat_normalize(sample);
    Vec3 v = {0.3, -2, 5};
    assert_vec3_near(mat3_mul(quat_to_mat3(q), v), quat_rotate(q, v), 1e-14);
    assert_vec3_near(mat3_mul_transposed(quat_to_mat3(q), v), quat_rotate_inverse(q, v), 1e-14);
    Quat axes[] = {q, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {1, 0, 0, 0}};
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++)
        assert_near(fabs(quat_dot(quat_from_mat3(quat_to_mat3(axes[i])), axes[i])), 1, 1e-15);
}

TEST(between_rotates_a_to_b)
{
    Vec3 a = {1, 2, 3}, b = {-2, 0.5, 1};
    Vec3 turned = quat_rotate(quat_between(a, b), vec3_normalize(a));
    assert_vec3_near(turned, vec3_normalize(b), 1e-15);
    assert_vec3_near(quat_rotate(quat_between(a, vec3_neg(a)), a), vec3_neg(a), 1e-15);
}

TEST(zero_quaternion_becomes_identity)
{
    Quat q = quat_normalize((Quat){0, 0, 0, 0});
    assert_near(q.w, 1, 0);
    assert_near(vec3_norm(vec3(q.x, q.y, q.z)), 0, 0);
}

/* Round trip, rates against finite differences, gimbal lock. */

#define STEP 1e-6

static RollPitchYaw random_angles(Random *r)
{
    return (RollPitchYaw){3 * random_signed(r), 1.4 * random_signed(r), 3 * random_signed(r)};
}

static Vec3 as_vec3(RollPitchYaw a) { return vec3(a.roll, a.pitch, a.yaw); }

/* Notes 0.4: about z first, then about the new y. */
TEST(order_is_roll_pitch_yaw)
{
    Quat q = roll_pitch_yaw_to_quat((RollPitchYaw){PI / 2, PI / 2, 0});
    assert_vec3_near(quat_rotate(q, vec3(1, 0, 0)), vec3(0, 0, -1), 1e-12);
}

TEST(roll_pitch_yaw_round_trip_is_exact)
{
    Random r = {1};
    for (int trial = 0; trial < 50; trial++) {
        RollPitchYaw a = random_angles(&r);
        assert_vec3_near(as_vec3(roll_pitch_yaw_from_quat(roll_pitch_yaw_to_quat(a))), as_vec3(a), 1e-12);
    }
    RollPitchYaw z = {0.3, 0, 0};
    assert_vec3_near(quat_rotate(roll_pitch_yaw_to_quat(z), vec3(1, 0, 0)),
                     vec3(elementary_cos(0.3), elementary_sin(0.3), 0), 1e-14);
}

TEST(rate_rows_are_rates_of_roll_pitch_yaw)
{
    Random r = {2};
    for (int trial = 0; trial < 50; trial++) {
        RollPitchYaw a = random_angles(&r);
        Quat q = roll_pitch_yaw_to_quat(a);
        Vec3 omega = random_vec3(&r, 1);
        Vec3 ahead = as_vec3(roll_pitch_yaw_from_quat(quat_mul(quat_exp(vec3_scale(omega, 0.5 * STEP)), q)));
        Vec3 behind = as_vec3(roll_pitch_yaw_from_quat(quat_mul(quat_exp(vec3_scale(omega, -0.5 * STEP)), q)));
        Vec3 rate = vec3_scale(vec3_sub(ahead, behind), 0.5 / STEP);
        assert_vec3_near(mat3_mul(roll_pitch_yaw_rows(a), omega), rate, 1e-6);
    }
}

/* Their derivatives for given rates of the angles. */
TEST(row_rates_are_derivatives_of_rate_rows)
{
    Random r = {3};
    for (int trial = 0; trial < 50; trial++) {
        RollPitchYaw a = random_angles(&r);
        Vec3 rate = random_vec3(&r, 1), at = as_vec3(a);
        Mat3 rates = roll_pitch_yaw_row_rates(a, (RollPitchYaw){rate.x, rate.y, rate.z}), rows[2];
        for (int side = 0; side < 2; side++) {
            Vec3 x = vec3_mad(at, (side ? 0.5 : -0.5) * STEP, rate);
            rows[side] = roll_pitch_yaw_rows((RollPitchYaw){x.x, x.y, x.z});
        }
        for (int i = 0; i < 3; i++)
            assert_vec3_near(vec3_scale(vec3_sub(rows[1].r[i], rows[0].r[i]), 1 / STEP), rates.r[i], 1e-5);
    }
}

/* In gimbal lock only the sum of roll and yaw matters: yaw is returned as zero. */
TEST(singular_pitch_keeps_the_rotation)
{
    Quat q = roll_pitch_yaw_to_quat((RollPitchYaw){0.4, PI / 2, 0.1});
    RollPitchYaw a = roll_pitch_yaw_from_quat(q);
    assert_near(a.pitch, PI / 2, 1e-7);
    assert_near(fabs(quat_dot(roll_pitch_yaw_to_quat(a), q)), 1, 1e-12);
}
