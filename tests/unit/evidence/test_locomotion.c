/* analysis/evidence/locomotion: a walk with its path, on a treadmill and in place; pedals; a body without feet. */
#include "tests/support/test.h"

#include "analysis/evidence/locomotion.h"
#include "analysis/evidence/motion_evidence.h"
#include "tests/support/evidence_body.h"

static LocomotionJudgement judge(const Skeleton *s, const Motion *m)
{
    LocomotionJudgement judgement;
    BodyTrack track = body_track(s, m);
    assert_int_equal(locomotion_judge(&track, vec3(0, 1, 0), &judgement, NULL), STATUS_OK);
    body_track_free(&track);
    return judgement;
}

TEST(walk_has_a_path)
{
    Clip walk;
    read_walk(&walk);
    LocomotionJudgement found = judge(&walk.skeleton, &walk.motion);
    assert_int_equal(found.kind, LOCOMOTION_PATH);
    assert_near(found.path, 1, 0.2);
    clip_free(&walk);
}

TEST(treadmill_and_the_speed_of_its_belt_are_found)
{
    Clip walk;
    Vec3 belt = vec3(0.1, 0, -1.2);
    read_walk(&walk);
    Motion *m = &walk.motion;
    Vec3 speed = vec3_scale(vec3_sub(m->root_position[m->frame_count - 1], m->root_position[0]),
                            1 / ((m->frame_count - 1) * m->frame_time));
    speed.y = 0;
    motion_take_off_belt(m, speed); /* the belt moves with -speed */
    LocomotionJudgement found = judge(&walk.skeleton, m);
    assert_int_equal(found.kind, LOCOMOTION_TREADMILL);
    assert_true(vec3_distance(found.belt, vec3_neg(speed)) < 0.02 * vec3_norm(speed));
    motion_take_off_belt(m, found.belt);
    assert_int_equal(judge(&walk.skeleton, m).kind, LOCOMOTION_PATH);
    Vec3 before = m->root_position[60];
    motion_take_off_belt(m, belt);
    assert_near(m->root_position[60].x, before.x - 0.1 * 60 * m->frame_time, 1e-12);
    assert_near(m->root_position[60].z, before.z + 1.2 * 60 * m->frame_time, 1e-12);
    clip_free(&walk);
}

TEST(walk_in_place_is_recognised)
{
    Clip walk;
    read_walk(&walk);
    for (int f = 0; f < walk.motion.frame_count; f++)
        walk.motion.root_position[f].x = walk.motion.root_position[f].z = 1;
    LocomotionJudgement found = judge(&walk.skeleton, &walk.motion);
    assert_int_equal(found.kind, LOCOMOTION_IN_PLACE);
    assert_true(found.evidence.confidence < 0.1);
    clip_free(&walk);
}

/* Feet on circles of 0.17 m below the hips, opposite each other. */
static void pedalling_motion(Motion *m)
{
    standing_motion(m, 300, 60);
    for (int f = 0; f < 300; f++)
        for (int side = 0; side < 2; side++) {
            double angle = 2 * PI * f / 45 + PI * side;
            double ahead = 0.25 + 0.17 * elementary_cos(angle), down = 0.55 + 0.17 * elementary_sin(angle);
            double reach = hypot(ahead, down), thigh = 0.42, shank = 0.40;
            double hip = elementary_acos((thigh * thigh + reach * reach - shank * shank) / (2 * thigh * reach));
            double knee = PI - elementary_acos((thigh * thigh + shank * shank - reach * reach) / (2 * thigh * shank));
            Quat *q = m->rotation + motion_index(m, f, side ? 5 : 1);
            q[0] = quat_from_axis_angle(vec3(1, 0, 0), -elementary_atan2(ahead, down) - hip);
            q[1] = quat_from_axis_angle(vec3(1, 0, 0), knee);
        }
}

TEST(pedals_are_recognised)
{
    Skeleton s;
    Motion m;
    walker_skeleton(&s);
    pedalling_motion(&m);
    assert_int_equal(judge(&s, &m).kind, LOCOMOTION_CYCLING);
    skeleton_free(&s);
    motion_free(&m);
}

TEST(ankles_without_feet_are_noticed)
{
    Skeleton s;
    walker_skeleton(&s);
    assert_int_equal(locomotion_legs_lack(&s), LEGS_LACK_NOTHING);
    s.offset[4] = s.offset[8] = s.end_offset[0] = s.end_offset[1] = vec3(0, 0, 0);
    assert_int_equal(locomotion_legs_lack(&s), LEGS_LACK_FEET);
    s.role[2] = ROLE_NONE; /* not a human leg */
    assert_int_equal(locomotion_legs_lack(&s), LEGS_LACK_NOTHING);
    skeleton_free(&s);
}
