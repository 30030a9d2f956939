/* analysis/evidence/body_track: points, centre of mass and lengths of a body. */
#include "tests/support/test.h"

#include "analysis/evidence/locomotion.h"
#include "tests/support/evidence_body.h"

TEST(lengths_and_points_are_those_of_the_skeleton)
{
    Skeleton s;
    Motion m;
    walker_skeleton(&s);
    standing_motion(&m, 10, 30);
    BodyTrack track = body_track(&s, &m);
    assert_int_equal(track.frame_count, 10);
    assert_int_equal(track.point_count, WALKER_JOINTS + WALKER_ENDS);
    assert_near(track.leg, 0.82, 1e-12);
    assert_near(body_track_role(&track, 3, ROLE_LEFT_KNEE).y, STANDING_HIPS - 0.47, 1e-12);
    assert_near(body_track_frame(&track, 0)[WALKER_JOINTS].z, 0.2, 1e-12); /* tip of the left foot */
    assert_true(body_track_has_legs(&track));
    body_track_free(&track);
    skeleton_free(&s);
    motion_free(&m);
}

TEST(ankle_of_a_shank_without_foot_is_its_end)
{
    Skeleton s;
    Motion m;
    walker_skeleton(&s);
    int knee = skeleton_find_role(&s, ROLE_LEFT_KNEE), ankle = skeleton_find_role(&s, ROLE_LEFT_ANKLE);
    s.role[ankle] = ROLE_NONE;
    s.end_parent[0] = knee;
    s.end_offset[0] = s.offset[ankle];
    standing_motion(&m, 10, 30);
    BodyTrack track = body_track(&s, &m);
    assert_near(track.leg, 0.82, 1e-12);
    assert_int_equal(track.joint[ROLE_LEFT_ANKLE], WALKER_JOINTS);
    body_track_free(&track);
    s.end_offset[0] = vec3(0, 0, 0); /* the leg ends at the knee */
    track = body_track(&s, &m);
    assert_int_equal(track.joint[ROLE_LEFT_ANKLE], -1);
    assert_int_equal(locomotion_legs_lack(&s), LEGS_LACK_NOTHING); /* the joint of the foot is there, without a role */
    body_track_free(&track);
    skeleton_free(&s);
    motion_free(&m);
}

/* De Leva: 57 % of the stature in people who stand. */
TEST(centre_of_mass_is_between_hips_and_chest)
{
    Skeleton s;
    Motion m;
    walker_skeleton(&s);
    standing_motion(&m, 1, 30);
    BodyTrack track = body_track(&s, &m);
    assert_near(track.com[0].x, 0, 1e-12);
    assert_in_range((int)(100 * track.com[0].y), 93, 105);
    body_track_free(&track);
    skeleton_free(&s);
    motion_free(&m);
}

TEST(acceleration_of_a_parabola_is_exact_at_any_rate)
{
    Skeleton s;
    Motion m;
    walker_skeleton(&s);
    standing_motion(&m, 21, 50);
    for (int f = 0; f < 21; f++)
        m.root_position[f].y += -0.5 * 9.81 * (f / 50.0) * (f / 50.0);
    BodyTrack track = body_track(&s, &m);
    assert_near(body_track_acceleration(&track, 10, 4, 1).y, -9.81, 1e-9);
    assert_near(body_track_acceleration(&track, 10, 4, 2).y, -4 * 9.81, 1e-9);
    assert_int_equal(body_track_frames(&track, 0.1, 2), 10);
    assert_int_equal(body_track_frames(&track, 1e-9, 1), 1);
    body_track_free(&track);
    skeleton_free(&s);
    motion_free(&m);
}

/* A root on the floor above the hips does not support the body. */
TEST(joints_above_the_hips_move_to_the_hips)
{
    Skeleton s;
    Motion m;
    walker_skeleton(&s);
    s.role[0] = s.segment[0] = ROLE_NONE;
    s.role[9] = s.segment[9] = ROLE_HIPS;
    standing_motion(&m, 2, 30);
    BodyTrack track = body_track(&s, &m);
    assert_near(body_track_frame(&track, 1)[0].y, body_track_frame(&track, 1)[9].y, 0);
    body_track_free(&track);
    skeleton_free(&s);
    motion_free(&m);
}

TEST(motion_without_frames_is_empty)
{
    Skeleton s;
    Motion m;
    walker_skeleton(&s);
    standing_motion(&m, 1, 30);
    BodyTrack track;
    assert_int_equal(body_track_init(&track, &s, &m, 1, NULL), STATUS_OK);
    assert_int_equal(track.frame_count, 0);
    body_track_free(&track);
    body_track_free(NULL);
    skeleton_free(&s);
    motion_free(&m);
}
