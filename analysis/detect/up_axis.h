/* Positions of the skeleton in some frames of a file, detection of the up axis, and conversion to world axes. */
#ifndef KANE_DETECT_UP_AXIS_H
#define KANE_DETECT_UP_AXIS_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"

/* Positions of the whole skeleton in some frames of a motion, the input of import's detections. In the units and axes
 * of the motion. */

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

typedef enum UpAxis { UP_AUTO = 0, UP_X, UP_Y, UP_Z, UP_MINUS_X, UP_MINUS_Y, UP_MINUS_Z } UpAxis;

/* Returns "Y", "-Z" and so on; "" for UP_AUTO. */
const char *up_axis_name(UpAxis up);

/* Returns UP_AUTO for a text that is not an axis. */
UpAxis up_axis_from_text(const char *text);

/* Unit vector of an axis in file axes. */
Vec3 up_axis_vector(UpAxis up);

/* Rotates a vector from file axes to world axes, +Y up, by the quarter or half turn of docs/formats/conventions.md
 * "Axes"; exact. */
Vec3 up_axis_rotate(UpAxis up, Vec3 v);

/* Detects the axis along which, on average, the head is above the feet, the rest pose is upright, the lowest point
 * of the body is at constant height near zero, and the root moves least. confidence: its probability among the six
 * axes. */
Status up_axis_from_poses(const Skeleton *skeleton, const PoseSample *sample, UpAxis *up, double *confidence,
                          Error *err);

#endif
