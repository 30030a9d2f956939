/* The linear complementarity problem: find z with
 *
 *     w = M z + q,   0 <= z, 0 <= w, z'w = 0,
 *
 * by principal pivoting with columns made on demand (docs/sources.md, notes 0.8, equation (0.4)): column j of M is
 * asked for when z_j first enters the basis and kept from then on.
 *
 * Block pivoting exchanges all rows that are wrong at once; where that stops helping, the least wrong row alone
 * (Murty; Judice and Pires, 1994), which is finite where every principal minor of M is positive. Where a basis is
 * singular or the pivots run out, Lemke's method gives the basis that pivoting ends from: it solves every feasible
 * problem with M positive semi-definite, and the copositive ones of the friction cone of 0.10. M need not be symmetric.
 */
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
    double tolerance; /* of a sign, as a share of the terms that made the number; default 1e-11 */
    int max_pivots;   /* block steps and single steps; 0: 20 + 4 size; default 0 */
} LcpDef;

typedef struct LcpResult {
    int pivots;      /* bases tried: 1 when the start was right */
    int factored;    /* bases factored whole; the others by the change from one of these (basis_factor.h) */
    int columns;     /* columns of M that were made */
    int lemke;       /* pivots of Lemke's method, 0 when it was not needed */
    double residual; /* largest violation of z >= 0, w >= 0 and w_i = 0 where z_i > 0, as a share of the terms */
} LcpResult;

/* Scratch for problems of up to `capacity` rows; one per thread, kept between solves. */
typedef struct LcpSolver {
    int capacity;
    double *columns;  /* [capacity][capacity] column j of M, by columns */
    char *made;       /* [capacity] column j is there */
    BasisFactor factor; /* of M_aa */
    double *inverse;  /* [capacity][capacity] Lemke: of the basis */
    int *exchange;    /* [capacity] rows with a wrong sign; Lemke: variable of each row */
    char *in_basis;   /* [capacity] alpha: the rows with w = 0 */
    double *value;    /* [capacity] z; Lemke: values of the basic variables */
    double *scale;    /* [capacity] sum of the terms of w_i by magnitude */
    double *entering; /* [capacity] Lemke's column */
    double *w;        /* [capacity] */
    LcpResult result; /* of the last problem that was solved */
    Arena memory;     /* of the arrays */
} LcpSolver;

LcpDef lcp_default_def(void);

Status lcp_solver_init(LcpSolver *solver, int capacity, Error *err);
void lcp_solver_free(LcpSolver *solver);

/* z[size]: in, the start: rows with z > 0 are the first basis (zero will do); out, the solution. STATUS_NO_RESULT
 * when the problem has none or the pivots run out, STATUS_USAGE when it is larger than the solver: z and
 * solver->result are then as they were. w[size] may be NULL. */
Status lcp_solve(LcpSolver *solver, const Lcp *lcp, const LcpDef *def, double *z, double *w, Error *err);

#endif
