/* analysis/evidence/rate_evidence: the rate of a walk and of a jump under right, wrong and missing labels. */
#include "tests/support/test.h"

#include "analysis/evidence/rate_evidence.h"
#include "tests/support/evidence_body.h"

static RateJudgement judge(const Skeleton *s, const Motion *m, double label, int is_unstated)
{
    RateJudgement judgement;
    Motion labelled = *m; /* a shallow copy */
    labelled.frame_time = m->frame_time / label;
    BodyTrack track = body_track(s, &labelled);
    RateDef def = {.up = vec3(0, 1, 0), .metre = 1, .is_unstated = is_unstated};
    assert_int_equal(rate_judge(&track, &def, &judgement, NULL), STATUS_OK);
    body_track_free(&track);
    return judgement;
}

static void assert_rates_are_named(const Skeleton *s, const Motion *m, double fps)
{
    const double labels[] = {0.25, 0.4, 0.5, 0.6, 2, 4};
    RateJudgement right = judge(s, m, 1, 0);
    assert_true(right.is_shown && !right.is_contradicted && right.evidence.confidence > 0.9);
    assert_near(right.fps, fps, 1e-9);
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        RateJudgement wrong = judge(s, m, labels[i], 0);
        assert_true(wrong.is_contradicted && wrong.evidence.confidence < 0.3);
        assert_near(wrong.fps, fps, 1e-9 * fps);
        assert_near(wrong.factor * labels[i], 1, 1e-9);
        assert_non_null(evidence_strongest(&wrong.evidence, -1, 0));
    }
}

TEST(walk_shows_its_rate)
{
    Clip walk;
    read_walk(&walk);
    assert_rates_are_named(&walk.skeleton, &walk.motion, 60);
    clip_free(&walk);
}

TEST(jump_shows_its_rate)
{
    Skeleton s;
    Motion m;
    walker_skeleton(&s);
    jumping_motion(&m, 120);
    assert_rates_are_named(&s, &m, 120);
    skeleton_free(&s);
    motion_free(&m);
}

TEST(missing_rate_is_found)
{
    Clip walk;
    read_walk(&walk);
    for (double label = 0.25; label < 5; label *= 2) {
        RateJudgement found = judge(&walk.skeleton, &walk.motion, label, 1);
        assert_near(found.fps, 60, 1e-9 * 60);
        assert_true(found.alternative > 0.3 && found.alternative < 0.99);
    }
    clip_free(&walk);
}

/* A body that stands shows no rate: the label holds. */
TEST(standing_contradicts_no_rate)
{
    Skeleton s;
    Motion m;
    walker_skeleton(&s);
    standing_motion(&m, 300, 100);
    for (double label = 0.25; label < 5; label *= 2) {
        RateJudgement found = judge(&s, &m, label, 0);
        assert_true(!found.is_shown && !found.is_contradicted);
    }
    skeleton_free(&s);
    motion_free(&m);
}
