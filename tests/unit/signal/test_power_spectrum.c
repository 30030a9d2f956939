/* analysis/signal/power_spectrum: the density of sines and of noise, segments. */
#include "analysis/signal/power_spectrum.h"
#include "tests/support/random_number.h"
#include "tests/support/test.h"

#include <stdlib.h>

#include "analysis/math/elementary.h"

enum { INTERVALS = 128, CHANNELS = 3 };

static const double rate = 64; /* 2 s: frequencies are 0.25 Hz apart */

static PowerSpectrum spectrum_of(double *rows, Arena *arena)
{
    PowerSpectrum s = power_spectrum_new(INTERVALS, rate, arena);
    Samples segment = {rows, INTERVALS + 1, CHANNELS};
    assert_false(arena->failed);
    assert_int_equal(power_spectrum_add(&segment, 1, &s, NULL), STATUS_OK);
    return s;
}

TEST(sines_have_their_power_at_their_frequency)
{
    double x[(INTERVALS + 1) * CHANNELS];
    Arena arena = {0};
    (void)state;
    for (int i = 0; i <= INTERVALS; i++)
        for (int c = 0; c < CHANNELS; c++) /* 3, 4 and 5 Hz upon ramps */
            x[CHANNELS * i + c] = 7 - 0.3 * c * i + (c + 1) * elementary_sin(2 * PI * (3 + c) * i / rate);
    PowerSpectrum s = spectrum_of(x, &arena);
    assert_int_equal(s.count, INTERVALS + 1);
    assert_near(s.step, 0.25, 1e-15);
    for (size_t k = 0; k < s.count; k++) {
        double power = k == 12 ? 0.5 : k == 16 ? 2 : k == 20 ? 4.5 : 0;
        assert_near(s.density[k] * s.step, power, 1e-12);
    }
    arena_free(&arena);
}

/* White noise of variance v has the density 2 v / rate. */
TEST(white_noise_has_its_density)
{
    enum { SEGMENTS = 40 };
    double x[(INTERVALS + 1) * CHANNELS], mean = 0, variance = 0;
    unsigned seed = 3;
    Arena arena = {0};
    PowerSpectrum s = power_spectrum_new(INTERVALS, rate, &arena);
    (void)state;
    for (int n = 0; n < SEGMENTS; n++) {
        for (size_t i = 0; i < sizeof x / sizeof *x; i++) {
            x[i] = random_number(&seed);
            variance += x[i] * x[i] / (SEGMENTS * sizeof x / sizeof *x);
        }
        Samples segment = {x, INTERVALS + 1, CHANNELS};
        assert_int_equal(power_spectrum_add(&segment, 1.0 / SEGMENTS, &s, NULL), STATUS_OK);
    }
    for (size_t k = 20; k < 108; k++)
        mean += s.density[k] / 88;
    assert_near(mean, CHANNELS * 2 * variance / rate, 0.05 * CHANNELS * 2 * variance / rate);
    arena_free(&arena);
}

TEST(segments_have_a_power_of_two_of_intervals_up_to_4_s)
{
    static const struct {
        size_t rows;
        double rate;
        size_t intervals;
    } cases[] = {{0, 100, 0}, {2, 100, 0}, {3, 100, 2}, {64, 100, 32}, {65, 100, 64}, {9000, 100, 256}, {9000, 30, 64}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(power_spectrum_intervals(cases[i].rows, cases[i].rate), cases[i].intervals);
}
