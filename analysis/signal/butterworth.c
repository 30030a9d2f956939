#include "analysis/signal/butterworth.h"

#include <math.h>

#include "analysis/math/elementary.h"

double cutoff_limit(double cutoff, double rate)
{
    return fmin(fmax(cutoff, CUTOFF_FLOOR * rate), CUTOFF_LIMIT * rate);
}

Section butterworth_section(double cutoff, double rate)
{
    /* Bilinear transform of 1 / (s^2 + sqrt 2 s + 1), s in units of w. */
    double w = elementary_tan(PI * cutoff / rate) / sqrt(sqrt(sqrt(2) - 1));
    double k1 = sqrt(2) * w, k2 = w * w, scale = 1 / (1 + k1 + k2);
    return (Section){.b0 = k2 * scale, .b1 = 2 * k2 * scale, .b2 = k2 * scale, .a1 = 2 * (k2 - 1) * scale,
                     .a2 = (1 - k1 + k2) * scale};
}

size_t cutoff_pad(double cutoff, double rate)
{
    return (size_t)ceil(fmin(1.5 * rate / cutoff, 1e6));
}
