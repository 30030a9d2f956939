/* A curve with 16 bits per value: an integer number of steps, 65,534 of them the largest value; 65,535: unknown.
 * Values that queries compare with a limit are rounded up, so that the comparison is conservative; means are rounded
 * to nearest. Bytes are little-endian. */
#ifndef KANE_STATS_QUANTIZED_CURVE_H
#define KANE_STATS_QUANTIZED_CURVE_H

#include <stddef.h>

#define COARSE_MAX 65534
#define COARSE_UNKNOWN 65535

typedef enum CoarseRounding { COARSE_UP, COARSE_NEAREST } CoarseRounding;

/* Fills bytes[2 * count] from values >= 0 or NaN; returns the step, above zero. Value i is approximately step times the
 * number at byte 2 i; with COARSE_UP never below the value and less than a step above it. */
double quantized_curve_pack(const float *value, size_t count, CoarseRounding rounding, unsigned char *bytes);

static inline unsigned quantized_curve_at(const unsigned char *bytes, size_t i)
{
    return (unsigned)bytes[2 * i] | (unsigned)bytes[2 * i + 1] << 8;
}

#endif
