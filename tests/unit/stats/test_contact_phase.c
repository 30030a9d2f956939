/* analysis/stats/events: a ballistic flight of known height, its landing, and what a trimmed clip cannot show. */
#include "tests/support/test.h"

#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/stats/events.h"

#define MASS 60.0
#define FPS 30.0
#define SPEED 2.5 /* m/s at take-off */

enum { FRAMES = 60, FIRST = 20 };

/* Last frame in the air: the flight lasts 2 v / g from the middle between frames FIRST - 1 and FIRST. */
static int last_frame(void) { return FIRST + (int)(2 * SPEED / GRAVITY * FPS - 0.5); }

/* One point that supports the body except in flight, with 4 body weights one frame after landing. */
static Clip jump(void)
{
    Clip c = {0};
    assert_int_equal(skeleton_init(&c.skeleton, 1, 0, NULL), STATUS_OK);
    assert_int_equal(motion_init(&c.motion, FRAMES, 1, 1 / FPS, 0, NULL), STATUS_OK);
    assert_int_equal(body_init(&c.body, 1, NULL), STATUS_OK);
    assert_int_equal(kinematics_init(&c.kinematics, FRAMES, 1, 1, NULL), STATUS_OK);
    assert_int_equal(contact_init(&c.contact, FRAMES, 1, 0, NULL), STATUS_OK);
    c.has_body = c.has_kinematics = c.has_contact = 1;
    c.body.total_mass = MASS;
    for (int f = 0; f < FRAMES; f++) {
        double t = (f - FIRST + 0.5) / FPS, end = 2 * SPEED / GRAVITY;
        c.kinematics.valid[f] = 1;
        c.kinematics.com[f].y = 1 + (t < 0 ? SPEED * t : t > end ? 0 : t * (SPEED - 0.5 * GRAVITY * t));
        c.contact.force[f].y = f < FIRST || f > last_frame() ? MASS * GRAVITY : 0;
    }
    c.contact.force[last_frame() + 2].y *= 4;
    return c;
}

/* h = v^2 / 2g, at a frame rate at which the body moves 8 cm between the last frame on the ground and the first in
 * flight. */
TEST(a_flight_is_as_high_as_its_speed_says)
{
    Clip c = jump();
    Flight flight = flight_measure(&c, FIRST, last_frame());
    assert_near(flight.height_m, SPEED * SPEED / (2 * GRAVITY), 0.002);
    assert_near(flight.landing_peak_bw, 4, 1e-12);
    clip_free(&c);
}

TEST(a_late_peak_is_no_landing)
{
    Clip c = jump();
    c.contact.force[last_frame() + 1 + (int)(FLIGHT_LANDING_TIME * FPS)].y = 9 * MASS * GRAVITY;
    assert_near(flight_measure(&c, FIRST, last_frame()).landing_peak_bw, 4, 1e-12);
    clip_free(&c);
}

TEST(what_a_cut_clip_does_not_show_is_unknown)
{
    Clip c = jump();
    c.kinematics.valid[FIRST - 1] = 0; /* take-off not in the clip */
    assert_true(isnan(flight_measure(&c, FIRST, last_frame()).height_m));
    c.kinematics.valid[FIRST - 1] = 1;
    c.kinematics.valid[FIRST + 4] = 0; /* ends while rising: neither apex nor landing */
    Flight cut = flight_measure(&c, FIRST, FIRST + 3);
    assert_true(isnan(cut.height_m));
    assert_true(isnan(cut.landing_peak_bw));
    assert_true(isnan(flight_measure(&c, 0, 3).height_m)); /* begins with the clip */
    assert_true(isnan(flight_measure(&c, FRAMES - 3, FRAMES - 1).landing_peak_bw));
    clip_free(&c);
}

/* An impact with an uncertain torque is not reported as a landing, in any frame before the peak; the flight remains. */
TEST(a_landing_that_is_not_trusted_is_unknown)
{
    Clip c = jump();
    assert_int_equal(trust_init(&c.trust, FRAMES, 1, 0, NULL), STATUS_OK);
    c.has_trust = 1;
    for (int f = last_frame() + 1; f <= last_frame() + 3; f++) {
        c.trust.reason[FIRST - 1] = c.trust.reason[f] = TRUST_UNCERTAIN;
        trust_settle(&c.trust);
        Flight flight = flight_measure(&c, FIRST, last_frame());
        assert_near(flight.height_m, SPEED * SPEED / (2 * GRAVITY), 0.002);
        if (f <= last_frame() + 2)
            assert_true(isnan(flight.landing_peak_bw));
        else
            assert_near(flight.landing_peak_bw, 4, 1e-12);
        c.trust.reason[f] = 0;
    }
    c.trust.reason[FIRST - 1] = TRUST_TELEPORT;
    trust_settle(&c.trust);
    assert_true(isnan(flight_measure(&c, FIRST, last_frame()).height_m));
    clip_free(&c);
}

TEST(a_clip_without_contact_has_no_flight)
{
    Clip c = jump();
    c.has_contact = 0;
    Flight flight = flight_measure(&c, FIRST, last_frame());
    assert_true(isnan(flight.height_m) && isnan(flight.landing_peak_bw));
    c.has_contact = 1;
    clip_free(&c);
}
