/* analysis/math/dense_factor: solutions reproduce the right-hand side; singular matrices are detected. */
#include "tests/support/test.h"

#include <string.h>

#include "analysis/math/dense_factor.h"
#include "tests/support/random_clip.h"

enum { N = 12 };

TEST(solution_reproduces_the_right_hand_side)
{
    Random r = {1};
    double root[N][N], a[N][N], factor[N][N], x[N], b[N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            root[i][j] = random_signed(&r) + 2 * (i == j);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = 0;
            for (int k = 0; k < N; k++)
                a[i][j] += root[k][i] * root[k][j];
            factor[i][j] = j > i ? NAN : a[i][j]; /* the upper triangle is not read */
        }
    for (int i = 0; i < N; i++)
        x[i] = b[i] = random_signed(&r);
    assert_int_equal(cholesky_factor(&factor[0][0], N), N);
    cholesky_solve(&factor[0][0], N, x);
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int k = 0; k < N; k++)
            sum += a[i][k] * x[k];
        assert_near(sum, b[i], 1e-12);
    }
}

/* Mass matrix of a tree of bodies on sliders: two limbs on a root. Rows of the factor end with their subtrees, and the
 * lower triangle is not read. */
TEST(tree_factor_has_no_fill_in)
{
    Random r = {3};
    const int parent[N] = {-1, 0, 1, 2, 3, 1, 5, 6, 0, 8, 9, 8}, end[N] = {11, 7, 4, 4, 4, 7, 7, 7, 11, 10, 10, 11};
    double a[N][N] = {{0}}, factor[N][N], x[N] = {0}, b[N] = {0};
    int last[N];
    for (int body = 0; body < N; body++)
        for (int i = body; i >= 0; i = parent[i])
            for (int j = body; j >= 0; j = parent[j])
                a[i][j] += (1 + body) * (1 + 0.1 * i) * (1 + 0.1 * j) + (i == j);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            factor[i][j] = j < i ? NAN : a[i][j];
    for (int i = 0; i < 8; i++) /* trailing zeros */
        x[i] = b[i] = random_signed(&r);
    assert_int_equal(profile_factor(&factor[0][0], N, last), N);
    assert_memory_equal(last, end, sizeof end);
    profile_solve(&factor[0][0], last, N, x);
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int k = 0; k < N; k++)
            sum += a[i][k] * x[k];
        assert_near(sum, b[i], 1e-12);
    }
    double singular[4] = {1, 2, 0, 0};
    assert_int_equal(profile_factor(singular, 2, last), 1);
}

TEST(zero_pivots_are_found)
{
    double singular[9] = {4, 0, 0, 2, 5, 0, 6, 7, 13}; /* third row: the sum of the first two */
    double indefinite[4] = {1, 0, 2, 1};
    double broken[4] = {1, 0, 0, NAN};
    assert_int_equal(cholesky_factor(singular, 3), 2);
    assert_int_equal(cholesky_factor(indefinite, 2), 1);
    assert_int_equal(cholesky_factor(broken, 2), 1);
}

TEST(solution_satisfies_the_system)
{
    /* A zero on the diagonal: requires pivoting. */
    const double a[16] = {0, 2, -1, 1, 3, 0, 4, -2, 1, 1, 0, 5, -2, 7, 1, 0}, b[4] = {1, -2, 3, 4};
    double factor[16], x[4];
    int exchange[4];
    memcpy(factor, a, sizeof a);
    memcpy(x, b, sizeof b);
    assert_int_equal(lu_factor(factor, 4, exchange), 4);
    lu_solve(factor, exchange, 4, x);
    for (int i = 0; i < 4; i++) {
        double sum = 0;
        for (int k = 0; k < 4; k++)
            sum += a[4 * i + k] * x[k];
        assert_near(sum, b[i], 1e-13);
    }
}

/* Singularity is relative to the matrix norm: thin bodies have small entries. */
TEST(small_matrix_is_not_singular)
{
    double small[4] = {2e-18, 0, 0, 3e-18}, x[2] = {4e-18, 3e-18};
    int exchange[2];
    assert_int_equal(lu_factor(small, 2, exchange), 2);
    lu_solve(small, exchange, 2, x);
    assert_near(x[0], 2, 1e-12);
    assert_near(x[1], 1, 1e-12);
}

TEST(singular_matrix_is_reported)
{
    double a[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, zero[1] = {0};
    int exchange[3];
    assert_int_equal(lu_factor(a, 3, exchange), 2);
    assert_int_equal(lu_factor(zero, 1, exchange), 0);
    assert_int_equal(lu_factor(zero, 0, exchange), 0);
}
