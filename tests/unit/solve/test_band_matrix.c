/* analysis/retarget/limb_solve: solutions satisfy the equations; matrices that are not positive definite are
 * rejected. */
#include "analysis/solve/band_matrix.h"
#include "tests/support/test.h"


enum { SIZE = 37, WIDTH = 5 };

/* A = G'G + 1 with a banded pseudorandom G. */
static void fill(BandMatrix *a)
{
    unsigned state = 7;
    for (size_t row = 0; row < SIZE; row++) {
        double g[WIDTH + 1];
        for (size_t k = 0; k <= WIDTH; k++) {
            state = state * 1664525u + 1013904223u;
            g[k] = (double)(state >> 8) / (1u << 24) - 0.5;
        }
        *band_matrix_at(a, row, row) += 1;
        for (size_t i = 0; i <= WIDTH && row + i < SIZE; i++)
            for (size_t j = i; j <= WIDTH && row + j < SIZE; j++)
                *band_matrix_at(a, row + i, row + j) += g[i] * g[j];
    }
}

static double entry(const BandMatrix *a, size_t i, size_t j)
{
    size_t row = i < j ? i : j, column = i < j ? j : i;
    return column - row <= WIDTH ? *band_matrix_at(a, row, column) : 0;
}

TEST(solution_satisfies_the_equations)
{
    Arena arena = {0};
    BandMatrix a = band_matrix(SIZE, WIDTH, &arena), kept = band_matrix(SIZE, WIDTH, &arena);
    double x[SIZE];
    (void)state;
    assert_false(arena.failed);
    for (int round = 0; round < 2; round++) {
        band_matrix_clear(&a);
        band_matrix_clear(&kept);
        fill(&a);
        fill(&kept);
        for (size_t i = 0; i < SIZE; i++)
            x[i] = (double)i - 11;
        assert_true(band_matrix_solve(&a, x));
        for (size_t i = 0; i < SIZE; i++) {
            double sum = 0;
            for (size_t j = 0; j < SIZE; j++)
                sum += entry(&kept, i, j) * x[j];
            assert_near(sum, (double)i - 11, 1e-12);
        }
    }
    arena_free(&arena);
}

TEST(indefinite_matrix_is_refused)
{
    Arena arena = {0};
    BandMatrix a = band_matrix(SIZE, WIDTH, &arena);
    double x[SIZE] = {0};
    (void)state;
    fill(&a);
    *band_matrix_at(&a, 20, 20) = -1;
    assert_false(band_matrix_solve(&a, x));
    arena_free(&arena);
}
