/* Zero-lag Butterworth low-pass: a second-order section forward and back.
 *
 * The double pass lowers the -3 dB point, so the section's own cutoff is the stated one divided by
 * (sqrt 2 - 1)^(1/4) = 0.802, in the warped frequency tan(pi f / rate), where the correction is exact.
 * Reference: D. A. Winter, Biomechanics and Motor Control of Human Movement, section 3.4.4. */
#ifndef KANE_SIGNAL_BUTTERWORTH_H
#define KANE_SIGNAL_BUTTERWORTH_H

#include "analysis/signal/section.h"

/* Highest and lowest cutoff, as parts of the sampling rate. Below the lowest the coefficients lose their digits. */
#define CUTOFF_LIMIT 0.45
#define CUTOFF_FLOOR 1e-4

/* The cutoff (Hz) held between CUTOFF_FLOOR and CUTOFF_LIMIT of the rate (Hz). */
double cutoff_limit(double cutoff, double rate);

/* The section whose double pass is 3 dB down at cutoff; 0 < cutoff < rate / 2, both in Hz. */
Section butterworth_section(double cutoff, double rate);

/* Rows by which to continue the ends: a period and a half of the cutoff, after which the section has forgotten. */
size_t cutoff_pad(double cutoff, double rate);

#endif
