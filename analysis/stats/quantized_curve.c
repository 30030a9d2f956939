/* A curve with 16 bits per value (quantized_curve.h). */
#include "analysis/stats/quantized_curve.h"

#include <math.h>

static double largest_value(const float *value, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = (double)value[i] > largest ? (double)value[i] : largest;
    return largest;
}

static unsigned coarse_steps(double value, double step, CoarseRounding rounding)
{
    if (isnan(value))
        return COARSE_UNKNOWN;
    double steps = rounding == COARSE_UP ? ceil(value / step) : floor(value / step + 0.5);
    if (rounding == COARSE_UP && steps * step < value) /* rounding reduced the quotient to an integer */
        steps++;
    return steps < COARSE_MAX ? (unsigned)steps : COARSE_MAX;
}

double quantized_curve_pack(const float *value, size_t count, CoarseRounding rounding, unsigned char *bytes)
{
    double largest = largest_value(value, count), step = largest > 0 ? largest / COARSE_MAX : 1;
    while (step * COARSE_MAX < largest)
        step = nextafter(step, INFINITY);
    for (size_t i = 0; i < count; i++) {
        unsigned steps = coarse_steps((double)value[i], step, rounding);
        bytes[2 * i] = (unsigned char)(steps & 0xff);
        bytes[2 * i + 1] = (unsigned char)(steps >> 8);
    }
    return step;
}
