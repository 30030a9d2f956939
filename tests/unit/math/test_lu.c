/* analysis/math/lu: what it solves must satisfy the system it was given. */
#include "tests/support/assert_near.h"

#include <string.h>

#include "analysis/math/lu.h"

static void solution_satisfies_the_system(void **state)
{
    (void)state;
    /* A zero on the diagonal: no factorisation without row exchanges. */
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

static void a_singular_matrix_is_named(void **state)
{
    (void)state;
    double a[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, zero[1] = {0};
    int exchange[3];
    assert_int_equal(lu_factor(a, 3, exchange), 2);
    assert_int_equal(lu_factor(zero, 1, exchange), 0);
    assert_int_equal(lu_factor(zero, 0, exchange), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solution_satisfies_the_system),
        cmocka_unit_test(a_singular_matrix_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
