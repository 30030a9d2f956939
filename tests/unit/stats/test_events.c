/* analysis/stats/events: peaks, windows, events and phases of contact. */
#include "tests/support/test.h"

#include <math.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/stats/clip_stats.h"
#include "analysis/stats/contact_phases.h"
#include "analysis/stats/events.h"
#include "analysis/stats/joint_peaks.h"
#include "analysis/stats/joint_series.h"
#include "analysis/stats/windows.h"
#include "tests/support/hinge_clip.h"
#include "tests/support/random_number.h"

/* Percentiles are the nearest rank, whatever the order of the values. */

TEST(percentile_is_the_nearest_rank)
{
    double value[1000];
    for (int i = 0; i < 1000; i++)
        value[i] = (i * 7919) % 1000; /* 0..999 in another order */
    assert_near(percentile(value, 1000, 0.95), 949, 0);
    assert_near(percentile(value, 1000, 0), 0, 0);
    assert_near(percentile(value, 1000, 1), 999, 0);
    for (int i = 0; i < 1000; i++)
        value[i] = 4;
    assert_near(percentile(value, 1000, 0.5), 4, 0);
}

/* By definition: at least the fraction is at or below the percentile, and less than it strictly below. */
TEST(percentile_matches_its_definition)
{
    unsigned seed = 11;
    for (int count = 1; count < 60; count++)
        for (int k = 1; k <= 10; k++) {
            double value[60], part = k / 10.0;
            for (int i = 0; i < count; i++)
                value[i] = floor(6 * random_number(&seed)); /* with ties */
            double p = percentile(value, count, part);
            int below = 0, up_to = 0;
            for (int i = 0; i < count; i++) {
                below += value[i] < p;
                up_to += value[i] <= p;
            }
            assert_true(up_to >= part * count - 1e-9);
            assert_true(below < part * count + 1e-9);
        }
}

/* A single value: the result for each fraction; infinity is an ordinary value. */
TEST(percentile_accepts_one_value_and_infinity)
{
    double one[] = {-3}, three[] = {INFINITY, 1, -INFINITY};
    assert_near(percentile(one, 1, 0), -3, 0);
    assert_near(percentile(one, 1, 0.95), -3, 0);
    assert_near(percentile(three, 3, 0.5), 1, 0);
    assert_true(isinf(percentile(three, 3, 1)));
}

/* Half-second windows tile a clip and have the statistics of their frames. */

#define AMPLITUDE 30.0 /* N m */

TEST(windows_tile_the_clip)
{
    Clip c = hinge_clip(130, AMPLITUDE);
    ClipStats s;
    assert_int_equal(clip_stats_init(&s, &c, FRAMES_TRUSTED, NULL), STATUS_OK);
    const Windows *w = &s.windows;
    assert_int_equal(w->window_count, 3);
    assert_int_equal(w->window[0].frame0, 0);
    for (int k = 0; k + 1 < w->window_count; k++) {
        assert_int_equal(w->window[k].frame1 + 1, w->window[k + 1].frame0);
        assert_near(w->window[k].t1, w->window[k + 1].t0, 1e-12);
    }
    assert_int_equal(w->window[1].frame0, 50);
    assert_near(w->window[2].t1, 1.30, 1e-12);
    assert_int_equal(w->stat_count, 3); /* the knee in each; the hips only have the residual */
    assert_int_equal(w->stat[0].role, ROLE_LEFT_KNEE);
    /* 50 samples of a half period */
    assert_near(w->stat[0].torque_rms_mnm_kg, ceil(1000 * AMPLITUDE / HINGE_MASS * sqrt(0.5)), 0);
    assert_near(w->stat[0].power_min_mw_kg, 0, 0);
    assert_near(w->stat[1].power_min_mw_kg, floor(-1000 * 100 / HINGE_MASS), 0);
    clip_stats_free(&s);
    clip_free(&c);
}

/* A window without trusted frames is empty, its neighbours are not. */
TEST(untrusted_windows_have_no_statistics)
{
    Clip c = hinge_clip(150, AMPLITUDE);
    JointSeries series;
    Windows w;
    for (int f = 50; f < 100; f++)
        c.kinematics.valid[f] = 0;
    assert_int_equal(joint_series_init(&series, &c, FRAMES_TRUSTED, NULL), STATUS_OK);
    assert_int_equal(windows_init(&w, &c, &series, NULL), STATUS_OK);
    assert_int_equal(w.window_count, 3);
    assert_int_equal(w.stat_count, 2);
    for (int i = 0; i < w.stat_count; i++)
        assert_int_not_equal(w.stat[i].window, 1);
    windows_free(&w);
    joint_series_free(&series);
    clip_free(&c);
}

/* Peaks, steps and flights of a clip with known torques and contacts. */

TEST(peaks_steps_and_flights_become_events)
{
    Clip c = hinge_clip(200, AMPLITUDE);
    assert_int_equal(contact_init(&c.contact, 200, 1, 0, NULL), STATUS_OK);
    c.has_contact = 1;
    c.contact.point_joint[0] = 1;
    c.skeleton.segment[1] = ROLE_LEFT_TOE;
    for (int f = 0; f < 200; f++) {
        c.contact.state[f] = f < 80 || f >= 120;
        c.contact.foot_force[(size_t)f * FOOT_COUNT].y = f == 10 ? 2 * HINGE_MASS * 9.80665 : 1;
        c.contact.confidence[f] = 0.5;
    }
    ClipStats s;
    assert_int_equal(clip_stats_init(&s, &c, FRAMES_TRUSTED, NULL), STATUS_OK);
    const Event *e = s.events.event;
    assert_int_equal(s.events.count, 4 + 2 + 1);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(e[i].kind, EVENT_TORQUE_PEAK);
        assert_near(e[i].t0, 0.25 + 0.5 * i, 1e-12);
        assert_near(e[i].value, AMPLITUDE / HINGE_MASS, 1e-12);
    }
    assert_int_equal(e[4].kind, EVENT_FOOT_CONTACT);
    assert_int_equal(e[4].role, ROLE_LEFT_ANKLE);
    assert_int_equal(e[4].frame1, 79);
    assert_near(e[4].value, 2, 1e-12);
    assert_int_equal(e[5].frame0, 120);
    assert_int_equal(e[6].kind, EVENT_FLIGHT);
    assert_int_equal(e[6].frame0, 80);
    assert_near(e[6].value, 0.4, 1e-12);
    assert_near(s.metrics.flight_s, 0.4, 1e-12);
    assert_near(s.metrics.contact_confidence, 0.5, 1e-12);
    clip_stats_free(&s);
    clip_free(&c);
}

/* Without contact points flight is unknown; without trusted frames there are no peaks. */
TEST(clip_without_trusted_frames_has_no_events)
{
    Clip c = hinge_clip(100, AMPLITUDE);
    JointSeries series;
    Events events;
    for (int f = 0; f < 100; f++)
        c.kinematics.valid[f] = 0;
    assert_int_equal(joint_series_init(&series, &c, FRAMES_TRUSTED, NULL), STATUS_OK);
    assert_int_equal(events_init(&events, &c, &series, NULL), STATUS_OK);
    assert_int_equal(events.count, 0);
    assert_true(isnan(events.flight_s));
    events_free(&events);
    joint_series_free(&series);
    clip_free(&c);
}

/* A ballistic flight of known height, its landing, and what a trimmed clip cannot show. */

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
TEST(flight_height_follows_takeoff_speed)
{
    Clip c = jump();
    Flight flight = flight_measure(&c, FIRST, last_frame());
    assert_near(flight.height_m, SPEED * SPEED / (2 * GRAVITY), 0.002);
    assert_near(flight.landing_peak_bw, 4, 1e-12);
    clip_free(&c);
}

TEST(late_peak_is_not_a_landing)
{
    Clip c = jump();
    c.contact.force[last_frame() + 1 + (int)(FLIGHT_LANDING_TIME * FPS)].y = 9 * MASS * GRAVITY;
    assert_near(flight_measure(&c, FIRST, last_frame()).landing_peak_bw, 4, 1e-12);
    clip_free(&c);
}

TEST(flight_cut_by_the_clip_has_unknown_height)
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
TEST(untrusted_landing_is_unknown)
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

TEST(clip_without_contact_has_no_flight)
{
    Clip c = jump();
    c.has_contact = 0;
    Flight flight = flight_measure(&c, FIRST, last_frame());
    assert_true(isnan(flight.height_m) && isnan(flight.landing_peak_bw));
    c.has_contact = 1;
    clip_free(&c);
}
