/* Factors of M_aa for a basis that changes by a few rows at a time, maintained from pivot to pivot (notes 0.8).
 *
 * One basis F is factored, M_FF = L U. A later one has left out rows R of it and added rows A. It is solved by those
 * factors and a system as small as the change (the Schur complement update of Gill, Murray, Saunders and Wright,
 * "Sparse matrix methods in optimization", SIAM J. Sci. Stat. Comput. 5, 1984):
 *
 *     M_FF y + [M_FA  E_R] t = (b_F, 0 in R),   [M_AF; E_R'] y + [M_AA 0; 0 0] t = (b_A, 0),   t = (z_A, slack of R).
 *
 * Changes over a quarter of F cost more than factors made anew, which are made then. */
#ifndef KANE_SOLVE_BASIS_FACTOR_H
#define KANE_SOLVE_BASIS_FACTOR_H

#include "analysis/base/arena.h"

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

#endif
