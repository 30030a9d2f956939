/* analysis/solve/mixed_lcp: agrees with pivoting, and with Coulomb's law for a block. */
#include "tests/support/test.h"
#include "tests/support/random_number.h"
#include "tests/support/sweep_lcp.h"

#include "analysis/solve/lcp.h"

enum { SIZE = 16 };

static void dense_column(const void *context, int j, double *out)
{
    for (int i = 0; i < SIZE; i++)
        out[i] = ((const double *)context)[i * SIZE + j];
}

TEST(gauss_seidel_agrees_with_pivoting)
{
    LcpDef def = lcp_default_def();
    GaussSeidelDef sweeps_def = gauss_seidel_default_def();
    LcpSolver solver;
    assert_int_equal(lcp_solver_init(&solver, SIZE, NULL), STATUS_OK);
    for (unsigned seed = 1; seed <= 20; seed++) {
        double m[SIZE * SIZE], q[SIZE], exact[SIZE] = {0}, z[SIZE] = {0};
        unsigned r = seed;
        random_semidefinite(m, SIZE, SIZE, 1, &r);
        for (int i = 0; i < SIZE; i++)
            q[i] = random_number(&r);
        Lcp lcp = {SIZE, q, dense_column, m};
        int sweeps;
        assert_int_equal(lcp_solve(&solver, &lcp, &def, exact, NULL, NULL), STATUS_OK);
        assert_int_equal(sweep_lcp(SIZE, m, q, &sweeps_def, z, &sweeps), STATUS_OK);
        for (int i = 0; i < SIZE; i++)
            assert_near(z[i], exact[i], 1e-7);
        assert_true(sweeps > 1);
    }
    lcp_solver_free(&solver);
}

/* A block of 2 kg on the ground: friction reduces its speed by mu g h, or to zero. Rows: normal, x, z. */
TEST(friction_follows_coulomb)
{
    const double h = 0.01, gravity = 9.80665, mass = 2;
    const double rows[9] = {0, 1, 0, 1, 0, 0, 0, 0, 1}, target[3] = {0}, min[3] = {0};
    double response[9];
    for (int i = 0; i < 9; i++)
        response[i] = rows[i] / mass;
    const int normal[3] = {-1, 0, 0};
    GaussSeidelRows system = {3, 3, rows, response, target, NULL, min, normal, 0.5, NULL, NULL};
    GaussSeidelDef def = gauss_seidel_default_def();
    double v[3] = {1, -gravity * h, -0.01}, impulse[3] = {0};
    assert_int_equal(gauss_seidel_rows(&system, &def, v, impulse, NULL, NULL), STATUS_OK);
    assert_near(v[0], 1 - 0.5 * gravity * h, 1e-14);
    assert_near(v[1], 0, 1e-14);
    assert_near(v[2], 0, 1e-14);
    assert_near(impulse[0], mass * gravity * h, 1e-14);
    assert_near(impulse[1], -0.5 * mass * gravity * h, 1e-14);
    assert_near(impulse[2], mass * 0.01, 1e-14);
    /* Warm start at the solution stays there: impulses are accumulated, not applied again. */
    double again[3] = {1, -gravity * h, -0.01};
    int sweeps;
    assert_int_equal(gauss_seidel_rows(&system, &def, again, impulse, &sweeps, NULL), STATUS_OK);
    assert_int_equal(sweeps, 1);
    assert_near(again[0], v[0], 1e-14);
}

/* A bilateral row with compliance R converges to N v + R lambda = c. */
TEST(soft_bilateral_row_is_solved)
{
    const double rows[4] = {1, 1, 1, -1}, response[4] = {1, 0.5, 1, -0.5}, target[2] = {0.4, 0}, soft[2] = {0.3, 0};
    const double min[2] = {-INFINITY, -INFINITY};
    GaussSeidelRows system = {2, 2, rows, response, target, soft, min, NULL, 0, NULL, NULL};
    GaussSeidelDef def = gauss_seidel_default_def();
    double v[2] = {1, 2}, impulse[2] = {0};
    assert_int_equal(gauss_seidel_rows(&system, &def, v, impulse, NULL, NULL), STATUS_OK);
    assert_near(v[0] + v[1] + 0.3 * impulse[0], 0.4, 1e-9);
    assert_near(v[0] - v[1], 0, 1e-9);
}

TEST(infeasible_problems_terminate)
{
    const double m[4] = {1, -1, -1, 1}, q[2] = {-1, -1};
    double z[2] = {0};
    GaussSeidelDef def = gauss_seidel_default_def();
    def.max_sweeps = 50;
    int sweeps;
    assert_int_equal(sweep_lcp(2, m, q, &def, z, &sweeps), STATUS_NO_RESULT);
    assert_int_equal(sweeps, 50);
}

/* A row with zero mobility, exactly or up to rounding, is skipped: the others are solved. */
TEST(zero_rows_are_left_out)
{
    for (int k = 0; k < 2; k++) {
        const double rows[4] = {k ? 1e-17 : 0, 0, 1, 0.5}, target[2] = {3, 2}, min[2] = {0, 0};
        double v[2] = {-1, 4}, impulse[2] = {7, 0};
        int sweeps = 0;
        GaussSeidelDef def = gauss_seidel_default_def();
        GaussSeidelRows system = {2, 2, rows, rows, target, NULL, min, NULL, 0, NULL, NULL};
        assert_int_equal(gauss_seidel_rows(&system, &def, v, impulse, &sweeps, NULL), STATUS_OK);
        assert_true(sweeps > 0);
        assert_near(impulse[0], 0, 0);
        assert_near(impulse[1], 0.8, 1e-9);
        assert_near(v[0], -0.2, 1e-9);
        assert_near(v[1], 4.4, 1e-9);
    }
}

TEST(nonfinite_values_are_refused)
{
    GaussSeidelDef def = gauss_seidel_default_def();
    const double m[4] = {2, 0, 0, 2}, q[2] = {NAN, -1}, endless[2] = {-1, -INFINITY};
    double z[2] = {0};
    assert_int_equal(sweep_lcp(2, m, q, &def, z, NULL), STATUS_NO_RESULT);
    assert_int_equal(sweep_lcp(2, m, endless, &def, z, NULL), STATUS_NO_RESULT);
}
