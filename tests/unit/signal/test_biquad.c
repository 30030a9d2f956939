/* analysis/signal/biquad: -3 dB at the cutoff, zero phase, no end transients, the same bits at each vector width;
 * the spring's section equals the spring. */
#include "analysis/signal/biquad.h"
#include "analysis/signal/spring.h"
#include "tests/support/test.h"

#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/signal/smoothing.h"

enum { ROWS = 1200 };

static const double rate = 100;

static void filter_one(double *x, size_t rows, double cutoff)
{
    Biquad s = butterworth_biquad(cutoff, rate);
    assert_int_equal(biquad_filter(&s, &(Samples){x, rows, 1}, cutoff_pad(cutoff, rate), LANES_AUTO, NULL), STATUS_OK);
}

TEST(butterworth_is_3_db_down_at_the_cutoff)
{
    static const double cutoffs[] = {0.5, 3, 8, 20, 45};
    for (size_t i = 0; i < sizeof cutoffs / sizeof *cutoffs; i++) {
        Biquad s = butterworth_biquad(cutoffs[i], rate);
        double gain = biquad_gain(&s, 2 * PI * cutoffs[i] / rate);
        assert_near(gain * gain, sqrt(0.5), 1e-12);
        assert_near(biquad_gain(&s, 0), 1, 1e-12);
        assert_near(biquad_gain(&s, PI), 0, 1e-7);
    }
}

/* A sine at the cutoff is attenuated by 3 dB and in phase: its cosine part stays zero. */
TEST(filtered_sine_has_no_delay)
{
    double x[ROWS], cutoff = 8, in_phase = 0, off_phase = 0;
    for (int i = 0; i < ROWS; i++)
        x[i] = elementary_sin(2 * PI * cutoff * i / rate);
    filter_one(x, ROWS, cutoff);
    for (int i = 300; i < 900; i++) { /* 48 periods */
        in_phase += x[i] * elementary_sin(2 * PI * cutoff * i / rate) / 300;
        off_phase += x[i] * elementary_cos(2 * PI * cutoff * i / rate) / 300;
    }
    assert_near(in_phase, sqrt(0.5), 1e-9);
    assert_near(off_phase, 0, 1e-9);
}

TEST(response_is_symmetric_in_time)
{
    double x[401] = {0};
    x[200] = 1;
    filter_one(x, 401, 6);
    for (int i = 1; i < 150; i++)
        assert_near(x[200 + i], x[200 - i], 1e-12);
}

TEST(constants_and_ramps_pass_to_both_ends)
{
    static const double cutoffs[] = {0.3, 8, 45};
    for (size_t k = 0; k < sizeof cutoffs / sizeof *cutoffs; k++)
        for (size_t rows = BIQUAD_MIN_ROWS; rows < 200; rows += 39) {
            double x[200];
            for (size_t i = 0; i < rows; i++)
                x[i] = 3 - 0.25 * (double)i;
            filter_one(x, rows, cutoffs[k]);
            for (size_t i = 0; i < rows; i++)
                assert_near(x[i], 3 - 0.25 * (double)i, 1e-8);
        }
}

/* A slow oscillation, cut where it is steep, curved or at rest: far below the cutoff the ends must follow it. */
TEST(filter_does_not_ring_at_ends)
{
    for (double phase = 0; phase < 6.3; phase += 0.7) {
        double x[300];
        for (int i = 0; i < 300; i++)
            x[i] = elementary_sin(2 * PI * 0.5 * i / rate + phase);
        filter_one(x, 300, 8);
        for (int i = 0; i < 300; i++)
            assert_near(x[i], elementary_sin(2 * PI * 0.5 * i / rate + phase), 2e-3);
    }
}

TEST(all_lane_widths_give_same_bits)
{
    static const LaneWidth widths[] = {LANES_PAIR, LANES_AVX2, LANES_AVX512};
    enum { CHANNELS = 13, SHORT = 60 };
    double scalar[SHORT][CHANNELS], wide[SHORT][CHANNELS];
    const Samples one = {&scalar[0][0], SHORT, CHANNELS}, more = {&wide[0][0], SHORT, CHANNELS};
    Biquad s = butterworth_biquad(7, rate);
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        for (int i = 0; i < SHORT; i++)
            for (int c = 0; c < CHANNELS; c++)
                scalar[i][c] = wide[i][c] = elementary_sin(i * (c + 0.37));
        assert_int_equal(biquad_filter(&s, &one, 20, LANES_SCALAR, NULL), STATUS_OK);
        assert_int_equal(biquad_filter(&s, &more, 20, widths[w], NULL), STATUS_OK);
        assert_memory_equal(scalar, wide, sizeof scalar);
    }
}

TEST(short_input_is_kept_and_cutoff_is_clamped)
{
    double x[3] = {1, -1, 1};
    filter_one(x, 3, 2);
    assert_near(x[1], -1, 0);
    assert_near(cutoff_limit(80, 100), 45, 1e-12);
    assert_near(cutoff_limit(1e-30, 100), 0.01, 1e-12);
    assert_near(cutoff_limit(8, 100), 8, 0);
}

TEST(spring_is_3_db_down_at_the_cutoff)
{
    static const double cutoffs[] = {0.5, 8, 30, 45}, dampings[] = {0.1, 0.3, 0.4999, 0.5, 0.7, 1, 2, 100};
    for (size_t i = 0; i < sizeof cutoffs / sizeof *cutoffs * 8; i++) {
        double cutoff = cutoffs[i / 8];
        Biquad s = spring_biquad(cutoff, dampings[i % 8], 100);
        double gain = biquad_gain(&s, 2 * PI * cutoff / 100);
        assert_near(gain * gain, sqrt(0.5), 1e-10);
        assert_near(biquad_gain(&s, 0), 1, 1e-10);
        for (int k = 1; k < 50; k++) /* the lowest such frequency */
            assert_true(biquad_gain(&s, 2 * PI * cutoff / 100 * k / 50) > gain);
    }
}

/* The recurrence of the section follows a target like the spring whose frequency its poles give. */
TEST(spring_section_equals_spring_step)
{
    Biquad s = spring_biquad(6, 1, 100);
    double omega = -100 * elementary_log(-0.5 * s.a1); /* critical: both poles at e^(-omega dt) */
    SpringStep step = spring_step(omega, 1, 0.01);
    double x = 0, v = 0, y[100] = {0}, u[100] = {0};
    for (int i = 2; i < 100; i++) {
        u[i] = elementary_sin(0.3 * i);
        y[i] = s.b0 * u[i] + s.b1 * u[i - 1] + s.b2 * u[i - 2] - s.a1 * y[i - 1] - s.a2 * y[i - 2];
        spring_advance(&step, u[i], &x, &v);
        assert_near(y[i], x, 1e-9);
    }
}

/* Overshoot of the smoothed step from 0 to 1; both halves are symmetric. */
static double overshoot_of_a_step(double zeta)
{
    double rows[1000], max = 0;
    for (int i = 0; i < 1000; i++)
        rows[i] = i < 500 ? 0 : 1;
    SmoothDef def = {.method = SMOOTH_SPRING, .cutoff = 5, .damping_ratio = zeta};
    const Smoother *spring = smoother_find(SMOOTH_SPRING);
    assert_int_equal(spring->filter(&(Samples){rows, 1000, 1}, 1, &def, 100, NULL), STATUS_OK);
    for (int i = 0; i < 1000; i++) {
        max = fmax(max, rows[i] - 1);
        assert_near(rows[i] + rows[999 - i], 1, 1e-8);
    }
    return max;
}

TEST(spring_overshoots_only_below_critical_damping)
{
    assert_near(overshoot_of_a_step(1), 0, 1e-9);
    assert_near(overshoot_of_a_step(3), 0, 1e-9);
    assert_true(overshoot_of_a_step(0.7) > 0.01);
    assert_true(overshoot_of_a_step(0.3) > 2 * overshoot_of_a_step(0.7));
}

TEST(damping_ratio_out_of_range_is_refused)
{
    static const double bad[] = {0, 0.09, 101, -1, NAN};
    for (int i = 0; i < 5; i++) {
        SmoothDef def = {.method = SMOOTH_SPRING, .cutoff = 5, .damping_ratio = bad[i]};
        Error err = {0};
        assert_int_equal(smoother_find(SMOOTH_SPRING)->check(&def, &err), STATUS_USAGE);
        assert_non_null(strstr(err.text, "--damping-ratio"));
    }
}
