/* Bodies of creatures: every bone a rod of water with rounded free ends. */
#ifndef KANE_BODY_CAPSULES_H
#define KANE_BODY_CAPSULES_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/vec.h"

/* Mass gathered piece by piece in the axes of one joint: total, COM and second moments about the COM.
 *
 * A piece only adds weighted dyads r r^T, so the second moments never lose their sign, and an inertia made from them
 * keeps the triangle inequality. */

typedef struct MassSum {
    double mass; /* kg */
    Vec3 com;    /* m, from the joint centre */
    Sym3 second; /* sum of m r r^T about the COM, kg m2 (plain products: xy = sum m x y) */
} MassSum;

/* Three unit axes at right angles, and the mean square extent along each about a piece's own COM, m2. */
typedef struct SecondMoments {
    Vec3 axis[3];
    double square[3];
} SecondMoments;

/* Adds a piece with its COM at centre (m, joint axes); spread may be NULL for a point. */
void mass_sum_add(MassSum *lump, double mass, Vec3 centre, const SecondMoments *spread);

/* Mass, COM and inertia about the COM (products as matrix entries) of joint j; a lump without mass gives zeros. */
void mass_sum_finish(const MassSum *lump, Body *body, int joint);

/* Two unit vectors that complete the unit vector n to right-handed axes (n, *u, *v), u as near to hint as can be; where
 * hint lies along n, any. */
void axes_complete(Vec3 n, Vec3 hint, Vec3 *u, Vec3 *v);

/* kg/m3 */
#define WATER_DENSITY 1000.0

/* A bone runs from a joint to a child or an end site and belongs to the joint. Limbs taper towards their tips:
 * r^2 = CAPSULE_SLENDERNESS * (length of the bone and of the longest way beyond) * (reach of the whole tree). The
 * factor makes human skeletons weigh about what people do. Ends are half spheres at tips and at a root with one bone,
 * flat where bones go on. */
#define CAPSULE_SLENDERNESS 0.005

/* Radius, m, of a bone that is followed by others up to `length` from its start, in a tree of that reach. */
double capsule_radius(double length, double reach);

/* Fills *out; mass > 0 rescales all to that total. STATUS_BAD_INPUT where no bone has a length. */
Status capsules_from_skeleton(const Skeleton *skeleton, double mass, Body *out, Error *err);

#endif
