/* Gravity as a ruler: what falls freely in a file does so at 9.81 m/s2, whatever the unit.
 *
 * A flight is a stretch of frames in which the lowest point of the body is clear of the ground. It counts where the
 * height of the body follows a parabola that opens down and accounts for the clearance: standing on a box, climbing and
 * hanging do not. */
#ifndef KANE_EVIDENCE_FREE_FALL_H
#define KANE_EVIDENCE_FREE_FALL_H

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"
#include "analysis/motion/pose_sample.h"

/* In units of the motion per s2; 0 where the frames do not tell. */
typedef struct FreeFall {
    double acceleration; /* median downward acceleration over the flights */
    double steepest;     /* downward acceleration over 0.15 s that a fiftieth of all such windows passes: what no hand
                            pulls down does not pass g */
} FreeFall;

/* sample holds frames that follow each other, frame_time (s) apart; up is a unit vector. */
Status free_fall_measure(const Skeleton *skeleton, const PoseSample *sample, Vec3 up, double frame_time, FreeFall *out,
                         Error *err);

#endif
