/* formats/report/series: errors are at most half a quantization step; unknown values stay unknown. */
#include "tests/support/test.h"

#include <string.h>

#include "formats/report/series.h"
#include "tests/support/report_data.h"

enum { COUNT = 1000 };

/* Encodes and decodes; returns the step. */
static double round_trip(const double *value, size_t count, double *back)
{
    SeriesBlock block = {0};
    SeriesScale scale;
    assert_int_equal(series_append(&block, value, count, &scale, NULL), STATUS_OK);
    assert_int_equal(block.count, count);
    report_series_read(block.low, block.high, count, scale.min, scale.step, back);
    series_free(&block);
    return scale.step;
}

TEST(quantization_error_is_within_half_a_step)
{
    static const double sizes[] = {1e-12, 1, 1e6, 1e29};
    double value[COUNT], back[COUNT];
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        unsigned seed = 11;
        for (int i = 0; i < COUNT; i++) {
            seed = seed * 1664525u + 1013904223u;
            value[i] = sizes[s] * ((double)seed / 4294967296.0 - 0.3);
        }
        double step = round_trip(value, COUNT, back);
        assert_true(step > 0 && step <= sizes[s] / 65534);
        for (int i = 0; i < COUNT; i++)
            assert_near(back[i], value[i], step * (0.5 + 1e-9));
    }
}

TEST(min_and_max_are_exact)
{
    const double value[] = {-3.25, 8.5, -3.25, 8.5, 0};
    double back[5];
    double step = round_trip(value, 5, back);
    assert_near(step, (8.5 + 3.25) / 65534, 1e-18);
    assert_near(back[0], -3.25, 0);
    assert_near(back[1], 8.5, 1e-12);
    assert_near(back[2], -3.25, 0);
    assert_near(back[3], 8.5, 1e-12);
}

TEST(nonfinite_values_stay_nan)
{
    const double value[] = {NAN, 1, INFINITY, 2, -INFINITY, 1e31, 2};
    double back[7];
    round_trip(value, 7, back);
    assert_true(isnan(back[0]) && isnan(back[2]) && isnan(back[4]) && isnan(back[5]));
    assert_near(back[1], 1, 1e-9);
    assert_near(back[3], 2, 1e-9);
    assert_near(back[6], 2, 1e-9);
}

TEST(constant_and_empty_series_round_trip)
{
    const double same[] = {7, 7, 7}, unknown[] = {NAN, NAN};
    double back[3];
    assert_near(round_trip(same, 3, back), 0, 0);
    assert_near(back[2], 7, 0);
    assert_near(round_trip(unknown, 2, back), 0, 0);
    assert_true(isnan(back[0]) && isnan(back[1]));
    round_trip(same, 0, back);
}

TEST(series_are_appended)
{
    SeriesBlock block = {0};
    SeriesScale first, second;
    const double a[] = {1, 2, 3}, b[] = {-5, 5};
    double back[2];
    assert_int_equal(series_append(&block, a, 3, &first, NULL), STATUS_OK);
    assert_int_equal(series_append(&block, b, 2, &second, NULL), STATUS_OK);
    report_series_read(block.low + 3, block.high + 3, 2, second.min, second.step, back);
    assert_near(back[0], -5, 0);
    assert_near(back[1], 5, 1e-12);
    series_free(&block);
    series_free(&block);
}

/* Compressibility: a ramp over the whole range in both directions has only zero high bytes. */
TEST(slow_series_have_small_differences)
{
    SeriesBlock block = {0};
    SeriesScale scale;
    double value[COUNT];
    for (int i = 0; i < COUNT; i++)
        value[i] = abs(i - COUNT / 2) + 0.25 * (i % 3);
    assert_int_equal(series_append(&block, value, COUNT, &scale, NULL), STATUS_OK);
    for (int i = 1; i < COUNT; i++)
        assert_in_range(block.high[i], 0, 1); /* a step of 1.5 in 500 is 197 codes, folded 394 */
    series_free(&block);
}
