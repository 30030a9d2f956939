/* Smoothing methods, each one row of a table: its parameters and its filter; and the cutoff from the noise of a
 * recording. analysis/motion/kinematics.h smooths a motion by them.
 *
 * To add a method, add a value of SmoothMethod here, its rows in smoothing.c, and its text in
 * pipeline/stages/smooth.c. */
#ifndef KANE_SIGNAL_SMOOTHING_H
#define KANE_SIGNAL_SMOOTHING_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/math/lane_width.h"

/* Channels sampled at the same equidistant times; filters run along the rows. */

typedef struct Samples {
    double *rows; /* [row][channel], not owned */
    size_t row_count, channel_count;
} Samples;

/* Second-order filter sections, run forward and backward over rows of channels for zero phase lag:
 *   y(t) = b0 x(t) + b1 x(t-1) + b2 x(t-2) - a1 y(t-1) - a2 y(t-2),   unit gain at zero frequency
 * Both ends are extended by odd reflection, 2 x(0) - x(k), and each pass starts in the steady state of the straight
 * line through the extension, so that constants and ramps pass unchanged and the ends do not ring. References: F.
 * Gustafsson, IEEE Trans. Signal Processing 44 (1996) 988-992 (why initial states matter); D. A. Winter, Biomechanics
 * and Motor Control of Human Movement, section 3.4.4 (the double pass). */

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

/* Damped spring in closed form: x'' = -omega^2 x - 2 zeta omega x', x relative to the rest position.
 *
 * One step of any length is exact, so n steps of dt equal one of n dt. Valid for every omega >= 0 and zeta >= 0 without
 * a tolerance around critical damping; omega = 0 continues at constant velocity.
 *
 * Reference: R. Juckett, Damped Springs (2012); here with sinc and (1 - e^-u) / u, which include the critical case. */

/* State after a step: x = xx x0 + xv v0, v = vx x0 + vv v0. */
typedef struct SpringStep {
    double xx, xv; /* 1, s */
    double vx, vv; /* 1/s, 1 */
} SpringStep;

/* omega in rad/s, zeta: damping ratio (1: critical), dt in s. */
SpringStep spring_step(double omega, double zeta, double dt);

/* Advances position and velocity by one step towards rest. */
static inline void spring_advance(const SpringStep *step, double rest, double *position, double *velocity)
{
    double x = *position - rest, v = *velocity;
    *position = rest + (step->xx * x + step->xv * v);
    *velocity = step->vx * x + step->vv * v;
}

/* Savitzky-Golay weights: value or derivative, at any sample of a window, of the least-squares polynomial through
 * equidistant samples, as a weighted sum of these.
 *
 * Uses Gram polynomials, which are orthogonal over the window, so that no linear system is solved. Reference: P. A.
 * Gorry, Analytical Chemistry 62 (1990) 570-573, equations 8 and 11. */

#define SAVGOL_MAX_WINDOW 1023
#define SAVGOL_MAX_ORDER 12

/* STATUS_USAGE unless window is odd, 3 .. SAVGOL_MAX_WINDOW, and order is 0 .. SAVGOL_MAX_ORDER below window. */
Status savgol_check(int window, int order, Error *err);

/* Fills weights[window] for the given derivative (0: the value) at sample `at` (0 .. window - 1), for unit sample
 * spacing: divide the sum by spacing^derivative. Window and order must pass savgol_check. */
void savgol_weights(int window, int order, int derivative, int at, double *weights);

/* Smooths along the rows in place; the first and last half windows use the fits of the first and last window. Fewer
 * rows than a window are not smoothed. */
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
    double cutoff;       /* butterworth, spring: Hz, -3 dB of the whole zero-lag filter; default 8; 0: automatic by
                            residual analysis, one cutoff per clip */
    double damping_ratio; /* spring: 1 is critical; default 1 */
    int window;          /* savgol: frames, odd; default 9 */
    int order;           /* savgol: polynomial degree; default 3 */
} SmoothDef;

SmoothDef smooth_default_def(void);

/* Names in the order of the enum, such as "butterworth"; ends with NULL. */
extern const char *const smooth_method_names[];

typedef struct Smoother {
    int has_cutoff;                                       /* 1: uses def->cutoff; the caller resolves 0 */
    Status (*check)(const SmoothDef *def, Error *err);    /* STATUS_USAGE for invalid parameters */
    int (*least_rows)(const SmoothDef *def);              /* fewer rows are not filtered */
    /* Filters `count` sets of samples with the same rate (Hz) along their rows, in place. NULL: no filter. */
    Status (*filter)(const Samples *samples, int count, const SmoothDef *def, double rate, Error *err);
} Smoother;

/* Returns NULL for an invalid method. Static storage. */
const Smoother *smoother_of(SmoothMethod method);

/* Cutoff from the noise of a recording.
 *
 * After a low-pass, white noise of density n gives accelerations proportional to n cutoff^(5/2), so the cutoff is
 * CUTOFF_LOWEST (n0 / n)^(2/5), clamped to CUTOFF_LOWEST .. CUTOFF_HIGHEST. The density is measured above
 * CUTOFF_HIGHEST (or 0.3 of the rate) as the median over windows of 0.1 s: impacts are shorter, noise is not. It sums
 * rotations (rad) of all joints and the root position (m), so that joints at rest and a rotation of the world have no
 * effect. n0 lies between trials that laboratories have low-pass filtered and the same trials with added white noise
 * (docs/decisions.md). Slow recordings contain motion in that band; they keep the lowest cutoff. */

#define CUTOFF_LOWEST 8.0   /* Hz, the default */
#define CUTOFF_HIGHEST 20.0 /* Hz */
#define CUTOFF_ROWS 2048    /* at most this many rows, from the middle, are analysed */
#define NOISE_BAND 0.3      /* part of the frame rate */

/* Computes the cutoff (Hz) for the zero-lag Butterworth from quaternion components with continuous signs and positions
 * (m), sampled at `rate` (Hz). At most 0.45 of the rate. Recordings shorter than a window give the lowest. */
Status cutoff_by_noise(const Samples *rotation, const Samples *root, double rate, double *cutoff, Error *err);

#endif
