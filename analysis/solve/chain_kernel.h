/* Dense steps of the block factorisation along a chain, compiled once per instruction set (chain_kernel.c).
 *
 * A block of n unknowns is a matrix of n rows; each row has `stride` = chain_stride(n) entries, a multiple of eight:
 * n columns, then the right side, then padding. Rows begin on 64-byte boundaries. Each entry is formed by the same
 * operations in the same order at every width, so the bits agree. A factor U holds the inverses of its diagonal there.
 *
 * Factors are kept packed: row i from column chain_row_begin(i) on, so that a long chain takes little memory.
 *
 * The coupling X of a block with the one before it is a staircase: column j is zero above row begin[j], and begin
 * never falls. That saves two thirds of the work. */
#ifndef KANE_SOLVE_CHAIN_KERNEL_H
#define KANE_SOLVE_CHAIN_KERNEL_H

#include <stddef.h>

#include "analysis/math/lane_width.h"

static inline int chain_stride(int n) { return (n + 8) & ~7; }

/* The first column of row i that a packed factor keeps, and the packed entries before row i in all. */
static inline int chain_row_begin(int i) { return i & ~7; }
static inline size_t chain_packed(int stride, int i)
{
    int whole = i / 8;
    return (size_t)(8 * whole * stride - 32 * whole * (whole - 1) + i % 8 * (stride - 8 * whole));
}

/* Where row i of a packed factor has its column 0, or would. */
static inline const double *chain_packed_row(const double *packed, int stride, int i)
{
    return packed + chain_packed(stride, i) - chain_row_begin(i);
}

/* Neighbouring columns of H that become columns of A = B'HB. */
typedef struct ChainRun {
    int from, count;   /* columns of H: of several free contacts, or three of one on a face */
    int to, columns;   /* columns of A; as many as count: copied */
    double basis[2][3]; /* else: of each column */
} ChainRun;

typedef struct ChainKernel {
    /* x[before][chain_stride(n)] <- U'^-1 x for the factor u of the block before; begin[n]. */
    void (*solve_transposed)(const double *u, int before, double *x, int n, const int *begin);
    /* (A | b)[n] -> (U | U'^-1 (b - X'y)) with A - X'X = U'U; column n of x holds y, the solved right side of the block
     * before. 0 when A - X'X is not positive definite. The lower triangle is scratch. packed receives (U | ...) too. */
    int (*factor)(double *a, int n, const double *x, int before, const int *begin, double *packed);
    /* z[n] <- U^-1 (column n of U + U'^-1 pull), U packed; without the pull where nothing pulls. pull and z have
     * chain_stride(n) entries; pull is overwritten. */
    void (*back_substitute)(const double *packed, int n, int is_pulled, double *pull, double *z);
    /* y[3n] <- y + H x of n contacts, H as in ChainQp; reads x and writes y as it was up to seven entries further */
    void (*multiply_add)(const double *h, int n, const double *x, double *y);
    /* out[length] <- a h[0] + b h[length] + c h[2 length] entry by entry, length a multiple of eight */
    void (*combine_rows)(const double *h, size_t length, const double weight[3], double *out);
    /* The columns of a row of H from column `from` on, on their faces; row and out as if they began at column 0. Writes
     * up to seven entries further. */
    void (*reduce_row)(const double *row, int from, const ChainRun *run, const ChainRun *end, double *out);
} ChainKernel;

typedef ChainKernel ChainKernelOf(void);
LANE_TWINS(ChainKernelOf, chain_kernel);

#endif
