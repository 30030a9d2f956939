/* Factorizations of small matrices, [n][n] by rows, and of block matrices; solution of linear systems. */
#ifndef KANE_MATH_DENSE_FACTOR_H
#define KANE_MATH_DENSE_FACTOR_H

/* Dot product with four partial sums, which hide the latency of additions; the fixed order gives the same bits with
 * every compiler. */
static inline double dot_product(const double *a, const double *b, int n)
{
    double sum[4] = {0}, rest = 0;
    int k = 0;
    for (; k + 4 <= n; k += 4)
        for (int i = 0; i < 4; i++)
            sum[i] += a[k + i] * b[k + i];
    for (; k < n; k++)
        rest += a[k] * b[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]) + rest;
}

/* a += scale b, four numbers at a time; a and b must not overlap. */
static inline void add_scaled(double *restrict a, double scale, const double *restrict b, int n)
{
    int k = 0;
    for (; k + 4 <= n; k += 4)
        for (int i = 0; i < 4; i++)
            a[k + i] += scale * b[k + i];
    for (; k < n; k++)
        a[k] += scale * b[k];
}

/* Cholesky factorization of a symmetric A = L L^T. Replaces the lower triangle of a by L; does not access the upper
 * triangle. Returns n, or the row of the first pivot that is not positive beyond rounding, where A is singular or
 * indefinite. */
int cholesky_factor(double *a, int n);

/* cholesky_solve: solves L L^T x = b in place. cholesky_half_solve: solves L y = b in place; y . y is b^T A^-1 b. */
void cholesky_solve(const double *factor, int n, double *b);
void cholesky_half_solve(const double *factor, int n, double *b);

/* Cholesky factorization A = U U^T, from the last row up, of a symmetric A with the sparsity of a tree's mass matrix.
 * Replaces the upper triangle of a by U, with reciprocals on the diagonal; does not access the lower triangle. Row i of
 * U ends where row i of A does, in column last[i]; if descendants follow their ancestors, that is the end of the
 * subtree. Returns n, or the row of the first pivot that is not positive beyond rounding. */
int profile_factor(double *a, int n, int *last);

/* profile_solve: solves U U^T x = b in place. profile_half_solve: solves U y = b in place. Trailing zeros of b are
 * skipped on the way up. */
void profile_solve(const double *factor, const int *last, int n, double *b);
void profile_half_solve(const double *factor, const int *last, int n, double *b);

/* The same for the `count` rows from `from` on, if they are not coupled to other rows; b has only these rows. */
void profile_solve_range(const double *factor, const int *last, int n, int from, int count, double *b);

/* LU factorization with row exchanges of any A: P A = L U. Replaces a by its factors; exchange[n] receives the row
 * exchanges. Returns n, or the column in which no pivot exceeds rounding error, where A is singular. */
int lu_factor(double *a, int n, int *exchange);

/* Solves A x = b in place. */
void lu_solve(const double *factor, const int *exchange, int n, double *b);

#endif
