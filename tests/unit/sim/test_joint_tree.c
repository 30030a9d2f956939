/* sim/joint_tree: the solution against its own equations and against the dense one; trees that are held twice. */
#include "tests/support/assert_near.h"

#include <string.h>

#include "analysis/sim/joint_tree.h"
#include "analysis/solve/mixed_lcp.h"
#include "tests/support/random_clip.h"
#include "tests/support/random_number.h"

enum { BODIES = 9, SIZE = 6 * BODIES, MOST_ROWS = 6 * BODIES };

typedef struct Dense {
    double mass[SIZE * SIZE], rows[MOST_ROWS * SIZE], compliance[MOST_ROWS];
} Dense;

/* A random forest with joints of 0 to 6 rows; body 0 is driven where asked. */
static void make_tree(JointTree *t, Dense *d, int driven, unsigned seed)
{
    assert_int_equal(joint_tree_init(t, BODIES, NULL), STATUS_OK);
    for (int i = 0; i < BODIES; i++) {
        TreeBody *b = &t->body[i];
        b->parent = i == 0 || i == 5 ? -1 : (i * 7 + (int)seed) % i;
        b->row_count = b->parent < 0 ? 0 : (i + (int)seed) % 7;
        b->driven = driven && i == 0;
    }
    assert_int_equal(joint_tree_arrange(t, NULL), STATUS_OK);
    memset(d, 0, sizeof *d);
    for (int i = 0; i < BODIES; i++) {
        TreeBody *b = &t->body[i];
        random_semidefinite(b->mass, 6, 6, 0.3, &seed);
        for (int k = 0; k < 6 * b->row_count; k++) {
            b->parent_rows[k] = random_number(&seed);
            b->child_rows[k] = random_number(&seed);
            d->rows[(b->row_start + k / 6) * SIZE + 6 * b->parent + k % 6] = b->parent_rows[k];
            d->rows[(b->row_start + k / 6) * SIZE + 6 * i + k % 6] = b->child_rows[k];
        }
        for (int k = 0; k < b->row_count; k++)
            d->compliance[b->row_start + k] = b->compliance[k] = i % 2 ? 0 : 0.2;
        for (int k = 0; k < 36; k++)
            d->mass[(6 * i + k / 6) * SIZE + 6 * i + k % 6] = b->mass[k];
    }
}

static void it_solves_what_the_dense_system_solves(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 7; seed++) {
        JointTree t;
        Dense d;
        Kkt kkt;
        double y[SIZE + MOST_ROWS], expected[SIZE + MOST_ROWS];
        unsigned s = seed;
        make_tree(&t, &d, 0, seed);
        for (int i = 0; i < SIZE + t.row_count; i++)
            y[i] = expected[i] = random_number(&s);
        assert_int_equal(kkt_init(&kkt, SIZE, t.row_count, NULL), STATUS_OK);
        assert_int_equal(kkt_factor(&kkt, d.mass, d.rows, d.compliance, NULL), STATUS_OK);
        kkt_solve(&kkt, expected);
        assert_int_equal(joint_tree_factor(&t, NULL), STATUS_OK);
        joint_tree_solve(&t, y);
        for (int i = 0; i < SIZE + t.row_count; i++)
            assert_near(y[i], expected[i], 1e-8 * (1 + fabs(expected[i])));
        kkt_free(&kkt);
        joint_tree_free(&t);
    }
}

/* Of impulses on one body, what it and all it hangs on answer. */
static void a_part_answers_as_the_whole_does(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 7; seed++)
        for (int touched = 0; touched < BODIES; touched++) {
            JointTree t;
            Dense d;
            double y[SIZE + MOST_ROWS] = {0}, whole[SIZE + MOST_ROWS];
            char part[BODIES] = {0};
            unsigned s = seed;
            make_tree(&t, &d, 0, seed);
            assert_int_equal(joint_tree_factor(&t, NULL), STATUS_OK);
            for (int b = touched; b >= 0; b = t.body[b].parent)
                part[b] = 1;
            for (int i = 0; i < 6; i++)
                y[6 * touched + i] = random_number(&s);
            memcpy(whole, y, sizeof y);
            joint_tree_solve(&t, whole);
            joint_tree_solve_part(&t, part, y);
            for (int i = 0; i < SIZE; i++)
                assert_near(y[i], part[i / 6] ? whole[i] : 0, 1e-12 * (1 + fabs(whole[i])));
            joint_tree_free(&t);
        }
}

/* With a driven body: its velocity is what was given, the others satisfy their own equations. */
static void a_driven_body_moves_as_it_is_told(void **state)
{
    (void)state;
    JointTree t;
    Dense d;
    double y[SIZE + MOST_ROWS], right[SIZE + MOST_ROWS];
    unsigned seed = 4;
    make_tree(&t, &d, 1, seed);
    for (int i = 0; i < SIZE + t.row_count; i++)
        y[i] = right[i] = random_number(&seed);
    assert_int_equal(joint_tree_factor(&t, NULL), STATUS_OK);
    joint_tree_solve(&t, y);
    for (int i = 0; i < 6; i++)
        assert_near(y[i], right[i], 0);
    for (int i = 6; i < SIZE; i++) {
        double sum = 0;
        for (int k = 0; k < SIZE; k++)
            sum += d.mass[i * SIZE + k] * y[k];
        for (int r = 0; r < t.row_count; r++)
            sum -= d.rows[r * SIZE + i] * y[SIZE + r];
        assert_near(sum, right[i], 1e-9);
    }
    for (int r = 0; r < t.row_count; r++) {
        double sum = d.compliance[r] * y[SIZE + r];
        for (int k = 0; k < SIZE; k++)
            sum += d.rows[r * SIZE + k] * y[k];
        assert_near(sum, right[SIZE + r], 1e-9);
    }
    joint_tree_free(&t);
}

static void what_is_held_twice_or_by_nothing_is_named(void **state)
{
    (void)state;
    JointTree t;
    Error err = {0};
    assert_int_equal(joint_tree_init(&t, 2, NULL), STATUS_OK);
    t.body[1].parent = 0;
    t.body[1].row_count = 2;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 6; k++)
            t.body[i].mass[7 * k] = 1;
    t.body[1].child_rows[0] = t.body[1].child_rows[6] = 1; /* the same row twice */
    assert_int_equal(joint_tree_arrange(&t, NULL), STATUS_OK);
    assert_int_equal(joint_tree_factor(&t, &err), STATUS_NO_RESULT);
    assert_non_null(strstr(err.text, "body 1"));
    memset(t.body[1].mass, 0, sizeof t.body[1].mass);
    assert_int_equal(joint_tree_factor(&t, &err), STATUS_NO_RESULT);
    assert_non_null(strstr(err.text, "singular"));
    t.body[0].parent = 1;
    assert_int_equal(joint_tree_arrange(&t, NULL), STATUS_USAGE);
    joint_tree_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_solves_what_the_dense_system_solves),
        cmocka_unit_test(a_part_answers_as_the_whole_does),
        cmocka_unit_test(a_driven_body_moves_as_it_is_told),
        cmocka_unit_test(what_is_held_twice_or_by_nothing_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
