/* analysis/stats/events: peaks, steps and flights of a clip with known torques and contacts. */
#include "tests/support/test.h"

#include <math.h>

#include "analysis/stats/clip_stats.h"
#include "tests/support/hinge_clip.h"

#define AMPLITUDE 30.0 /* Nm */

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
TEST(what_cannot_be_known_is_no_event)
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
