/* A part of a motion, and the same motion at another frame rate. */
#ifndef KANE_MOTION_RESAMPLE_H
#define KANE_MOTION_RESAMPLE_H

#include "analysis/base/status.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/motion.h"

/* Frames with from <= time <= to (s, source time, half a microsecond of slack): the first and how many there are.
 * STATUS_USAGE where from > to, STATUS_BAD_INPUT where no frame lies between. */
Status motion_find_frames(const Motion *motion, double from, double to, int *first, int *count, Error *err);

/* The motion at fps frames per second from its first time to its last: rotations along the shortest arc, positions by
 * cubics through the frames (Catmull-Rom: parabolas are exact). The time axis starts where the source's does. Frames
 * that coincide keep their values. No filter is applied: lowering the rate of a motion with content above half the new
 * rate folds it back (smooth first). STATUS_USAGE where fps is not positive and finite, STATUS_LIMIT where the frames
 * cannot be counted. */
Status motion_resample(const Motion *motion, double fps, Motion *out, Error *err);

/* The same for what is differentiated: rotations and the root by the uniform cubic B-spline of the frames, whose rates
 * and accelerations at the frames are the central differences there. It cuts corners: a frame's place moves by a sixth
 * of what the acceleration makes in the square of a frame time. Joints do not translate. */
Status motion_resample_smooth(const Motion *motion, double fps, Motion *out, Error *err);

/* Forces of the surroundings at other times. */

/* The forces of a motion whose first time and frame time are given, at the times of another: forces and couples in
 * straight lines from frame to frame, centres of pressure by what each frame's vertical force weighs. Fills *out. */
Status contact_resample(const Contact *from, double first_time, double frame_time, const Motion *now, Contact *out,
                        Error *err);

#endif
