/* Second-order filter sections, run forward and backward over rows of channels for zero phase lag:
 *   y(t) = b0 x(t) + b1 x(t-1) + b2 x(t-2) - a1 y(t-1) - a2 y(t-2),   unit gain at zero frequency
 * Both ends are extended by odd reflection, 2 x(0) - x(k), and each pass starts in the steady state of the straight
 * line through the extension, so that constants and ramps pass unchanged and the ends do not ring. References: F.
 * Gustafsson, IEEE Trans. Signal Processing 44 (1996) 988-992 (why initial states matter); D. A. Winter, Biomechanics
 * and Motor Control of Human Movement, section 3.4.4 (the double pass). */
#ifndef KANE_SIGNAL_BIQUAD_H
#define KANE_SIGNAL_BIQUAD_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/math/lane_width.h"

/* Channels sampled at the same equidistant times; filters run along the rows. */
typedef struct Samples {
    double *rows; /* [row][channel], not owned */
    size_t row_count, channel_count;
} Samples;

typedef struct Biquad {
    double b0, b1, b2, a1, a2;
} Biquad;

/* Gain of one pass at the angle 2 pi frequency / rate. */
double biquad_gain(const Biquad *section, double angle);

/* Highest and lowest cutoff as fractions of the sampling rate. Below the lowest, coefficients lose their significant
 * digits. */
#define CUTOFF_LIMIT 0.45
#define CUTOFF_FLOOR 1e-4

/* Clamps the cutoff (Hz) to CUTOFF_FLOOR .. CUTOFF_LIMIT of the rate (Hz). */
double cutoff_limit(double cutoff, double rate);

/* Number of rows by which ends are extended: 1.5 periods of the cutoff, after which the transient has decayed. */
size_t cutoff_pad(double cutoff, double rate);

/* Butterworth: the section whose double pass is 3 dB down at cutoff; 0 < cutoff < rate / 2, both in Hz.
 *
 * The double pass lowers the -3 dB point, so the section's own cutoff is the given one divided by (sqrt 2 - 1)^(1/4) =
 * 0.802, in the warped frequency tan(pi f / rate), where the correction is exact. */
Biquad butterworth_biquad(double cutoff, double rate);

/* A damped spring (spring_step below) that moves towards each sample for one sampling interval; at the samples this is
 * a second-order section. With a damping ratio zeta >= 1 it does not overshoot a step and rolls off more gently than a
 * Butterworth filter; below 1 it overshoots and rolls off more steeply. The double pass is 3 dB down at cutoff, the
 * lowest such frequency; 0 < cutoff < rate / 2, both in Hz. */
Biquad spring_biquad(double cutoff, double zeta, double rate);

/* Range of zeta: below it a spring rings longer than most clips; above it the ratio of its two time constants exceeds
 * 40,000. */
#define DAMPING_RATIO_LOWEST 0.1
#define DAMPING_RATIO_HIGHEST 100.0

/* Number of rows by which ends are extended: cutoff_pad, more for a spring that rings. */
size_t spring_pad(double cutoff, double zeta, double rate);

/* Fewer rows than this are not filtered. */
#define BIQUAD_MIN_ROWS 4

/* Filters the samples along the rows in place, forward and backward, with both ends extended by `pad` rows (less than
 * the number of rows). Results are bitwise equal at every width. Errors: no memory. */
Status biquad_filter(const Biquad *section, const Samples *samples, size_t pad, LaneWidth lanes, Error *err);

/* Filters one row of channels in place. One variant per instruction set.
 *
 * state is [2][channel_count], the transposed direct form II:
 *   y = b0 x + s1,   s1 = b1 x - a1 y + s2,   s2 = b2 x - a2 y */
typedef void BiquadRow(const Biquad *section, double *row, double *state, size_t channel_count);
LANE_TWINS(BiquadRow, biquad_row);

#endif
