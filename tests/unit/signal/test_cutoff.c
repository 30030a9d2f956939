/* analysis/motion/smooth: the residual analysis finds where a signal drowns in noise. */
#include "tests/support/test.h"

#include <stdint.h>
#include <stdlib.h>

#include "analysis/math/elementary.h"
#include "analysis/motion/smooth.h"

enum { ROWS = 3000, CHANNELS = 4 };

static const double rate = 120;

/* Uniform in -1 .. 1 (xorshift64). */
static double noise(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

/* Swings of 0.5 to 2 Hz and their harmonics, with noise of this amplitude. */
static double picked(double amplitude, size_t rows)
{
    double *x = malloc(rows * CHANNELS * sizeof *x), cutoff = 0;
    uint64_t seed = 88172645463325252u;
    assert_non_null(x);
    for (size_t i = 0; i < rows; i++)
        for (size_t c = 0; c < CHANNELS; c++) {
            double turn = 2 * PI * (0.5 + 0.5 * (double)c) * (double)i / rate;
            x[i * CHANNELS + c] = elementary_sin(turn) + 0.2 * elementary_sin(2 * turn) +
                                  0.02 * elementary_sin(3 * turn) + amplitude * noise(&seed);
        }
    assert_int_equal(cutoff_by_residuals(&(Samples){x, rows, CHANNELS}, rate, &cutoff, NULL), STATUS_OK);
    free(x);
    return cutoff;
}

TEST(cutoff_lies_above_the_signal_and_below_the_noise)
{
    double cutoff = picked(0.01, ROWS);
    assert_true(cutoff > 4 && cutoff < 9);
}

TEST(more_noise_asks_for_a_lower_cutoff)
{
    double little = picked(0.003, ROWS), some = picked(0.03, ROWS), much = picked(0.3, ROWS);
    assert_true(little > some && some > much);
    assert_true(much > CUTOFF_LOWEST && little < CUTOFF_HIGHEST);
}

TEST(a_still_or_short_recording_gives_the_highest)
{
    double still[50] = {0}, cutoff = 0;
    assert_int_equal(cutoff_by_residuals(&(Samples){still, 50, 1}, rate, &cutoff, NULL), STATUS_OK);
    assert_near(cutoff, CUTOFF_HIGHEST, 0);
    assert_int_equal(cutoff_by_residuals(&(Samples){still, 50, 1}, 30, &cutoff, NULL), STATUS_OK);
    assert_near(cutoff, 13.5, 1e-12);
    assert_int_equal(cutoff_by_residuals(&(Samples){still, 2, 1}, 2, &cutoff, NULL), STATUS_OK);
    assert_near(cutoff, 0.9, 1e-12);
}
