/* Projected Gauss-Seidel: the linear complementarity problem and the contact system row by row (docs/sources.md, notes
 * 0.15, 0.16). Steps are cheap and need no factorization, but convergence is linear: an alternative to pivoting when a
 * fast approximate solution is enough, and a check of it. */
#ifndef KANE_SOLVE_GAUSS_SEIDEL_H
#define KANE_SOLVE_GAUSS_SEIDEL_H

#include "analysis/base/status.h"

typedef struct GaussSeidelDef {
    int max_sweeps;   /* default 1000 */
    double tolerance; /* stops when no impulse of a sweep changes by more than this fraction of the largest; default
                         1e-9 */
} GaussSeidelDef;

/* Constraint rows N on a velocity v with mass matrix M. Row i changes its impulse lambda_i within its bounds so that
 * N_i v + R_i lambda_i = c_i, or as nearly as they permit. A row without mobility has no impulse. */
typedef struct GaussSeidelRows {
    int size, count;
    const double *rows;       /* [count][size] N */
    const double *response;   /* [count][size] row i: M^-1 N_i' */
    const double *target;     /* [count] c */
    const double *compliance; /* [count] R (0.11), or NULL */
    const double *min;        /* [count] lower bound of the impulse: -INFINITY bilateral, 0 unilateral */
    const int *normal;        /* [count] friction rows: the normal row whose impulse limits this one; -1: none; or
                                 NULL */
    double friction;          /* mu: |lambda_i| <= mu lambda_normal */
    const double *frictions;  /* [count] mu of each friction row; NULL: `friction` for all */
    const double *max;        /* [count] upper bound of the impulse, or NULL: none */
} GaussSeidelRows;

GaussSeidelDef gauss_seidel_default_def(void);

/* v[size]: in, the velocity without impulses; out, with them. impulse[count]: in, a start; out, the impulses.
 * STATUS_NO_RESULT if an input is not finite (*sweeps is 0) or the impulses did not converge: v and impulse are then
 * those of the last sweep. sweeps may be NULL. */
Status gauss_seidel_rows(const GaussSeidelRows *rows, const GaussSeidelDef *def, double *v, double *impulse,
                         int *sweeps, Error *err);

/* m/s or rad/s: changes of speed along a row per sweep up to this are not counted as unsettled. It is 0.5 % of the 0.02
 * m/s that gravity adds in a step of 2 ms. */
#define MIN_ROUGH 1e-4

/* Counts solves whose last sweep changed the speed along a row by more than MIN_ROUGH. Below that, impulses may still
 * shift between contacts that share a load. */
typedef struct UnsettledSweeps {
    double now;  /* s, time of the simulation */
    int count;
    double time; /* s, of the first unsettled solve */
    Error why;   /* error of the first unsettled solve */
} UnsettledSweeps;

/* Runs gauss_seidel_rows in a simulation: accepts impulses that have not converged and counts the solves above
 * MIN_ROUGH. */
Status gauss_seidel_go_on(const GaussSeidelRows *rows, const GaussSeidelDef *def, double *v, double *impulse,
                          UnsettledSweeps *unsettled, Error *err);

#endif
