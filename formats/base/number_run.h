/* Fast path for runs of common numbers separated by blanks, as in the rows of a motion file.
 *
 * Blanks, digits and points of 64 bytes are found at once, so that numbers are converted independently of each other
 * (the idea of Langdale and Lemire 2019, "Parsing gigabytes of JSON per second"). Common numbers are like "-12.345678":
 * 1 to 8 digits before the point and up to 8 after it, 15 in total, optionally with an exponent. Digits and power of
 * ten are then exact doubles, and one multiplication or division rounds once, as in number.h: the result has the bits
 * of strtod. Numbers up to 19 digits are converted through one integer, longer ones by number_scan. Requires SSE2;
 * otherwise the run is empty and the caller reads numbers one by one. */
#ifndef KANE_BASE_NUMBER_RUN_H
#define KANE_BASE_NUMBER_RUN_H

#define NUMBER_RUN_BEFORE 8 /* bytes before the run that must be readable */

/* Reads numbers from at, which is at a number or a blank, into *value while there is room up to stop, and advances
 * *value. Returns where it stopped: at a line end, at anything but a finite number followed by a blank, or in the last
 * 64 bytes before end. */
const char *number_run_scan(const char *at, const char *end, double **value, const double *stop);

#endif
