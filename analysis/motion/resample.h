/* A time range of a motion, and a motion at another frame rate. */
#ifndef KANE_MOTION_RESAMPLE_H
#define KANE_MOTION_RESAMPLE_H

#include "analysis/base/status.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/motion.h"

/* Finds the frames with from <= time <= to (s, source time, with half a microsecond of tolerance): the first one and
 * their number. STATUS_USAGE if from > to, STATUS_BAD_INPUT if there is no such frame. */
Status motion_find_frames(const Motion *motion, double from, double to, int *first, int *count, Error *err);

/* Resamples the motion at fps frames per second from its first to its last time: rotations along the shortest arc,
 * positions by cubics through the frames (Catmull-Rom, exact for parabolas). The time axis starts with the source's.
 * Coinciding frames keep their values. No filter is applied: content above half the new rate is aliased, so smooth
 * first. STATUS_USAGE if fps is not positive and finite, STATUS_LIMIT if there would be too many frames. */
Status motion_resample(const Motion *motion, double fps, Motion *out, Error *err);

/* As motion_resample, for motions to be differentiated: rotations and root position by the uniform cubic B-spline of
 * the frames, whose first and second derivatives at the frames are the central differences. It does not interpolate:
 * a frame is displaced by a sixth of its acceleration times the frame time squared. Translations of joints are
 * dropped. */
Status motion_resample_smooth(const Motion *motion, double fps, Motion *out, Error *err);

/* Resamples external forces, of which first time and frame time (s) are given, at the times of the motion `now`: forces
 * and moments linearly between frames, centres of pressure weighted by each frame's vertical force. Fills *out. */
Status contact_resample(const Contact *from, double first_time, double frame_time, const Motion *now, Contact *out,
                        Error *err);

#endif
