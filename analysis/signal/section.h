/* Second-order filter sections, run forward and back over rows of channels so that nothing is delayed:
 *
 *     y(t) = b0 x(t) + b1 x(t-1) + b2 x(t-2) - a1 y(t-1) - a2 y(t-2),   unit gain at zero frequency
 *
 * The rows are continued at both ends by odd reflection, 2 x(0) - x(k), and either pass begins in the steady state of
 * the straight line through the continuation, so that constants and ramps pass unchanged and the ends do not ring.
 * References: F. Gustafsson, IEEE Trans. Signal Processing 44 (1996) 988-992 (why initial states matter);
 * D. A. Winter, Biomechanics and Motor Control of Human Movement, section 3.4.4 (the double pass). */
#ifndef KANE_SIGNAL_SECTION_H
#define KANE_SIGNAL_SECTION_H

#include "analysis/base/status.h"
#include "analysis/math/lane_width.h"
#include "analysis/signal/samples.h"

typedef struct Section {
    double b0, b1, b2, a1, a2;
} Section;

/* Magnitude of one pass at an angle of 2 pi frequency / rate. */
double section_gain(const Section *section, double angle);

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
Section butterworth_section(double cutoff, double rate);

/* A critically damped spring (analysis/math/spring.h) that moves towards each sample for one sampling interval; seen
 * from sample to sample that is a section. It never overshoots a step and rolls off more gently than a Butterworth.
 * The double pass is 3 dB down at cutoff; 0 < cutoff < rate / 2, both in Hz. */
Section spring_section(double cutoff, double rate);

/* Fewer rows than this stay as they are. */
#define SECTION_MIN_ROWS 4

/* Filters the samples along the rows in place, forward and back, each end continued by pad rows (held below the number
 * of rows). Every width gives the same bits. */
Status section_filter(const Section *section, const Samples *samples, size_t pad, LaneWidth lanes, Error *err);

#endif
