/* Spatial inertia: the 6x6 mass matrix of a rigid body about the origin of any frame (docs/sources.md, notes 0.1).
 *
 * Rows and columns are three of linear, then three of angular velocity, in the axes of com and inertia. v is taken at
 * the frame's origin; with com = 0 that is the COM, and M is block diagonal. Matrices are [6][6] by rows. */
#ifndef KANE_DYNAMICS_SPATIAL_INERTIA_H
#define KANE_DYNAMICS_SPATIAL_INERTIA_H

#include "analysis/math/vec.h"

typedef struct SpatialInertia {
    double mass;  /* kg */
    Vec3 com;     /* m, from the frame's origin */
    Sym3 inertia; /* kg m2, about the COM */
} SpatialInertia;

/* M: kg, kg m and kg m2. */
void spatial_inertia_matrix(const SpatialInertia *s, double *m);

/* The inverse of M in closed form. Returns 0, and zeros, if the mass is not positive or the inertia not positive
 * definite. */
int spatial_inertia_inverse(const SpatialInertia *s, double *inverse);

/* The lower triangular factor G of M = G G^T in closed form. Returns 0, and zeros, as spatial_inertia_inverse does. */
int spatial_inertia_factor(const SpatialInertia *s, double *g);

/* Relative differences of the closed forms from numbers, NaN if M has no inverse. */
typedef struct SpatialInertiaCheck {
    double inverse; /* largest difference from the inverse by LU factors / largest entry of it */
    double factor;  /* largest entry of G G^T - M / largest entry of M */
} SpatialInertiaCheck;

SpatialInertiaCheck spatial_inertia_check(const SpatialInertia *s);

/* Adds a point mass at `point`, such as that of an attached particle (0.19). */
void spatial_inertia_add_particle(SpatialInertia *s, double mass, Vec3 point);

#endif
