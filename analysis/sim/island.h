/* Islands: the contacts, limits and dry frictions of a scene that act on each other, and the unknowns of one island
 * while it is solved (island.c; scene_islands.c finds them). */
#ifndef KANE_SIM_ISLAND_H
#define KANE_SIM_ISLAND_H

#include "analysis/math/block_lu.h"
#include "analysis/math/dense_factor.h"
#include "analysis/sim/hold.h"
#include "analysis/sim/scene_system.h"

/* Fraction of the largest impulse or speed of an island that counts as zero. */
#define ISLAND_ZERO 1e-11

enum { ISLAND_SWEEPS = 100 };

/* Jacobian of a contact on the speeds of its trees, [3][size] each. */
typedef struct Grip {
    int block[2]; /* -1: that side is fixed */
    double *row[2];   /* followed by M^-1 J', [3][size] */
} Grip;

typedef struct Island {
    Scene *scene;
    const SceneSystem *system;
    Hold *hold; /* [count] */
    int count;
    int turns; /* a HOLD_TURN is one of the first holds, up to this number */
    HoldTolerance zero;
    int pivots, sweeps;
    unsigned random;
    double *own; /* [count][3][3] own mobility of each, for Gauss-Seidel */
    /* if the unknowns are impulses: */
    int width;                /* rows of all holds together */
    double *mobility;         /* [width][width] */
    int *place;               /* [count] first row of each hold */
    double *matrix, *right;   /* of the unknowns' matrix */
    double *impulse, *speed;  /* [width] */
    int *exchange;
    /* if the unknowns are speeds: */
    int is_sparse;
    Grip *grip;
    int *block_start, *block_size; /* [block] */
    BlockLu lu;
    double *change, *sum;     /* [total] */
} Island;

/* to[n] += J' impulse, and J x. */
static inline void island_add_transposed(const double *row, int n, const double impulse[3], double *to)
{
    for (int k = 0; k < n; k++)
        to[k] += row[k] * impulse[0] + row[n + k] * impulse[1] + row[2 * n + k] * impulse[2];
}

static inline void island_add_product(const double *row, int n, const double *x, double to[3])
{
    for (int i = 0; i < 3; i++)
        to[i] += dot_product(row + i * n, x, n);
}

/* Changes the speeds along a contact by changes of the generalised speeds. */
static inline void island_find_moved(const Island *g, int e, const double *change, double moved[3])
{
    moved[0] = moved[1] = moved[2] = 0;
    for (int side = 0; side < 2; side++) {
        int b = g->grip[e].block[side];
        if (b >= 0)
            island_add_product(g->grip[e].row[side], g->block_size[b], change + g->lu.place[b], moved);
    }
}

/* Solves an island by pivoting on states. If the states do not settle, Lemke's method follows; if the island is too
 * large for it, Gauss-Seidel. *left: the largest change of speed in the last sweep, m/s or rad/s. STATUS_NO_RESULT if
 * none of them finds impulses. */
Status island_settle(Island *g, double *left, Error *err);

#endif
