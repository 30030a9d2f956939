/* Cutoff from the noise of a recording.
 *
 * After a low-pass, white noise of density n gives accelerations proportional to n cutoff^(5/2), so the cutoff is
 * CUTOFF_LOWEST (n0 / n)^(2/5), clamped to CUTOFF_LOWEST .. CUTOFF_HIGHEST. The density is measured above
 * CUTOFF_HIGHEST (or 0.3 of the rate) as the median over windows of 0.1 s: impacts are shorter, noise is not. It sums
 * rotations (rad) of all joints and the root position (m), so that joints at rest and a rotation of the world have no
 * effect. n0 lies between trials that laboratories have low-pass filtered and the same trials with added white noise
 * (docs/decisions.md). Slow recordings contain motion in that band; they keep the lowest cutoff. */
#ifndef KANE_SIGNAL_CUTOFF_H
#define KANE_SIGNAL_CUTOFF_H

#include "analysis/base/status.h"
#include "analysis/signal/biquad.h"

#define CUTOFF_LOWEST 8.0   /* Hz, the default */
#define CUTOFF_HIGHEST 20.0 /* Hz */
#define CUTOFF_ROWS 2048    /* at most this many rows, from the middle, are analysed */
#define NOISE_BAND 0.3      /* part of the frame rate */

/* Computes the cutoff (Hz) for the zero-lag Butterworth from quaternion components with continuous signs and positions
 * (m), sampled at `rate` (Hz). At most 0.45 of the rate. Recordings shorter than a window give the lowest. */
Status cutoff_by_noise(const Samples *rotation, const Samples *root, double rate, double *cutoff, Error *err);

#endif
