/* Factors of M_aa for a basis that changes by a few rows at a time, updated from pivot to pivot (notes 0.8).
 *
 * One basis F is factored, M_FF = L U. A later basis lacks rows R of F and has additional rows A. It is solved with the
 * factors of F and a system of the size of the change (the Schur complement update of Gill, Murray, Saunders and
 * Wright, "Sparse matrix methods in optimization", SIAM J. Sci. Stat. Comput. 5, 1984):
 *   M_FF y + [M_FA  E_R] t = (b_F, 0 in R),   [M_AF; E_R'] y + [M_AA 0; 0 0] t = (b_A, 0),   t = (z_A, slack of R).
 *
 * If more than a quarter of F changes, a new factorization is cheaper and replaces it. */
#ifndef KANE_SOLVE_BASIS_FACTOR_H
#define KANE_SOLVE_BASIS_FACTOR_H

#include "analysis/base/arena.h"

typedef struct BasisFactor {
    int size;           /* rows of M */
    const double *m;    /* [size][size] M by columns; the columns of the basis must be set */
    int count;          /* rows of F */
    int *rows;          /* [count] */
    int *place;         /* [size] position of a row in F; -1: not in F */
    double *lu;         /* [count][count] LU of M_FF */
    int *exchange;      /* [count] its row exchanges */
    int changes;        /* number of rows in A and R */
    int *changed;       /* [changes] */
    double unit;        /* largest diagonal entry of M_FF, the unit of the slacks */
    double *border;     /* [changes][count] M_FF^-1 [M_FA E_R] by columns */
    double *complement; /* [changes][changes] LU of the small system S */
    double *scale;      /* [changes] factors by which the rows of S are multiplied */
    int *complement_exchange; /* [changes] row exchanges of S */
    double *first;      /* [count] y */
    double *rest;       /* [changes] t */
    int factored;       /* full factorizations since basis_factor_begin */
} BasisFactor;

/* Allocates for problems of up to `capacity` rows in the caller's arena; check memory->failed. */
BasisFactor basis_factor_make(int capacity, Arena *memory);

/* Sets a new M, not owned, which must stay valid until the next call; discards the factors. */
void basis_factor_begin(BasisFactor *factor, const double *m, int size);

/* Moves to the basis of the rows with in_basis[size] 1. Returns 0 if M_aa is singular; the next basis is then factored
 * in full. */
int basis_factor_move(BasisFactor *factor, const char *in_basis);

/* The same with a full factorization. */
int basis_factor_anew(BasisFactor *factor, const char *in_basis);

/* Solves M_aa z = b in place: b[size] is indexed by row of M, rows outside the basis become 0. */
void basis_factor_solve(BasisFactor *factor, double *b);

#endif
