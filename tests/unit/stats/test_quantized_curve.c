/* analysis/stats/clip_stats: 16-bit values, rounded up or to the nearest. */
#include "tests/support/test.h"

#include <math.h>

#include "analysis/stats/clip_stats.h"
#include "tests/support/random_number.h"

enum { COUNT = 5000 };

TEST(steps_bound_the_value)
{
    static float value[COUNT];
    static unsigned char bytes[2 * COUNT];
    unsigned seed = 3;
    for (int round = 0; round < 20; round++) {
        double scale = pow(10, round - 10);
        for (int i = 0; i < COUNT; i++)
            value[i] = i % 97 == 5 ? NAN : (float)(scale * fabs(random_number(&seed)));
        for (int rounding = 0; rounding < 2; rounding++) {
            double step = quantized_curve_pack(value, COUNT, rounding, bytes);
            for (int i = 0; i < COUNT; i++) {
                unsigned steps = quantized_curve_at(bytes, (size_t)i);
                assert_int_equal(steps == COARSE_UNKNOWN, isnan(value[i]));
                double over = steps * step - (double)value[i];
                if (steps != COARSE_UNKNOWN && rounding == COARSE_UP)
                    assert_true(over >= 0 && over < step);
                else if (steps != COARSE_UNKNOWN)
                    assert_true(fabs(over) <= 0.5001 * step);
            }
        }
    }
}

TEST(nothing_and_the_largest_are_exact)
{
    const float value[] = {0, 7, 0, NAN}, none[] = {0, NAN};
    unsigned char bytes[8];
    double step = quantized_curve_pack(value, 4, COARSE_UP, bytes);
    assert_int_equal(quantized_curve_at(bytes, 0), 0);
    assert_int_equal(quantized_curve_at(bytes, 1), COARSE_MOST);
    assert_near(step * COARSE_MOST, 7, 1e-14);
    assert_true(quantized_curve_pack(none, 2, COARSE_UP, bytes) > 0);
    assert_int_equal(quantized_curve_at(bytes, 0), 0);
    assert_int_equal(quantized_curve_at(bytes, 1), COARSE_UNKNOWN);
}
