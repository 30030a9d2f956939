/* Comparison of doubles for cmocka, whose assert_double_equal accepts NaN: here NaN and infinity fail.
 *
 * Include this header instead of <cmocka.h>. */
#ifndef KANE_TESTS_ASSERT_NEAR_H
#define KANE_TESTS_ASSERT_NEAR_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "analysis/math/vec.h"

static inline void assert_near_at(double actual, double expected, double tolerance, const char *what, const char *file,
                                  int line)
{
    double error = fabs(actual - expected);
    if (!isfinite(actual) || !isfinite(expected) || !(error <= tolerance)) {
        print_error("%s: %.17g, expected %.17g within %g (off by %g)\n", what, actual, expected, tolerance, error);
        _fail(file, line);
    }
}

#define assert_near(actual, expected, tolerance) \
    assert_near_at((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)

#define assert_vec3_near(actual, expected, tolerance)               \
    do {                                                            \
        Vec3 a_ = (actual), e_ = (expected);                        \
        assert_near_at(a_.x, e_.x, (tolerance), #actual ".x", __FILE__, __LINE__); \
        assert_near_at(a_.y, e_.y, (tolerance), #actual ".y", __FILE__, __LINE__); \
        assert_near_at(a_.z, e_.z, (tolerance), #actual ".z", __FILE__, __LINE__); \
    } while (0)

#endif
