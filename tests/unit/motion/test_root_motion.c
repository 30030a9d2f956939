/* analysis/motion/root_motion: moves along the ground add up, and the travel changes joints without moving the body. */
#include "tests/support/assert_near.h"
#include "tests/support/test.h"

#include "analysis/base/arena.h"
#include "analysis/math/elementary.h"
#include "analysis/motion/forward_kinematics.h"
#include "analysis/motion/root_motion.h"

TEST(parts_of_a_move_add_up)
{
    GroundMove move = {1.3, {0.7, 0, -2}};
    Vec3 point = vec3(0.2, 1, 0.4), twice = point;
    GroundMove half = ground_move_fraction(&move, 0.5), whole = ground_move_fraction(&move, 1);
    twice = ground_move_point(&half, ground_move_point(&half, twice));
    assert_vec3_near(twice, ground_move_point(&move, point), 1e-14);
    assert_vec3_near(ground_move_point(&whole, point), ground_move_point(&move, point), 1e-15);
    GroundMove straight = {1e-9, {0.7, 0, -2}}, part = ground_move_fraction(&straight, 0.25);
    assert_vec3_near(part.shift, vec3(0.175, 0, -0.5), 1e-8);
}

TEST(inverse_move_returns_the_point)
{
    GroundMove move = {-2.1, {0.7, 0.1, -2}}, back = ground_move_inverse(&move);
    Vec3 point = vec3(0.2, 1, 0.4);
    assert_vec3_near(ground_move_point(&back, ground_move_point(&move, point)), point, 1e-15);
}

TEST(heading_ignores_tilt_and_wraps)
{
    Quat tilt = quat_from_axis_angle(vec3(1, 0, 0), 0.4);
    Quat turned = quat_mul(quat_from_axis_angle(vec3(0, 1, 0), 3), tilt);
    assert_near(heading_between(tilt, turned), 3, 1e-14);
    assert_near(heading_between(turned, tilt), -3, 1e-14);
    assert_near(heading_between(QUAT_IDENTITY, quat_from_axis_angle(vec3(0, 1, 0), 4)), 4 - 2 * PI, 1e-14);
}

/* A root on the floor at rest, hips that travel along a curve, and a thigh. */
static void travelling_hips(Skeleton *s, Motion *m)
{
    assert_int_equal(skeleton_init(s, 3, 0, NULL), STATUS_OK);
    for (int j = 0; j < 3; j++)
        assert_int_equal(skeleton_set_name(s, j, (const char *[]){"Root", "Hips", "Thigh"}[j], NULL), STATUS_OK);
    s->parent[1] = 0;
    s->parent[2] = 1;
    s->role[1] = ROLE_HIPS;
    s->role[2] = ROLE_LEFT_HIP;
    s->offset[2] = vec3(0.1, -0.1, 0);
    assert_int_equal(motion_init(m, 20, 3, 0.05, 1, NULL), STATUS_OK);
    for (int f = 0; f < 20; f++) {
        m->rotation[3 * f] = QUAT_IDENTITY;
        m->rotation[3 * f + 1] = quat_mul(quat_from_axis_angle(vec3(0, 1, 0), 0.1 * f),
                                          quat_from_axis_angle(vec3(0, 0, 1), 0.2));
        m->rotation[3 * f + 2] = quat_from_axis_angle(vec3(1, 0, 0), 0.05 * f);
        m->translation[3 * f + 1] = vec3(0.1 * f, 0.9 + 0.01 * f, 0.02 * f * f);
        m->translation[3 * f + 2] = s->offset[2];
    }
    motion_make_continuous(m);
}

static void pose_all(const Skeleton *s, const Motion *m, Vec3 position[60])
{
    Quat orientation[60];
    WorldPoses poses = {position, orientation, NULL};
    assert_int_equal(forward_kinematics(&(ClipView){.skeleton = s, .motion = m}, LANES_AUTO, &poses, NULL), STATUS_OK);
}

TEST(root_follows_the_hips_and_returns_the_travel)
{
    Skeleton s;
    Motion m;
    Vec3 before[60], after[60];
    travelling_hips(&s, &m);
    pose_all(&s, &m, before);
    assert_int_equal(root_motion_place(&s, ROOT_MOTION_TRAVEL, &m, NULL), STATUS_OK);
    pose_all(&s, &m, after);
    for (int f = 0; f < 20; f++) {
        assert_vec3_near(m.root_position[f], vec3(before[3 * f + 1].x, 0, before[3 * f + 1].z), 1e-14);
        assert_near(heading_between(m.rotation[0], m.rotation[3 * f]), 0.1 * f, 1e-12);
        for (int j = 1; j < 3; j++)
            assert_vec3_near(after[3 * f + j], before[3 * f + j], 1e-13);
    }
    assert_int_equal(root_motion_place(&s, ROOT_MOTION_HIPS, &m, NULL), STATUS_OK);
    pose_all(&s, &m, after);
    for (int f = 0; f < 20; f++) {
        assert_vec3_near(m.root_position[f], m.root_position[0], 0);
        for (int j = 1; j < 3; j++)
            assert_vec3_near(after[3 * f + j], before[3 * f + j], 1e-13);
    }
    motion_free(&m);
    skeleton_free(&s);
}

