/* The mixed linear complementarity problem of a body under bilateral and unilateral constraints (notes 0.7):
 *   M x - G' lambda - N' z = f,
 *   G x + R lambda         = g,
 *   N x + C z - n          = w,   0 <= z, 0 <= w, z'w = 0.
 *
 * R is the compliance of soft bilateral rows (0.11). C is zero for hard contacts; it contains the compliance of soft
 * contacts on its diagonal (0.10), and the entries E, mu and -E' of the Anitescu-Stewart friction cone (notes 0.10).
 *
 * It is reduced to a regular problem through A^-1, A = (M -G'; G R), with one solve per column that pivoting requires
 * (0.8): w = (N- A^-1 N-' + C) z + N- A^-1 b - n. The caller supplies A^-1: kkt_solve for dense systems, block
 * elimination for trees. */
#ifndef KANE_SOLVE_MIXED_LCP_H
#define KANE_SOLVE_MIXED_LCP_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/solve/lcp.h"

typedef struct MixedLcp {
    int size, bilateral, unilateral; /* number of entries of x, lambda, z */
    void (*solve)(const void *context, double *y); /* A^-1 y in place of y[size + bilateral] */
    const void *context;
    const double *rows;              /* [unilateral][size] N */
    const double *added;             /* [unilateral][unilateral] C by rows, or NULL */
    const double *f, *g, *n;         /* right sides */
} MixedLcp;

/* Scratch, kept between solves. */
typedef struct MixedLcpSolver {
    int size; /* capacity for x and lambda together */
    LcpSolver lcp;
    double *q;    /* [unilateral] */
    double *work; /* [size] */
    Arena memory; /* of q and work */
} MixedLcpSolver;

/* Allocates for `size` entries of x and lambda together and `unilateral` rows of N. */
Status mixed_lcp_solver_init(MixedLcpSolver *solver, int size, int unilateral, Error *err);
void mixed_lcp_solver_free(MixedLcpSolver *solver);

/* The caller's arrays for the solution. */
typedef struct MixedLcpSolution {
    double *x;      /* [size] */
    double *lambda; /* [bilateral] or NULL */
    double *z;      /* [unilateral] in, a start (lcp.h); out, the solution */
    double *w;      /* [unilateral] or NULL */
} MixedLcpSolution;

/* Stores the solver statistics in solver->lcp.result. Errors: those of lcp_solve. */
Status mixed_lcp_solve(MixedLcpSolver *solver, const MixedLcp *problem, const LcpDef *def,
                       const MixedLcpSolution *solution, Error *err);

/* A convex quadratic program, which is the mixed problem without bilateral rows (notes 0.3):
 *
 *     minimise 1/2 x'Q x + c'x   subject to   A x >= b,   Q symmetric positive definite. */
typedef struct Qp {
    int size, rows;
    const double *quadratic; /* [size][size] Q */
    const double *linear;    /* [size] c */
    const double *a;         /* [rows][size] A */
    const double *b;         /* [rows] */
} Qp;

/* Writes x[size]. z[rows]: in, a start (rows with z > 0 begin active); out, the multipliers. STATUS_NO_RESULT if Q is
 * not positive definite or no x satisfies the rows. */
Status qp_solve(const Qp *qp, const LcpDef *def, double *x, double *z, Error *err);

#endif
