/* The cone of a limb: vertical forces y >= 0 at its points, and the horizontal force (X, Z) of all in the octagon of
 * their sum (limb_qp.h). */
#ifndef KANE_SOLVE_LIMB_CONE_H
#define KANE_SOLVE_LIMB_CONE_H

#include <stdint.h>

#include "analysis/solve/friction_cone.h"

enum {
    LIMB_POINTS = 5,                   /* largest number of points per limb */
    LIMB_UNKNOWNS = LIMB_POINTS + 3,   /* y_1 ... y_5, X, Z, tau */
    LIMB_SINGLE = 3,                   /* unknowns of a limb of one point: y, X, Z */
    LIMB_BLOCK = 8,                    /* the unknowns of a frame are padded to a multiple of this */
    LIMB_WIDEST = 16 * LIMB_BLOCK,     /* largest number of unknowns per frame */
    LIMB_ROWS = 32                     /* equations that are collected before they are added to Q */
};

/* A limb in one frame. Limbs with several points precede those with one. */
typedef struct QpLimb {
    int slot;       /* limb of the body; increases within a frame */
    int at;         /* index of its first unknown in the frame */
    int points;     /* 1 or LIMB_POINTS */
    uint8_t open;   /* bit i: unknown i is free; the others are zero */
    uint8_t grip;   /* 1: no cone limits its force */
    double part[LIMB_POINTS], turn[2][LIMB_POINTS]; /* horizontal force of point i, which is smoothed over time:
                                                       (part X - turn[1] tau, part Z + turn[0] tau) */
} QpLimb;

static inline int limb_unknowns(const QpLimb *l) { return l->points > 1 ? LIMB_UNKNOWNS : LIMB_SINGLE; }

/* The face of a limb's constraint set whose relative interior contains its forces. */
typedef struct LimbFace {
    uint8_t free; /* bit i: y_i > 0 */
    uint8_t cone; /* FACE_ of tridiagonal_qp.h */
} LimbFace;

typedef struct LimbOctagon {
    double friction, inner; /* radius to the corners and to the sides, per unit of vertical force */
    double half;            /* half the length of a side */
    double corner[CONE_SIDES][2], side[CONE_SIDES][2]; /* unit: to corner k; normal of side k, k + 1 */
} LimbOctagon;

/* The horizontal force f[2] along a unit direction. */
static inline double limb_force_along(const double unit[2], const double *f)
{
    return unit[0] * f[0] + unit[1] * f[1];
}

/* Bits of the points that are unknowns. */
static inline uint8_t limb_open_points(const QpLimb *limb)
{
    return (uint8_t)(limb->open & ((1u << limb->points) - 1));
}

void limb_octagon_init(LimbOctagon *octagon, double friction);

/* Projects x[points + 2] in place onto the set { y >= 0, (X, Z) in the octagon of sum y }. `ratio` weights squared
 * distances along X and Z against those along y, as the ratio of curvatures. Unknowns that are not open become zero. */
LimbFace limb_project(const LimbOctagon *octagon, const QpLimb *limb, double ratio, double *x);

#endif
