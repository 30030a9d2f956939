/* A run of common numbers with blanks between them, as in the rows of a motion file: the fast way through most of
 * such a file.
 *
 * 64 bytes are searched for blanks, digits and points at once, so that numbers are converted independently of each
 * other (the idea of Langdale and Lemire 2019, "Parsing gigabytes of JSON per second"). Common is "-12.345678": 1 to
 * 8 digits before the point and up to 8 behind it, 15 in all, perhaps with an exponent. Digits and power of ten are
 * then exact doubles and one multiplication or division rounds once, as in formats/base/number.h: the bits are those of
 * strtod. Up to 19 digits go through one integer, what is longer through number_scan. Needs SSE2; elsewhere the run
 * is empty and the caller reads number by number. */
#ifndef KANE_FORMATS_NUMBER_RUN_H
#define KANE_FORMATS_NUMBER_RUN_H

#define NUMBER_RUN_BEFORE 8 /* bytes that must be readable before the run */

/* Reads from at, which is the start of a number or a blank, into *value and on while there is room up to stop; *value
 * is moved behind the last one read. Returns where it stopped: at a line end, at anything but a finite number with a
 * blank behind it, or in the last 64 bytes before end. */
const char *number_run_scan(const char *at, const char *end, double **value, const double *stop);

#endif
