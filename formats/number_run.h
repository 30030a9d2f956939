/* A run of common numbers with blanks between them, as in the rows of a motion file: the fast way through most of
 * such a file. Common is "-12.345678": 1 to 8 digits before the point, up to 8 behind it, 16 bytes in all, and an
 * exponent if digits and power of ten stay exact.
 *
 * 64 bytes are searched for blanks at once, so that numbers are converted independently of each other. Their digits
 * (at most 15) and the power of ten are exact doubles, and one multiplication or division rounds once, as in
 * formats/number.h: the bits are those of strtod. Needs SSE2; elsewhere every number is left to number_scan. */
#ifndef KANE_FORMATS_NUMBER_RUN_H
#define KANE_FORMATS_NUMBER_RUN_H

#define NUMBER_RUN_BEFORE 8 /* bytes that must be readable before the run */

/* Reads from at, which is the start of a number or a blank, into *value and on while there is room up to stop; *value
 * is moved behind the last one read. Returns where it stopped: at a line end, or before anything that is not a common
 * number, or near end. */
const char *number_run_scan(const char *at, const char *end, double **value, const double *stop);

#endif
