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

/* The cutoff that the noise of a recording allows.
 *
 * White noise of density n reaches accelerations behind a low-pass in proportion to n cutoff^(5/2), so the cutoff is
 * CUTOFF_LOWEST (n0 / n)^(2/5), held between CUTOFF_LOWEST and CUTOFF_HIGHEST. The density is that above CUTOFF_HIGHEST
 * (or 0.3 of the rate), in windows of 0.1 s, exceeded by half of them: impacts are shorter, noise is not. It adds
 * up rotations (rad) of all joints and root position (m), so joints that do not move change nothing, and neither does a
 * turn of the world. n0 lies between trials that laboratories have low-passed and the same trials with white noise
 * (docs/decisions.md). Slow recordings have motion there; they keep the lowest cutoff. */

#define CUTOFF_LOWEST 8.0   /* Hz, the default */
#define CUTOFF_HIGHEST 20.0 /* Hz */
#define CUTOFF_ROWS 2048    /* no more than the middle rows are looked at */
#define NOISE_BAND 0.3      /* of the rate */

/* Cutoff (Hz) for quaternion components with continuous signs and for positions (m), sampled at a rate (Hz); for the
 * zero-lag Butterworth. Never above 0.45 of the rate. Recordings shorter than a window give the lowest. */
Status cutoff_by_noise(const Samples *rotation, const Samples *root, double rate, double *cutoff, Error *err);

/* Smooths root position, rotations and translations in place. resolved_cutoff (may be NULL) receives what was used, Hz:
 * never above 0.45 of the frame rate; 0 for a method without one. Clips too short for the filter stay as they are
 * (resolved cutoff 0). STATUS_USAGE for a negative cutoff or a window that is none, STATUS_BAD_INPUT without a frame
 * time; the motion is then as it was. */
Status smooth_motion(Motion *motion, const SmoothDef *def, double *resolved_cutoff, Error *err);

#endif
