/* analysis/quality/artifact_corners: takes interpolated along straight lines from a lower rate are found with that
 * rate; cubics and noise are not. */
#include "tests/support/test.h"

#include "analysis/motion/resample.h"
#include "analysis/quality/artifacts.h"
#include "analysis/quality/artifacts_internal.h"
#include "tests/support/planted_shake.h"
#include "tests/support/walker.h"

static void expect(const Motion *m, double rate)
{
    Artifacts found = {0};
    assert_int_equal(artifact_corners_find(m, &found, NULL), STATUS_OK);
    assert_int_equal(found.count, rate > 0);
    if (rate > 0) {
        assert_int_equal(found.artifact[0].kind, TRUST_INTERPOLATED);
        assert_int_equal(found.artifact[0].joint, ARTIFACT_WHOLE_POSE);
        assert_int_equal(found.artifact[0].last, m->frame_count - 1);
        assert_near(found.artifact[0].size, rate, 0);
    }
    artifacts_free(&found);
}

TEST(straight_lines_between_rows_of_a_lower_rate_are_found)
{
    static const double lower[] = {20, 24, 25, 30}, higher[] = {60, 120};
    for (int i = 0; i < 8; i++) {
        Motion low, high;
        walker_motion(&low, (int)(4 * lower[i / 2]), lower[i / 2]);
        assert_int_equal(motion_resample(&low, higher[i % 2], &high, NULL), STATUS_OK);
        expect(&high, lower[i / 2]);
        motion_free(&low);
        motion_free(&high);
    }
}

TEST(cubics_between_rows_have_no_corners)
{
    Motion low, high;
    walker_motion(&low, 120, 30);
    assert_int_equal(shake_upsample(&low, 120, &high, NULL), STATUS_OK);
    expect(&high, 0);
    motion_free(&low);
    motion_free(&high);
}

TEST(walk_at_its_own_rate_has_no_corners)
{
    Motion m;
    walker_motion(&m, 480, 120);
    expect(&m, 0);
    motion_free(&m);
}
