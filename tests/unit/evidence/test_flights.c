/* analysis/evidence/flights: free fall at any labelled rate, and what is none. */
#include "tests/support/test.h"

#include "analysis/evidence/flights.h"
#include "tests/support/evidence_body.h"

static Flights flights_of(const Motion *m, double label)
{
    Skeleton s;
    Flights flights;
    Motion labelled = *m; /* a shallow copy */
    walker_skeleton(&s);
    labelled.frame_time = m->frame_time / label;
    BodyTrack track = body_track(&s, &labelled);
    assert_int_equal(flights_measure(&track, vec3(0, 1, 0), &flights, NULL), STATUS_OK);
    body_track_free(&track);
    skeleton_free(&s);
    return flights;
}

TEST(jump_falls_with_g_at_its_rate)
{
    Motion m;
    for (double fps = 30; fps < 250; fps *= 2) {
        jumping_motion(&m, fps);
        assert_int_equal(flights_of(&m, 1).count, 1);
        assert_int_equal(flights_of(&m, 1).jumps, 1);
        assert_near(flights_of(&m, 1).acceleration, 9.80665, 1e-6);
        assert_near(flights_of(&m, 0.5).acceleration, 9.80665 / 4, 1e-6);
        assert_near(flights_of(&m, 4).acceleration, 9.80665 * 16, 1e-5);
        motion_free(&m);
    }
}

/* One foot stays on the ground below a body whose lowest point is the other, raised one. */
TEST(standing_on_a_box_is_no_flight)
{
    Motion m;
    standing_motion(&m, 200, 100);
    for (int f = 60; f < 140; f++)
        m.root_position[f].y += 0.3;
    assert_int_equal(flights_of(&m, 1).count, 0);
    motion_free(&m);
}

TEST(flight_that_the_clip_cuts_does_not_count)
{
    Motion m;
    jumping_motion(&m, 100);
    Motion cut = motion_view(&m, 0, 100);
    assert_int_equal(flights_of(&cut, 1).count, 0);
    motion_free(&m);
}
