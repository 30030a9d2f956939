/* analysis/signal/cutoff: the cutoff of the least predicted error, from spectra that are known. */
#include "analysis/signal/cutoff.h"
#include "tests/support/random_number.h"
#include "tests/support/test.h"

#include <math.h>

#include "analysis/math/elementary.h"
#include "analysis/signal/biquad.h"

enum { MOST = 1024 };

/* Density motion (f / 4 Hz)^-fall + noise f^-slope, times `line` from 10.5 to 11.1 Hz, if it is above 0. */
typedef struct Recording {
    double motion, fall, noise, slope, line;
} Recording;

static const Recording walk = {1e-5, 9, 1e-8, 0, 0};

static double motion_at(const Recording *r, double f) { return r->motion * pow(f / 4, -r->fall); }

static CutoffChoice chosen(Recording r, double rate, double given)
{
    double density[MOST + 1] = {0};
    PowerSpectrum s = {.step = 0.2, .count = (size_t)(rate / 2 / 0.2) + 1, .density = density};
    assert_true(s.count <= MOST + 1);
    for (size_t k = 1; k < s.count; k++) {
        double f = s.step * (double)k, line = r.line > 0 && f > 10.4 && f < 11.2 ? r.line : 1;
        density[k] = line * (motion_at(&r, f) + r.noise * pow(f, -r.slope));
    }
    return cutoff_choose(&s, given, rate);
}

/* The error of the acceleration at a cutoff, with the true motion and noise, and the filter's continuous form. */
static double true_error(const Recording *r, double rate, double cutoff)
{
    double sum = 0;
    for (double f = 0.2; f < rate / 2; f += 0.2) {
        double pass = 1 / (1 + (sqrt(2) - 1) * pow(f / cutoff, 4)), stop = 1 - pass;
        sum += pow(2 * PI * f, 4) * (stop * stop * motion_at(r, f) + pass * pass * r->noise) * 0.2;
    }
    return sqrt(sum);
}

static double best_cutoff(const Recording *r, double rate)
{
    double best = 4;
    for (double c = 4; c <= 20; c *= 1.005)
        if (true_error(r, rate, c) < true_error(r, rate, best))
            best = c;
    return best;
}

TEST(cutoff_minimizes_the_error)
{
    (void)state;
    for (double noise = 1e-10; noise < 2e-8; noise *= 3) {
        Recording r = walk;
        r.noise = noise;
        double best = best_cutoff(&r, 120);
        assert_true(best > 4.5 && best < 19);
        CutoffChoice c = chosen(r, 120, 0);
        assert_near(c.cutoff, best, 0.1 * best);
        assert_near(c.noise, sqrt(noise), 0.1 * sqrt(noise));
        double error = true_error(&r, 120, best); /* the prediction has no motion above the edge */
        assert_near(c.error, error, 0.25 * error);
    }
}

TEST(more_noise_lowers_the_cutoff_to_the_lowest)
{
    Recording r = walk;
    double last = cutoff_constants.highest;
    (void)state;
    r.noise = 0;
    assert_near(chosen(r, 120, 0).cutoff, cutoff_constants.highest, 0);
    for (r.noise = 1e-12; r.noise < 1e-5; r.noise *= 10) {
        double cutoff = chosen(r, 120, 0).cutoff;
        assert_true(cutoff <= last);
        last = cutoff;
    }
    assert_near(last, cutoff_constants.lowest, 0);
}

TEST(frame_rate_and_unit_do_not_matter)
{
    static const double rates[] = {40, 60, 100, 240, 400};
    Recording large = {1024 * walk.motion, walk.fall, 1024 * walk.noise, 0, 0};
    double cutoff = chosen(walk, 120, 0).cutoff;
    (void)state;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        assert_near(chosen(walk, rates[i], 0).cutoff, cutoff, 0.1 * cutoff);
    assert_near(chosen(large, 120, 0).cutoff, cutoff, 0);
    assert_near(chosen(large, 120, 0).noise, 32 * chosen(walk, 120, 0).noise, 1e-12);
}

/* The edge of this motion is at 9 Hz. */
TEST(harmonic_of_the_steps_above_the_edge_is_motion)
{
    Recording r = walk;
    double without = chosen(r, 120, 0).cutoff;
    (void)state;
    r.line = 40;
    assert_true(chosen(r, 120, 0).cutoff > 1.03 * without);
    r.line = 2; /* the noise's own scatter */
    assert_true(chosen(r, 120, 0).cutoff <= without);
}

/* Noise whose density falls or rises with frequency is as good as white noise of its density at the edge. */
TEST(noise_may_have_a_colour)
{
    double white = chosen(walk, 120, 0).cutoff;
    (void)state;
    for (double slope = -1; slope <= 2; slope++) {
        Recording r = {walk.motion, walk.fall, walk.noise * pow(8, slope), slope, 0};
        assert_near(chosen(r, 120, 0).cutoff, white, 0.2 * white);
    }
}

TEST(noise_that_is_given_replaces_the_measured)
{
    Recording noisy = walk, clean = walk;
    (void)state;
    noisy.noise = 1e-7;
    clean.noise = 0;
    CutoffChoice given = chosen(noisy, 120, sqrt(1e-7)), measured = chosen(noisy, 120, 0);
    assert_near(given.cutoff, measured.cutoff, 0.1 * measured.cutoff);
    assert_near(given.noise, sqrt(1e-7), 1e-15);
    assert_true(chosen(noisy, 120, 1e-2).cutoff < measured.cutoff);
    assert_true(chosen(clean, 120, sqrt(1e-7)).cutoff < 0.5 * cutoff_constants.highest);
}

TEST(slow_rates_limit_the_cutoff_and_rest_leaves_8_hz)
{
    Recording rest = {0}, clean = {1e-5, 9, 0, 0, 0};
    (void)state;
    assert_near(chosen(clean, 24, 0).cutoff, 10.8, 0.05 * 10.8);
    assert_true(chosen(clean, 24, 0).cutoff <= 10.8 + 1e-12);
    assert_near(chosen(clean, 8, 0).cutoff, 3.6, 1e-12);
    CutoffChoice c = chosen(rest, 120, 0);
    assert_near(c.cutoff, cutoff_constants.unknown, 0);
    assert_near(c.noise, 0, 0);
    assert_near(cutoff_unknown(10).cutoff, 4.5, 1e-12);
}

TEST(error_of_a_stated_cutoff_is_that_of_its_filter)
{
    double density[MOST + 1] = {0};
    PowerSpectrum s = {.step = 0.2, .count = 301, .density = density};
    (void)state;
    for (size_t k = 1; k < s.count; k++)
        density[k] = motion_at(&walk, s.step * (double)k) + walk.noise;
    CutoffChoice best = cutoff_choose(&s, 0, 120);
    assert_near(cutoff_error(&s, 0, best.cutoff, 120), best.error, 1e-9 * best.error);
    /* Motion above the edge counts as noise, and the analog filter differs above a tenth of the rate. */
    for (double cutoff = 2, last = INFINITY; cutoff < 12; cutoff *= 1.5) {
        double expected = true_error(&walk, 120, cutoff), error = cutoff_error(&s, 0, cutoff, 120);
        assert_near(error, expected, 0.25 * expected);
        assert_true(error >= best.error && (cutoff < best.cutoff ? error < last : 1));
        last = error;
    }
}

/* White noise in 0 .. 50 Hz, filtered twice, differentiated twice, its mean over 0.1 s. */
TEST(mean_acceleration_of_filtered_noise_has_the_predicted_spread)
{
    enum { ROWS = 40000, SPAN = 10 };
    double rate = 100, density = 1e-3, cutoff = 8, square = 0;
    double *x = calloc(ROWS, sizeof *x);
    unsigned seed = 11;
    Biquad section = butterworth_biquad(cutoff, rate);
    Samples samples = {x, ROWS, 1};
    (void)state;
    assert_non_null(x);
    for (int i = 0; i < ROWS; i++)
        x[i] = density * sqrt(rate / 2) * sqrt(3) * random_number(&seed);
    assert_int_equal(biquad_filter(&section, &samples, cutoff_pad(cutoff, rate), LANES_AUTO, NULL), STATUS_OK);
    for (int i = 1; i + SPAN + 1 < ROWS; i++) { /* the mean of second differences is a difference of velocities */
        double mean = ((x[i + SPAN + 1] - x[i + SPAN]) - (x[i] - x[i - 1])) * rate / (SPAN + 1) * rate;
        square += mean * mean / (ROWS - SPAN - 2);
    }
    double predicted = cutoff_mean_noise(density, cutoff, rate, (SPAN + 1) / rate);
    assert_near(sqrt(square), predicted, 0.04 * predicted);
    free(x);
}
