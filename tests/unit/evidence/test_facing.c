/* analysis/evidence/facing: sides of the names against knees, toes, elbows and path. */
#include "tests/support/test.h"

#include "analysis/evidence/facing.h"
#include "tests/support/evidence_body.h"

static FacingJudgement judge(const Skeleton *s, const Motion *m)
{
    BodyTrack track = body_track(s, m);
    FacingJudgement judgement = facing_judge(&track, vec3(0, 1, 0), 1, FACING_NAMES);
    body_track_free(&track);
    return judgement;
}

TEST(right_names_are_confirmed)
{
    Clip walk;
    read_walk(&walk);
    FacingJudgement facing = judge(&walk.skeleton, &walk.motion);
    assert_true(facing.is_shown && !facing.is_contradicted && facing.evidence.confidence > 0.99);
    clip_free(&walk);
}

TEST(exchanged_names_are_noticed_in_every_facing)
{
    for (double angle = 0; angle < 6; angle += 1) {
        Clip walk;
        read_walk(&walk);
        rotate_clip(&walk.motion, vec3(0, 1, 0), angle);
        for (int j = 0; j < walk.skeleton.joint_count; j++)
            walk.skeleton.role[j] = role_mirror(walk.skeleton.role[j]);
        FacingJudgement facing = judge(&walk.skeleton, &walk.motion);
        assert_true(facing.is_contradicted && facing.evidence.confidence < 0.01);
        assert_non_null(evidence_strongest(&facing.evidence, -1, 0));
        clip_free(&walk);
    }
}

/* Walking backwards alone does not contradict the names. */
TEST(walking_backwards_is_possible)
{
    Clip walk;
    read_walk(&walk);
    for (int f = 0; f < walk.motion.frame_count; f++)
        walk.motion.root_position[f].z *= -1;
    assert_false(judge(&walk.skeleton, &walk.motion).is_contradicted);
    clip_free(&walk);
}

TEST(body_without_sides_shows_nothing)
{
    Skeleton s;
    Motion m;
    walker_skeleton(&s);
    standing_motion(&m, 10, 30);
    for (int j = 0; j < s.joint_count; j++)
        if (s.role[j] == ROLE_LEFT_HIP || s.role[j] == ROLE_LEFT_SHOULDER)
            s.role[j] = ROLE_NONE;
    FacingJudgement facing = judge(&s, &m);
    assert_true(!facing.is_shown && !facing.is_contradicted);
    skeleton_free(&s);
    motion_free(&m);
}

/* A shank and a forearm are missing; the others show the front. */
TEST(one_leg_suffices)
{
    for (int exchange = 0; exchange < 2; exchange++) {
        Clip walk;
        read_walk(&walk);
        Skeleton *s = &walk.skeleton;
        for (int j = 0; j < s->joint_count; j++) {
            if (s->role[j] >= ROLE_LEFT_KNEE && s->role[j] <= ROLE_LEFT_TOE)
                s->role[j] = ROLE_NONE;
            s->role[j] = exchange ? role_mirror(s->role[j]) : s->role[j];
        }
        FacingJudgement facing = judge(s, &walk.motion);
        assert_true(facing.is_shown);
        assert_int_equal(facing.is_contradicted, exchange);
        clip_free(&walk);
    }
}

/* Straight legs: feet alone show the front, standing, lying prone or supine, and on hands. */
TEST(feet_show_the_front_in_every_pose)
{
    for (int quarter = 0; quarter < 4; quarter++)
        for (int exchange = 0; exchange < 2; exchange++) {
            Skeleton s;
            Motion m;
            walker_skeleton(&s);
            standing_motion(&m, 10, 30);
            rotate_clip(&m, vec3(1, 0, 0), quarter * PI / 2);
            for (int j = 0; j < s.joint_count && exchange; j++)
                s.role[j] = role_mirror(s.role[j]);
            BodyTrack track = body_track(&s, &m);
            assert_near(track.rest_front, exchange ? -1 : 1, 1e-9);
            FacingJudgement facing = facing_judge(&track, vec3(0, 1, 0), 1, 0);
            assert_int_equal(facing.is_contradicted, exchange);
            assert_true(fabs(facing.evidence.confidence - 0.5) > 0.45);
            body_track_free(&track);
            skeleton_free(&s);
            motion_free(&m);
        }
}

/* Legs turned by 180 degrees against the pelvis, as by another order of rotations. */
TEST(feet_against_the_rest_pose_leave_the_sides_unknown)
{
    Skeleton s;
    Motion m;
    walker_skeleton(&s);
    standing_motion(&m, 10, 30);
    for (int f = 0; f < m.frame_count; f++)
        for (int leg = 1; leg <= 5; leg += 4)
            m.rotation[motion_index(&m, f, leg)] = quat_from_axis_angle(vec3(0, 1, 0), PI);
    FacingJudgement facing = judge(&s, &m);
    assert_true(facing.is_shown && !facing.is_contradicted);
    assert_near(facing.evidence.confidence, 0.5, 0);
    skeleton_free(&s);
    motion_free(&m);
}

/* The pelvis alone turned about the vertical, as by a suit that was not calibrated: legs and trunk go on as before. */
TEST(turned_pelvis_does_not_contradict_sides)
{
    for (int degrees = 0; degrees <= 150; degrees += 150) {
        Clip walk;
        read_walk(&walk);
        const Skeleton *s = &walk.skeleton;
        Quat turn = quat_from_axis_angle(vec3(0, 1, 0), degrees * PI / 180);
        for (int f = 0; f < walk.motion.frame_count; f++)
            for (int j = 0; j < s->joint_count; j++) {
                Quat *q = &walk.motion.rotation[motion_index(&walk.motion, f, j)];
                *q = j == 0 ? quat_mul(*q, turn) : s->parent[j] == 0 ? quat_mul(quat_conjugate(turn), *q) : *q;
            }
        FacingJudgement facing = judge(s, &walk.motion);
        assert_true(!facing.is_contradicted);
        assert_near(fabs(facing.pelvis_turn) * 180 / PI, degrees, degrees > 0 ? 8 : 0);
        clip_free(&walk);
    }
}
