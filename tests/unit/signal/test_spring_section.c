/* analysis/signal/spring_section: the section is the spring itself, -3 dB where stated, no overshoot. */
#include "tests/support/assert_near.h"

#include "analysis/math/elementary.h"
#include "analysis/math/spring.h"
#include "analysis/signal/butterworth.h"
#include "analysis/signal/spring_section.h"

static void double_pass_is_3_db_down_at_the_cutoff(void **state)
{
    (void)state;
    static const double cutoffs[] = {0.5, 8, 45};
    for (size_t i = 0; i < sizeof cutoffs / sizeof *cutoffs; i++) {
        Section s = spring_section(cutoffs[i], 100);
        double gain = section_gain(&s, 2 * PI * cutoffs[i] / 100);
        assert_near(gain * gain, sqrt(0.5), 1e-10);
        assert_near(section_gain(&s, 0), 1, 1e-10);
    }
}

/* The recurrence of the section follows a target as the spring does, whose frequency its poles tell. */
static void section_is_the_spring(void **state)
{
    (void)state;
    Section s = spring_section(6, 100);
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

static void a_step_is_not_overshot(void **state)
{
    (void)state;
    double rows[400], least = 1, most = 0;
    for (int i = 0; i < 400; i++)
        rows[i] = i < 200 ? 0 : 1;
    Section s = spring_section(5, 100);
    assert_int_equal(section_filter(&s, rows, 400, 1, cutoff_pad(5, 100), LANES_AUTO, NULL), STATUS_OK);
    for (int i = 0; i < 400; i++) {
        least = fmin(least, rows[i]);
        most = fmax(most, rows[i]);
        assert_near(rows[i] + rows[399 - i], 1, 1e-9);
    }
    assert_near(least, 0, 1e-9);
    assert_near(most, 1, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(double_pass_is_3_db_down_at_the_cutoff),
        cmocka_unit_test(section_is_the_spring),
        cmocka_unit_test(a_step_is_not_overshot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
