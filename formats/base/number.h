/* Conversion of decimal text to double, bit for bit as strtod in the C locale, independent of the locale.
 *
 * A number is an optional sign, digits with an optional point (".5" and "5." are valid), and an optional exponent;
 * hexadecimal, "inf" and "nan" are not accepted. There are three algorithms, cheapest first: one multiplication or
 * division of two exact doubles (Clinger 1990, "How to read floating point numbers accurately": digits up to 2^53,
 * power of ten up to 22), one exact integer division (19 digits, 10^0 to 10^-27), and strtod.
 *
 * In reverse, a double is printed as short decimal text that parses to the same bits. */
#ifndef KANE_BASE_NUMBER_H
#define KANE_BASE_NUMBER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define NUMBER_MAX_FIVES 27 /* 5^27 < 2^64 */

/* Reads the longest number at the start of [at, end), which needs no terminator. Returns the position after it, or NULL
 * if there is no number. Beyond the range of a double *value is infinite or zero, as from strtod. */
const char *number_scan(const char *at, const char *end, double *value);

/* Returns 5^k for 0 <= k <= 27. */
uint64_t number_power_of_five(int k);

/* Returns 10^k for 0 <= k <= 19. */
static inline uint64_t number_power_of_ten(int k)
{
    return number_power_of_five(k) << k;
}

/* Returns the value of eight digits (0 to 9, not ASCII), the first in the lowest byte. Neighbours are combined to
 * pairs, which are added with weights 10^6, 10^4, 10^2 and 1. */
static inline uint64_t number_eight_digits(uint64_t w)
{
    const uint64_t mask = 0x000000FF000000FF;
    w = 10 * w + (w >> 8);
    return ((w & mask) * (100 + (1000000ull << 32)) + (w >> 16 & mask) * (1 + (10000ull << 32))) >> 32;
}

/* Converts mantissa 10^exponent by one of the two exact algorithms; returns 0 if neither applies. */
int number_from_decimal(uint64_t mantissa, int64_t exponent, double *value);

/* Returns a hint to append to `expected a number, found "0,0333"` if the text is a number with a decimal comma, else
 * "". */
const char *number_hint(const char *text, size_t size);

#define NUMBER_TEXT_SIZE 32

/* Prints the fewest of 15, 16 or 17 significant digits that parse to the same value, without trailing zeros, and a NUL;
 * returns the length. Other values are "nan", "inf" and "-inf". */
int number_print(double value, char text[NUMBER_TEXT_SIZE]);

/* Returns 1 for a terminal, where numbers are printed with three significant digits. In files and pipes they are
 * exact. */
int number_is_short(FILE *stream);

/* Prints as number_print, or if is_short with three significant digits, but all digits before the point: 1235, 12.3,
 * 0.00123. */
int number_print_as(double value, int is_short, char text[NUMBER_TEXT_SIZE]);

#endif
