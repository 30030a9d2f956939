/* A curve with 16 bits per value (quantized_curve.h). */
#include "analysis/stats/quantized_curve.h"

#include <math.h>

static double largest_of(const float *value, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = (double)value[i] > largest ? (double)value[i] : largest;
    return largest;
}

static unsigned steps_of(double value, double step, CoarseRounding rounding)
{
    if (isnan(value))
        return COARSE_UNKNOWN;
    double steps = rounding == COARSE_UP ? ceil(value / step) : floor(value / step + 0.5);
    if (rounding == COARSE_UP && steps * step < value) /* rounding reduced the quotient to an integer */
        steps++;
    return steps < COARSE_MOST ? (unsigned)steps : COARSE_MOST;
}

double quantized_curve_pack(const float *value, size_t count, CoarseRounding rounding, unsigned char *bytes)
{
    double largest = largest_of(value, count), step = largest > 0 ? largest / COARSE_MOST : 1;
    while (step * COARSE_MOST < largest)
        step = nextafter(step, INFINITY);
    for (size_t i = 0; i < count; i++) {
        unsigned steps = steps_of((double)value[i], step, rounding);
        bytes[2 * i] = (unsigned char)(steps & 0xff);
        bytes[2 * i + 1] = (unsigned char)(steps >> 8);
    }
    return step;
}
