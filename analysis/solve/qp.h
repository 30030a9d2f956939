/* A convex quadratic program, through its linear complementarity problem (docs/sources.md, notes 0.3):
 *
 *     minimise 1/2 x'Q x + c'x   subject to   A x >= b,   Q symmetric positive definite.
 *
 * M = A Q^-1 A', q = -b - A Q^-1 c, x = Q^-1 (A'z - c); columns of M on demand. */
#ifndef KANE_SOLVE_QP_H
#define KANE_SOLVE_QP_H

#include "analysis/base/status.h"
#include "analysis/solve/lcp.h"

typedef struct Qp {
    int size, rows;
    const double *quadratic; /* [size][size] Q */
    const double *linear;    /* [size] c */
    const double *a;         /* [rows][size] A */
    const double *b;         /* [rows] */
} Qp;

/* x[size] is written. z[rows]: in, a start (rows with z > 0 hold with equality); out, the multipliers. result may be
 * NULL. STATUS_NO_RESULT when Q is not positive definite or no x satisfies the rows. */
Status qp_solve(const Qp *qp, const LcpDef *def, double *x, double *z, LcpResult *result, Error *err);

#endif
