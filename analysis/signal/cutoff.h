/* The cutoff that a recording itself suggests: residual analysis.
 *
 * The RMS difference between filtered and raw rows, over all channels, falls as the cutoff rises. Where only noise is
 * left to remove it falls on a straight line; that line's value at 0 Hz is the RMS of the noise, and the cutoff lies
 * where the residual equals it: as much signal is lost there as noise is let through.
 * References: D. A. Winter, Biomechanics and Motor Control of Human Movement, section 3.4.4.3; B. Yu et al.,
 * J. Applied Biomechanics 15 (1999) 318-329 (the line by regression). */
#ifndef KANE_SIGNAL_CUTOFF_H
#define KANE_SIGNAL_CUTOFF_H

#include "analysis/base/status.h"
#include "analysis/signal/samples.h"

/* Cutoff (Hz) for samples at a rate (Hz), for the zero-lag Butterworth: between CUTOFF_LOWEST and
 * CUTOFF_HIGHEST or 0.45 of the rate. The line is fitted over the upper half of that range: bodies hardly move at such
 * frequencies, while far above them a recording has often been filtered already and says nothing about its noise.
 * Looks at no more than the middle CUTOFF_ROWS rows. Rows without any motion give the highest. */
#define CUTOFF_LOWEST 1.0   /* Hz */
#define CUTOFF_HIGHEST 20.0 /* Hz */
#define CUTOFF_ROWS 2048
Status cutoff_by_residuals(const Samples *samples, double rate, double *cutoff, Error *err);

#endif
