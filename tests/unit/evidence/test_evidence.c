/* analysis/evidence/evidence: order of observations, and probabilities from log scores. */
#include "tests/support/test.h"

#include "analysis/evidence/evidence.h"

TEST(strongest_observations_are_found_by_sign)
{
    Evidence e = {0};
    evidence_add(&e, 1, "%s", "one");
    evidence_add(&e, -2, "minus two");
    evidence_add(&e, 3, "three");
    evidence_add(&e, 0.01, "negligible");
    assert_int_equal(e.count, 3);
    assert_string_equal(evidence_strongest(&e, 1, 0)->text, "three");
    assert_string_equal(evidence_strongest(&e, 1, 1)->text, "one");
    assert_null(evidence_strongest(&e, 1, 2));
    assert_string_equal(evidence_strongest(&e, -1, 0)->text, "minus two");
    assert_null(evidence_strongest(&e, -1, 1));
}

TEST(weakest_observation_is_replaced)
{
    Evidence e = {0};
    for (int i = 0; i < EVIDENCE_MAX; i++)
        evidence_add(&e, 1 + i, "%d", i);
    evidence_add(&e, 0.5, "weaker");
    evidence_add(&e, -20, "stronger");
    assert_int_equal(e.count, EVIDENCE_MAX);
    assert_string_equal(evidence_strongest(&e, -1, 0)->text, "stronger");
    for (int i = 0; i < e.count; i++)
        assert_true(fabs(e.observation[i].log_odds) > 1);
}

TEST(equal_observations_have_different_ranks)
{
    Evidence e = {0};
    evidence_add(&e, 1, "first");
    evidence_add(&e, 1, "second");
    assert_string_equal(evidence_strongest(&e, 1, 0)->text, "first");
    assert_string_equal(evidence_strongest(&e, 1, 1)->text, "second");
}

TEST(scores_become_probabilities)
{
    double score[] = {-1000, -1000 + 0.69314718055994531, -2000};
    assert_int_equal(evidence_normalize(score, 3), 1);
    assert_near(score[0], 1.0 / 3, 1e-12);
    assert_near(score[1], 2.0 / 3, 1e-12);
    assert_near(score[2], 0, 1e-12);
}
