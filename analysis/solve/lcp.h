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

/* Factors of M_aa for a basis that changes by a few rows at a time, maintained from pivot to pivot (notes 0.8).
 *
 * One basis F is factored, M_FF = L U. A later one has left out rows R of it and added rows A. It is solved by those
 * factors and a system as small as the change (the Schur complement update of Gill, Murray, Saunders and Wright,
 * "Sparse matrix methods in optimization", SIAM J. Sci. Stat. Comput. 5, 1984):
 *
 *     M_FF y + [M_FA  E_R] t = (b_F, 0 in R),   [M_AF; E_R'] y + [M_AA 0; 0 0] t = (b_A, 0),   t = (z_A, slack of R).
 *
 * Changes over a quarter of F cost more than new factors, which are made then. */

typedef struct BasisFactor {
    int size;           /* rows of M */
    const double *m;    /* [size][size] M by columns; those of the basis must be there */
    int count;          /* rows of F */
    int *rows;          /* [count] */
    int *place;         /* [size] of a row in F, -1 */
    double *lu;         /* [count][count] */
    int *exchange;      /* [count] */
    int changes;        /* rows of A and R */
    int *changed;       /* [changes] */
    double unit;        /* largest entry of M_FF's diagonal: what slacks are counted in */
    double *border;     /* [changes][count] M_FF^-1 [M_FA E_R] by columns */
    double *complement; /* [changes][changes] LU of the small system */
    double *scale;      /* [changes] its rows are multiplied by */
    int *complement_exchange; /* [changes] */
    double *first;      /* [count] y */
    double *rest;       /* [changes] t */
    int factored;       /* bases factored whole since basis_factor_begin */
} BasisFactor;

/* Room for problems of up to `capacity` rows, in the caller's arena (whose `failed` tells). */
BasisFactor basis_factor_make(int capacity, Arena *memory);

/* A new M, of which nothing is factored yet; it must stay until the next. */
void basis_factor_begin(BasisFactor *factor, const double *m, int size);

/* The basis becomes the rows with in_basis[size] 1. 0 where M_aa is singular: the next basis is factored whole. */
int basis_factor_move(BasisFactor *factor, const char *in_basis);

/* The same, factored whole whatever is there. */
int basis_factor_anew(BasisFactor *factor, const char *in_basis);

/* Solves M_aa z = b in place of b[size], by row of M; rows outside of the basis become 0. */
void basis_factor_solve(BasisFactor *factor, double *b);

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
    int factored;    /* bases factored whole; the others by the change from one of these (lcp.h) */
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
