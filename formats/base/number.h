/* Decimal text to double, bit for bit what strtod gives in the C locale, whatever the locale is.
 *
 * A number is an optional sign, digits with an optional point (".5" and "5." count), and an optional exponent. No
 * hexadecimal, no "inf", no "nan". Three ways, cheapest first: one multiplication or division of two exact doubles
 * (Clinger 1990, "How to read floating point numbers accurately": digits up to 2^53, power of ten up to 22), one
 * exact division of integers (19 digits, 10^0 to 10^-27), strtod for the rest.
 *
 * And back: a double as short decimal text that reads back to the same bits. */
#ifndef KANE_BASE_NUMBER_H
#define KANE_BASE_NUMBER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

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

/* What to print behind `expected a number, found "0,0333"`: a hint where the text is a number with a decimal comma,
 * else "". */
const char *number_hint(const char *text, size_t size);

#define NUMBER_TEXT_SIZE 32

/* Writes the fewest of 15, 16 or 17 significant digits that return the value, without trailing zeros, ended by a
 * NUL; returns the length. "nan", "inf" and "-inf" for what is not finite. */
int number_print(double value, char text[NUMBER_TEXT_SIZE]);

/* Whether numbers in a stream are for reading, as on a terminal: then three significant digits are printed. In files
 * and pipes they are exact. */
int number_is_short(FILE *stream);

/* number_print, or three significant digits, of which none before the point are cut: 1235, 12.3, 0.00123. */
int number_print_as(double value, int is_short, char text[NUMBER_TEXT_SIZE]);

/* A run of common numbers with blanks between them, as in the rows of a motion file: the fast way through most of
 * such a file.
 *
 * 64 bytes are searched for blanks, digits and points at once, so that numbers are converted independently of each
 * other (the idea of Langdale and Lemire 2019, "Parsing gigabytes of JSON per second"). Common is "-12.345678": 1 to
 * 8 digits before the point and up to 8 behind it, 15 in all, perhaps with an exponent. Digits and power of ten are
 * then exact doubles and one multiplication or division rounds once, as in formats/base/number.h: the bits are those of
 * strtod. Up to 19 digits go through one integer, what is longer through number_scan. Needs SSE2; elsewhere the run
 * is empty and the caller reads number by number. */

#define NUMBER_RUN_BEFORE 8 /* bytes that must be readable before the run */

/* Reads from at, which is the start of a number or a blank, into *value and on while there is room up to stop; *value
 * is moved behind the last one read. Returns where it stopped: at a line end, at anything but a finite number with a
 * blank behind it, or in the last 64 bytes before end. */
const char *number_run_scan(const char *at, const char *end, double **value, const double *stop);

#endif
