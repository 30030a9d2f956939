/* The friction cone of one contact as an eight-sided pyramid inside |f_t| <= mu f_n.
 *
 * A force is a Vec3 in contact axes: y along the ground normal, x and z in the plane. The pyramid has edges (mu cos k
 * pi/4, 1, mu sin k pi/4), k = 0..7, so it is symmetric about x and z. Its faces are the apex, the eight edges, the
 * eight facets and the interior. On each, the force moves in a linear space with an orthonormal basis of 0, 1, 2 or 3
 * vectors. */
#ifndef KANE_SOLVE_FRICTION_CONE_H
#define KANE_SOLVE_FRICTION_CONE_H

#include "analysis/math/vec.h"

enum { CONE_SIDES = 8 };

/* Numbers of the faces. */
enum {
    FACE_APEX = 0,
    FACE_INTERIOR = 1,
    FACE_EDGE = 2,                       /* + k: edge k */
    FACE_FACET = FACE_EDGE + CONE_SIDES, /* + k: facet between edges k and k + 1 */
    FACE_COUNT = FACE_FACET + CONE_SIDES
};

typedef struct FrictionCone {
    double friction;          /* mu */
    double inner;             /* mu cos(pi/8): |f_t| <= inner f_n lies inside */
    Vec3 edge[CONE_SIDES];    /* unit vectors */
    Vec3 inward[CONE_SIDES];  /* unit normal of facet k, pointing inside */
    int dimension[FACE_COUNT];
    Vec3 basis[FACE_COUNT][3]; /* orthonormal; the first dimension[face] vectors are used */
} FrictionCone;

void friction_cone_init(FrictionCone *cone, double friction);

/* friction_cone_project for any point, without its early exits. */
Vec3 friction_cone_project_far(const FrictionCone *cone, Vec3 y, int *face);

/* Returns the nearest point of the cone, and in *face the face whose relative interior contains it. Most points lie
 * inside the round cone that touches the facets, or in the polar of the round cone through the edges. */
static inline Vec3 friction_cone_project(const FrictionCone *cone, Vec3 y, int *face)
{
    double side = y.x * y.x + y.z * y.z, reach = cone->inner * y.y;
    if (y.y > 0 && side < reach * reach) {
        *face = FACE_INTERIOR;
        return y;
    }
    if (y.y < 0 && cone->friction * cone->friction * side < y.y * y.y) {
        *face = FACE_APEX;
        return vec3(0, 0, 0);
    }
    return friction_cone_project_far(cone, y, face);
}

#endif
