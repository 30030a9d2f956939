/* The minimum of a chain program (tridiagonal_qp.h) with a friction cone per contact.
 *
 * Solved by principal pivoting on the faces of the cones (the linear complementarity form of docs/sources.md, notes 0.3
 * and 0.7, with whole faces in place of single rows): on the present faces the program is linear and one block Cholesky
 * factorisation along the chain solves it; the step there is projected and shortened until the objective falls; the
 * gradient then names the next faces. After a few steps only windows around the frames that have not settled are
 * solved again. It ends at the exact minimum when the faces stay. That they come to stay is not proven: some made-up
 * programs with a least curvature of 1e-5 of the largest use up their rounds, none with 1e-3 and no clip has. Cost:
 * linear in frames, cubic in the contacts of a frame. */
#ifndef KANE_SOLVE_TRIDIAGONAL_SOLVER_H
#define KANE_SOLVE_TRIDIAGONAL_SOLVER_H

#include <stddef.h>

#include "analysis/math/lane_width.h"
#include "analysis/solve/tridiagonal_qp.h"

/* Dense steps of the block factorisation along a chain, compiled once per instruction set (tridiagonal_kernel.c).
 *
 * A block of n unknowns is a matrix of n rows; each row has `stride` = tridiagonal_stride(n) entries, a multiple of
 * eight: n columns, then the right side, then padding. Rows begin on 64-byte boundaries. Each entry is formed by the
 * same operations in the same order at every width, so the bits agree. A factor U holds the inverses of its diagonal
 * there.
 *
 * Factors are kept packed: row i from column tridiagonal_row_begin(i) on, so that a long chain takes little memory.
 *
 * The coupling X of a block with the one before it is a staircase: column j is zero above row begin[j], and begin
 * never falls. That saves two thirds of the work. */

static inline int tridiagonal_stride(int n) { return (n + 8) & ~7; }

/* The first column of row i that a packed factor keeps, and the packed entries before row i in all. */
static inline int tridiagonal_row_begin(int i) { return i & ~7; }
static inline size_t tridiagonal_packed(int stride, int i)
{
    int whole = i / 8;
    return (size_t)(8 * whole * stride - 32 * whole * (whole - 1) + i % 8 * (stride - 8 * whole));
}

/* Where row i of a packed factor has its column 0, or would. */
static inline const double *tridiagonal_packed_row(const double *packed, int stride, int i)
{
    return packed + tridiagonal_packed(stride, i) - tridiagonal_row_begin(i);
}

/* Neighbouring columns of H that become columns of A = B'HB. */
typedef struct TridiagonalRun {
    int from, count;   /* columns of H: of several free contacts, or three of one on a face */
    int to, columns;   /* columns of A; as many as count: copied */
    double basis[2][3]; /* else: of each column */
} TridiagonalRun;

typedef struct TridiagonalKernel {
    /* x[before][tridiagonal_stride(n)] <- U'^-1 x for the factor u of the block before; begin[n]. */
    void (*solve_transposed)(const double *u, int before, double *x, int n, const int *begin);
    /* (A | b)[n] -> (U | U'^-1 (b - X'y)) with A - X'X = U'U; column n of x holds y, the solved right side of the block
     * before. 0 when A - X'X is not positive definite. The lower triangle is scratch. packed receives (U | ...) too. */
    int (*factor)(double *a, int n, const double *x, int before, const int *begin, double *packed);
    /* z[n] <- U^-1 (column n of U + U'^-1 pull), U packed; without the pull where nothing pulls. pull and z have
     * tridiagonal_stride(n) entries; pull is overwritten. */
    void (*back_substitute)(const double *packed, int n, int is_pulled, double *pull, double *z);
    /* y[3n] <- y + H x of n contacts, H as in TridiagonalQp; reads x and writes y as it was up to seven entries
       further */
    void (*multiply_add)(const double *h, int n, const double *x, double *y);
    /* out[length] <- a h[0] + b h[length] + c h[2 length] entry by entry, length a multiple of eight */
    void (*combine_rows)(const double *h, size_t length, const double weight[3], double *out);
    /* The columns of a row of H from column `from` on, on their faces; row and out as if they began at column 0. Writes
     * up to seven entries further. */
    void (*reduce_row)(const double *row, int from, const TridiagonalRun *run, const TridiagonalRun *end, double *out);
} TridiagonalKernel;

typedef TridiagonalKernel TridiagonalKernelOf(void);
LANE_TWINS(TridiagonalKernelOf, tridiagonal_kernel);

typedef struct TridiagonalQpDef {
    double friction;       /* mu; default 0.8 */
    double tolerance;      /* aimed at, of the optimality conditions, in units of the force; default 1e-10 */
    double acceptance;     /* what rounding may leave of it; default 1e-9 */
    int max_rounds;        /* default 40 */
    LaneWidth lanes;       /* default LANES_AUTO; every width gives the same bits */
} TridiagonalQpDef;

typedef struct TridiagonalQpResult {
    double steps;    /* factorisations of the whole chain, counting each frame as often as it was in a window */
    double residual; /* largest |f - project(f - gradient / scale)| at the end, units of the force */
} TridiagonalQpResult;

TridiagonalQpDef tridiagonal_qp_default_def(void);

/* Scratch for programs of any size, one per thread, kept between solves: a chain of one frame, solved again and again,
 * allocates nothing. destroy accepts NULL. */
typedef struct TridiagonalQpSolver TridiagonalQpSolver;
Status tridiagonal_qp_solver_create(TridiagonalQpSolver **solver, Error *err);
void tridiagonal_qp_solver_destroy(TridiagonalQpSolver *solver);

/* force[contact]: in, a start (zero will do) and the forces of held frames; out, the minimum. STATUS_NO_RESULT when
 * max_rounds pass: force then holds the best found. result may be NULL. */
Status tridiagonal_qp_solve(TridiagonalQpSolver *solver, const TridiagonalQp *qp, const TridiagonalQpDef *def,
                            Vec3 *force, TridiagonalQpResult *result, Error *err);

#endif
