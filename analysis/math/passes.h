/* Passes over arrays, in lanes; every width gives the same result. */
#ifndef KANE_MATH_PASSES_H
#define KANE_MATH_PASSES_H

#include "analysis/math/lane_width.h"
#include "analysis/math/quat.h"

/* Returns 1 if all values are finite. */
int values_finite(const double *value, size_t count);

/* Squared lengths of rotations, at most 1 and at least 1; NaN if a rotation is not finite. */
typedef struct SquareBounds {
    double min, max;
} SquareBounds;

SquareBounds rotations_bounds(const Quat *rotation, size_t count);

/* Largest deviation of a rotation's norm from 1; infinite if one is not finite. */
double rotations_length_error(const Quat *rotation, size_t count);

typedef int ValuesFinite(const double *value, size_t count);
LANE_TWINS(ValuesFinite, values_finite);
typedef SquareBounds RotationsBounds(const Quat *rotation, size_t count);
LANE_TWINS(RotationsBounds, rotations_bounds);

/* Gives each rotation from index `row` on the sign nearest to the one a row before it. */
typedef void RotationsFollow(Quat *rotation, size_t row, size_t count);
LANE_TWINS(RotationsFollow, rotations_follow);

/* Normalises quaternions, several at once; one twin per instruction set. */
typedef void QuatsNormalize(Quat *q, size_t count);
LANE_TWINS(QuatsNormalize, quats_normalize);

#endif
