/* Inertia of a rigid body (docs/sources.md, notes 0.1). */
#ifndef KANE_SIM_RIGID_BODY_H
#define KANE_SIM_RIGID_BODY_H

#include "analysis/math/vec.h"

/* Spatial inertia: the 6x6 mass matrix of a rigid body about the origin of any frame (docs/sources.md, notes 0.1).
 *
 * Rows and columns are three of linear, then three of angular velocity, in the axes of com and inertia. v is taken at
 * the frame's origin; with com = 0 that is the COM, and M is block diagonal. */
typedef struct SpatialInertia {
    double mass;  /* kg */
    Vec3 com;     /* m, from the frame's origin */
    Sym3 inertia; /* kg m2, about the COM */
} SpatialInertia;

/* M, [6][6] by rows. */
void spatial_inertia_matrix(const SpatialInertia *s, double *m);

/* Adds a point mass at `point`, such as that of an attached particle (0.19). */
void spatial_inertia_add_particle(SpatialInertia *s, double mass, Vec3 point);

/* Inverse of a symmetric 3x3 matrix by its adjugate; returns 0 if it is not positive definite. */
int sym3_inverse(Sym3 s, Sym3 *inverse);

#endif
