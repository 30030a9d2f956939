/* analysis/evidence/lean: the angle of a world that leans, a level one, and a slope. */
#include "tests/support/test.h"

#include "analysis/evidence/lean.h"
#include "tests/support/evidence_body.h"

static LeanJudgement judge(const Skeleton *s, const Motion *m)
{
    LeanJudgement judgement;
    BodyTrack track = body_track(s, m);
    assert_int_equal(lean_judge(&track, vec3(0, 1, 0), 1, &judgement, NULL), STATUS_OK);
    body_track_free(&track);
    return judgement;
}

TEST(walk_shows_the_lean_of_its_world)
{
    for (double degrees = 10; degrees < 25; degrees += 5)
        for (int side = -1; side < 2; side += 2)
            for (int roll = 0; roll < 2; roll++) {
                Clip walk;
                read_walk(&walk);
                double angle = side * degrees * PI / 180;
                Vec3 axis = roll ? vec3(0, 0, 1) : vec3(1, 0, 0);
                rotate_clip(&walk.motion, axis, angle);
                LeanJudgement lean = judge(&walk.skeleton, &walk.motion);
                assert_true(lean.is_leaning);
                assert_near(lean.angle, fabs(angle), 2 * PI / 180);
                Vec3 up = quat_rotate(quat_from_axis_angle(axis, angle), vec3(0, 1, 0));
                assert_true(vec3_dot(lean.up, up) > 0.999);
                clip_free(&walk);
            }
}

TEST(level_world_is_not_reported)
{
    Clip walk;
    read_walk(&walk);
    LeanJudgement lean = judge(&walk.skeleton, &walk.motion);
    assert_true(lean.frames > 100 && !lean.is_leaning && lean.angle < 4 * PI / 180);
    clip_free(&walk);
}

/* On a slope the path rises and the body stays upright. */
TEST(slope_is_no_lean)
{
    for (double slope = -0.2; slope < 0.25; slope += 0.1) {
        Clip walk;
        read_walk(&walk);
        for (int f = 0; f < walk.motion.frame_count; f++)
            walk.motion.root_position[f].y += slope * walk.motion.root_position[f].z;
        assert_false(judge(&walk.skeleton, &walk.motion).is_leaning);
        clip_free(&walk);
    }
}

TEST(short_clip_shows_nothing)
{
    Skeleton s;
    Motion m;
    walker_skeleton(&s);
    standing_motion(&m, 1, 30);
    LeanJudgement lean = judge(&s, &m);
    assert_int_equal(lean.frames, 0);
    assert_near(lean.up.y, 1, 0);
    skeleton_free(&s);
    motion_free(&m);
}

/* A body that is thrown, without any support, in a level world and in one that leans by 12 degrees. */
TEST(free_fall_shows_the_lean)
{
    enum { FRAMES = 60, RATE = 60 };
    for (int degrees = 0; degrees <= 12; degrees += 12) {
        Skeleton s;
        Motion m;
        walker_skeleton(&s);
        standing_motion(&m, FRAMES, RATE);
        for (int f = 0; f < FRAMES; f++) {
            double t = (f - 30.0) / RATE; /* thrown through the whole clip: 1.2 m up and down */
            m.root_position[f] = vec3_add(m.root_position[f], vec3(1.5 * t, -0.5 * 9.80665 * t * t, 0));
        }
        rotate_clip(&m, vec3(0, 0, 1), degrees * PI / 180);
        LeanJudgement lean = judge(&s, &m);
        assert_int_equal(lean.is_leaning, degrees > 0);
        assert_true(lean.frames > 30);
        assert_near(lean.angle * 180 / PI, degrees, 1);
        skeleton_free(&s);
        motion_free(&m);
    }
}
