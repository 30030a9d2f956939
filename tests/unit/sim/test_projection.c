/* sim/projection: the identities of notes 0.5, and constraints that hold twice. */
#include "tests/support/assert_near.h"

#include "analysis/sim/projection.h"
#include "tests/support/random_number.h"

enum { SIZE = 9, COUNT = 4, ALL = SIZE + COUNT };

static double mass[SIZE * SIZE], rows[COUNT * SIZE];

static int make_system(void **state)
{
    (void)state;
    unsigned seed = 5;
    random_semidefinite(mass, SIZE, SIZE, 0.5, &seed);
    for (int i = 0; i < COUNT * SIZE; i++)
        rows[i] = random_number(&seed);
    return 0;
}

static void product(const double *a, const double *b, int m, int n, int k, double *out)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < k; j++) {
            out[i * k + j] = 0;
            for (int l = 0; l < n; l++)
                out[i * k + j] += a[i * n + l] * b[l * k + j];
        }
}

static void projections_are_idempotent_and_keep_the_constraints(void **state)
{
    (void)state;
    double pf[SIZE * SIZE], pv[SIZE * SIZE], twice[SIZE * SIZE], held[COUNT * SIZE];
    assert_int_equal(projection_matrices(mass, rows, SIZE, COUNT, pf, pv, NULL), STATUS_OK);
    product(pf, pf, SIZE, SIZE, SIZE, twice);
    for (int i = 0; i < SIZE * SIZE; i++)
        assert_near(twice[i], pf[i], 1e-10);
    product(rows, pv, COUNT, SIZE, SIZE, held); /* G P_v = 0 */
    for (int i = 0; i < COUNT * SIZE; i++)
        assert_near(held[i], 0, 1e-10);
    double trace = 0; /* dimension of what may move */
    for (int i = 0; i < SIZE; i++)
        trace += pf[i * SIZE + i];
    assert_near(trace, SIZE - COUNT, 1e-10);
    /* P_f takes nothing from a force without power in the constraints: P_f M v = M v where G v = 0. */
    double v[SIZE], x[SIZE], mv[SIZE], projected[SIZE];
    for (int i = 0; i < SIZE; i++)
        x[i] = 1 + i;
    product(pv, x, SIZE, SIZE, 1, v);
    product(mass, v, SIZE, SIZE, 1, mv);
    product(pf, mv, SIZE, SIZE, 1, projected);
    for (int i = 0; i < SIZE; i++)
        assert_near(projected[i], mv[i], 1e-9);
}

static void the_inverse_inverts(void **state)
{
    (void)state;
    double kkt[ALL * ALL] = {0}, inverse[ALL * ALL], one[ALL * ALL];
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            kkt[i * ALL + j] = mass[i * SIZE + j];
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < SIZE; j++) {
            kkt[(SIZE + i) * ALL + j] = rows[i * SIZE + j];
            kkt[j * ALL + SIZE + i] = -rows[i * SIZE + j];
        }
    assert_int_equal(projection_kkt_inverse(mass, rows, SIZE, COUNT, inverse, NULL), STATUS_OK);
    product(kkt, inverse, ALL, ALL, ALL, one);
    for (int i = 0; i < ALL; i++)
        for (int j = 0; j < ALL; j++)
            assert_near(one[i * ALL + j], i == j, 1e-10);
}

static void dependent_rows_are_refused(void **state)
{
    (void)state;
    double twice[2 * SIZE], pf[SIZE * SIZE], pv[SIZE * SIZE];
    for (int i = 0; i < SIZE; i++)
        twice[i] = twice[SIZE + i] = rows[i];
    assert_int_equal(projection_matrices(mass, twice, SIZE, 2, pf, pv, NULL), STATUS_NO_RESULT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projections_are_idempotent_and_keep_the_constraints),
        cmocka_unit_test(the_inverse_inverts),
        cmocka_unit_test(dependent_rows_are_refused),
    };
    return cmocka_run_group_tests(tests, make_system, NULL);
}
