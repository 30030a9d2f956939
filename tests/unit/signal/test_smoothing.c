/* analysis/signal/smoothing: each method's table row has its own filter, and straight lines are preserved. */
#include "analysis/signal/biquad.h"
#include "analysis/signal/savgol.h"
#include "tests/support/test.h"

#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/signal/smoothing.h"

enum { ROWS = 200, CHANNELS = 3 };

static const double rate = 100;

static void fill_ramp(double rows[ROWS][CHANNELS])
{
    for (int i = 0; i < ROWS; i++)
        for (int c = 0; c < CHANNELS; c++)
            rows[i][c] = 2 * c - 0.01 * (c + 1) * i;
}

static void fill_noise(double *rows)
{
    for (int i = 0; i < ROWS; i++)
        rows[i] = elementary_sin(0.05 * i) + 0.3 * elementary_sin(2.7 * i * i);
}

/* Sum of the squared second differences. */
static double roughness(const double *rows)
{
    double sum = 0;
    for (int i = 1; i + 1 < ROWS; i++)
        sum += (rows[i + 1] - 2 * rows[i] + rows[i - 1]) * (rows[i + 1] - 2 * rows[i] + rows[i - 1]);
    return sum;
}

TEST(filters_keep_lines_and_reduce_noise)
{
    for (int m = 0; m < SMOOTH_METHOD_COUNT; m++) {
        SmoothDef def = smooth_default_def();
        const Smoother *smoother = smoother_find((SmoothMethod)m);
        double ramp[ROWS][CHANNELS], wanted[ROWS][CHANNELS], noise[ROWS];
        assert_non_null(smoother);
        if (!smoother->filter)
            continue;
        assert_int_equal(smoother->check(&def, NULL), STATUS_OK);
        assert_in_range(smoother->min_rows(&def), 1, 20);
        fill_ramp(ramp);
        fill_ramp(wanted);
        fill_noise(noise);
        double before = roughness(noise);
        const Samples samples[] = {{&ramp[0][0], ROWS, CHANNELS}, {noise, ROWS, 1}};
        assert_int_equal(smoother->filter(samples, 2, &def, rate, NULL), STATUS_OK);
        for (int i = 0; i < ROWS; i++)
            for (int c = 0; c < CHANNELS; c++)
                assert_near(ramp[i][c], wanted[i][c], 1e-8);
        assert_true(roughness(noise) < 0.1 * before);
    }
}

/* Rows in the wrong order would swap the filters. */
TEST(each_name_selects_its_filter)
{
    SmoothDef def = smooth_default_def();
    double expected[ROWS], found[ROWS];
    const Samples to = {expected, ROWS, 1}, of = {found, ROWS, 1};
    static const char *const names[] = {"butterworth", "savgol", "spring"};
    for (int m = 0; m < 3; m++) {
        fill_noise(expected);
        fill_noise(found);
        Biquad section = m == 2 ? spring_biquad(def.cutoff, 1, rate) : butterworth_biquad(def.cutoff, rate);
        assert_int_equal(m == 1 ? savgol_smooth(&to, def.window, def.order, NULL)
                                : biquad_filter(&section, &to, cutoff_pad(def.cutoff, rate), LANES_AUTO, NULL),
                         STATUS_OK);
        assert_int_equal(smoother_find((SmoothMethod)m)->filter(&of, 1, &def, rate, NULL), STATUS_OK);
        assert_memory_equal(expected, found, sizeof expected);
        assert_string_equal(smooth_method_names[m], names[m]);
    }
    assert_null(smoother_find(SMOOTH_NONE)->filter);
    assert_string_equal(smooth_method_names[SMOOTH_NONE], "none");
}

TEST(method_names_are_distinct)
{
    for (int m = 0; m < SMOOTH_METHOD_COUNT; m++)
        for (int k = 0; k < m; k++)
            assert_true(strcmp(smooth_method_names[m], smooth_method_names[k]) != 0);
    assert_null(smooth_method_names[SMOOTH_METHOD_COUNT]);
    assert_null(smoother_find(SMOOTH_METHOD_COUNT));
    assert_null(smoother_find((SmoothMethod)-1));
}

TEST(invalid_cutoff_and_window_are_refused)
{
    SmoothDef def = smooth_default_def();
    def.cutoff = -1;
    def.window = 4;
    for (int m = 0; m < SMOOTH_METHOD_COUNT; m++)
        if (smoother_find((SmoothMethod)m)->filter)
            assert_int_equal(smoother_find((SmoothMethod)m)->check(&def, NULL), STATUS_USAGE);
}
