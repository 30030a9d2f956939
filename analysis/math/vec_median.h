/* Median of vectors (vec_median.c). */
#ifndef KANE_MATH_VEC_MEDIAN_H
#define KANE_MATH_VEC_MEDIAN_H

#include "analysis/math/vec.h"

/* Geometric median: the point with the least sum of distances from `count` vectors, at least one. It turns with them,
 * which medians of components do not. */
Vec3 vec3_median(const Vec3 *value, int count);

#endif
