/* Which way is up in a file: from how the body stands and where its lowest points lie. */
#ifndef KANE_MOTION_UP_EVIDENCE_H
#define KANE_MOTION_UP_EVIDENCE_H

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"
#include "analysis/motion/evidence.h"
#include "analysis/motion/pose_sample.h"

/* The axis along which the head is above the feet on average, the lowest point of the body keeps its height near zero,
 * and the rest pose stands. confidence is its share among the six axes. */
Status up_axis_from_poses(const Skeleton *skeleton, const PoseSample *sample, UpAxis *up, double *confidence, Error *err);

/* Unit vector of an axis in file axes. */
Vec3 up_axis_vector(UpAxis up);

/* Height of the ground along up under a pose sample: what the lowest points come down to (file units). */
Status ground_along(const PoseSample *sample, Vec3 up, double *height, double *spread, Error *err);

/* Size of the body: largest distance from the first point to another in the rest pose or the first sampled frame. */
double body_size(const PoseSample *sample);

#endif
