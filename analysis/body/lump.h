/* Mass gathered piece by piece in the axes of one joint: total, COM and second moments about the COM.
 *
 * A piece only adds weighted dyads r r^T, so the second moments never lose their sign, and an inertia made from them
 * keeps the triangle inequality. */
#ifndef KANE_BODY_LUMP_H
#define KANE_BODY_LUMP_H

#include "analysis/clip/body.h"
#include "analysis/math/vec.h"

typedef struct Lump {
    double mass; /* kg */
    Vec3 com;    /* m, from the joint centre */
    Sym3 second; /* sum of m r r^T about the COM, kg m2 (plain products: xy = sum m x y) */
} Lump;

/* Three unit axes at right angles, and the mean square extent along each about a piece's own COM, m2. */
typedef struct Spread {
    Vec3 axis[3];
    double square[3];
} Spread;

/* Adds a piece with its COM at centre (m, joint axes); spread may be NULL for a point. */
void lump_add(Lump *lump, double mass, Vec3 centre, const Spread *spread);

/* Mass, COM and inertia about the COM (products as matrix entries) of joint j; a lump without mass gives zeros. */
void lump_finish(const Lump *lump, Body *body, int joint);

/* Two unit vectors that complete the unit vector n to right-handed axes (n, *u, *v), u as near to hint as can be; where
 * hint lies along n, any. */
void axes_complete(Vec3 n, Vec3 hint, Vec3 *u, Vec3 *v);

#endif
