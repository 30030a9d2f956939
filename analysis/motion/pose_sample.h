/* Positions of the whole skeleton in a few frames of a motion: what the decisions of import look at.
 *
 * Positions follow from forward kinematics in the units and axes of the motion as it stands. */
#ifndef KANE_MOTION_POSE_SAMPLE_H
#define KANE_MOTION_POSE_SAMPLE_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"

typedef struct PoseSample {
    int frame_count;
    int point_count; /* joints, then end sites */
    Vec3 *position;  /* [frame][point] */
    Vec3 *rest;      /* [point] without rotations, root at its offset */
} PoseSample;

/* At most max_frames frames, evenly from first_frame to the last one. A motion without frames gives the rest pose as
 * its only frame. */
Status pose_sample_init(PoseSample *sample, const Skeleton *skeleton, const Motion *motion, int first_frame,
                        int max_frames, Error *err);
void pose_sample_free(PoseSample *sample);

static inline Vec3 pose_sample_point(const PoseSample *sample, int frame, int point)
{
    return sample->position[(size_t)frame * (size_t)sample->point_count + (size_t)point];
}

/* The value that `share` (0..1) of the others lie below; reorders them; 0 where there are none. */
double sample_quantile(double *value, int count, double share);

#endif
