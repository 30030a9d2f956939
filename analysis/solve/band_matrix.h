/* Symmetric positive definite band matrices: Cholesky in place and the solution of A x = b.
 *
 * Row i holds A[i][i] ... A[i][i + width], zeros past the last column. Right-looking: each row, once it is scaled, is
 * taken from the rows below it, so that the inner loop runs along memory and nothing is summed across lanes. Cost:
 * size * width^2 / 2 multiplications. */
#ifndef KANE_SOLVE_BAND_MATRIX_H
#define KANE_SOLVE_BAND_MATRIX_H

#include <stddef.h>

#include "analysis/base/arena.h"

typedef struct BandMatrix {
    size_t size;
    size_t width;  /* of the band beside the diagonal */
    double *value; /* [size][width + 1] */
} BandMatrix;

/* Zeroed; the array is taken from the arena (arena.failed tells). */
BandMatrix band_matrix(size_t size, size_t width, Arena *arena);

void band_matrix_clear(BandMatrix *a);

/* A[row][column]; column lies from row to row + width. */
static inline double *band_matrix_at(const BandMatrix *a, size_t row, size_t column)
{
    return a->value + row * (a->width + 1) + (column - row);
}

/* Replaces A by its factor and b by the solution; 0 where A is not positive definite, with both spoilt. */
int band_matrix_solve(BandMatrix *a, double *b);

#endif
