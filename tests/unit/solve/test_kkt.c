/* analysis/solve/mixed_lcp: the solution satisfies its system; a soft row is the spring-damper of notes 0.11. */
#include "analysis/solve/kkt.h"
#include "tests/support/test.h"
#include "tests/support/random_number.h"

#include <string.h>


enum { SIZE = 8, ROWS = 3 };

TEST(solution_satisfies_the_system)
{
    double mass[SIZE * SIZE], rows[ROWS * SIZE], soft[ROWS] = {0, 0.5, 0}, b[SIZE + ROWS], y[SIZE + ROWS];
    unsigned r = 5;
    random_semidefinite(mass, SIZE, SIZE, 0.1, &r);
    for (int i = 0; i < ROWS * SIZE; i++)
        rows[i] = random_number(&r);
    for (int i = 0; i < SIZE + ROWS; i++)
        b[i] = y[i] = random_number(&r);
    Kkt kkt;
    assert_int_equal(kkt_init(&kkt, SIZE, ROWS, NULL), STATUS_OK);
    assert_int_equal(kkt_factor(&kkt, mass, rows, soft, NULL), STATUS_OK);
    kkt_solve(&kkt, y);
    for (int i = 0; i < SIZE; i++) {
        double sum = 0;
        for (int k = 0; k < SIZE; k++)
            sum += mass[i * SIZE + k] * y[k];
        for (int k = 0; k < ROWS; k++)
            sum -= rows[k * SIZE + i] * y[SIZE + k];
        assert_near(sum, b[i], 1e-11);
    }
    for (int k = 0; k < ROWS; k++) {
        double sum = soft[k] * y[SIZE + k];
        for (int i = 0; i < SIZE; i++)
            sum += rows[k * SIZE + i] * y[i];
        assert_near(sum, b[SIZE + k], 1e-11);
    }
    kkt_free(&kkt);
}

/* Column j of the mobility: velocities along all rows due to a unit impulse along row j. */
TEST(mobility_equals_the_systems)
{
    enum { COUNT = 5 };
    double mass[SIZE * SIZE], held[ROWS * SIZE], soft[ROWS] = {0, 0.5, 0}, rows[COUNT * SIZE] = {0};
    double half[COUNT * (SIZE + ROWS)], mobility[COUNT * COUNT];
    unsigned r = 9;
    random_semidefinite(mass, SIZE, SIZE, 0.1, &r);
    for (int i = 0; i < ROWS * SIZE; i++)
        held[i] = random_number(&r);
    for (int i = 0; i < (COUNT - 1) * SIZE; i++)
        rows[i] = i % SIZE > i / SIZE ? random_number(&r) : 0;
    Kkt kkt;
    assert_int_equal(kkt_init(&kkt, SIZE, ROWS, NULL), STATUS_OK);
    assert_int_equal(kkt_factor(&kkt, mass, held, soft, NULL), STATUS_OK);
    kkt_mobility(&kkt, rows, COUNT, half, mobility);
    for (int j = 0; j < COUNT; j++) {
        double y[SIZE + ROWS] = {0};
        memcpy(y, rows + j * SIZE, SIZE * sizeof *y);
        kkt_solve(&kkt, y);
        for (int i = 0; i < COUNT; i++) {
            double speed = 0;
            for (int k = 0; k < SIZE; k++)
                speed += rows[i * SIZE + k] * y[k];
            assert_near(mobility[i * COUNT + j], speed, 1e-12);
        }
    }
    kkt_free(&kkt);
}

/* 0.11: alpha lambda- = -phi_k - (h/2 + beta) G v for the mean force lambda- = impulse / h. */
TEST(soft_row_acts_as_spring_and_damper)
{
    const double alpha = 1e-3, beta = 0.02, h = 0.01, phi = -0.004, mass[1] = {2}, row[1] = {1};
    SoftRow soft = soft_row(alpha, beta, h, phi);
    double y[2] = {2 * 0.3, soft.target};
    Kkt kkt;
    assert_int_equal(kkt_init(&kkt, 1, 1, NULL), STATUS_OK);
    assert_int_equal(kkt_factor(&kkt, mass, row, &soft.compliance, NULL), STATUS_OK);
    kkt_solve(&kkt, y);
    assert_near(alpha * y[1] / h, -phi - (h / 2 + beta) * y[0], 1e-15);
    assert_near(mass[0] * (y[0] - 0.3), y[1], 1e-15);
    kkt_free(&kkt);
}

TEST(dependent_rows_are_reported)
{
    const double mass[4] = {1, 0, 0, 1}, rows[4] = {1, 2, 2, 4}, soft[2] = {0.1, 0.1}, no_mass[4] = {1, 0, 0, 0};
    Kkt kkt;
    Error err;
    assert_int_equal(kkt_init(&kkt, 2, 2, NULL), STATUS_OK);
    assert_int_equal(kkt_factor(&kkt, mass, rows, NULL, &err), STATUS_NO_RESULT);
    assert_string_equal(err.text, "bilateral constraint 1 depends on those before it");
    assert_int_equal(kkt_factor(&kkt, mass, rows, soft, NULL), STATUS_OK);
    assert_int_equal(kkt_factor(&kkt, no_mass, rows, soft, NULL), STATUS_NO_RESULT);
    kkt_free(&kkt);
}
