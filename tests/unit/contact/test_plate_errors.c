/* analysis/contact/plate_errors: errors of force plates, with values on both sides of each limit. */
#include "tests/support/test.h"

#include <string.h>

#include "analysis/contact/plate_errors.h"
#include "analysis/contact/plate_measures.h"
#include "analysis/contact/plate_signals.h"

/* Plates that agree with a walk in all measures. */
static PlateMeasures sound_measures(void)
{
    PlateMeasures m = {.motion = {[PLATE_WALK] = 1}, .frame_time = 0.01, .time = 1, .loaded_time = 1, .impulse = 1,
                       .lag_error = 0.001};
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        m.foot_impulse[foot] = m.load[foot][PLATE_UP] = m.load_match[foot] = 1;
        m.foot_lag_error[foot] = 0.001;
        m.product[foot] = (PlateProducts){{1, 1}, {1, 1}, {1, 1}, 0, 50};
    }
    for (int i = 0; i < 2; i++)
        for (int foot = 0; foot <= FOOT_COUNT; foot++)
            m.sign[i][foot] = 0.9;
    return m;
}

static PlateErrors find(const PlateMeasures *m)
{
    PlateErrors found;
    plate_errors_find(m, plate_sound, &found);
    return found;
}

static void assert_none(const PlateMeasures *m)
{
    PlateErrors found = find(m);
    if (found.count)
        fail_msg("%s of sound plates", plate_error_name(found.error[0].kind));
}

static void assert_one(const PlateMeasures *m, PlateErrorKind kind, int foot)
{
    PlateErrors found = find(m);
    assert_int_equal(found.count, 1);
    assert_string_equal(plate_error_name(found.error[0].kind), plate_error_name(kind));
    assert_int_equal(found.error[0].foot, foot);
    assert_true(found.error[0].certainty > 0.9 && found.error[0].certainty < 1);
}

TEST(valid_plates_have_no_error)
{
    PlateMeasures m = sound_measures();
    (void)state;
    assert_none(&m);
    m.impulse = 0.96;
    m.along[FOOT_LEFT] = m.along[FOOT_RIGHT] = 0.03;
    m.lag = m.foot_lag[FOOT_LEFT] = m.foot_lag[FOOT_RIGHT] = 0.015;
    m.offset[FOOT_LEFT] = 5;
    assert_none(&m);
}

/* Forces in kN are small but correlate with the estimate; those of an empty plate are small and do not. */
TEST(forces_in_kilonewtons_are_reported)
{
    PlateMeasures m = sound_measures();
    (void)state;
    m.load[FOOT_LEFT][PLATE_UP] = 0.001;
    assert_one(&m, PLATES_UNIT, FOOT_LEFT);
    m.load_match[FOOT_LEFT] = 0.8;
    assert_none(&m);
    m.load_match[FOOT_LEFT] = 1;
    m.load[FOOT_RIGHT][PLATE_UP] = 0.001;
    m.time = m.loaded_time = 0;
    assert_one(&m, PLATES_UNIT, FOOT_COUNT);
    m.load[FOOT_LEFT][PLATE_UP] = m.load[FOOT_RIGHT][PLATE_UP] = 0.01;
    assert_none(&m);
}

TEST(load_along_a_horizontal_axis_is_reported)
{
    PlateMeasures m = sound_measures();
    (void)state;
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        m.load[foot][PLATE_UP] = 0.1;
        m.load[foot][PLATE_RIGHTWARD] = -0.3;
    }
    assert_one(&m, PLATES_UPRIGHT, FOOT_COUNT);
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        m.load[foot][PLATE_UP] = 0.4;
    assert_none(&m);
}

TEST(scale_error_is_of_all_plates_or_one_foot)
{
    PlateMeasures m = sound_measures();
    (void)state;
    m.impulse = 0.9;
    m.foot_impulse[FOOT_LEFT] = m.foot_impulse[FOOT_RIGHT] = 0.9;
    assert_one(&m, PLATES_SCALE, FOOT_COUNT);
    assert_near(find(&m).error[0].value, 0.9, 1e-12);
    assert_near(find(&m).error[0].certainty, 1 - 0.011 * 0.011 / (0.099 * 0.099), 1e-9);
    m.impulse = 0.95;
    m.foot_impulse[FOOT_LEFT] = 1;
    assert_one(&m, PLATES_FOOT_SCALE, FOOT_RIGHT);
    m.impulse = -1;
    assert_one(&m, PLATES_DOWNWARD, FOOT_COUNT);
}

TEST(signs_and_rotations_are_distinguished)
{
    PlateMeasures m = sound_measures();
    (void)state;
    m.sign[1][FOOT_RIGHT] = -0.6;
    m.sign[1][FOOT_COUNT] = 0.1;
    m.product[FOOT_RIGHT].pe[1] = -1;
    assert_one(&m, PLATES_SIDE_SIGN, FOOT_RIGHT);
    m = sound_measures();
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        m.product[foot].pe[0] = m.product[foot].pe[1] = 0.1;
        m.product[foot].cross = 2;
    }
    assert_one(&m, PLATES_TURNED, FOOT_COUNT);
    assert_near(find(&m).error[0].value, atan2(2, 0.2), 1e-9);
    m = sound_measures();
    for (int i = 0; i < 2; i++)
        for (int foot = 0; foot <= FOOT_COUNT; foot++)
            m.sign[i][foot] = -0.9;
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        m.product[foot].pe[0] = m.product[foot].pe[1] = -1;
    assert_one(&m, PLATES_TURNED, FOOT_COUNT);
    assert_near(fabs(find(&m).error[0].value), 3.14159265, 1e-6);
}

/* 0.004 and 0.03 body weights (RMS) over 1 s; the second also over a tenth of the time of a single error. */
TEST(sign_of_a_force_within_the_estimates_error_is_no_error)
{
    PlateMeasures m = sound_measures();
    (void)state;
    m.sign[1][FOOT_RIGHT] = m.sign[1][FOOT_COUNT] = -0.6;
    m.product[FOOT_LEFT].pp[1] = m.product[FOOT_RIGHT].pp[1] = 0.0016;
    assert_none(&m);
    m.product[FOOT_RIGHT].pp[1] = 0.1;
    assert_one(&m, PLATES_SIDE_SIGN, FOOT_COUNT);
    m.frame_time = 0.0001;
    assert_none(&m);
}

/* Standing people's pressure differs more across the foot than walkers'. */
TEST(spread_is_that_of_the_kind_of_motion)
{
    PlateMeasures m = sound_measures();
    (void)state;
    m.outward[FOOT_LEFT] = m.outward[FOOT_RIGHT] = 0.045;
    assert_one(&m, PLATES_PRESSURE_SIDE, FOOT_COUNT);
    double walk = find(&m).error[0].certainty;
    m.motion[PLATE_WALK] = 0;
    m.motion[PLATE_STAND] = 1;
    assert_none(&m);
    m.outward[FOOT_LEFT] = m.outward[FOOT_RIGHT] = 0.06;
    assert_one(&m, PLATES_PRESSURE_SIDE, FOOT_COUNT);
    assert_true(find(&m).error[0].certainty < walk + 0.02);
    m.motion[PLATE_WALK] = m.motion[PLATE_STAND] = 0.5;
    m.outward[FOOT_LEFT] = m.outward[FOOT_RIGHT] = 0.045;
    assert_none(&m);
}

TEST(uncertain_lag_is_no_error)
{
    PlateMeasures m = sound_measures();
    (void)state;
    m.lag = m.foot_lag[FOOT_LEFT] = m.foot_lag[FOOT_RIGHT] = -0.03;
    assert_one(&m, PLATES_LATE, FOOT_COUNT);
    assert_near(find(&m).error[0].value, -0.03, 1e-12);
    m.lag_error = m.foot_lag_error[FOOT_LEFT] = m.foot_lag_error[FOOT_RIGHT] = 0.02;
    assert_none(&m);
    m = sound_measures();
    m.foot_lag[FOOT_LEFT] = 0.03;
    assert_one(&m, PLATES_LATE, FOOT_LEFT);
}

TEST(pressure_and_offset_errors_report_the_foot)
{
    PlateMeasures m = sound_measures();
    (void)state;
    m.along[FOOT_LEFT] = m.along[FOOT_RIGHT] = 0.06;
    assert_one(&m, PLATES_PRESSURE_ALONG, FOOT_COUNT);
    m.along[FOOT_RIGHT] = 0;
    assert_one(&m, PLATES_PRESSURE_ALONG, FOOT_LEFT);
    m.along[FOOT_LEFT] = 0;
    m.off_sole[FOOT_RIGHT] = 0.5;
    assert_one(&m, PLATES_OFF_SOLE, FOOT_RIGHT);
    m.off_sole[FOOT_RIGHT] = 0;
    m.offset[FOOT_RIGHT] = 15;
    assert_one(&m, PLATES_OFFSET, FOOT_RIGHT);
}

TEST(unmeasured_quantities_have_no_error)
{
    PlateMeasures m = sound_measures();
    (void)state;
    m.impulse = m.lag = m.offset[FOOT_LEFT] = m.along[FOOT_LEFT] = m.foot_impulse[FOOT_LEFT] = NAN;
    m.sign[0][FOOT_LEFT] = m.crossed_force = m.crossed_pressure = NAN;
    assert_none(&m);
    m = sound_measures();
    m.time = 0.1;
    m.loaded_time = 0.12;
    m.impulse = 0.5;
    assert_none(&m);
    m.crossed_pressure = 0.9;
    assert_one(&m, PLATES_EXCHANGED, FOOT_COUNT);
    m.crossed_pressure = 0;
    m.loaded_time = 2;
    assert_one(&m, PLATES_APART, FOOT_COUNT);
}
