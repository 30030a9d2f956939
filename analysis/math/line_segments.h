/* The points of two segments that are nearest to each other. */
#ifndef KANE_MATH_LINE_SEGMENTS_H
#define KANE_MATH_LINE_SEGMENTS_H

#include "analysis/math/vec.h"

/* Where they lie, each 0 .. 1 of the way from its segment's first to its second point. */
typedef struct SegmentPoints {
    double a, b;
} SegmentPoints;

/* Segments from [0] to [1], m; they may be points. C. Ericson, Real-Time Collision Detection (2005), 5.1.9. */
SegmentPoints segments_nearest(const Vec3 a[2], const Vec3 b[2]);

/* From the nearest point of b to that of a, m. */
Vec3 segments_apart(const Vec3 a[2], const Vec3 b[2]);

#endif
