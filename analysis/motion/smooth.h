/* Smoothing of a motion: rotations as rotations, never as Euler angles.
 *
 * Root position, translations and the quaternions' components with continuous signs are filtered along time and the
 * quaternions made unit again. The filters are linear, so smoothing commutes with a rotation of the world. */
#ifndef KANE_MOTION_SMOOTH_H
#define KANE_MOTION_SMOOTH_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/signal/smoothing.h"

/* Smooths root position, rotations and translations in place. resolved_cutoff (may be NULL) receives what was used, Hz:
 * never above 0.45 of the frame rate; 0 for a method without one. Clips too short for the filter stay as they are
 * (resolved cutoff 0). STATUS_USAGE for a negative cutoff or a window that is none, STATUS_BAD_INPUT without a frame
 * time; the motion is then as it was. */
Status smooth_motion(Motion *motion, const SmoothDef *def, double *resolved_cutoff, Error *err);

#endif
