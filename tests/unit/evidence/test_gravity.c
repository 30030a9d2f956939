/* analysis/evidence/gravity: balance along the six axes. */
#include "tests/support/test.h"

#include "analysis/evidence/gravity.h"
#include "tests/support/evidence_body.h"

enum { Y = 1 };

static void odds_of(const Skeleton *s, const Motion *m, double log_odds[GRAVITY_AXES])
{
    GravityBalance balance;
    BodyTrack track = body_track(s, m);
    assert_int_equal(gravity_measure(&track, &balance, NULL), STATUS_OK);
    gravity_log_odds(&balance, log_odds);
    body_track_free(&track);
}

TEST(jump_shows_the_axis)
{
    Skeleton s;
    Motion m;
    double log_odds[GRAVITY_AXES];
    walker_skeleton(&s);
    jumping_motion(&m, 100);
    odds_of(&s, &m, log_odds);
    for (int a = 0; a < GRAVITY_AXES; a++)
        assert_true(a == Y ? log_odds[a] == 0 : log_odds[a] < -1.5);
    skeleton_free(&s);
    motion_free(&m);
}

TEST(creature_counts_less)
{
    Skeleton s;
    Motion m;
    double human[GRAVITY_AXES], creature[GRAVITY_AXES];
    walker_skeleton(&s);
    jumping_motion(&m, 100);
    odds_of(&s, &m, human);
    for (int j = 0; j < s.joint_count; j++)
        s.role[j] = s.segment[j] = ROLE_NONE;
    odds_of(&s, &m, creature);
    for (int a = 0; a < GRAVITY_AXES; a++)
        assert_true(creature[a] >= human[a]);
    skeleton_free(&s);
    motion_free(&m);
}

TEST(single_frame_shows_nothing)
{
    Skeleton s;
    Motion m;
    double log_odds[GRAVITY_AXES];
    walker_skeleton(&s);
    standing_motion(&m, 1, 100);
    odds_of(&s, &m, log_odds);
    for (int a = 0; a < GRAVITY_AXES; a++)
        assert_near(log_odds[a], 0, 0);
    skeleton_free(&s);
    motion_free(&m);
}
