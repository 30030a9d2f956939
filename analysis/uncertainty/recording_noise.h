/* Noise of a recording, the same for the same numbers. */
#ifndef KANE_UNCERTAINTY_RECORDING_NOISE_H
#define KANE_UNCERTAINTY_RECORDING_NOISE_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"

/* What a recording without a filter is taken to let through, Hz; never above 0.45 of the frame rate. */
#define NOISE_CUTOFF 20.0
double noise_cutoff(double cutoff, double frame_time);

/* Turns every joint by white noise of this standard deviation about each axis, rad, and moves the root by that of half
 * a metre's swing, as the filter of the motion lets it through (cutoff, Hz; 0: noise_cutoff). The sequence hangs on
 * `number` alone. */
Status recording_noise_add(double size, double cutoff, int number, Motion *motion, Error *err);

#endif
