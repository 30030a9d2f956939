#include "formats/base/number_print.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/number.h"

/* digits 10^exponent */
typedef struct Decimal {
    uint64_t digits;
    int exponent;
} Decimal;

/* m 2^e 10^k rounded to an integer, for 0 <= k <= 27: m 5^k has at most 116 bits. 0 where it leaves that range. */
static uint64_t scale(uint64_t m, int e, int k)
{
    if (k < 0 || k > NUMBER_MAX_FIVES)
        return 0;
    unsigned __int128 product = (unsigned __int128)m * number_power_of_five(k);
    int shift = -(e + k);
    if (shift <= 0)
        return shift > -11 ? (uint64_t)(product << -shift) : 0;
    if (shift > 115)
        return 0;
    return (uint64_t)((product + ((unsigned __int128)1 << (shift - 1))) >> shift);
}

/* A positive normal value to a count of significant digits; 0 where 128 bits are not enough. */
static int round_exactly(double value, int count, Decimal *out)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int e = (int)(bits >> 52) - 1075;
    uint64_t m = (bits & 0xFFFFFFFFFFFFF) | (uint64_t)1 << 52;
    if (e < -110 || e > 0)
        return 0;
    /* floor(log10 2^(e + 52)), which is floor(log10 value) or one less; 1233 / 4096 is log10 2. */
    /* cppcheck-suppress shiftNegativeLHS ; gcc and clang shift a negative number arithmetically */
    int magnitude = ((e + 52) * 1233) >> 12;
    for (int tries = 0; tries < 2; tries++) {
        int k = count - 1 - magnitude - tries;
        uint64_t digits = scale(m, e, k);
        *out = (Decimal){digits, -k};
        if (digits < number_power_of_ten(count))
            return digits >= number_power_of_ten(count - 1);
    }
    return 0;
}

/* The same through printf: for the very large and the very small. */
static Decimal round_by_printf(double value, int count)
{
    char text[40];
    uint64_t digits = 0;
    snprintf(text, sizeof text, "%.*e", count - 1, value);
    const char *p = text;
    for (; *p != 'e'; p++) /* the decimal point is whatever the locale has */
        if (*p >= '0' && *p <= '9')
            digits = 10 * digits + (uint64_t)(*p - '0');
    return (Decimal){digits, (int)strtol(p + 1, NULL, 10) - (count - 1)};
}

static double decimal_value(Decimal d)
{
    double value;
    if (number_from_decimal(d.digits, d.exponent, &value))
        return value;
    char text[40];
    snprintf(text, sizeof text, "%llue%d", (unsigned long long)d.digits, d.exponent);
    return strtod(text, NULL);
}

static Decimal shortest(double value)
{
    Decimal d = {0, 0};
    for (int count = 15; count <= 17; count++) {
        if (!round_exactly(value, count, &d))
            d = round_by_printf(value, count);
        if (decimal_value(d) == value)
            break;
    }
    while (d.digits % 10 == 0) {
        d.digits /= 10;
        d.exponent++;
    }
    return d;
}

/* Digits from the last to the first, so that text ends where they end; returns their start. */
static char *put_digits(uint64_t digits, char *stop)
{
    do
        *--stop = (char)('0' + digits % 10);
    while (digits /= 10);
    return stop;
}

/* "0.00123", "1.23", "12300": digit i, counted from the first one, stands before the point where i < point. */
static int lay_out_plain(const char *digits, int count, int point, char *text)
{
    char *out = text;
    int first = point > 0 ? 0 : point - 1, last = point > count ? point : count;
    for (int i = first; i < last; i++) {
        if (i == point)
            *out++ = '.';
        *out++ = i >= 0 && i < count ? digits[i] : '0';
    }
    *out = 0;
    return (int)(out - text);
}

/* "1.23e-7" */
static int lay_out_exponent(const char *digits, int count, int point, char *text)
{
    char *out = text;
    *out++ = digits[0];
    if (count > 1)
        *out++ = '.';
    for (int i = 1; i < count; i++)
        *out++ = digits[i];
    return (int)(out - text) + sprintf(out, "e%d", point - 1);
}

/* Plain from 0.00001 to 17 digits, else with an exponent. */
static int lay_out(Decimal d, char *text)
{
    char buffer[20], *stop = buffer + sizeof buffer, *digits = put_digits(d.digits, stop);
    int count = (int)(stop - digits), point = count + d.exponent;
    return point > 17 || point < -4 ? lay_out_exponent(digits, count, point, text)
                                    : lay_out_plain(digits, count, point, text);
}

int number_print(double value, char text[NUMBER_TEXT_SIZE])
{
    if (!isfinite(value))
        return sprintf(text, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
    char *out = text;
    if (signbit(value))
        *out++ = '-';
    if (value == 0) {
        strcpy(out, "0");
        return (int)(out - text) + 1;
    }
    return (int)(out - text) + lay_out(shortest(fabs(value)), out);
}
