/* analysis/math/parabola: acceleration and residual of equidistant samples. */
#include "analysis/math/elementary.h"
#include "analysis/math/parabola.h"
#include "tests/support/test.h"

TEST(thrown_body_falls_with_g)
{
    double y[21], misfit;
    (void)state;
    for (int i = 0; i < 21; i++) {
        double t = i * 0.02;
        y[i] = 1.2 + 2 * t - 0.5 * 9.81 * t * t;
    }
    assert_near(parabola_acceleration(y, 21, 0.02, &misfit), 9.81, 1e-9);
    assert_near(misfit, 0, 1e-12);
}

TEST(residual_is_that_of_an_alternating_deviation)
{
    double y[101], misfit;
    (void)state;
    for (int i = 0; i < 101; i++)
        y[i] = 3 - 0.25 * i * i + (i % 2 ? 0.1 : -0.1);
    assert_near(parabola_acceleration(y, 101, 1, &misfit), 0.5, 1e-3);
    assert_near(misfit, 0.1, 1e-3);
}
