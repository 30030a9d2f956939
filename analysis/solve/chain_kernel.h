/* Dense steps of the block factorisation along a chain, compiled once per instruction set (chain_kernel.c).
 *
 * A block of n unknowns is a matrix of n rows; each row has `stride` = chain_stride(n) entries, a multiple of eight:
 * n columns, then the right side, then zeros. Rows begin on 64-byte boundaries. Each entry is formed by the same
 * operations in the same order at every width, so the bits agree. A factor U holds the inverses of its diagonal there.
 *
 * The coupling X of a block with the one before it is a staircase: column j is zero above row begin[j], and begin
 * never falls. That saves two thirds of the work. */
#ifndef KANE_SOLVE_CHAIN_KERNEL_H
#define KANE_SOLVE_CHAIN_KERNEL_H

#include "analysis/math/lane_width.h"

static inline int chain_stride(int n) { return (n + 8) & ~7; }

typedef struct ChainKernel {
    /* x[before][chain_stride(n)] <- U'^-1 x for the factor u of the block before; begin[n]. */
    void (*solve_transposed)(const double *u, int before, double *x, int n, const int *begin);
    /* (A | b)[n] -> (U | U'^-1 (b - X'y)) with A - X'X = U'U; column n of x holds y, the solved right side of the block
     * before. 0 when A - X'X is not positive definite. The lower triangle is scratch. */
    int (*factor)(double *a, int n, const double *x, int before, const int *begin);
    /* z[n] <- U^-1 (column n of u - x z_after), x[n][chain_stride(after)]; z and z_after are padded with zeros. */
    void (*back_substitute)(const double *u, int n, const double *x, int after, const double *z_after, double *z);
    /* y[n] <- y + a x, a[n][n] symmetric, rows one after the other, n a multiple of three */
    void (*multiply_add)(const double *a, int n, const double *x, double *y);
} ChainKernel;

typedef ChainKernel ChainKernelOf(void);
LANE_TWINS(ChainKernelOf, chain_kernel);

#endif
