/* analysis/signal/savgol: published weights, polynomials reproduced to rounding, invalid windows. */
#include "analysis/signal/biquad.h"
#include "analysis/signal/savgol.h"
#include "tests/support/test.h"


TEST(weights_equal_the_published_ones)
{
    static const double value[] = {-3, 12, 17, 12, -3}; /* Savitzky and Golay 1964, quadratic over 5 points, / 35 */
    static const double slope[] = {-2, -1, 0, 1, 2};    /* / 10 */
    static const double curve[] = {2, -1, -2, -1, 2};   /* / 7 */
    double w[5];
    for (int d = 0; d < 3; d++) {
        static const double scale[] = {35, 10, 7};
        const double *expected = d == 0 ? value : d == 1 ? slope : curve;
        savgol_weights(5, 2, d, 2, w);
        for (int i = 0; i < 5; i++)
            assert_near(w[i], expected[i] / scale[d], 1e-15);
    }
}

/* x^4 / 10 - 2 x^3 + x - 7 and its derivatives. */
static double polynomial(double x, int derivative)
{
    switch (derivative) {
    case 0: return x * x * x * x / 10 - 2 * x * x * x + x - 7;
    case 1: return 4 * x * x * x / 10 - 6 * x * x + 1;
    default: return 12 * x * x / 10 - 12 * x;
    }
}

TEST(derivatives_of_polynomials_are_exact)
{
    double w[11];
    for (int d = 0; d < 3; d++)
        for (int at = 0; at < 11; at++) {
            double sum = 0;
            savgol_weights(11, 4, d, at, w);
            for (int i = 0; i < 11; i++)
                sum += w[i] * polynomial(i - 5, 0);
            assert_near(sum, polynomial(at - 5, d), 1e-11);
        }
}

TEST(smoothing_preserves_polynomials_to_the_ends)
{
    double rows[40][3];
    for (int i = 0; i < 40; i++)
        for (int c = 0; c < 3; c++)
            rows[i][c] = (c + 1) * polynomial(0.1 * i, 0);
    assert_int_equal(savgol_smooth(&(Samples){&rows[0][0], 40, 3}, 9, 4, NULL), STATUS_OK);
    for (int i = 0; i < 40; i++)
        for (int c = 0; c < 3; c++)
            assert_near(rows[i][c], (c + 1) * polynomial(0.1 * i, 0), 1e-11);
}

TEST(smoothing_reduces_alternating_noise)
{
    double rows[30];
    for (int i = 0; i < 30; i++)
        rows[i] = i % 2 ? 1 : -1;
    assert_int_equal(savgol_smooth(&(Samples){rows, 30, 1}, 9, 2, NULL), STATUS_OK);
    for (int i = 4; i < 26; i++)
        assert_true(rows[i] < 0.35 && rows[i] > -0.35);
    double few[4] = {1, -1, 1, -1};
    assert_int_equal(savgol_smooth(&(Samples){few, 4, 1}, 9, 2, NULL), STATUS_OK);
    assert_near(few[1], -1, 0);
}

TEST(invalid_windows_are_refused)
{
    static const int bad[][2] = {{8, 3}, {1, 0}, {-3, 1}, {5, 5}, {5, -1}, {SAVGOL_MAX_WINDOW + 2, 3}, {99, 40}};
    double row = 2;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Error err = {0};
        assert_int_equal(savgol_smooth(&(Samples){&row, 1, 1}, bad[i][0], bad[i][1], &err), STATUS_USAGE);
        assert_true(err.text[0] != '\0');
    }
    assert_int_equal(savgol_check(5, 4, NULL), STATUS_OK);
}
