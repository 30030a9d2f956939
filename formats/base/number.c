/* See number.h. */
#include "formats/base/number.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KEPT_DIGITS 19       /* 10^19 < 2^64 */
#define SLOW_DIGITS 800      /* above the 768 that can affect rounding */
#define EXPONENT_BOUND 99999 /* beyond it every number is zero or infinite; keeps sums of exponents small */

/* A parsed number: mantissa 10^exponent, from its first 19 significant digits. */
typedef struct Decimal {
    int negative;
    int has_digits;
    int kept; /* significant digits in mantissa */
    int more; /* 1: a nonzero digit was dropped from mantissa */
    uint64_t mantissa;
    int64_t exponent;
} Decimal;

/* Returns 1 if w is eight ASCII digits: their upper halves are 3, also after adding 6. */
static int is_eight_digits(uint64_t w)
{
    const uint64_t upper = 0xF0F0F0F0F0F0F0F0;
    return (w & upper) == 0x3030303030303030 && ((w + 0x0606060606060606) & upper) == 0x3030303030303030;
}

/* Reads eight digits at a time while all of them are significant. */
static const char *read_eights(const char *at, const char *end, int fraction, Decimal *d)
{
    uint64_t w;
    while (end - at >= 8 && d->mantissa != 0 && d->kept <= KEPT_DIGITS - 8) {
        memcpy(&w, at, sizeof w);
        if (!is_eight_digits(w))
            break;
        d->mantissa = 100000000 * d->mantissa + number_eight_digits(w ^ 0x3030303030303030);
        d->kept += 8;
        d->exponent -= fraction ? 8 : 0;
        at += 8;
    }
    return at;
}

/* Reads the digits before the point, or after it if fraction is 1. */
static const char *read_digits(const char *at, const char *end, int fraction, Decimal *d)
{
    while (at < end && (unsigned)(*at - '0') < 10) {
        unsigned digit = (unsigned)(*at++ - '0');
        d->has_digits = 1;
        if (d->kept < KEPT_DIGITS) {
            d->mantissa = 10 * d->mantissa + digit;
            d->kept += d->mantissa != 0;
            d->exponent -= fraction;
            at = read_eights(at, end, fraction, d);
        } else {
            d->more |= digit != 0;
            d->exponent += !fraction;
        }
    }
    return at;
}

/* Reads "e-5" at the end of a number. A letter without digits after it is not part of the number. */
static const char *read_exponent(const char *at, const char *end, Decimal *d)
{
    const char *p = at;
    if (p == end || (*p | 0x20) != 'e')
        return at;
    p++;
    int negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    if (p == end || (unsigned)(*p - '0') >= 10)
        return at;
    int64_t exponent = 0;
    for (; p < end && (unsigned)(*p - '0') < 10; p++)
        if (exponent < INT64_MAX / 100)
            exponent = 10 * exponent + (*p - '0');
    d->exponent += negative ? -exponent : exponent;
    return p;
}

static const char *read_decimal(const char *at, const char *end, Decimal *d)
{
    *d = (Decimal){.negative = at < end && *at == '-'};
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    at = read_digits(at, end, 0, d);
    if (at < end && *at == '.')
        at = read_digits(at + 1, end, 1, d);
    return d->has_digits ? read_exponent(at, end, d) : NULL;
}

uint64_t number_power_of_five(int k)
{
    static const uint64_t five[NUMBER_MAX_FIVES + 1] = {
        1, 5, 25, 125, 625, 3125, 15625, 78125, 390625, 1953125, 9765625, 48828125, 244140625, 1220703125, 6103515625,
        30517578125, 152587890625, 762939453125, 3814697265625, 19073486328125, 95367431640625, 476837158203125,
        2384185791015625, 11920928955078125, 59604644775390625, 298023223876953125, 1490116119384765625,
        7450580596923828125};
    return five[k];
}

/* Computes m 10^-k = (m / 5^k) 2^-k, rounded once: the quotient of the two normalised integers has 63 or 64 bits, a
 * remainder sets its last bit, and the conversion to double rounds to nearest even. */
static double divide_exactly(uint64_t m, int k)
{
    uint64_t five = number_power_of_five(k);
    int m_shift = __builtin_clzll(m), five_shift = __builtin_clzll(five);
    unsigned __int128 numerator = (unsigned __int128)(m << m_shift) << 63;
    uint64_t divisor = five << five_shift;
    uint64_t quotient = (uint64_t)(numerator / divisor);
    quotient |= quotient * divisor != (uint64_t)numerator; /* the remainder is below 2^64 */
    uint64_t bits = (uint64_t)(1023 + five_shift - m_shift - 63 - k) << 52;
    double scale;
    memcpy(&scale, &bits, sizeof scale);
    return (double)quotient * scale;
}

int number_from_decimal(uint64_t mantissa, int64_t exponent, double *value)
{
    static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (mantissa <= (uint64_t)1 << 53 && exponent >= -22 && exponent <= 22)
        *value = exponent < 0 ? (double)mantissa / ten[-exponent] : (double)mantissa * ten[exponent];
    else if (mantissa != 0 && exponent <= 0 && exponent >= -NUMBER_MAX_FIVES)
        *value = divide_exactly(mantissa, (int)-exponent);
    else
        return 0;
    return 1;
}

/* Converts with strtod, from digits without a decimal point, so that the result does not depend on the locale. */
static double convert_slowly(const char *at, const char *end, const Decimal *d)
{
    char text[SLOW_DIGITS + 32];
    int length = 0, more = 0;
    for (; at < end && (*at | 0x20) != 'e'; at++) {
        if ((unsigned)(*at - '0') >= 10 || (length == 0 && *at == '0'))
            continue;
        if (length < SLOW_DIGITS)
            text[length++] = *at;
        else
            more |= *at != '0';
    }
    int64_t exponent = d->exponent - (length - d->kept);
    if (more) { /* after 768 digits only their presence matters */
        text[length++] = '1';
        exponent--;
    }
    if (exponent > EXPONENT_BOUND)
        exponent = EXPONENT_BOUND;
    if (exponent < -EXPONENT_BOUND)
        exponent = -EXPONENT_BOUND;
    snprintf(text + length, sizeof text - (size_t)length, "e%d", (int)exponent);
    return strtod(text, NULL);
}

static double decimal_value(const char *at, const char *end, const Decimal *d)
{
    double value;
    if (d->mantissa == 0)
        return 0;
    if (!d->more && number_from_decimal(d->mantissa, d->exponent, &value))
        return value;
    return convert_slowly(at, end, d);
}

const char *number_scan(const char *at, const char *end, double *value)
{
    Decimal d;
    const char *after = read_decimal(at, end, &d);
    if (!after)
        return NULL;
    double magnitude = decimal_value(at, after, &d);
    *value = d.negative ? -magnitude : magnitude;
    return after;
}

/* A number to print: digits 10^exponent. */
typedef struct Digits {
    uint64_t digits;
    int exponent;
} Digits;

/* Returns m 2^e 10^k rounded to an integer, for 0 <= k <= 27 (m 5^k has at most 116 bits); 0 if out of range. */
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

/* Rounds a positive normal value to a count of significant digits; 0 if 128 bits are not enough. */
static int round_exactly(double value, int count, Digits *out)
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
        *out = (Digits){digits, -k};
        if (digits < number_power_of_ten(count))
            return digits >= number_power_of_ten(count - 1);
    }
    return 0;
}

/* Rounds with printf, for very large and very small values. */
static Digits round_by_printf(double value, int count)
{
    char text[40];
    uint64_t digits = 0;
    snprintf(text, sizeof text, "%.*e", count - 1, value);
    const char *p = text;
    for (; *p != 'e'; p++) /* the decimal point depends on the locale */
        if (*p >= '0' && *p <= '9')
            digits = 10 * digits + (uint64_t)(*p - '0');
    return (Digits){digits, (int)strtol(p + 1, NULL, 10) - (count - 1)};
}

static double digits_value(Digits d)
{
    double value;
    if (number_from_decimal(d.digits, d.exponent, &value))
        return value;
    char text[40];
    snprintf(text, sizeof text, "%llue%d", (unsigned long long)d.digits, d.exponent);
    return strtod(text, NULL);
}

static Digits shortest(double value)
{
    Digits d = {0, 0};
    for (int count = 15; count <= 17; count++) {
        if (!round_exactly(value, count, &d))
            d = round_by_printf(value, count);
        if (digits_value(d) == value)
            break;
    }
    while (d.digits % 10 == 0) {
        d.digits /= 10;
        d.exponent++;
    }
    return d;
}

/* Writes digits backwards from stop; returns their start. */
static char *put_digits(uint64_t digits, char *stop)
{
    do
        *--stop = (char)('0' + digits % 10);
    while (digits /= 10);
    return stop;
}

/* Writes "0.00123", "1.23", "12300": digit i, counted from the first, is before the point if i < point. */
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

/* Writes "1.23e-7". */
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

/* Writes plain notation from 0.00001 to 17 digits, else an exponent. */
static int lay_out(Digits d, char *text)
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

int number_is_short(FILE *stream)
{
    return isatty(fileno(stream));
}

int number_print_as(double value, int is_short, char text[NUMBER_TEXT_SIZE])
{
    if (is_short && isfinite(value)) {
        char rounded[NUMBER_TEXT_SIZE];
        snprintf(rounded, sizeof rounded, "%.2e", value);
        double whole = round(value), three = strtod(rounded, NULL);
        value = fabs(value) >= 1000 ? whole : three;
    }
    return number_print(value, text);
}

const char *number_hint(const char *text, size_t size)
{
    size_t i = size > 0 && (text[0] == '-' || text[0] == '+'), before = i;
    while (i < size && text[i] >= '0' && text[i] <= '9')
        i++;
    size_t comma = i, behind = i + 1;
    if (i == before || i == size || text[i] != ',')
        return "";
    for (i = behind; i < size && text[i] >= '0' && text[i] <= '9';)
        i++;
    int ends = i == size || text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n';
    return comma + 1 < i && ends ? ": numbers have a decimal point, not a comma" : "";
}
