/* analysis/math/euler: Euler angles in channel order against matrix products, the same bits at each vector width, and
 * back through gimbal lock. */
#include "analysis/math/euler.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/math/quat.h"

/* For the golden hash below; changes only with the mathematics. */
#define GOLDEN_HASH 0xb273799b478846f8u

enum { FRAMES = 23, COLUMNS = 9, JOINTS = 3 };

/* Deterministic angles, deg, some of them many turns. */
static void fill_angles(double *value, double scale)
{
    unsigned state = 12345;
    for (int i = 0; i < FRAMES * COLUMNS; i++) {
        state = state * 1664525u + 1013904223u;
        value[i] = scale * ((double)(state >> 8) / (1 << 24) - 0.5);
    }
}

static Mat3 axis_matrix(int axis, double degrees)
{
    double s, c;
    elementary_sincos(degrees * PI / 180, &s, &c);
    if (axis == 0)
        return (Mat3){{{1, 0, 0}, {0, c, -s}, {0, s, c}}};
    if (axis == 1)
        return (Mat3){{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}};
    return (Mat3){{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
}

TEST(rotations_multiply_in_channel_order)
{
    static const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}, {2, 0, 2}};
    double value[FRAMES * COLUMNS];
    fill_angles(value, 700);
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
        EulerChannels turns = {3, {orders[o][0], orders[o][1], orders[o][2]}, {4, 0, 7}};
        Quat rotation[FRAMES];
        ChannelRows rows = {FRAMES, COLUMNS, 1, &turns, value};
        euler_to_quat(&rows, LANES_AUTO, rotation);
        for (int f = 0; f < FRAMES; f++) {
            const double *row = value + f * COLUMNS;
            Vec3 v = {0.3, -1.2, 2}, expected = mat3_mul(axis_matrix(orders[o][2], row[7]), v);
            expected = mat3_mul(axis_matrix(orders[o][1], row[0]), expected);
            expected = mat3_mul(axis_matrix(orders[o][0], row[4]), expected);
            assert_vec3_near(quat_rotate(rotation[f], v), expected, 1e-13);
            assert_near(quat_dot(rotation[f], rotation[f]), 1, 1e-15);
        }
    }
}

TEST(all_lane_widths_give_same_bits)
{
    const LaneWidth widths[] = {LANES_PAIR, LANES_AVX2, LANES_AVX512};
    const double scales[] = {360, 1e6};
    EulerChannels turns[JOINTS] = {{3, {2, 0, 1}, {0, 1, 2}}, {0, {0}, {0}}, {2, {1, 2}, {8, 5}}};
    for (int s = 0; s < 2; s++) {
        double value[FRAMES * COLUMNS];
        Quat expected[FRAMES * JOINTS], actual[FRAMES * JOINTS];
        fill_angles(value, scales[s]);
        ChannelRows rows = {FRAMES, COLUMNS, JOINTS, turns, value};
        euler_to_quat(&rows, LANES_SCALAR, expected);
        for (int w = 0; w < 3; w++) {
            memset(actual, 0, sizeof actual);
            euler_to_quat(&rows, widths[w], actual);
            assert_memory_equal(actual, expected, sizeof actual);
        }
    }
}

/* Fowler-Noll-Vo hash of all bits: the same for any x86-64 and arm64, compiler and optimisation level. */
TEST(rotations_have_the_golden_hash)
{
    EulerChannels turns[JOINTS] = {{3, {2, 0, 1}, {0, 1, 2}}, {3, {0, 1, 2}, {3, 4, 5}}, {3, {1, 2, 0}, {8, 7, 6}}};
    double value[FRAMES * COLUMNS];
    Quat rotation[FRAMES * JOINTS];
    uint64_t hash = 14695981039346656037u;
    fill_angles(value, 800);
    euler_to_quat(&(ChannelRows){FRAMES, COLUMNS, JOINTS, turns, value}, LANES_AUTO, rotation);
    for (size_t i = 0; i < sizeof rotation; i++)
        hash = (hash ^ ((const unsigned char *)rotation)[i]) * 1099511628211u;
    if (hash != GOLDEN_HASH)
        print_error("hash %#llx\n", (unsigned long long)hash);
    assert_true(hash == GOLDEN_HASH);
}

TEST(joint_without_rotation_channels_is_identity)
{
    EulerChannels none = {0};
    Quat q[2] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
    double no_row[1] = {0};
    ChannelRows rows = {0, 0, 1, &none, no_row};
    euler_to_quat(&rows, LANES_AUTO, q); /* no frames: no access */
    assert_near(q[0].w, 0, 0);
    rows.frame_count = 2;
    euler_to_quat(&rows, LANES_AUTO, q);
    assert_near(q[1].w, 1, 0);
}

TEST(nan_angle_affects_only_its_rotation)
{
    double value[4] = {10, NAN, 30, 40};
    EulerChannels turns = {1, {1}, {0}};
    Quat q[4];
    euler_to_quat(&(ChannelRows){4, 1, 1, &turns, value}, LANES_AUTO, q);
    assert_true(isnan(q[1].w));
    assert_near(q[2].y, elementary_sin(15 * PI / 180), 1e-15);
}

static Quat from_zxy(Vec3 zxy)
{
    double value[3] = {zxy.x, zxy.y, zxy.z};
    EulerChannels turns = {3, {2, 0, 1}, {0, 1, 2}};
    Quat q;
    euler_to_quat(&(ChannelRows){1, 3, 1, &turns, value}, LANES_AUTO, &q);
    return q;
}

static const int zxy_axes[3] = {2, 0, 1};

/* Several revolutions about each axis, without jumps of 360 or 180 degrees. */
TEST(angles_are_recovered_continuously)
{
    Vec3 last = {0, 0, 0};
    for (int f = 0; f < 400; f++) {
        Vec3 zxy = {3.1 * f, 80 * elementary_sin(0.1 * f), -2.3 * f};
        last = euler_from_quat(zxy_axes, from_zxy(zxy), last);
        assert_vec3_near(last, zxy, 1e-9);
    }
}

TEST(gimbal_lock_keeps_the_rotation)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        Quat q = from_zxy(vec3(25, 90 * sign, 40));
        Vec3 back = euler_from_quat(zxy_axes, q, vec3(10, 80 * sign, 30));
        assert_near(back.x, 10, 1e-12);
        assert_near(fabs(quat_dot(from_zxy(back), q)), 1, 1e-12);
    }
}
