/* Gravity as a measure of length: in any unit, free fall has 9.81 m/s2.
 *
 * A flight is an interval in which the lowest point of the body is clear of the ground. It counts if the height of the
 * body follows a downward parabola that explains the clearance, which excludes standing on a box, climbing and
 * hanging. */
#ifndef KANE_DETECT_FREE_FALL_H
#define KANE_DETECT_FREE_FALL_H

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"
#include "analysis/detect/pose_sample.h"
#include "analysis/math/vec.h"

/* In units of the motion per s2; 0: the frames do not show it. */
typedef struct FreeFall {
    double acceleration; /* median downward acceleration over the flights */
    double steepest;     /* 98th percentile of the downward acceleration over 0.15 s, which does not exceed g unless
                            something pulls the body down */
} FreeFall;

/* sample: consecutive frames, frame_time (s) apart; up is a unit vector. */
Status free_fall_measure(const Skeleton *skeleton, const PoseSample *sample, Vec3 up, double frame_time, FreeFall *out,
                         Error *err);

#endif
