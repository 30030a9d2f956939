/* analysis/retime/flight_rates: a ball that is thrown falls with g (Newton); a film of it that runs faster does not. */
#include "tests/support/test.h"

#include "analysis/base/standard_gravity.h"
#include "analysis/retime/flight_rates.h"

enum { FRAMES = 121, FIRST = 40, LAST = 80 };
static const double dt = 1.0 / 120;

/* One segment with a contact point that rests, is thrown to the side and up for a third of a second, and rests again;
 * shown `speed` times as fast. */
static Clip thrown(double speed, double gravity)
{
    Clip clip = {0};
    double flight = (LAST - FIRST) * dt;
    assert_int_equal(motion_init(&clip.motion, FRAMES, 1, dt / speed, 0, NULL), STATUS_OK);
    assert_int_equal(kinematics_init(&clip.kinematics, FRAMES, 1, 1, NULL), STATUS_OK);
    assert_int_equal(contact_init(&clip.contact, FRAMES, 1, 0, NULL), STATUS_OK);
    assert_int_equal(body_init(&clip.body, 1, NULL), STATUS_OK);
    clip.contact.point_position[0] = vec3(0, -0.9, 0);
    for (int f = 0; f < FRAMES; f++) {
        double t = fmin(fmax((f - FIRST) * dt, 0), flight);
        clip.kinematics.com[f] = vec3(2 * t, 0.9 + 0.5 * gravity * t * (flight - t), 0);
        clip.kinematics.position[f] = clip.kinematics.com[f];
        clip.kinematics.orientation[f] = QUAT_IDENTITY;
    }
    return clip;
}

static Flight single_flight(double speed, double gravity)
{
    FlightRates rates;
    Clip clip = thrown(speed, gravity);
    assert_int_equal(flight_rates_find(&clip, 1, &rates, NULL), STATUS_OK);
    assert_int_equal(rates.count, 1);
    Flight flight = rates.flight[0];
    flight_rates_free(&rates);
    clip_free(&clip);
    return flight;
}

TEST(flight_with_gravity_keeps_its_rate)
{
    Flight flight = single_flight(1, GRAVITY);
    assert_true(flight.rate == 1);
    assert_near(flight.acceleration, GRAVITY, 1e-9);
    assert_in_range(flight.first, FIRST + 1, FIRST + 6);
    assert_in_range(flight.last, LAST - 6, LAST - 1);
}

TEST(flight_of_a_faster_clip_takes_the_time_of_gravity)
{
    for (double speed = 1.25; speed < 3.5; speed += 0.25) {
        Flight flight = single_flight(speed, GRAVITY);
        assert_near(flight.rate, 1 / speed, 1e-9);
        assert_near(flight.acceleration, GRAVITY * speed * speed, 1e-6);
    }
}

TEST(flight_of_a_slower_clip_is_not_made_faster)
{
    assert_true(single_flight(0.5, GRAVITY).rate == 1);
    assert_true(single_flight(1, 0.4 * GRAVITY).rate == 1);
}

TEST(acceleration_within_the_error_of_the_parabola_is_gravity)
{
    assert_true(single_flight(1, 1.05 * GRAVITY).rate == 1);
    assert_true(single_flight(1, 1.5 * GRAVITY).rate < 0.85);
}

TEST(slow_view_of_a_clip_has_the_same_flights)
{
    FlightRates rates;
    Clip clip = thrown(0.4, GRAVITY); /* of a clip twice as fast as life, seen at a fifth of its rate */
    assert_int_equal(flight_rates_find(&clip, 0.2, &rates, NULL), STATUS_OK);
    assert_int_equal(rates.count, 1);
    assert_near(rates.flight[0].rate, 0.5, 1e-9);
    flight_rates_free(&rates);
    clip_free(&clip);
}

TEST(body_that_hangs_from_a_point_has_no_flight)
{
    FlightRates rates;
    Clip clip = thrown(1, GRAVITY);
    Vec3 bar = vec3(0.4, 1.5, 0);
    contact_free(&clip.contact);
    assert_int_equal(contact_init(&clip.contact, FRAMES, 2, 0, NULL), STATUS_OK);
    clip.contact.point_position[0] = vec3(0, -0.9, 0);
    for (int f = 0; f < FRAMES; f++) /* it turns so that its second point rests in the world */
        clip.kinematics.orientation[f] = QUAT_IDENTITY;
    clip.contact.point_position[1] = vec3_sub(bar, clip.kinematics.com[0]);
    for (int f = FIRST; f <= LAST; f++)
        clip.kinematics.position[f] = clip.kinematics.position[FIRST];
    for (int f = FIRST; f <= LAST; f++) /* feet drawn up, the rest of the body rests */
        clip.kinematics.position[f].y += 0.08;
    assert_int_equal(flight_rates_find(&clip, 1, &rates, NULL), STATUS_OK);
    assert_int_equal(rates.count, 0);
    flight_rates_free(&rates);
    clip_free(&clip);
}

TEST(clip_without_contact_points_has_no_flight)
{
    FlightRates rates;
    Clip clip = thrown(1, GRAVITY);
    clip.contact.point_count = 0;
    assert_int_equal(flight_rates_find(&clip, 1, &rates, NULL), STATUS_OK);
    assert_int_equal(rates.count, 0);
    flight_rates_free(&rates);
    clip_free(&clip);
}
