/* Dense steps of the block factorisation along a chain, compiled once per instruction set (chain_kernel.c).
 *
 * Matrices are rows one after the other. Each entry is formed by the same operations in the same order at every
 * width, so the bits agree. */
#ifndef KANE_SOLVE_CHAIN_KERNEL_H
#define KANE_SOLVE_CHAIN_KERNEL_H

#include "analysis/math/lane_width.h"

typedef struct ChainKernel {
    /* a[n][n] -> U with a = U'U, in the upper triangle; 0 when a is not positive definite */
    int (*cholesky)(double *a, int n);
    /* x[n][m] <- U'^-1 x */
    void (*solve_transposed)(const double *u, int n, double *x, int m);
    /* a[m][m] <- a - x'x in the upper triangle, x[n][m] */
    void (*subtract_square)(double *a, int m, const double *x, int n);
    /* y[n] <- y + a x, a[n][n] symmetric */
    void (*multiply_add)(const double *a, int n, const double *x, double *y);
} ChainKernel;

ChainKernel chain_kernel_avx512(void);
ChainKernel chain_kernel_avx2(void);
ChainKernel chain_kernel_sse2(void);
ChainKernel chain_kernel_scalar(void);

#endif
