/* formats/base/number: the same bits as strtod on all code paths; rejects non-numbers; prints the shortest text that
 * reads back as the same double. */
#include "tests/support/test.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/number.h"

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Copies the text to a block of its exact size, so that a sanitizer detects a read beyond it. */
static void assert_same_as_strtod(const char *text)
{
    size_t size = strlen(text);
    char *exact = malloc(size ? size : 1);
    assert_non_null(exact);
    memcpy(exact, text, size);
    char *after;
    double expected = strtod(text, &after), actual = 0;
    const char *place = number_scan(exact, exact + size, &actual);
    if (!place || place - exact != after - text || bits_of(actual) != bits_of(expected))
        print_error("\"%s\": %.17g, strtod gives %.17g\n", text, actual, expected);
    assert_non_null(place);
    assert_int_equal(place - exact, after - text);
    assert_true(bits_of(actual) == bits_of(expected));
    free(exact);
}

TEST(every_number_form_is_read)
{
    const char *forms[] = {"0", "-0", "+1.5", ".0083", "-.5", "5.", "1e5", "1E-5", "1e+05", "-0.0", "00012.50",
                           "1e", "1e+", "2.5e-x", "1.5.5", "0.0-7.5", "3 4", "7\t", "-3.18055e-15", "0e999999999999"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        assert_same_as_strtod(forms[i]);
}

TEST(invalid_numbers_are_refused)
{
    const char *forms[] = {"", "-", ".", "-.", "e5", ".e5", "nan", "inf", "-inf", "<<<<<<<", " 1", "x"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        double value = 7;
        assert_null(number_scan(forms[i], forms[i] + strlen(forms[i]), &value));
        assert_near(value, 7, 0);
    }
    double hex = 7;
    const char *text = "0x10";
    assert_ptr_equal(number_scan(text, text + 4, &hex), text + 1); /* a zero, then another character */
}

TEST(hard_cases_round_like_strtod)
{
    const char *forms[] = {
        "9007199254740993", "9007199254740992.5", "9007199254740993.00000000000000000001", "0.1", "1e22", "1e23",
        "123456789012345678e-27", "18446744073709551615", "9999999999999999999e-27", "1234567890123456789e-28",
        "2.2250738585072011e-308", "4.9406564584124654e-324", "2.4703282292062327e-324", "1.7976931348623157e308",
        "1e999", "-1e-999", "1e99999999999999999999", "1e-99999999999999999999", "0.30000000000000004",
        "8.5899345925e9", "6.123233995736766e-17", "5708990770823839207320493820740630171355185152001e-3",
        "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203124",
        "1.00000000000000011102230246251565404236316680908203126"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        assert_same_as_strtod(forms[i]);
}

/* Halfway between two doubles with 2,000 digits, of which the last one decides. */
TEST(distant_digits_break_a_rounding_tie)
{
    char text[2100];
    for (char last = '0'; last <= '1'; last++) {
        memset(text, '0', sizeof text);
        memcpy(text, "9007199254740993.", 17);
        text[2000] = last;
        text[2001] = 0;
        assert_same_as_strtod(text);
        memcpy(text, "0.000000000000000", 17);
        memcpy(text + 1500, "123456789", 9);
        assert_same_as_strtod(text);
    }
}

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

/* Random digits, decimal point and exponent around each boundary between code paths. */
TEST(random_numbers_equal_strtod)
{
    uint64_t seed = 88172645463325252u;
    for (int i = 0; i < 200000; i++) {
        char text[96];
        int length = 0, digits = 1 + (int)(next_random(&seed) % 22), point = (int)(next_random(&seed) % 23);
        if (next_random(&seed) & 1)
            text[length++] = '-';
        for (int k = 0; k < digits; k++) {
            if (k == point)
                text[length++] = '.';
            text[length++] = (char)('0' + next_random(&seed) % 10);
        }
        text[length] = 0;
        if (next_random(&seed) % 4 == 0)
            snprintf(text + length, sizeof text - (size_t)length, "e%d", (int)(next_random(&seed) % 61) - 30);
        assert_same_as_strtod(text);
    }
}

TEST(three_digits_keep_the_magnitude)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {{1.3199999999999994, "1.32"}, {1234.5678, "1235"}, {999.7, "1000"}, {0.00123456, "0.00123"},
                 {-12.345, "-12.3"}, {0, "0"}, {181, "181"}, {17000.2, "17000"}};
    char text[NUMBER_TEXT_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        number_print_as(cases[i].value, 1, text);
        assert_string_equal(text, cases[i].text);
    }
    number_print_as(1.3199999999999994, 0, text);
    assert_string_equal(text, "1.3199999999999994");
}

TEST(printed_doubles_round_trip)
{
    uint64_t seed = 2463534242u;
    for (int i = 0; i < 100000; i++) {
        char text[40];
        double value = ((double)(int64_t)next_random(&seed) / 9.3e18) * (i % 3 ? 180 : 1e-3);
        const char *formats[] = {"%.6f", "%.9g", "%.15g", "%.17g"};
        snprintf(text, sizeof text, formats[i % 4], value);
        assert_same_as_strtod(text);
    }
}

TEST(decimal_comma_locale_has_no_effect)
{
    const char *names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "nl_NL.UTF-8"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        setlocale(LC_NUMERIC, names[i]);
    double value = 0;
    const char *text = "0.123456789012345678901234567890";
    assert_ptr_equal(number_scan(text, text + strlen(text), &value), text + strlen(text));
    assert_near(value, 0.123456789012345678901234567890, 0);
    text = "1,5";
    assert_ptr_equal(number_scan(text, text + 3, &value), text + 1);
    setlocale(LC_NUMERIC, "C");
}

static void assert_text(double value, const char *expected)
{
    char text[NUMBER_TEXT_SIZE];
    assert_int_equal(number_print(value, text), (int)strlen(expected));
    assert_string_equal(text, expected);
}

TEST(short_numbers_print_short)
{
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

TEST(nonfinite_values_print_nan_and_inf)
{
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
    if (strtod(reference, NULL) == value) /* 15 digits suffice: no more are printed */
        assert_true(length <= (int)strlen(reference) + 5);
}

TEST(random_doubles_round_trip)
{
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

TEST(decimal_comma_is_reported)
{
    static const char *const commas[] = {"0,0333", "-1,5", "+12,0 3"}, 
                      *const others[] = {"0.5", "1,", ",5", "1,5,6", "x"};
    (void)state;
    for (size_t i = 0; i < sizeof commas / sizeof *commas; i++)
        assert_string_equal(number_hint(commas[i], strlen(commas[i])),
                            ": numbers have a decimal point, not a comma");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_string_equal(number_hint(others[i], strlen(others[i])), "");
}
