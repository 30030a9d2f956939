/* The polygon in the ground that supports a body, and its nearest point to a centre of pressure. */
#ifndef KANE_CONTROL_SUPPORT_POLYGON_H
#define KANE_CONTROL_SUPPORT_POLYGON_H

#include "analysis/math/vec.h"

enum { SUPPORT_MAX = 64 };

/* Corners of the convex hull in a plane, counter-clockwise. */
typedef struct Support {
    int count;
    double corner[SUPPORT_MAX][2]; /* m */
} Support;

/* Hull of points, of which at most SUPPORT_MAX count. */
Support support_hull(double (*point)[2], int count);

/* Moves a point into the polygon, to the nearest one; returns the distance, m. Not for an empty polygon. */
double support_clamp(const Support *s, double point[2]);

#endif
