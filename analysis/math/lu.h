/* LU factorisation of small dense matrices with row exchanges: P A = L U. */
#ifndef KANE_MATH_LU_H
#define KANE_MATH_LU_H

/* Replaces a, [n][n] by rows, by its factors; exchange[n] receives the row exchanges. Returns n, or the column in
 * which no pivot stands out from rounding: there A is singular. */
int lu_factor(double *a, int n, int *exchange);

/* Solves A x = b in place of b. */
void lu_solve(const double *factor, const int *exchange, int n, double *b);

#endif
