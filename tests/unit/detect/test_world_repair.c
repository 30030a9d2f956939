/* analysis/detect/world_repair: levelling, reflecting, and exchanging sides. */
#include "tests/support/test.h"

#include "analysis/detect/world_repair.h"
#include "tests/support/evidence_body.h"

TEST(levelled_world_equals_the_world_before_the_lean)
{
    Clip walk, leaning;
    read_walk(&walk);
    read_walk(&leaning);
    Vec3 axis = vec3(0.6, 0, 0.8);
    rotate_clip(&leaning.motion, axis, 0.3);
    world_level(quat_rotate(quat_from_axis_angle(axis, 0.3), vec3(0, 1, 0)), &leaning.motion);
    BodyTrack a = body_track(&walk.skeleton, &walk.motion), b = body_track(&leaning.skeleton, &leaning.motion);
    for (int f = 0; f < a.frame_count; f += 20)
        for (int p = 0; p < a.point_count; p++)
            assert_near(vec3_distance(body_track_frame(&a, f)[p], body_track_frame(&b, f)[p]), 0, 1e-9);
    body_track_free(&a);
    body_track_free(&b);
    clip_free(&walk);
    clip_free(&leaning);
}

TEST(reflection_mirrors_every_point_and_twice_changes_nothing)
{
    Clip walk, image;
    read_walk(&walk);
    read_walk(&image);
    world_reflect(&image.skeleton, &image.motion);
    BodyTrack a = body_track(&walk.skeleton, &walk.motion), b = body_track(&image.skeleton, &image.motion);
    for (int p = 0; p < a.point_count; p++) {
        Vec3 at = body_track_frame(&a, 50)[p];
        assert_near(vec3_distance(vec3(-at.x, at.y, at.z), body_track_frame(&b, 50)[p]), 0, 1e-12);
    }
    body_track_free(&a);
    body_track_free(&b);
    world_reflect(&image.skeleton, &image.motion);
    size_t count = (size_t)walk.motion.frame_count * (size_t)walk.motion.joint_count;
    assert_memory_equal(walk.motion.rotation, image.motion.rotation, count * sizeof *walk.motion.rotation);
    clip_free(&walk);
    clip_free(&image);
}

TEST(names_and_roles_of_both_sides_are_exchanged)
{
    Skeleton s;
    walker_skeleton(&s);
    assert_int_equal(skeleton_exchange_sides(&s, NULL), STATUS_OK);
    assert_string_equal(s.name[2], "RightLeg");
    assert_int_equal(s.role[2], ROLE_RIGHT_KNEE);
    assert_string_equal(s.name[6], "LeftLeg");
    assert_int_equal(s.segment[6], ROLE_LEFT_KNEE);
    assert_string_equal(s.name[0], "Hips");
    assert_int_equal(s.role[0], ROLE_HIPS);
    skeleton_free(&s);
}
