/* Factorisations of small matrices, [n][n] by rows, and the systems they solve. */
#ifndef KANE_MATH_DENSE_FACTOR_H
#define KANE_MATH_DENSE_FACTOR_H

/* The product of two rows of numbers, in four sums, for an addition waits for the one before; their order is fixed, so
 * every compiler has the same bits. */
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

/* a += scale b, four numbers at a time; a and b do not overlap. */
static inline void add_scaled(double *restrict a, double scale, const double *restrict b, int n)
{
    int k = 0;
    for (; k + 4 <= n; k += 4)
        for (int i = 0; i < 4; i++)
            a[k + i] += scale * b[k + i];
    for (; k < n; k++)
        a[k] += scale * b[k];
}

/* Cholesky, for a symmetric A = L L^T. Replaces the lower triangle of a by L; the upper one is neither read nor
 * written. Returns n, or the row of the first pivot that is not positive beyond rounding: there A is singular or
 * indefinite. */
int cholesky_factor(double *a, int n);

/* Solves L L^T x = b in place of b; half of it, L y = b, whose y . y is b^T A^-1 b. */
void cholesky_solve(const double *factor, int n, double *b);
void cholesky_half_solve(const double *factor, int n, double *b);

/* Cholesky of a symmetric A that is sparse as the mass of a tree is, A = U U^T from the last row up. Replaces the upper
 * triangle of a by U, its diagonal by reciprocals; the lower one is neither read nor written. Row i of U ends with row
 * i of A, in column last[i]: where descendants follow their ancestors, with its subtree. Returns n, or the row of the
 * first pivot that is not positive beyond rounding. */
int profile_factor(double *a, int n, int *last);

/* Solves U U^T x = b in place of b; half of it, U y = b. Zeros at the end of b cost nothing on the way up. */
void profile_solve(const double *factor, const int *last, int n, double *b);
void profile_half_solve(const double *factor, const int *last, int n, double *b);

/* The same for `count` rows from `from` on that no other row is coupled with; b has these alone. */
void profile_solve_range(const double *factor, const int *last, int n, int from, int count, double *b);

/* LU with row exchanges, for any A: P A = L U. Replaces a by its factors; exchange[n] receives the row exchanges.
 * Returns n, or the column in which no pivot stands out from rounding: there A is singular. */
int lu_factor(double *a, int n, int *exchange);

/* Solves A x = b in place of b. */
void lu_solve(const double *factor, const int *exchange, int n, double *b);

#endif
