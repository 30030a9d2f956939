/* The linear complementarity problem: find z with
 *   w = M z + q,   0 <= z, 0 <= w, z'w = 0,
 * by principal pivoting with columns computed on demand (docs/sources.md, notes 0.8, equation (0.4)): column j of M is
 * computed when z_j first enters the basis, and kept.
 *
 * Block pivoting exchanges all wrong rows at once. When that makes no progress, it exchanges the wrong row of least
 * index only (Murty; Judice and Pires, 1994), which terminates if every principal minor of M is positive. If a basis
 * is singular or the pivots run out, Lemke's method supplies a basis from which pivoting ends: it solves every
 * feasible problem with M positive semi-definite, and the copositive ones of the friction cone of 0.10. M need not be
 * symmetric. */
#ifndef KANE_SOLVE_LCP_H
#define KANE_SOLVE_LCP_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/solve/basis_factor.h"

typedef struct Lcp {
    int size;
    const double *q; /* [size] */
    /* Writes column j of M to out[size]. */
    void (*column)(const void *context, int j, double *out);
    const void *context;
} Lcp;

typedef struct LcpDef {
    double tolerance; /* tolerance of a sign, as a fraction of the number's terms; default 1e-11 */
    int max_pivots;   /* block steps and single steps; 0: 20 + 4 size; default 0 */
} LcpDef;

typedef struct LcpResult {
    int pivots;      /* bases tried; 1: the start was right */
    int factored;    /* full factorizations; other bases are updated from one of these */
    int columns;     /* columns of M computed */
    int lemke;       /* pivots of Lemke's method; 0: not used */
    double residual; /* largest violation of z >= 0, w >= 0 and w_i = 0 where z_i > 0, as a fraction of the terms */
} LcpResult;

/* Scratch for problems of up to `capacity` rows; one per thread, kept between solves. */
typedef struct LcpSolver {
    int capacity;
    double *columns;  /* [capacity][capacity] M by columns */
    char *made;       /* [capacity] 1: column j is computed */
    BasisFactor factor; /* of M_aa */
    double *inverse;  /* [capacity][capacity] Lemke: inverse of the basis */
    int *exchange;    /* [capacity] rows of wrong sign; Lemke: variable of each row */
    char *in_basis;   /* [capacity] alpha: the rows with w = 0 */
    double *value;    /* [capacity] z; Lemke: values of the basic variables */
    double *scale;    /* [capacity] sum of the magnitudes of the terms of w_i */
    double *entering; /* [capacity] Lemke: the entering column */
    double *w;        /* [capacity] */
    LcpResult result; /* of the last solved problem */
    Arena memory;     /* of the arrays */
} LcpSolver;

LcpDef lcp_default_def(void);

Status lcp_solver_init(LcpSolver *solver, int capacity, Error *err);
void lcp_solver_free(LcpSolver *solver);

/* z[size]: in, the start, whose rows with z > 0 form the first basis (zero is valid); out, the solution.
 * STATUS_NO_RESULT if the problem has no solution or the pivots run out, STATUS_USAGE if it is larger than the solver:
 * z and solver->result then stay unchanged. w[size] may be NULL. */
Status lcp_solve(LcpSolver *solver, const Lcp *lcp, const LcpDef *def, double *z, double *w, Error *err);

#endif
