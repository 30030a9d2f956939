/* Decimal text to double, bit for bit what strtod gives in the C locale, whatever the locale is.
 *
 * A number is an optional sign, digits with an optional point (".5" and "5." count), and an optional exponent. No
 * hexadecimal, no "inf", no "nan". Three ways, cheapest first: one multiplication or division of two exact doubles
 * (Clinger 1990, "How to read floating point numbers accurately": digits up to 2^53, power of ten up to 22), one
 * exact division of integers (19 digits, 10^0 to 10^-27), strtod for the rest.
 *
 * And back: a double as short decimal text that reads back to the same bits. */
#ifndef KANE_FORMATS_NUMBER_H
#define KANE_FORMATS_NUMBER_H

#include <stddef.h>
#include <stdint.h>

#define NUMBER_MAX_FIVES 27 /* 5^27 < 2^64 */

/* Reads the longest number at the start of [at, end), which needs no terminator. Returns the place after it, or NULL
 * where no number starts. Beyond the range of a double *value is infinite or zero, as from strtod. */
const char *number_scan(const char *at, const char *end, double *value);

/* 5^k for 0 <= k <= 27. */
uint64_t number_power_of_five(int k);

/* 10^k for 0 <= k <= 19. */
static inline uint64_t number_power_of_ten(int k)
{
    return number_power_of_five(k) << k;
}

/* The value of eight digits (0 to 9, not ASCII), the first in the lowest byte: neighbours join to pairs, which are
 * added by their weights 10^6, 10^4, 10^2 and 1. */
static inline uint64_t number_eight_digits(uint64_t w)
{
    const uint64_t mask = 0x000000FF000000FF;
    w = 10 * w + (w >> 8);
    return ((w & mask) * (100 + (1000000ull << 32)) + (w >> 16 & mask) * (1 + (10000ull << 32))) >> 32;
}

/* mantissa 10^exponent by one of the two exact ways: 0 where neither applies. */
int number_from_decimal(uint64_t mantissa, int64_t exponent, double *value);

/* What to say behind `expected a number, found "0,0333"`: a hint where the text is a number with a decimal comma, else
 * "". */
const char *number_hint(const char *text, size_t size);

#define NUMBER_TEXT_SIZE 32

/* Writes the fewest of 15, 16 or 17 significant digits that return the value, without trailing zeros, ended by a
 * NUL; returns the length. "nan", "inf" and "-inf" for what is not finite. */
int number_print(double value, char text[NUMBER_TEXT_SIZE]);

#endif
