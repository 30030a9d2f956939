/* analysis/solve/lcp: solutions with a changing basis, checked with the matrix itself. */
#include "analysis/solve/basis_factor.h"
#include "tests/support/test.h"
#include "tests/support/random_number.h"

#include <string.h>


enum { SIZE = 40 };

/* Not symmetric, with zeros on part of the diagonal, like the rows of a friction cone. */
static void fill_matrix(double *m, unsigned *r)
{
    for (int i = 0; i < SIZE * SIZE; i++)
        m[i] = random_number(r);
    for (int i = 0; i < SIZE; i++)
        m[i * SIZE + i] = i % 5 == 4 ? 0 : 8 + random_number(r);
}

static void check_solution(BasisFactor *factor, const double *m, const char *in_basis, unsigned *r)
{
    double right[SIZE], z[SIZE];
    for (int i = 0; i < SIZE; i++)
        right[i] = z[i] = random_number(r);
    basis_factor_solve(factor, z);
    for (int i = 0; i < SIZE; i++) {
        double sum = 0;
        for (int j = 0; j < SIZE; j++)
            sum += m[j * SIZE + i] * z[j];
        if (in_basis[i])
            assert_near(sum, right[i], 1e-11);
        else
            assert_true(z[i] == 0);
    }
}

/* One to three rows change at a time: hundreds of bases, of which few are refactorised. */
TEST(basis_changes_reuse_factors)
{
    enum { STEPS = 400 };
    double m[SIZE * SIZE];
    char in_basis[SIZE];
    unsigned r = 5;
    Arena memory = {0};
    BasisFactor factor = basis_factor_make(SIZE, &memory);
    assert_false(memory.failed);
    fill_matrix(m, &r);
    basis_factor_begin(&factor, m, SIZE);
    for (int i = 0; i < SIZE; i++)
        in_basis[i] = i % 5 != 4;
    for (int step = 0; step < STEPS; step++) {
        for (int k = 0; k <= step % 3; k++)
            in_basis[(int)(20 * (1 + random_number(&r))) % SIZE] ^= 1;
        assert_true(basis_factor_move(&factor, in_basis));
        check_solution(&factor, m, in_basis, &r);
    }
    assert_true(factor.factored > 1);
    assert_true(factor.factored < STEPS / 3);
    arena_free(&memory);
}

/* Rows 0 and 1 are equal: a basis with both is singular, and one without either is solvable again. */
TEST(singular_basis_is_reported)
{
    double m[SIZE * SIZE];
    char in_basis[SIZE];
    unsigned r = 9;
    Arena memory = {0};
    BasisFactor factor = basis_factor_make(SIZE, &memory);
    fill_matrix(m, &r);
    for (int j = 0; j < SIZE; j++)
        m[j * SIZE + 1] = m[j * SIZE];
    basis_factor_begin(&factor, m, SIZE);
    memset(in_basis, 1, sizeof in_basis);
    in_basis[1] = 0;
    assert_true(basis_factor_move(&factor, in_basis));
    in_basis[1] = 1;
    assert_false(basis_factor_move(&factor, in_basis));
    in_basis[0] = 0;
    assert_true(basis_factor_move(&factor, in_basis));
    check_solution(&factor, m, in_basis, &r);
    arena_free(&memory);
}

/* From an empty basis, and to one. */
TEST(empty_basis_has_factors)
{
    double m[SIZE * SIZE];
    char in_basis[SIZE] = {0};
    unsigned r = 2;
    Arena memory = {0};
    BasisFactor factor = basis_factor_make(SIZE, &memory);
    fill_matrix(m, &r);
    basis_factor_begin(&factor, m, SIZE);
    for (int step = 0; step < 3; step++) {
        assert_true(basis_factor_move(&factor, in_basis));
        check_solution(&factor, m, in_basis, &r);
        memset(in_basis, step == 0, sizeof in_basis);
    }
    arena_free(&memory);
}
