/* Recording noise, reproducible. */
#ifndef KANE_UNCERTAINTY_RECORDING_NOISE_H
#define KANE_UNCERTAINTY_RECORDING_NOISE_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"

/* Bandwidth assumed for an unfiltered recording, Hz; at most 0.45 of the frame rate. */
#define NOISE_CUTOFF 20.0
double noise_cutoff(double cutoff, double frame_time);

/* Standard deviation, rad, of the white noise of a joint angle that stands for the measured noise and for that within
 * the band of the motion, which no spectrum shows: `hidden`, up to 8 Hz. Its accelerations after the motion's filter
 * (cutoff, Hz; 0: none) have the variance of both. */
double recording_noise_size(double measured, double hidden, double cutoff, double frame_time);

/* Rotates every joint by white noise of this standard deviation about each axis, rad, and moves the root by the same
 * angle times half a metre, after the motion's filter (cutoff, Hz; 0: noise_cutoff). The sequence depends on `number`
 * alone. */
Status recording_noise_add(double size, double cutoff, int number, Motion *motion, Error *err);

#endif
