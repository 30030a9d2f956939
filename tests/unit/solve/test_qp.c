/* analysis/solve/qp: minima against the conditions of Karush, Kuhn and Tucker, computed here. */
#include "tests/support/assert_near.h"
#include "tests/support/random_number.h"

#include "analysis/solve/qp.h"

enum { SIZE = 12, ROWS = 30 };

/* The nearest point of the plane x + y >= 2 to the origin is (1, 1). */
static void nearest_point_of_a_half_plane(void **state)
{
    (void)state;
    const double q[4] = {1, 0, 0, 1}, c[2] = {0, 0}, a[2] = {1, 1}, b[1] = {2};
    double x[2], z[1] = {0};
    LcpDef def = lcp_default_def();
    Qp qp = {2, 1, q, c, a, b};
    assert_int_equal(qp_solve(&qp, &def, x, z, NULL, NULL), STATUS_OK);
    assert_near(x[0], 1, 1e-15);
    assert_near(x[1], 1, 1e-15);
    assert_near(z[0], 1, 1e-15);
}

static void minima_are_optimal(void **state)
{
    (void)state;
    LcpDef def = lcp_default_def();
    for (unsigned seed = 1; seed <= 40; seed++) {
        unsigned r = seed;
        double q[SIZE * SIZE], c[SIZE], a[ROWS * SIZE], b[ROWS], x[SIZE], z[ROWS] = {0};
        random_semidefinite(q, SIZE, SIZE, 0.01, &r);
        for (int i = 0; i < SIZE; i++)
            c[i] = random_number(&r);
        for (int i = 0; i < ROWS * SIZE; i++)
            a[i] = random_number(&r);
        for (int i = 0; i < ROWS; i++)
            b[i] = 0.3 * random_number(&r) - 0.3; /* zero satisfies nearly all rows */
        Qp qp = {SIZE, ROWS, q, c, a, b};
        if (qp_solve(&qp, &def, x, z, NULL, NULL))
            fail_msg("seed %u is not solved", seed);
        for (int i = 0; i < SIZE; i++) {
            double gradient = c[i];
            for (int k = 0; k < SIZE; k++)
                gradient += q[i * SIZE + k] * x[k];
            for (int k = 0; k < ROWS; k++)
                gradient -= a[k * SIZE + i] * z[k];
            assert_near(gradient, 0, 1e-9);
        }
        for (int k = 0; k < ROWS; k++) {
            double slack = -b[k];
            for (int i = 0; i < SIZE; i++)
                slack += a[k * SIZE + i] * x[i];
            assert_true(slack >= -1e-9 && z[k] >= 0);
            assert_near(z[k] * slack, 0, 1e-9);
        }
    }
}

static void no_point_satisfies_the_rows(void **state)
{
    (void)state;
    const double q[1] = {1}, c[1] = {0}, a[2] = {1, -1}, b[2] = {1, 1}, indefinite[1] = {-1};
    double x[1], z[2] = {0};
    LcpDef def = lcp_default_def();
    Qp qp = {1, 2, q, c, a, b};
    Error err;
    assert_int_equal(qp_solve(&qp, &def, x, z, NULL, &err), STATUS_NO_RESULT);
    assert_string_equal(err.text, "complementarity problem has no solution");
    qp.quadratic = indefinite;
    assert_int_equal(qp_solve(&qp, &def, x, z, NULL, NULL), STATUS_NO_RESULT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_point_of_a_half_plane),
        cmocka_unit_test(minima_are_optimal),
        cmocka_unit_test(no_point_satisfies_the_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
