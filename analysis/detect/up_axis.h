/* The up axis of a file: names, rotation to world axes, and detection from poses. */
#ifndef KANE_DETECT_UP_AXIS_H
#define KANE_DETECT_UP_AXIS_H

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"
#include "analysis/detect/pose_sample.h"
#include "analysis/evidence/evidence.h"
#include "analysis/math/vec.h"

typedef enum UpAxis { UP_AUTO = 0, UP_X, UP_Y, UP_Z, UP_MINUS_X, UP_MINUS_Y, UP_MINUS_Z } UpAxis;
enum { UP_AXES = 6 };

/* Returns "Y", "-Z" and so on; "" for UP_AUTO. */
const char *up_axis_name(UpAxis up);

/* Returns UP_AUTO for a text that is not an axis. */
UpAxis up_axis_from_text(const char *text);

/* Unit vector of an axis in file axes. */
Vec3 up_axis_vector(UpAxis up);

/* Rotates a vector from file axes to world axes, +Y up, by the quarter or half turn of docs/formats/conventions.md
 * "Axes"; exact. */
Vec3 up_axis_rotate(UpAxis up, Vec3 v);

/* Measures of an axis, each 0..1 or a cosine. */
typedef struct UpAxisMeasures {
    double posed; /* with the direction from the feet to the head, mean over the frames */
    double rest;  /* with that of the rest pose */
    double level; /* the lowest points of the frames agree */
    double zero;  /* they are near zero */
    double stays; /* the root moves little along it */
} UpAxisMeasures;

/* Along X, Y, Z, -X, -Y, -Z. */
Status up_axis_measure(const Skeleton *skeleton, const PoseSample *sample, UpAxisMeasures out[UP_AXES], Error *err);

/* Detects the axis along which the body is in balance, the head is above the feet on average, the rest pose is upright,
 * the lowest point of the body is at constant height near zero, and the root moves least. balance: log odds of each
 * axis from analysis/evidence/gravity.h; NULL: unknown. evidence: for the axis against the next best one; its
 * confidence is the axis's probability among the six. */
Status up_axis_from_poses(const Skeleton *skeleton, const PoseSample *sample, const double balance[UP_AXES],
                          UpAxis *up, Evidence *evidence, Error *err);

#endif
