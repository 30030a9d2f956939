/* A curve in 16 bits a value: a whole number of steps, 65,534 of them the largest value. What is not known is 65,535.
 * What a question compares with a limit rounds up, so that an answer errs on the safe side; a mean rounds to the
 * nearest. Bytes are little-endian. */
#ifndef KANE_STATS_COARSE_CURVE_H
#define KANE_STATS_COARSE_CURVE_H

#include <stddef.h>
#include <stdint.h>

#define COARSE_MOST 65534
#define COARSE_UNKNOWN 65535

typedef enum CoarseRounding { COARSE_UP, COARSE_NEAREST } CoarseRounding;

/* Fills bytes[2 * count] from values >= 0 or NaN; returns the step, above zero. Value i is about step times the number
 * at byte 2 i: of COARSE_UP never below the value, and less than a step above. */
double coarse_curve_pack(const float *value, size_t count, CoarseRounding rounding, unsigned char *bytes);

static inline unsigned coarse_curve_at(const unsigned char *bytes, size_t i)
{
    return (unsigned)bytes[2 * i] | (unsigned)bytes[2 * i + 1] << 8;
}

#endif
