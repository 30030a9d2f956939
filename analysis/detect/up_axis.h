/* Which way is up in a file, and the turn from there to the world. */
#ifndef KANE_DETECT_UP_AXIS_H
#define KANE_DETECT_UP_AXIS_H

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"
#include "analysis/motion/pose_sample.h"

typedef enum UpAxis { UP_AUTO = 0, UP_X, UP_Y, UP_Z, UP_MINUS_X, UP_MINUS_Y, UP_MINUS_Z } UpAxis;

/* "Y", "-Z"; "" for UP_AUTO. */
const char *up_axis_name(UpAxis up);

/* UP_AUTO for a text that names no axis. */
UpAxis up_axis_from_text(const char *text);

/* Unit vector of an axis in file axes. */
Vec3 up_axis_vector(UpAxis up);

/* A vector of the file turned into the world, +Y up, by the quarter or half turn of docs/formats.md "Units, frames and
 * signs": exact. */
Vec3 up_axis_turn(UpAxis up, Vec3 v);

/* The axis along which the head is above the feet on average, the rest pose stands, the lowest point of the body keeps
 * its height, near zero, and the root travels least. confidence is its share among the six axes. */
Status up_axis_from_poses(const Skeleton *skeleton, const PoseSample *sample, UpAxis *up, double *confidence,
                          Error *err);

#endif
