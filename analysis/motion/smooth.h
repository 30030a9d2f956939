/* Smoothing of a motion: rotations as rotations, never as Euler angles.
 *
 * Root position, translations and the quaternions' components with continuous signs are filtered along time and the
 * quaternions made unit again. The filters are linear, so smoothing commutes with a rotation of the world. */
#ifndef KANE_MOTION_SMOOTH_H
#define KANE_MOTION_SMOOTH_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/math/lane_width.h"
#include "analysis/math/quat.h"
#include "analysis/signal/smoothing.h"

/* Quaternions made unit again, several at once. One twin an instruction set. */

typedef void QuatsNormalize(Quat *q, size_t count);
LANE_TWINS(QuatsNormalize, quats_normalize);

/* The cutoff that a recording itself suggests: residual analysis.
 *
 * The RMS difference between filtered and raw rows, over all channels, falls as the cutoff rises. Where only noise is
 * left to remove it falls on a straight line; that line's value at 0 Hz is the RMS of the noise, and the cutoff lies
 * where the residual equals it: as much signal is lost there as noise is let through.
 * References: D. A. Winter, Biomechanics and Motor Control of Human Movement, section 3.4.4.3; B. Yu et al.,
 * J. Applied Biomechanics 15 (1999) 318-329 (the line by regression). */

/* Cutoff (Hz) for samples at a rate (Hz), for the zero-lag Butterworth: between CUTOFF_LOWEST and
 * CUTOFF_HIGHEST or 0.45 of the rate. The line is fitted over the upper half of that range: bodies hardly move at such
 * frequencies, while far above them a recording has often been filtered already and does not show its noise.
 * Looks at no more than the middle CUTOFF_ROWS rows. Rows without any motion give the highest. */
#define CUTOFF_LOWEST 1.0   /* Hz */
#define CUTOFF_HIGHEST 20.0 /* Hz */
#define CUTOFF_ROWS 2048
Status cutoff_by_residuals(const Samples *samples, double rate, double *cutoff, Error *err);

/* Smooths root position, rotations and translations in place. resolved_cutoff (may be NULL) receives what was used, Hz:
 * never above 0.45 of the frame rate; 0 for a method without one. Clips too short for the filter stay as they are
 * (resolved cutoff 0). STATUS_USAGE for a negative cutoff or a window that is none, STATUS_BAD_INPUT without a frame
 * time; the motion is then as it was. */
Status smooth_motion(Motion *motion, const SmoothDef *def, double *resolved_cutoff, Error *err);

#endif
