/* formats/base/number_print: text that returns the same double, short where it can be. */
#include "tests/support/assert_near.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/number_print.h"

static void assert_text(double value, const char *expected)
{
    char text[NUMBER_TEXT_SIZE];
    assert_int_equal(number_print(value, text), (int)strlen(expected));
    assert_string_equal(text, expected);
}

static void short_numbers_stay_short(void **state)
{
    (void)state;
    assert_text(0, "0");
    assert_text(-0.0, "-0");
    assert_text(1, "1");
    assert_text(-180, "-180");
    assert_text(0.1, "0.1");
    assert_text(0.0083333, "0.0083333");
    assert_text(123456, "123456");
    assert_text(1e15, "1000000000000000");
    assert_text(0.00001, "0.00001");
    assert_text(0.000001, "1e-6");
    assert_text(1.5e-7, "1.5e-7");
    assert_text(1e22, "1e22");
    assert_text(0.1 + 0.2, "0.30000000000000004");
    assert_text(5e-324, "4.94065645841247e-324");
}

static void what_is_not_finite_has_a_name(void **state)
{
    (void)state;
    assert_text(NAN, "nan");
    assert_text(INFINITY, "inf");
    assert_text(-INFINITY, "-inf");
}

static void assert_returns(double value)
{
    char text[NUMBER_TEXT_SIZE], reference[40];
    int length = number_print(value, text);
    double back = strtod(text, NULL);
    if (memcmp(&back, &value, sizeof value) != 0)
        print_error("%.17g was written as %s\n", value, text);
    assert_memory_equal(&back, &value, sizeof value);
    assert_true(length < NUMBER_TEXT_SIZE);
    snprintf(reference, sizeof reference, "%.15g", value);
    if (strtod(reference, NULL) == value) /* 15 digits are enough: then no more are written */
        assert_true(length <= (int)strlen(reference) + 5);
}

static void every_double_returns(void **state)
{
    (void)state;
    uint64_t seed = 88172645463325252u;
    for (int i = 0; i < 100000; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        double any;
        memcpy(&any, &seed, sizeof any);
        if (isfinite(any))
            assert_returns(any);
        double angle = (double)(int64_t)seed / 9.3e18 * 180;
        assert_returns(angle);
        assert_returns(round(angle * 1e4) / 1e4);
        assert_returns(angle * 1e-9);
    }
    const double edges[] = {DBL_MAX, DBL_MIN, DBL_TRUE_MIN, 9007199254740992.0, 9007199254740994.0, 1e17,
                            99999999999999995.0, 0.99999999999999989, 9.9999999999999995e-8, 1e-27, 8.5e-27};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        assert_returns(edges[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_numbers_stay_short),
        cmocka_unit_test(what_is_not_finite_has_a_name),
        cmocka_unit_test(every_double_returns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
