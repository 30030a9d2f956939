/* Accumulates the pieces of one joint, in its axes: total mass, COM and second moments about the COM. A piece only adds
 * weighted dyads r r^T, so that the second moments remain positive semidefinite, and the inertia computed from them
 * satisfies the triangle inequality. */
#ifndef KANE_BODY_MASS_SUM_H
#define KANE_BODY_MASS_SUM_H

#include "analysis/clip/body.h"
#include "analysis/math/vec.h"

typedef struct MassSum {
    double mass; /* kg */
    Vec3 com;    /* m, from the joint centre */
    Sym3 second; /* sum of m r r^T about the COM, kg m2 (plain products: xy = sum m x y) */
} MassSum;

/* Three orthonormal axes, and the mean square extent along each about a piece's own COM, m2. */
typedef struct SecondMoments {
    Vec3 axis[3];
    double square[3];
} SecondMoments;

/* Adds a piece with its COM at centre (m, joint axes). spread: NULL for a point mass. */
void mass_sum_add(MassSum *lump, double mass, Vec3 centre, const SecondMoments *spread);

/* Sets mass, COM and inertia about the COM (products as matrix entries) of joint `joint`; all zero without mass. */
void mass_sum_finish(const MassSum *lump, Body *body, int joint);

/* Completes the unit vector n to right-handed orthonormal axes (n, *u, *v), with u as close to hint as possible; any if
 * hint is parallel to n. */
void axes_complete(Vec3 n, Vec3 hint, Vec3 *u, Vec3 *v);

#endif
