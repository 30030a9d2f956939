/* Dense steps of the block factorization along a chain, compiled once per instruction set (tridiagonal_kernel.c).
 *
 * A block of n unknowns is a matrix of n rows with `stride` = tridiagonal_stride(n) entries each, a multiple of eight:
 * n columns, then the right side, then padding. Rows begin on 64-byte boundaries. Every width forms each entry by the
 * same operations in the same order, so results are bitwise equal. The diagonal of a factor U contains the inverses of
 * its diagonal entries.
 *
 * Factors are packed to save memory: row i begins at column tridiagonal_row_begin(i). The coupling X of a block with
 * the one before is a staircase: column j is zero above row begin[j], and begin does not decrease. That saves two
 * thirds of the operations. */
#ifndef KANE_SOLVE_TRIDIAGONAL_STEPS_H
#define KANE_SOLVE_TRIDIAGONAL_STEPS_H

#include <stddef.h>

#include "analysis/math/lane_width.h"

static inline int tridiagonal_stride(int n) { return (n + 8) & ~7; }

/* tridiagonal_row_begin: first column of row i in a packed factor. tridiagonal_packed: packed entries before row i. */
static inline int tridiagonal_row_begin(int i) { return i & ~7; }
static inline size_t tridiagonal_packed(int stride, int i)
{
    int whole = i / 8;
    return (size_t)(8 * whole * stride - 32 * whole * (whole - 1) + i % 8 * (stride - 8 * whole));
}

/* Address that column 0 of row i has, or would have, in a packed factor. */
static inline const double *tridiagonal_packed_row(const double *packed, int stride, int i)
{
    return packed + tridiagonal_packed(stride, i) - tridiagonal_row_begin(i);
}

/* Neighbouring columns of H that become columns of A = B'HB. */
typedef struct TridiagonalRun {
    int from, count;   /* columns of H: those of several free contacts, or the three of one contact on a face */
    int to, columns;   /* columns of A; if equal to count, columns are copied */
    double basis[2][3]; /* otherwise the basis vector of each column */
} TridiagonalRun;

typedef struct TridiagonalKernel {
    /* x[before][tridiagonal_stride(n)] <- U'^-1 x for the factor u of the block before; begin[n]. */
    void (*solve_transposed)(const double *u, int before, double *x, int n, const int *begin);
    /* (A | b)[n] -> (U | U'^-1 (b - X'y)) with A - X'X = U'U; column n of x contains y, the solved right side of the
     * block before. Returns 0 if A - X'X is not positive definite. The lower triangle is scratch. (U | ...) is also
     * written to packed. */
    int (*factor)(double *a, int n, const double *x, int before, const int *begin, double *packed);
    /* z[n] <- U^-1 (column n of U + U'^-1 pull), U packed; pull counts only if is_pulled. pull and z have
     * tridiagonal_stride(n) entries; pull is overwritten. */
    void (*back_substitute)(const double *packed, int n, int is_pulled, double *pull, double *z);
    /* y[3n] <- y + H x of n contacts, H as in TridiagonalQp; reads x, and rewrites y unchanged, up to seven entries
     * further */
    void (*multiply_add)(const double *h, int n, const double *x, double *y);
    /* out[length] <- a h[0] + b h[length] + c h[2 length] per entry, with weights (a, b, c); length a multiple of
     * eight */
    void (*combine_rows)(const double *h, size_t length, const double weight[3], double *out);
    /* Reduces the columns of a row of H from column `from` on to their faces; row and out are addressed as if they
     * began at column 0. Writes up to seven entries further. */
    void (*reduce_row)(const double *row, int from, const TridiagonalRun *run, const TridiagonalRun *end, double *out);
} TridiagonalKernel;

typedef TridiagonalKernel TridiagonalKernelOf(void);
LANE_TWINS(TridiagonalKernelOf, tridiagonal_kernel);

#endif
