/* The methods of smoothing, each a row of one table: what it needs, and its filter.
 *
 * A new method is a value of SmoothMethod here, its rows in smoothing.c, and its words in pipeline/stages/smooth.c. */
#ifndef KANE_SIGNAL_SMOOTHING_H
#define KANE_SIGNAL_SMOOTHING_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/math/lane_width.h"

/* Channels sampled together, in equal steps of time: what filters run along. */

typedef struct Samples {
    double *rows; /* [row][channel], borrowed */
    size_t row_count, channel_count;
} Samples;

/* Second-order filter sections, run forward and back over rows of channels so that nothing is delayed:
 *
 *     y(t) = b0 x(t) + b1 x(t-1) + b2 x(t-2) - a1 y(t-1) - a2 y(t-2),   unit gain at zero frequency
 *
 * The rows are continued at both ends by odd reflection, 2 x(0) - x(k), and either pass begins in the steady state of
 * the straight line through the continuation, so that constants and ramps pass unchanged and the ends do not ring.
 * References: F. Gustafsson, IEEE Trans. Signal Processing 44 (1996) 988-992 (why initial states matter);
 * D. A. Winter, Biomechanics and Motor Control of Human Movement, section 3.4.4 (the double pass). */

typedef struct Biquad {
    double b0, b1, b2, a1, a2;
} Biquad;

/* Magnitude of one pass at an angle of 2 pi frequency / rate. */
double biquad_gain(const Biquad *section, double angle);

/* Highest and lowest cutoff, as parts of the sampling rate. Below the lowest the coefficients lose their digits. */
#define CUTOFF_LIMIT 0.45
#define CUTOFF_FLOOR 1e-4

/* The cutoff (Hz) held between CUTOFF_FLOOR and CUTOFF_LIMIT of the rate (Hz). */
double cutoff_limit(double cutoff, double rate);

/* Rows by which to continue the ends: a period and a half of the cutoff, after which the section has forgotten. */
size_t cutoff_pad(double cutoff, double rate);

/* Butterworth: the section whose double pass is 3 dB down at cutoff; 0 < cutoff < rate / 2, both in Hz.
 *
 * The double pass lowers the -3 dB point, so the section's own cutoff is the stated one divided by
 * (sqrt 2 - 1)^(1/4) = 0.802, in the warped frequency tan(pi f / rate), where the correction is exact. */
Biquad butterworth_biquad(double cutoff, double rate);

/* A damped spring (spring_step below) that moves towards each sample for one sampling interval; seen from sample to
 * sample that is a section. With the damping ratio zeta >= 1 it never overshoots a step and rolls off more gently than
 * a Butterworth; below 1 it overshoots and rolls off more steeply. The double pass is 3 dB down at cutoff, the lowest
 * such frequency; 0 < cutoff < rate / 2, both in Hz. */
Biquad spring_biquad(double cutoff, double zeta, double rate);

/* Range of zeta: below it a spring rings for longer than most clips; above it its two time constants are 40,000
 * apart. */
#define DAMPING_RATIO_LOWEST 0.1
#define DAMPING_RATIO_HIGHEST 100.0

/* Rows by which to continue the ends: as cutoff_pad, longer for a spring that rings. */
size_t spring_pad(double cutoff, double zeta, double rate);

/* Fewer rows than this stay as they are. */
#define BIQUAD_MIN_ROWS 4

/* Filters the samples along the rows in place, forward and back, each end continued by pad rows (held below the number
 * of rows). Every width gives the same bits. */
Status biquad_filter(const Biquad *section, const Samples *samples, size_t pad, LaneWidth lanes, Error *err);

/* One row of channels through a section, in place. One twin an instruction set.
 *
 * state is [2][channel_count], the transposed direct form II:
 *     y = b0 x + s1,   s1 = b1 x - a1 y + s2,   s2 = b2 x - a2 y */

typedef void BiquadRow(const Biquad *section, double *row, double *state, size_t channel_count);

LANE_TWINS(BiquadRow, biquad_row);

/* Damped spring in closed form: x'' = -omega^2 x - 2 zeta omega x', x measured from rest.
 *
 * One step of any length is exact, so n steps of dt are one of n dt. Valid for every omega >= 0 and zeta >= 0 without a
 * band of tolerance around critical damping; omega = 0 moves on at constant velocity.
 * Reference: R. Juckett, Damped Springs (2012); here with sinc and (1 - e^-u) / u, which include the critical case. */

/* State after a step: x = xx x0 + xv v0, v = vx x0 + vv v0. */
typedef struct SpringStep {
    double xx, xv; /* 1, s */
    double vx, vv; /* 1/s, 1 */
} SpringStep;

/* omega in rad/s, zeta the damping ratio (1: critical), dt in s. */
SpringStep spring_step(double omega, double zeta, double dt);

/* Moves position and velocity one step towards rest. */
static inline void spring_advance(const SpringStep *step, double rest, double *position, double *velocity)
{
    double x = *position - rest, v = *velocity;
    *position = rest + (step->xx * x + step->xv * v);
    *velocity = step->vx * x + step->vv * v;
}

/* Savitzky-Golay weights: the least-squares polynomial through a window of equally spaced samples, its value or a
 * derivative at any sample of the window, as a weighted sum of the samples.
 *
 * By Gram polynomials, which are orthogonal over the window, so no linear system is solved.
 * Reference: P. A. Gorry, Analytical Chemistry 62 (1990) 570-573, equations 8 and 11. */

#define SAVGOL_MAX_WINDOW 1023
#define SAVGOL_MAX_ORDER 12

/* STATUS_USAGE unless window is odd, 3 .. SAVGOL_MAX_WINDOW, and order is 0 .. SAVGOL_MAX_ORDER below window. */
Status savgol_check(int window, int order, Error *err);

/* weights[window] of the given derivative (0: the value) at sample `at` (0 .. window - 1), per sample spacing: divide
 * the sum by spacing^derivative. Window and order as savgol_check accepts them. */
void savgol_weights(int window, int order, int derivative, int at, double *weights);

/* Smooths along the rows in place; the first and last half windows by the fits of the first and last window. Fewer rows
 * than a window stay as they are. */
Status savgol_smooth(const Samples *samples, int window, int order, Error *err);

typedef enum SmoothMethod {
    SMOOTH_BUTTERWORTH = 0,
    SMOOTH_SAVGOL,
    SMOOTH_SPRING,
    SMOOTH_NONE,
    SMOOTH_METHOD_COUNT
} SmoothMethod;

typedef struct SmoothDef {
    SmoothMethod method; /* default butterworth */
    double cutoff;       /* butterworth, spring: Hz, -3 dB of the whole zero-lag filter; default 8; 0: auto by residual
                            analysis, one cutoff for the clip */
    double damping_ratio; /* spring: 1 is critical; default 1 */
    int window;          /* savgol: frames, odd; default 9 */
    int order;           /* savgol: polynomial degree; default 3 */
} SmoothDef;

SmoothDef smooth_default_def(void);

/* Names in the order of the enum, NULL behind the last: "butterworth". */
extern const char *const smooth_method_names[];

typedef struct Smoother {
    int has_cutoff;                                       /* 1: runs at def->cutoff, which is resolved before */
    Status (*check)(const SmoothDef *def, Error *err);    /* STATUS_USAGE for numbers that are none */
    int (*least_rows)(const SmoothDef *def);              /* fewer stay as they are */
    /* Filters `count` sets of samples of one rate (Hz) along their rows, in place. NULL: the method leaves them. */
    Status (*filter)(const Samples *samples, int count, const SmoothDef *def, double rate, Error *err);
} Smoother;

/* NULL where the number names no method. Valid for the life of the program. */
const Smoother *smoother_of(SmoothMethod method);

#endif
