/* analysis/evidence/judgement: what a clip file keeps of a decision. */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/evidence/judgement.h"

static Judgement up_with(double confidence, const char *value)
{
    Judgement out = {.subject = JUDGED_UP, .confidence = confidence};
    snprintf(out.value, sizeof out.value, "%s", value);
    for (int i = 1; i <= 3; i++) {
        evidence_add(&out.evidence, i, "for %d", i);
        evidence_add(&out.evidence, -i, "against\t%d", i);
    }
    return out;
}

TEST(two_strongest_observations_of_each_sign_are_kept)
{
    Provenance provenance = {0};
    Judgement up = up_with(0.93, "Y"), read;
    assert_int_equal(judgement_record(&provenance, &up, NULL), STATUS_OK);
    assert_string_equal(provenance.evidence,
                        "up\t0.93\tY\nup\t+3.00\tfor 3\nup\t+2.00\tfor 2\nup\t-3.00\tagainst 3\nup\t-2.00\tagainst 2");
    assert_true(judgement_recall(&provenance, JUDGED_UP, &read));
    assert_string_equal(read.value, "Y");
    assert_near(read.confidence, 0.93, 1e-12);
    assert_int_equal(read.evidence.count, 4);
    assert_string_equal(evidence_strongest(&read.evidence, -1, 0)->text, "against 3");
    free(provenance.evidence);
}

TEST(judgement_replaces_that_of_its_subject_alone)
{
    Provenance provenance = {0};
    Judgement up = up_with(0.93, "Y"), again = up_with(0.4, "Z"), body = {JUDGED_BODY, "human", NAN, {0}}, read;
    assert_int_equal(judgement_record(&provenance, &up, NULL), STATUS_OK);
    assert_int_equal(judgement_record(&provenance, &body, NULL), STATUS_OK);
    assert_int_equal(judgement_record(&provenance, &again, NULL), STATUS_OK);
    assert_true(judgement_recall(&provenance, JUDGED_UP, &read));
    assert_string_equal(read.value, "Z");
    assert_int_equal(read.evidence.count, 4);
    assert_true(judgement_recall(&provenance, JUDGED_BODY, &read));
    assert_string_equal(read.value, "human");
    assert_true(isnan(read.confidence) && read.evidence.count == 0);
    assert_false(judgement_recall(&provenance, JUDGED_RATE, &read));
    free(provenance.evidence);
}

TEST(malformed_lines_are_skipped)
{
    char text[] = "up\nup\t\nup\t0.5\nup\t+x\ty\nup\t-\nupper\t1\tZ\n\nup\t0.25\tX\nup\t-1.5\tlow";
    Provenance provenance = {.evidence = text};
    Judgement read;
    assert_true(judgement_recall(&provenance, JUDGED_UP, &read));
    assert_string_equal(read.value, "X");
    assert_near(read.confidence, 0.25, 1e-12);
    assert_int_equal(read.evidence.count, 1);
    assert_near(read.evidence.observation[0].log_odds, -1.5, 1e-12);
}
