/* analysis/solve/mixed_lcp: solutions against the three conditions of notes 0.7, computed here; minima of quadratic
 * programs against the Karush-Kuhn-Tucker conditions. */
#include "analysis/solve/kkt.h"
#include "tests/support/test.h"

#include <string.h>

#include "analysis/solve/mixed_lcp.h"
#include "tests/support/random_number.h"

enum { SIZE = 10, BILATERAL = 3, UNILATERAL = 14 };

TEST(solutions_satisfy_the_system)
{
    for (unsigned seed = 1; seed <= 30; seed++) {
        unsigned r = seed;
        double mass[SIZE * SIZE], g_rows[BILATERAL * SIZE], n_rows[UNILATERAL * SIZE], soft[UNILATERAL * UNILATERAL];
        double f[SIZE], g[BILATERAL], n[UNILATERAL], x[SIZE], lambda[BILATERAL], z[UNILATERAL] = {0}, w[UNILATERAL];
        random_semidefinite(mass, SIZE, SIZE, 0.1, &r);
        for (int i = 0; i < BILATERAL * SIZE; i++)
            g_rows[i] = random_number(&r);
        for (int i = 0; i < UNILATERAL * SIZE; i++)
            n_rows[i] = random_number(&r);
        for (int i = 0; i < UNILATERAL * UNILATERAL; i++)
            soft[i] = i % (UNILATERAL + 1) == 0 ? 0.05 : 0;
        for (int i = 0; i < SIZE; i++)
            f[i] = random_number(&r);
        for (int i = 0; i < BILATERAL; i++)
            g[i] = 0.1 * random_number(&r);
        for (int i = 0; i < UNILATERAL; i++)
            n[i] = 0.5 * random_number(&r);
        Kkt kkt;
        MixedLcpSolver solver;
        LcpDef def = lcp_default_def();
        assert_int_equal(kkt_init(&kkt, SIZE, BILATERAL, NULL), STATUS_OK);
        assert_int_equal(kkt_factor(&kkt, mass, g_rows, NULL, NULL), STATUS_OK);
        assert_int_equal(mixed_lcp_solver_init(&solver, SIZE + BILATERAL, UNILATERAL, NULL), STATUS_OK);
        MixedLcp problem = {SIZE, BILATERAL, UNILATERAL, kkt_solve, &kkt, n_rows, soft, f, g, n};
        MixedLcpSolution solution = {x, lambda, z, w};
        assert_int_equal(mixed_lcp_solve(&solver, &problem, &def, &solution, NULL), STATUS_OK);
        for (int i = 0; i < SIZE; i++) {
            double sum = -f[i];
            for (int k = 0; k < SIZE; k++)
                sum += mass[i * SIZE + k] * x[k];
            for (int k = 0; k < BILATERAL; k++)
                sum -= g_rows[k * SIZE + i] * lambda[k];
            for (int k = 0; k < UNILATERAL; k++)
                sum -= n_rows[k * SIZE + i] * z[k];
            assert_near(sum, 0, 1e-10);
        }
        for (int k = 0; k < BILATERAL; k++) {
            double sum = -g[k];
            for (int i = 0; i < SIZE; i++)
                sum += g_rows[k * SIZE + i] * x[i];
            assert_near(sum, 0, 1e-10);
        }
        for (int k = 0; k < UNILATERAL; k++) {
            double sum = -n[k] + 0.05 * z[k];
            for (int i = 0; i < SIZE; i++)
                sum += n_rows[k * SIZE + i] * x[i];
            assert_near(sum, w[k], 1e-10);
            assert_true(z[k] >= 0 && w[k] >= 0 && z[k] * w[k] == 0);
        }
        mixed_lcp_solver_free(&solver);
        kkt_free(&kkt);
    }
}

/* A block of mass 2 slides along x on the ground with mu 0.5 (notes 0.10, Anitescu and Stewart): in one step of 0.01 s
 * friction reduces the speed by mu g h, or to zero. z = (theta, phi+, phi-, xi). */
TEST(friction_slows_a_block)
{
    const double mass[4] = {2, 0, 0, 2}, h = 0.01, gravity = 9.80665, mu = 0.5;
    const double rows[4 * 2] = {0, 1, 1, 0, -1, 0, 0, 0};
    const double added[4 * 4] = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, mu, -1, -1, 0};
    const double n[4] = {0};
    Kkt kkt;
    MixedLcpSolver solver;
    LcpDef def = lcp_default_def();
    assert_int_equal(kkt_init(&kkt, 2, 0, NULL), STATUS_OK);
    assert_int_equal(kkt_factor(&kkt, mass, NULL, NULL, NULL), STATUS_OK);
    assert_int_equal(mixed_lcp_solver_init(&solver, 2, 4, NULL), STATUS_OK);
    for (int fast = 0; fast < 2; fast++) {
        double speed = fast ? 1 : 0.02, f[2] = {2 * speed, -2 * gravity * h}, x[2], z[4] = {0};
        MixedLcp problem = {2, 0, 4, kkt_solve, &kkt, rows, added, f, NULL, n};
        MixedLcpSolution solution = {.x = x, .z = z};
        assert_int_equal(mixed_lcp_solve(&solver, &problem, &def, &solution, NULL), STATUS_OK);
        assert_near(x[0], fast ? 1 - mu * gravity * h : 0, 1e-14);
        assert_near(x[1], 0, 1e-14);
        assert_near(z[0], 2 * gravity * h, 1e-14);
        assert_near(z[2] - z[1], fast ? mu * 2 * gravity * h : 2 * 0.02, 1e-14);
    }
    mixed_lcp_solver_free(&solver);
    kkt_free(&kkt);
}

/* (0.10): a soft contact has alpha z- = -phi - (h/2 + beta) v while it pushes, and zero instead of a pull. */
TEST(soft_contact_pushes_and_does_not_pull)
{
    const double mass[1] = {3}, row[1] = {1}, alpha = 1e-4, beta = 0.01, h = 0.005;
    Kkt kkt;
    MixedLcpSolver solver;
    LcpDef def = lcp_default_def();
    assert_int_equal(kkt_init(&kkt, 1, 0, NULL), STATUS_OK);
    assert_int_equal(kkt_factor(&kkt, mass, NULL, NULL, NULL), STATUS_OK);
    assert_int_equal(mixed_lcp_solver_init(&solver, 1, 1, NULL), STATUS_OK);
    for (int inside = 0; inside < 2; inside++) {
        double phi = inside ? -0.002 : 0.05, f[1] = {3 * -0.1}, x[1], z[1] = {0};
        SoftRow soft = soft_row(alpha, beta, h, phi);
        MixedLcp problem = {1, 0, 1, kkt_solve, &kkt, row, &soft.compliance, f, NULL, &soft.target};
        MixedLcpSolution solution = {.x = x, .z = z};
        assert_int_equal(mixed_lcp_solve(&solver, &problem, &def, &solution, NULL), STATUS_OK);
        assert_near(3 * (x[0] + 0.1), z[0], 1e-14);
        assert_near(alpha * z[0] / h, inside ? -phi - (h / 2 + beta) * x[0] : 0, 1e-14);
        assert_true(inside ? z[0] > 0 : z[0] == 0);
    }
    mixed_lcp_solver_free(&solver);
    kkt_free(&kkt);
}

TEST(contradicting_rows_terminate)
{
    const double mass[1] = {1}, rows[2] = {1, -1}, f[1] = {0}, n[2] = {1, 1};
    double x[1], z[2] = {0};
    Kkt kkt;
    MixedLcpSolver solver;
    LcpDef def = lcp_default_def();
    assert_int_equal(kkt_init(&kkt, 1, 0, NULL), STATUS_OK);
    assert_int_equal(kkt_factor(&kkt, mass, NULL, NULL, NULL), STATUS_OK);
    assert_int_equal(mixed_lcp_solver_init(&solver, 1, 2, NULL), STATUS_OK);
    MixedLcp problem = {1, 0, 2, kkt_solve, &kkt, rows, NULL, f, NULL, n};
    MixedLcpSolution solution = {.x = x, .z = z};
    assert_int_equal(mixed_lcp_solve(&solver, &problem, &def, &solution, NULL), STATUS_NO_RESULT);
    problem.unilateral = 3;
    assert_int_equal(mixed_lcp_solve(&solver, &problem, &def, &solution, NULL), STATUS_USAGE);
    mixed_lcp_solver_free(&solver);
    kkt_free(&kkt);
}

enum { QP_SIZE = 12, QP_ROWS = 30 };

/* The nearest point of the half-plane x + y >= 2 to the origin is (1, 1). */
TEST(nearest_point_of_a_half_plane_is_found)
{
    const double q[4] = {1, 0, 0, 1}, c[2] = {0, 0}, a[2] = {1, 1}, b[1] = {2};
    double x[2], z[1] = {0};
    LcpDef def = lcp_default_def();
    Qp qp = {2, 1, q, c, a, b};
    assert_int_equal(qp_solve(&qp, &def, x, z, NULL), STATUS_OK);
    assert_near(x[0], 1, 1e-15);
    assert_near(x[1], 1, 1e-15);
    assert_near(z[0], 1, 1e-15);
}

TEST(minima_satisfy_kkt_conditions)
{
    LcpDef def = lcp_default_def();
    for (unsigned seed = 1; seed <= 40; seed++) {
        unsigned r = seed;
        double q[QP_SIZE * QP_SIZE], c[QP_SIZE], a[QP_ROWS * QP_SIZE], b[QP_ROWS], x[QP_SIZE], z[QP_ROWS] = {0};
        random_semidefinite(q, QP_SIZE, QP_SIZE, 0.01, &r);
        for (int i = 0; i < QP_SIZE; i++)
            c[i] = random_number(&r);
        for (int i = 0; i < QP_ROWS * QP_SIZE; i++)
            a[i] = random_number(&r);
        for (int i = 0; i < QP_ROWS; i++)
            b[i] = 0.3 * random_number(&r) - 0.3; /* zero satisfies nearly all rows */
        Qp qp = {QP_SIZE, QP_ROWS, q, c, a, b};
        if (qp_solve(&qp, &def, x, z, NULL))
            fail_msg("seed %u is not solved", seed);
        for (int i = 0; i < QP_SIZE; i++) {
            double gradient = c[i];
            for (int k = 0; k < QP_SIZE; k++)
                gradient += q[i * QP_SIZE + k] * x[k];
            for (int k = 0; k < QP_ROWS; k++)
                gradient -= a[k * QP_SIZE + i] * z[k];
            assert_near(gradient, 0, 1e-9);
        }
        for (int k = 0; k < QP_ROWS; k++) {
            double slack = -b[k];
            for (int i = 0; i < QP_SIZE; i++)
                slack += a[k * QP_SIZE + i] * x[i];
            assert_true(slack >= -1e-9 && z[k] >= 0);
            assert_near(z[k] * slack, 0, 1e-9);
        }
    }
}

TEST(infeasible_rows_are_reported)
{
    const double q[1] = {1}, c[1] = {0}, a[2] = {1, -1}, b[2] = {1, 1}, indefinite[1] = {-1};
    double x[1], z[2] = {0};
    LcpDef def = lcp_default_def();
    Qp qp = {1, 2, q, c, a, b};
    Error err;
    assert_int_equal(qp_solve(&qp, &def, x, z, &err), STATUS_NO_RESULT);
    assert_string_equal(err.text, "complementarity problem has no solution");
    qp.quadratic = indefinite;
    assert_int_equal(qp_solve(&qp, &def, x, z, NULL), STATUS_NO_RESULT);
}
