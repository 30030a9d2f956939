/* analysis/evidence/resting: points at rest near the ground. */
#include "tests/support/test.h"

#include "analysis/evidence/resting.h"
#include "tests/support/evidence_body.h"

static int count_at(double speed, Vec3 up, double *lowest)
{
    Skeleton s;
    Motion m;
    int point[WALKER_JOINTS + WALKER_ENDS];
    walker_skeleton(&s);
    standing_motion(&m, 20, 60);
    for (int f = 0; f < 20; f++)
        m.root_position[f].x += speed * f / 60;
    BodyTrack track = body_track(&s, &m);
    int count = resting_points(&track, 10, &(RestingDef){up, 1, 0.09}, point, lowest);
    body_track_free(&track);
    skeleton_free(&s);
    motion_free(&m);
    return count;
}

TEST(feet_of_a_standing_body_rest)
{
    double lowest;
    assert_int_equal(count_at(0, vec3(0, 1, 0), &lowest), 6); /* ankle, toe and tip of both feet */
    assert_near(lowest, STANDING_HIPS - 0.95, 1e-12);
}

TEST(no_point_of_a_moving_body_rests)
{
    double lowest;
    assert_int_equal(count_at(1, vec3(0, 1, 0), &lowest), 0);
    assert_int_equal(count_at(0.1, vec3(0, 1, 0), &lowest), 6);
}

TEST(upside_down_the_head_is_lowest)
{
    double lowest;
    assert_int_equal(count_at(0, vec3(0, -1, 0), &lowest), 2);
}
