/* A convex quadratic program over time with a friction cone per contact:
 *
 *     minimise  sum_t ( 1/2 f_t' H_t f_t + h_t' f_t )  +  sum_t sum_slot 1/2 |f_t - f_(t-1)|^2_smooth
 *     subject to every f in its friction cone,
 *
 * where a slot (a contact point of the body) that is no candidate in a frame carries zero there. Neighbouring frames
 * are coupled by the smoothing term alone, so the Hessian is block tridiagonal.
 *
 * tridiagonal_solver.h finds the minimum. */
#ifndef KANE_SOLVE_TRIDIAGONAL_QP_H
#define KANE_SOLVE_TRIDIAGONAL_QP_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/math/vec.h"

/* The friction cone of one contact as an eight-sided pyramid inside |f_t| <= mu f_n.
 *
 * A force is a Vec3 in contact axes: y along the ground normal, x and z in the plane. The pyramid has edges
 * (mu cos k pi/4, 1, mu sin k pi/4), k = 0..7, so it is symmetric about x and about z. Its faces are the apex, the
 * eight edges, the eight facets and the interior; on each the force moves in a linear space with an orthonormal
 * basis of 0, 1, 2 or 3 vectors. */

enum { CONE_SIDES = 8 };

/* A face by number. */
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
    Vec3 edge[CONE_SIDES];    /* unit */
    Vec3 inward[CONE_SIDES];  /* unit normal of facet k, pointing inside */
    int dimension[FACE_COUNT];
    Vec3 basis[FACE_COUNT][3]; /* orthonormal, the first dimension[face] are used */
} FrictionCone;

void friction_cone_init(FrictionCone *cone, double friction);

/* The same as friction_cone_project, for any point. */
Vec3 friction_cone_project_far(const FrictionCone *cone, Vec3 y, int *face);

/* Nearest point of the cone, and the face in whose relative interior it lies. Most points lie inside the round cone
 * that touches the facets, or in the polar of the one through the edges. */
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

enum { TRIDIAGONAL_PADDING = 8 }; /* entries that kernels read, and write as they were, behind an array's end */

typedef struct TridiagonalQp {
    int frame_count;
    int slot_count;
    int held_count;   /* leading frames whose forces are given, not sought; default 0 */
    int *first;       /* [frame + 1] first contact of a frame in the lists below */
    int *slot;        /* [contact] increasing inside a frame */
    uint8_t *grip;    /* [contact] 1: its force may point anywhere, no cone binds it */
    size_t *block;    /* [frame + 1] start of the frame's Hessian */
    double *
        hessian; /* [block[t]] H_t of n contacts, positive definite: tridiagonal_qp_block, padded with zeros */
    Vec3 *linear;     /* [contact] h */
    Vec3 smooth;      /* weights of the differences in time, per component */
    size_t frame_room, contact_room, entry_room;
    Arena memory;     /* of the arrays */
} TridiagonalQp;

/* Entries of each of a contact's three rows of H_t, `left` contacts from this one to the frame's last: whole lanes. */
static inline size_t tridiagonal_row_length(int left) { return (size_t)(3 * left + 7) & ~(size_t)7; }

/* Entries of H_t of n contacts: three rows of tridiagonal_row_length for n, n - 1, ... 1 contacts left. The lengths of
 * eight contacts and more are those of eight fewer, and 24. */
static inline size_t tridiagonal_entries(int n)
{
    static const unsigned char rest[8] = {0, 8, 16, 32, 48, 64, 88, 112};
    int eights = n / 8;
    return (size_t)(3 * (136 * eights + 96 * eights * (eights - 1) + 24 * eights * (n % 8) + rest[n % 8]));
}

/* The block of contacts a and b >= a of frame t, counted in the frame: three rows of three entries; the rows lie
 * tridiagonal_row_length(n - a) apart. Blocks of one a lie three entries apart. */
static inline double *tridiagonal_qp_block(const TridiagonalQp *qp, int t, int a, int b)
{
    int n = qp->first[t + 1] - qp->first[t];
    return qp->hessian + qp->block[t] + tridiagonal_entries(n) - tridiagonal_entries(n - a) + 3 * (b - a);
}

/* Room for a chain of frames with the given total of contacts and of Hessian entries (tridiagonal_entries of each
 * frame). *qp is empty ((TridiagonalQp){0}) or holds an earlier chain, whose room is used again; the contents are not
 * cleared. */
Status tridiagonal_qp_init(TridiagonalQp *qp, int frame_count, int slot_count, size_t contact_count,
                           size_t hessian_count, Error *err);
void tridiagonal_qp_free(TridiagonalQp *qp);

static inline int chain_contacts(const TridiagonalQp *qp, int t) { return qp->first[t + 1] - qp->first[t]; }

/* How many neighbours in time a frame is tied to: 0, 1 or 2. */
static inline int chain_ties(const TridiagonalQp *qp, int t) { return (t > 0) + (t < qp->frame_count - 1); }

#endif
