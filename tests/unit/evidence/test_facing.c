/* analysis/evidence/facing: sides of the names against knees, toes, elbows and path. */
#include "tests/support/test.h"

#include "analysis/evidence/facing.h"
#include "tests/support/evidence_body.h"

static FacingJudgement judge(const Skeleton *s, const Motion *m)
{
    BodyTrack track = track_of(s, m);
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
        turn_clip(&walk.motion, vec3(0, 1, 0), angle);
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

TEST(body_without_legs_shows_nothing)
{
    Skeleton s;
    Motion m;
    walker_skeleton(&s);
    s.role[2] = ROLE_NONE;
    standing_motion(&m, 10, 30);
    FacingJudgement facing = judge(&s, &m);
    assert_true(!facing.is_shown && !facing.is_contradicted);
    skeleton_free(&s);
    motion_free(&m);
}
