/* analysis/signal/cutoff: the cutoff from the noise of a recording. */
#include "analysis/signal/biquad.h"
#include "analysis/signal/cutoff.h"
#include "tests/support/test.h"

#include <stdint.h>
#include <stdlib.h>

#include "analysis/math/elementary.h"
#include "analysis/motion/kinematics.h"

enum { ROWS = 1200, CHANNELS = 8 };

static const double rate = 120;

/* Uniform in -1 .. 1 (xorshift64). */
static double noise(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

typedef struct Recording {
    double white;  /* amplitude of uniform noise */
    double impact; /* amplitude of a single-row jolt, twice per second */
} Recording;

/* Oscillations of 0.5 to 2 Hz plus the given noise. The root is static. */
static double picked(Recording r, size_t rows)
{
    double *x = malloc(rows * CHANNELS * sizeof *x), *root = calloc(rows * 3, sizeof *root), cutoff = 0;
    uint64_t seed = 88172645463325252u;
    assert_non_null(x);
    assert_non_null(root);
    for (size_t i = 0; i < rows; i++)
        for (size_t c = 0; c < CHANNELS; c++) {
            double turn = 2 * PI * (0.5 + 0.25 * (double)(c / 2)) * (double)i / rate;
            double jolt = i % 60 == 30 ? r.impact : 0;
            x[i * CHANNELS + c] = 0.3 * elementary_sin(turn) + r.white * noise(&seed) + jolt;
        }
    Samples rotation = {x, rows, CHANNELS}, path = {root, rows, 3};
    assert_int_equal(cutoff_by_noise(&rotation, &path, rate, &cutoff, NULL), STATUS_OK);
    free(x);
    free(root);
    return cutoff;
}

TEST(clean_motion_has_max_cutoff_and_noise_min)
{
    (void)state;
    assert_near(picked((Recording){0}, ROWS), CUTOFF_HIGHEST, 0);
    assert_near(picked((Recording){.white = 0.01}, ROWS), CUTOFF_LOWEST, 0);
}

/* Spectral density of uniform noise a in 8 channels of half angles: 2 a sqrt(8 / 3) / sqrt(60 Hz). */
TEST(cutoff_follows_the_spectral_density)
{
    double white[] = {0.0008, 0.0016, 0.0024};
    (void)state;
    for (int i = 0; i < 3; i++) {
        double density = 2 * white[i] * sqrt(8.0 / 3) / sqrt(60);
        assert_near(picked((Recording){.white = white[i]}, ROWS), 8 * pow(0.0014 / density, 0.4), 0.6);
    }
}

/* Jolts occupy less than half of the time. */
TEST(impacts_are_not_noise)
{
    (void)state;
    assert_near(picked((Recording){.impact = 0.05}, ROWS), CUTOFF_HIGHEST, 0);
    double noisy = picked((Recording){.white = 0.0016}, ROWS);
    assert_near(picked((Recording){.white = 0.0016, .impact = 0.05}, ROWS), noisy, 0.8);
}

TEST(short_and_slow_recordings_have_a_cutoff)
{
    double still[150] = {0}, cutoff = 0;
    Samples rotation = {still, 50, 1}, root = {still, 50, 3};
    (void)state;
    assert_int_equal(cutoff_by_noise(&rotation, &root, 30, &cutoff, NULL), STATUS_OK);
    assert_near(cutoff, 13.5, 1e-12);
    rotation.row_count = root.row_count = 2;
    assert_int_equal(cutoff_by_noise(&rotation, &root, rate, &cutoff, NULL), STATUS_OK);
    assert_near(cutoff, CUTOFF_LOWEST, 0);
    assert_int_equal(cutoff_by_noise(&rotation, &root, 10, &cutoff, NULL), STATUS_OK);
    assert_near(cutoff, 4.5, 1e-12);
}
