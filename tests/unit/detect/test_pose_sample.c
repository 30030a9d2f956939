/* analysis/detect/pose_sample: sampled frames, positions of end sites, and ground height. */
#include "tests/support/test.h"

#include "analysis/detect/pose_sample.h"
#include "tests/support/walker.h"

TEST(frames_are_spread_evenly)
{
    Skeleton s;
    Motion m;
    PoseSample sample;
    walker_skeleton(&s);
    walker_motion(&m, 31, 30);
    assert_int_equal(pose_sample_init(&sample, &s, &m, 1, 4, NULL), STATUS_OK);
    assert_int_equal(sample.frame_count, 4);
    const int frames[] = {1, 10, 20, 30};
    for (int i = 0; i < 4; i++)
        assert_vec3_near(pose_sample_frame(&sample, i)[0], m.root_position[frames[i]], 0);
    pose_sample_free(&sample);
    assert_int_equal(pose_sample_init(&sample, &s, &m, 29, 100, NULL), STATUS_OK);
    assert_int_equal(sample.frame_count, 2);
    pose_sample_free(&sample);
    skeleton_free(&s);
    motion_free(&m);
}

/* Rotation by 90 degrees about z maps x to y, also for the end site on its rigid segment. */
TEST(end_sites_move_with_their_joint)
{
    Skeleton s;
    Motion m;
    PoseSample sample;
    walker_skeleton(&s);
    assert_int_equal(motion_init(&m, 1, WALKER_JOINTS, 0.1, 0, NULL), STATUS_OK);
    for (int j = 0; j < WALKER_JOINTS; j++)
        m.rotation[j] = QUAT_IDENTITY;
    m.root_position[0] = vec3(1, 2, 3);
    m.rotation[0] = quat_from_axis_angle(vec3(0, 0, 1), PI / 2);
    assert_int_equal(pose_sample_init(&sample, &s, &m, 0, 5, NULL), STATUS_OK);
    for (int p = 0; p < sample.point_count; p++) {
        Vec3 local = vec3_sub(sample.rest[p], sample.rest[0]);
        assert_vec3_near(pose_sample_frame(&sample, 0)[p], vec3(1 - local.y, 2 + local.x, 3 + local.z), 1e-14);
    }
    assert_vec3_near(vec3_sub(sample.rest[WALKER_JOINTS], sample.rest[4]), walker_end_offset[0], 1e-14);
    pose_sample_free(&sample);
    skeleton_free(&s);
    motion_free(&m);
}

TEST(ground_of_the_walk_is_the_floor)
{
    Skeleton s;
    Motion m;
    PoseSample sample;
    double height, spread;
    walker_skeleton(&s);
    walker_motion(&m, 60, 30);
    assert_int_equal(pose_sample_init(&sample, &s, &m, 0, 60, NULL), STATUS_OK);
    assert_int_equal(pose_sample_ground(&sample, vec3(0, 1, 0), &height, &spread, NULL), STATUS_OK);
    assert_near(height, 0, 0.05);
    assert_true(spread >= 0 && spread < 0.1);
    assert_int_equal(pose_sample_ground(&sample, vec3(0, 0, 1), &height, &spread, NULL), STATUS_OK);
    assert_true(spread > 0.5); /* it walks on along z */
    assert_near(pose_sample_size(&sample), 1, 0.15);
    pose_sample_free(&sample);
    skeleton_free(&s);
    motion_free(&m);
}

TEST(clip_without_frames_uses_the_rest_pose)
{
    Skeleton s;
    Motion m;
    PoseSample sample;
    walker_skeleton(&s);
    assert_int_equal(motion_init(&m, 0, WALKER_JOINTS, 0.1, 0, NULL), STATUS_OK);
    assert_int_equal(pose_sample_init(&sample, &s, &m, 0, 5, NULL), STATUS_OK);
    assert_int_equal(sample.frame_count, 1);
    assert_vec3_near(pose_sample_frame(&sample, 0)[3], sample.rest[3], 0);
    pose_sample_free(&sample);
    pose_sample_free(&sample); /* empty again */
    assert_null(sample.position);
    skeleton_free(&s);
    motion_free(&m);
}

TEST(different_joint_count_is_refused)
{
    Skeleton s;
    Motion m;
    PoseSample sample;
    Error err;
    walker_skeleton(&s);
    assert_int_equal(motion_init(&m, 3, WALKER_JOINTS - 1, 0.1, 0, NULL), STATUS_OK);
    assert_int_equal(pose_sample_init(&sample, &s, &m, 0, 5, &err), STATUS_USAGE);
    assert_null(sample.position);
    skeleton_free(&s);
    motion_free(&m);
}
