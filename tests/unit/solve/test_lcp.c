/* analysis/solve/lcp and its fallback, Lemke's method: solutions against the complementarity conditions, computed
 * here. */
#include "tests/support/test.h"
#include "tests/support/random_number.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/solve/lcp.h"

typedef struct Dense {
    int size;
    const double *m; /* by rows */
    int asked;       /* columns requested */
} Dense;

static void dense_column(const void *context, int j, double *out)
{
    Dense *d = (Dense *)(uintptr_t)context;
    d->asked++;
    for (int i = 0; i < d->size; i++)
        out[i] = d->m[i * d->size + j];
}

static Status solve(const double *m, const double *q, int n, double *z, LcpResult *result, int *asked)
{
    Dense dense = {n, m, 0};
    Lcp lcp = {n, q, dense_column, &dense};
    LcpDef def = lcp_default_def();
    LcpSolver solver;
    double *w = calloc((size_t)n + 1, sizeof *w);
    assert_int_equal(lcp_solver_init(&solver, n, NULL), STATUS_OK);
    Status status = lcp_solve(&solver, &lcp, &def, z, w, NULL);
    if (result)
        *result = solver.result;
    if (asked)
        *asked = dense.asked;
    lcp_solver_free(&solver);
    free(w);
    return status;
}

static void check_conditions(const double *m, const double *q, int n, const double *z)
{
    for (int i = 0; i < n; i++) {
        double w = q[i], scale = fabs(q[i]);
        for (int j = 0; j < n; j++) {
            w += m[i * n + j] * z[j];
            scale += fabs(m[i * n + j] * z[j]);
        }
        assert_true(z[i] >= 0);
        assert_true(w >= -1e-9 * scale);
        if (z[i] > 0)
            assert_near(w, 0, 1e-9 * scale);
    }
}

/* Cottle, Pang, Stone: M = (2 1; 1 2), q = (-5, -6) has z = (4/3, 7/3). */
TEST(published_problem_has_its_solution)
{
    const double m[4] = {2, 1, 1, 2}, q[2] = {-5, -6};
    double z[2] = {0};
    assert_int_equal(solve(m, q, 2, z, NULL, NULL), STATUS_OK);
    assert_near(z[0], 4.0 / 3, 1e-14);
    assert_near(z[1], 7.0 / 3, 1e-14);
}

TEST(random_problems_are_solved)
{
    double m[64 * 64], q[64], z[64];
    for (unsigned seed = 1; seed <= 60; seed++) {
        unsigned r = seed;
        int n = 1 + (int)(seed * 7 % 64);
        random_semidefinite(m, n, n, 1e-3, &r);
        for (int i = 0; i < n; i++) {
            q[i] = random_number(&r);
            z[i] = 0;
        }
        LcpResult result;
        assert_int_equal(solve(m, q, n, z, &result, NULL), STATUS_OK);
        assert_true(result.residual <= 1e-9);
        check_conditions(m, q, n, z);
    }
}

/* Block pivoting alone cycles here (M is an asymmetric P-matrix). */
TEST(cycling_block_steps_terminate)
{
    const double m[9] = {1, 2, 0, 0, 1, 2, 2, 0, 1}, q[3] = {-1, -1, -1};
    double z[3] = {0};
    assert_int_equal(solve(m, q, 3, z, NULL, NULL), STATUS_OK);
    check_conditions(m, q, 3, z);
    assert_near(z[0], 1.0 / 3, 1e-14);
}

/* Redundant contacts: M is singular, but solutions exist. */
TEST(dependent_rows_are_solved)
{
    double m[24 * 24], q[24], z[24];
    int lemke = 0;
    for (unsigned seed = 1; seed <= 40; seed++) {
        unsigned r = seed;
        LcpResult result;
        int n = 24, rank = 1 + (int)(seed % 6);
        random_semidefinite(m, n, rank, 0, &r);
        /* q = M x + a nonnegative vector: w >= 0 is feasible. */
        double x[24];
        for (int i = 0; i < n; i++)
            x[i] = fmax(0, random_number(&r));
        for (int i = 0; i < n; i++) {
            q[i] = x[i] > 0 ? 0 : fabs(random_number(&r));
            for (int j = 0; j < n; j++)
                q[i] -= m[i * n + j] * x[j];
            z[i] = 0;
        }
        assert_int_equal(solve(m, q, n, z, &result, NULL), STATUS_OK);
        check_conditions(m, q, n, z);
        lemke += result.lemke > 0;
    }
    assert_true(lemke > 0);
}

/* Row 1 requires z_0 = 0, so that its value is the rounding of the other rows and no violation. */
TEST(rounding_error_is_no_violation)
{
    unsigned seed = 4;
    for (int k = 0; k < 300; k++) {
        double a = 1.5 + random_number(&seed), b = 0.3 * random_number(&seed), c = 1.5 + random_number(&seed);
        double x = 3 + random_number(&seed), y = 2 + random_number(&seed), z[3] = {0};
        const double m[9] = {a, 1, b, -1, 0, 0, b, 0, c}, q[3] = {-x, 0, -y};
        assert_int_equal(solve(m, q, 3, z, NULL, NULL), STATUS_OK);
        assert_near(z[0], 0, 1e-14);
        assert_near(z[1], x - b * y / c, 1e-12);
        assert_near(z[2], y / c, 1e-12);
    }
}

TEST(infeasible_problems_terminate)
{
    /* w1 = z1 - z2 - 1 and w2 = -z1 + z2 - 1 cannot both be positive. */
    const double m[4] = {1, -1, -1, 1}, q[2] = {-1, -1}, zero[1] = {0}, below[1] = {-1};
    double z[2] = {0, 7};
    assert_int_equal(solve(m, q, 2, z, NULL, NULL), STATUS_NO_RESULT);
    assert_near(z[1], 7, 0);
    assert_int_equal(solve(zero, below, 1, z, NULL, NULL), STATUS_NO_RESULT);
    const double nan[1] = {NAN};
    assert_int_equal(solve(m, nan, 1, z, NULL, NULL), STATUS_NO_RESULT);
}

TEST(warm_start_takes_one_basis)
{
    double m[40 * 40], q[40], z[40] = {0};
    unsigned r = 11;
    random_semidefinite(m, 40, 40, 0.1, &r);
    for (int i = 0; i < 40; i++)
        q[i] = random_number(&r);
    LcpResult cold, warm;
    assert_int_equal(solve(m, q, 40, z, &cold, NULL), STATUS_OK);
    for (int i = 0; i < 40; i++)
        q[i] *= 1 + 1e-6 * random_number(&r);
    assert_int_equal(solve(m, q, 40, z, &warm, NULL), STATUS_OK);
    check_conditions(m, q, 40, z);
    assert_int_equal(warm.pivots, 1);
    assert_true(cold.pivots > 1);
}

/* A start that is wrong in a few rows is corrected with the factors of the first basis, to the same solution. */
TEST(similar_bases_share_factors)
{
    enum { N = 60 };
    double m[N * N], q[N], z[N] = {0}, cold[N];
    unsigned r = 23;
    int pivots = 0, factored = 0;
    random_semidefinite(m, N, N, 1, &r);
    for (int i = 0; i < N; i++)
        q[i] = random_number(&r);
    for (int change = 0; change < 20; change++) {
        LcpResult warm;
        q[change] = random_number(&r);
        memset(cold, 0, sizeof cold);
        assert_int_equal(solve(m, q, N, z, &warm, NULL), STATUS_OK);
        assert_int_equal(solve(m, q, N, cold, NULL, NULL), STATUS_OK);
        check_conditions(m, q, N, z);
        for (int i = 0; i < N; i++)
            assert_near(z[i], cold[i], 1e-12);
        pivots += change ? warm.pivots : 0;
        factored += change ? warm.factored : 0;
    }
    assert_true(pivots > 38);
    assert_true(2 * factored <= pivots);
}

/* Only rows that are violated at some time require their column. */
TEST(only_violated_rows_require_columns)
{
    double m[50 * 50], q[50], z[50] = {0};
    unsigned r = 3;
    random_semidefinite(m, 50, 3, 1, &r);
    for (int i = 0; i < 50; i++)
        q[i] = i < 4 ? -0.1 : 5;
    int asked;
    LcpResult result;
    assert_int_equal(solve(m, q, 50, z, &result, &asked), STATUS_OK);
    assert_int_equal(asked, 4);
    assert_int_equal(result.columns, 4);
}

TEST(problem_larger_than_the_solver_is_refused)
{
    const double m[4] = {2, 1, 1, 2}, q[2] = {-5, -6};
    double z[2] = {0};
    Dense dense = {2, m, 0};
    Lcp lcp = {2, q, dense_column, &dense};
    LcpDef def = lcp_default_def();
    LcpSolver solver;
    assert_int_equal(lcp_solver_init(&solver, 1, NULL), STATUS_OK);
    assert_int_equal(lcp_solve(&solver, &lcp, &def, z, NULL, NULL), STATUS_USAGE);
    lcp_solver_free(&solver);
    lcp_solver_free(NULL);
}
