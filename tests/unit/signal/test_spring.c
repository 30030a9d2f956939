/* analysis/signal/spring: closed form against fine integration, composition of steps, limits; gaps filled by
 * springs: values and rates are continuous at both ends, a one-sided gap decays. */
#include "analysis/signal/spring.h"
#include "tests/support/test.h"

#include "analysis/math/elementary.h"

/* x'' = -w^2 x - 2 z w x' over time t by classical Runge-Kutta. */
static void integrate(double w, double z, double t, int steps, double *x, double *v)
{
    double h = t / steps;
    for (int i = 0; i < steps; i++) {
        double x1 = *x, v1 = *v, a1 = -w * w * x1 - 2 * z * w * v1;
        double x2 = x1 + 0.5 * h * v1, v2 = v1 + 0.5 * h * a1, a2 = -w * w * x2 - 2 * z * w * v2;
        double x3 = x1 + 0.5 * h * v2, v3 = v1 + 0.5 * h * a2, a3 = -w * w * x3 - 2 * z * w * v3;
        double x4 = x1 + h * v3, v4 = v1 + h * a3, a4 = -w * w * x4 - 2 * z * w * v4;
        *x += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
        *v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
}

static const double dampings[] = {0, 0.2, 0.9, 1 - 1e-6, 1 - 1e-12, 1, 1 + 1e-12, 1 + 1e-6, 1.1, 4};

TEST(spring_step_agrees_with_fine_integration)
{
    for (size_t i = 0; i < sizeof dampings / sizeof *dampings; i++) {
        double x = 0.7, v = -3, x_fine = x, v_fine = v;
        SpringStep step = spring_step(5, dampings[i], 0.6);
        spring_advance(&step, 0, &x, &v);
        integrate(5, dampings[i], 0.6, 4000, &x_fine, &v_fine);
        assert_near(x, x_fine, 1e-12);
        assert_near(v, v_fine, 1e-11);
    }
}

TEST(many_steps_equal_one_step)
{
    for (size_t i = 0; i < sizeof dampings / sizeof *dampings; i++) {
        double x = 1.2, v = 4, x_once = x, v_once = v;
        SpringStep part = spring_step(11, dampings[i], 0.01), whole = spring_step(11, dampings[i], 0.37);
        for (int n = 0; n < 37; n++)
            spring_advance(&part, 0.3, &x, &v);
        spring_advance(&whole, 0.3, &x_once, &v_once);
        assert_near(x, x_once, 1e-14);
        assert_near(v, v_once, 2e-13);
    }
}

TEST(spring_without_stiffness_keeps_velocity)
{
    for (size_t i = 0; i < sizeof dampings / sizeof *dampings; i++) {
        double x = 0.5, v = 2;
        SpringStep still = spring_step(0, dampings[i], 3), soft = spring_step(1e-12, dampings[i], 3);
        spring_advance(&still, 0, &x, &v);
        assert_near(x, 6.5, 1e-15);
        assert_near(v, 2, 0);
        assert_near(soft.xv, 3, 1e-9);
    }
}

/* At zeta = 1e8 the slow mode decays at omega / (2 zeta); -omega (zeta - sqrt(zeta^2 - 1)) would be all rounding
 * error. */
TEST(strong_damping_keeps_precision)
{
    SpringStep step = spring_step(1, 1e8, 1e8);
    assert_near(step.xx, elementary_exp(-0.5), 1e-14);
    assert_near(step.vv / step.xx, -0.25e-16, 1e-29);
    SpringStep endless = spring_step(1e9, 50, 1e9);
    assert_near(endless.xx, 0, 1e-300);
    assert_near(endless.vv, 0, 1e-300);
}

TEST(energy_is_constant_undamped_and_decreases_damped)
{
    double w = 7;
    for (size_t i = 0; i < sizeof dampings / sizeof *dampings; i++) {
        double x = 0.4, v = 1, before = v * v + w * w * x * x;
        SpringStep step = spring_step(w, dampings[i], 0.1);
        spring_advance(&step, 0, &x, &v);
        double after = v * v + w * w * x * x;
        if (dampings[i] == 0)
            assert_near(after, before, 1e-14);
        else
            assert_true(after < before);
    }
}
