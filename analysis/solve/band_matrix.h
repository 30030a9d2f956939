/* Symmetric positive definite band matrices: in-place Cholesky factorization and solution of A x = b.
 *
 * Row i contains A[i][i] ... A[i][i + width], zero beyond the last column. Right-looking: each row, once scaled, is
 * subtracted from the rows below, so that the inner loop reads memory in order and needs no reduction across lanes.
 * Cost: size * width^2 / 2 multiplications. */
#ifndef KANE_SOLVE_BAND_MATRIX_H
#define KANE_SOLVE_BAND_MATRIX_H

#include <stddef.h>

#include "analysis/base/arena.h"

typedef struct BandMatrix {
    size_t size;
    size_t width;  /* number of bands beside the diagonal */
    double *value; /* [size][width + 1] */
} BandMatrix;

/* Returns a zero matrix allocated in the arena (check arena->failed). */
BandMatrix band_matrix(size_t size, size_t width, Arena *arena);

void band_matrix_clear(BandMatrix *a);

/* Address of A[row][column]; row <= column <= row + width. */
static inline double *band_matrix_at(const BandMatrix *a, size_t row, size_t column)
{
    return a->value + row * (a->width + 1) + (column - row);
}

/* Replaces A by its factor and b by the solution. Returns 0 if A is not positive definite; A and b are then
 * undefined. */
int band_matrix_solve(BandMatrix *a, double *b);

#endif
