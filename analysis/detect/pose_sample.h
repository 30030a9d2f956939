/* Positions of the whole skeleton in some frames of a motion, the input of import's detections. In the units and axes
 * of the motion. */
#ifndef KANE_DETECT_POSE_SAMPLE_H
#define KANE_DETECT_POSE_SAMPLE_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/vec.h"

typedef struct PoseSample {
    int frame_count;
    int point_count; /* joints, then end sites */
    Vec3 *position;  /* [frame][point] */
    Vec3 *rest;      /* [point] without rotations, root at its offset */
} PoseSample;

/* Samples at most max_frames frames, equally spaced from first_frame to the last one. For a motion without frames the
 * sample is the rest pose. */
Status pose_sample_init(PoseSample *sample, const Skeleton *skeleton, const Motion *motion, int first_frame,
                        int max_frames, Error *err);
void pose_sample_free(PoseSample *sample);

static inline const Vec3 *pose_sample_frame(const PoseSample *sample, int frame)
{
    return sample->position + (size_t)frame * (size_t)sample->point_count;
}

/* Largest distance from the root to another point, in the rest pose or the first sampled frame. */
double pose_sample_size(const PoseSample *sample);

/* Height along up of the lowest point in a frame. */
double pose_sample_lowest(const PoseSample *sample, int frame, Vec3 up);

/* Ground height along up (a unit vector): the lower quartile, over the frames, of the lowest point of the body. spread:
 * from the 5th to the 75th percentile. */
Status pose_sample_ground(const PoseSample *sample, Vec3 up, double *height, double *spread, Error *err);

#endif
