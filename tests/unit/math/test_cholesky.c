/* analysis/math/cholesky: the solution returns the right-hand side; singular and indefinite matrices are told apart. */
#include "tests/support/assert_near.h"

#include "analysis/math/cholesky.h"
#include "tests/support/random_clip.h"

enum { N = 12 };

static void solution_returns_the_right_hand_side(void **state)
{
    (void)state;
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

static void bad_pivots_are_found(void **state)
{
    (void)state;
    double singular[9] = {4, 0, 0, 2, 5, 0, 6, 7, 13}; /* third row: the sum of the first two */
    double indefinite[4] = {1, 0, 2, 1};
    double broken[4] = {1, 0, 0, NAN};
    assert_int_equal(cholesky_factor(singular, 3), 2);
    assert_int_equal(cholesky_factor(indefinite, 2), 1);
    assert_int_equal(cholesky_factor(broken, 2), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solution_returns_the_right_hand_side),
        cmocka_unit_test(bad_pivots_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
