/* Contacts, limits and dry friction of an island (scene_islands.h) on their way to a solution. */
#ifndef KANE_SIM_ISLAND_H
#define KANE_SIM_ISLAND_H

#include "analysis/math/dense_factor.h"
#include "analysis/sim/contact_states.h"
#include "analysis/sim/scene_system.h"
#include "analysis/solve/block_lu.h"

/* Of the largest impulse or speed of an island: what counts as zero. */
#define ISLAND_ZERO 1e-11

enum { ISLAND_SWEEPS = 100 };

/* A contact on the speeds of its trees, [3][size] each. */
typedef struct Grip {
    int block[2]; /* -1: that side does not move */
    double *row[2];   /* and M^-1 J' behind it, [3][size] */
} Grip;

typedef struct Island {
    Scene *scene;
    const SceneSystem *system;
    Hold *hold; /* [count] */
    int count;
    HoldTolerance zero;
    int pivots, sweeps;
    unsigned random;
    double *own; /* [count][3][3] mobility of each, for sweeps */
    /* of the base: */
    int width;                /* rows of all holds together */
    double *mobility;         /* [width][width] */
    int *place;               /* [count] of a hold among these */
    double *matrix, *right;   /* of the unknowns */
    double *impulse, *speed;  /* [width] */
    int *exchange;
    /* or of the speeds: */
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

/* Speeds along a contact that changes of the speeds make. */
static inline void island_find_moved(const Island *g, int e, const double *change, double moved[3])
{
    moved[0] = moved[1] = moved[2] = 0;
    for (int side = 0; side < 2; side++) {
        int b = g->grip[e].block[side];
        if (b >= 0)
            island_add_product(g->grip[e].row[side], g->block_size[b], change + g->lu.place[b], moved);
    }
}

/* Pivots on states; where these do not settle, Lemke's method; in an island that is too large for it, sweeps. *left:
 * what the last sweep still changed speeds by, m/s or rad/s. STATUS_NO_RESULT where none of them finds impulses. */
Status island_settle(Island *g, double *left, Error *err);

/* Sweeps from no impulses; returns what the last one still changed speeds by. */
Status island_sweep(Island *g, double *left, Error *err);

/* All rows of contact_rows.h at once, by lcp.h. */
Status island_solve_by_rows(Island *g, Error *err);

#endif
