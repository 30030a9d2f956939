/* analysis/evidence/motion_evidence: the judgements together. */
#include "tests/support/test.h"

#include "analysis/evidence/motion_evidence.h"
#include "tests/support/evidence_body.h"

static MotionEvidence judge(const Clip *c, int rate_is_given)
{
    MotionEvidence found;
    MotionEvidenceDef def = {.up = vec3(0, 1, 0), .metre = 1, .rate_is_given = rate_is_given,
                             .sides = FACING_NAMES};
    BodyTrack track = body_track(&c->skeleton, &c->motion);
    assert_int_equal(motion_evidence_judge(&c->skeleton, &track, &def, &found, NULL), STATUS_OK);
    body_track_free(&track);
    return found;
}

TEST(valid_walk_has_no_contradiction)
{
    Clip walk;
    read_walk(&walk);
    MotionEvidence found = judge(&walk, 0);
    assert_false(found.rate.is_contradicted);
    assert_false(found.lean.is_leaning);
    assert_false(found.facing.is_contradicted);
    assert_int_equal(found.legs_lack, LEGS_LACK_NOTHING);
    assert_int_equal(found.locomotion.kind, LOCOMOTION_PATH);
    clip_free(&walk);
}

/* The lean is found at the rate that fits; a rate that the user gives is not doubted. */
TEST(several_labels_may_be_wrong_at_once)
{
    Clip walk;
    read_walk(&walk);
    walk.motion.frame_time *= 2;
    rotate_clip(&walk.motion, vec3(0, 0, 1), 0.2);
    MotionEvidence found = judge(&walk, 0), given = judge(&walk, 1);
    assert_true(found.rate.is_contradicted);
    assert_near(found.rate.factor, 2, 1e-12);
    assert_true(found.lean.is_leaning);
    assert_near(found.lean.angle, 0.2, 0.03);
    assert_false(given.rate.is_contradicted);
    clip_free(&walk);
}

TEST(path_of_a_treadmill_is_restored_before_other_judgements)
{
    Clip walk;
    read_walk(&walk);
    Motion *m = &walk.motion;
    Vec3 speed = vec3_scale(vec3_sub(m->root_position[m->frame_count - 1], m->root_position[0]),
                            1 / ((m->frame_count - 1) * m->frame_time));
    speed.y = 0;
    motion_take_off_belt(m, speed);
    MotionEvidence found = judge(&walk, 0);
    assert_int_equal(found.locomotion.kind, LOCOMOTION_TREADMILL);
    assert_true(found.lean.frames > 100 && !found.lean.is_leaning);
    assert_false(found.rate.is_contradicted);
    clip_free(&walk);
}

TEST(one_frame_is_not_judged)
{
    Clip walk;
    read_walk(&walk);
    walk.motion.frame_count = 1;
    MotionEvidence found = judge(&walk, 0);
    assert_false(found.rate.is_shown);
    assert_int_equal(found.lean.frames, 0);
    walk.motion.frame_count = 2;
    clip_free(&walk);
}
