/* Projected Gauss-Seidel: the linear complementarity problem and the contact system row by row (docs/sources.md, notes
 * 0.15, 0.16). Cheap steps and no factorisation, but linear convergence: the alternative to pivoting where a rough
 * answer soon is worth more than the exact one, and its cross-check. */
#ifndef KANE_SOLVE_GAUSS_SEIDEL_H
#define KANE_SOLVE_GAUSS_SEIDEL_H

#include "analysis/base/status.h"

typedef struct GaussSeidelDef {
    int max_sweeps;   /* default 1000 */
    double tolerance; /* ends when no entry of a sweep changed by more than this share of the largest; default 1e-9 */
} GaussSeidelDef;

/* Constraint rows N on a velocity v whose mass matrix is M. Row i moves its impulse lambda_i within its bounds so that
 * N_i v + R_i lambda_i = c_i, or as near as they allow. A row along which nothing moves has no impulse. */
typedef struct GaussSeidelRows {
    int size, count;
    const double *rows;       /* [count][size] N */
    const double *response;   /* [count][size] row i: M^-1 N_i' */
    const double *target;     /* [count] c */
    const double *compliance; /* [count] R (0.11), or NULL */
    const double *least;      /* [count] lower bound of the impulse: -INFINITY bilateral, 0 unilateral */
    const int *normal;        /* [count] friction rows: the row whose impulse bounds this one; -1: none; or NULL */
    double friction;          /* mu: |lambda_i| <= mu lambda_normal */
    const double *frictions;  /* [count] mu of each friction row, or NULL: friction holds for all */
} GaussSeidelRows;

GaussSeidelDef gauss_seidel_default_def(void);

/* v[size]: in, the velocity without impulses; out, with them. impulse[count]: in, a start; out, the impulses.
 * STATUS_NO_RESULT where a number is not finite (*sweeps is 0), or where the impulses have not settled: v and impulse
 * are then those of the last sweep. sweeps may be NULL. */
Status gauss_seidel_rows(const GaussSeidelRows *rows, const GaussSeidelDef *def, double *v, double *impulse,
                         int *sweeps, Error *err);

/* Solves whose last sweep still changed the speed along a row by more than 1e-4 m/s (rad/s). Impulses may go on moving
 * between contacts that share a load, below that. */
typedef struct UnsettledSweeps {
    double now;  /* s, where the simulation is */
    int count;
    double time; /* s, of the first */
    Error why;   /* of the first */
} UnsettledSweeps;

/* gauss_seidel_rows within a simulation, which goes on with impulses that have not settled, and counts those that
 * matter. */
Status gauss_seidel_go_on(const GaussSeidelRows *rows, const GaussSeidelDef *def, double *v, double *impulse,
                          UnsettledSweeps *unsettled, Error *err);

#endif
