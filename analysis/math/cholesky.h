/* Cholesky factorisation of small dense symmetric matrices: A = L L^T. */
#ifndef KANE_MATH_CHOLESKY_H
#define KANE_MATH_CHOLESKY_H

/* Replaces the lower triangle of a, [n][n] by rows, by L; the upper one is neither read nor written. Returns n, or
 * the row of the first pivot that is not positive beyond rounding: there A is singular or indefinite. */
int cholesky_factor(double *a, int n);

/* Solves L L^T x = b in place of b. */
void cholesky_solve(const double *factor, int n, double *b);

#endif
