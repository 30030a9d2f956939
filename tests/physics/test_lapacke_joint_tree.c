/* sim/joint_tree and solve/mixed_lcp against LAPACK's symmetric indefinite solver on whole dense systems. */
#include "tests/support/assert_near.h"

#include <lapacke.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/sim/joint_tree.h"
#include "analysis/solve/mixed_lcp.h"
#include "tests/support/random_number.h"

/* A random forest of bodies with joints of 1 to 6 rows, every third row soft. */
static void make_forest(JointTree *t, int bodies, unsigned *seed)
{
    assert_int_equal(joint_tree_init(t, bodies, NULL), STATUS_OK);
    for (int i = 0; i < bodies; i++) {
        TreeBody *b = &t->body[i];
        b->parent = i % 11 ? (int)((0.5 + 0.5 * random_number(seed)) * i) : -1;
        b->row_count = b->parent < 0 ? 0 : 1 + i % 6;
        random_semidefinite(b->mass, 6, 6, 0.5, seed);
        for (int k = 0; k < 6 * b->row_count; k++) {
            b->parent_rows[k] = random_number(seed);
            b->child_rows[k] = random_number(seed);
        }
        for (int k = 0; k < b->row_count; k += 3)
            b->compliance[k] = 0.1;
    }
    assert_int_equal(joint_tree_arrange(t, NULL), STATUS_OK);
}

/* (M G'; G -R): the system for (v, -lambda). */
static void write_dense(const JointTree *t, double *m)
{
    size_t size = 6 * (size_t)t->body_count, all = size + (size_t)t->row_count;
    memset(m, 0, all * all * sizeof *m);
    for (size_t i = 0; i < (size_t)t->body_count; i++) {
        const TreeBody *b = &t->body[i];
        for (size_t k = 0; k < 36; k++)
            m[(6 * i + k / 6) * all + 6 * i + k % 6] = b->mass[k];
        for (size_t r = 0; r < (size_t)b->row_count; r++) {
            size_t row = size + (size_t)b->row_start + r;
            for (size_t k = 0; k < 6; k++) {
                size_t own = 6 * i + k, up = 6 * (size_t)b->parent + k;
                m[row * all + own] = m[own * all + row] = b->child_rows[6 * r + k];
                m[row * all + up] = m[up * all + row] = b->parent_rows[6 * r + k];
            }
            m[row * all + row] = -b->compliance[r];
        }
    }
}

static void solve_with_lapack(double *m, lapack_int n, double *y, int rows)
{
    lapack_int *pivot = array_new((size_t)n, 1, sizeof *pivot);
    assert_non_null(pivot);
    assert_int_equal(LAPACKE_dsysv(LAPACK_ROW_MAJOR, 'L', n, 1, m, n, pivot, y, 1), 0);
    for (lapack_int i = n - rows; i < n; i++)
        y[i] = -y[i];
    free(pivot);
}

static void check_forest(int bodies, unsigned seed)
{
    JointTree t;
    make_forest(&t, bodies, &seed);
    size_t all = 6 * (size_t)bodies + (size_t)t.row_count;
    double *m = array_new(all, all, sizeof *m), *y = array_new(all, 2, sizeof *y), *expected = y + all;
    assert_true(m && y);
    for (size_t i = 0; i < all; i++)
        y[i] = expected[i] = random_number(&seed);
    write_dense(&t, m);
    solve_with_lapack(m, (lapack_int)all, expected, t.row_count);
    assert_int_equal(joint_tree_factor(&t, NULL), STATUS_OK);
    joint_tree_solve(&t, y);
    double largest = 0;
    for (size_t i = 0; i < all; i++)
        largest = fmax(largest, fabs(expected[i]));
    for (size_t i = 0; i < all; i++)
        assert_near(y[i], expected[i], 1e-9 * largest);
    free(m);
    free(y);
    joint_tree_free(&t);
}

static void the_tree_solves_what_lapack_solves(void **state)
{
    (void)state;
    for (int bodies = 1; bodies <= 41; bodies += 8)
        check_forest(bodies, (unsigned)bodies);
}

static void the_dense_system_is_lapacks_too(void **state)
{
    (void)state;
    enum { SIZE = 20, ROWS = 8, ALL = SIZE + ROWS };
    unsigned seed = 12;
    double mass[SIZE * SIZE], rows[ROWS * SIZE], compliance[ROWS], m[ALL * ALL] = {0}, y[ALL], expected[ALL];
    Kkt kkt;
    random_semidefinite(mass, SIZE, SIZE, 0.5, &seed);
    for (int i = 0; i < ROWS; i++)
        compliance[i] = i % 2 ? 0.3 : 0;
    for (int i = 0; i < ROWS * SIZE; i++)
        rows[i] = random_number(&seed);
    for (int i = 0; i < SIZE * SIZE; i++)
        m[i / SIZE * ALL + i % SIZE] = mass[i];
    for (int i = 0; i < ROWS * SIZE; i++)
        m[(SIZE + i / SIZE) * ALL + i % SIZE] = m[i % SIZE * ALL + SIZE + i / SIZE] = rows[i];
    for (int i = 0; i < ROWS; i++)
        m[(SIZE + i) * (ALL + 1)] = -compliance[i];
    for (int i = 0; i < ALL; i++)
        y[i] = expected[i] = random_number(&seed);
    solve_with_lapack(m, ALL, expected, ROWS);
    assert_int_equal(kkt_init(&kkt, SIZE, ROWS, NULL), STATUS_OK);
    assert_int_equal(kkt_factor(&kkt, mass, rows, compliance, NULL), STATUS_OK);
    kkt_solve(&kkt, y);
    for (int i = 0; i < ALL; i++)
        assert_near(y[i], expected[i], 1e-10);
    kkt_free(&kkt);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_solves_what_lapack_solves),
        cmocka_unit_test(the_dense_system_is_lapacks_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
