/* Smoothing of a motion, with rotations as quaternions, never as Euler angles.
 *
 * Root position, translations and quaternion components (with continuous signs) are filtered over time, and the
 * quaternions normalised. The filters are linear, so that smoothing commutes with a rotation of the world. */
#ifndef KANE_MOTION_SMOOTH_H
#define KANE_MOTION_SMOOTH_H

#include "analysis/base/status.h"
#include "analysis/clip/dofs.h"
#include "analysis/clip/motion.h"
#include "analysis/signal/smoothing.h"

/* Smooths root position, rotations and translations in place. resolved_cutoff (may be NULL) receives the cutoff used,
 * Hz: at most 0.45 of the frame rate; 0 for a method without one and for clips too short for the filter, which are
 * unchanged. STATUS_USAGE for a cutoff or window out of range, STATUS_BAD_INPUT without a frame time; the motion is
 * then unchanged. */
Status smooth_motion(Motion *motion, const SmoothDef *def, double *resolved_cutoff, Error *err);

/* The same with the custom rows of a model (NULL: none): their positions, axes and velocities are filtered alike, as
 * OpenSim filters coordinates, so that they stay those of the smoothed motion. Other rows are computed from it. */
Status smooth_motion_of(Motion *motion, Dofs *dof, const SmoothDef *def, double *resolved_cutoff, Error *err);

#endif
