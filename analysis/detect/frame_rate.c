/* Frame rate of a file (frame_rate.h). */
#include "analysis/detect/frame_rate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Most common first. */
static const double common_rates[] = {
    30, 60, 120, 24, 25, 50, 100, 240, 200, 125, 90, 150, 72, 48, 180, 250, 300, 360, 480, 500, 1000, 40, 20, 15, 10,
    30000.0 / 1001, 24000.0 / 1001, 60000.0 / 1001, 120000.0 / 1001, 48000.0 / 1001, 240000.0 / 1001,
};

/* Value of the last written decimal. */
static double last_digit(double frame_time)
{
    char text[64];
    double unit = 1;
    for (int decimals = 0; decimals < 17; decimals++, unit /= 10) {
        snprintf(text, sizeof text, "%.*f", decimals, frame_time);
        if (strtod(text, NULL) == frame_time)
            break;
    }
    return unit;
}

/* The first rate of the list, then the nearest integer rate, whose reciprocal is within tolerance; 0: none. */
static double rate_within(double frame_time, double tolerance)
{
    for (size_t i = 0; i < sizeof common_rates / sizeof *common_rates; i++)
        if (fabs(1 / common_rates[i] - frame_time) <= tolerance)
            return common_rates[i];
    double whole = rint(1 / frame_time);
    return whole >= 1 && fabs(1 / whole - frame_time) <= tolerance ? whole : 0;
}

/* Broadcast rates are written as 23.976, 29.97, 59.94 or as the exact fractions, a millionth apart; returns the
 * fraction. 0: none. */
static double television_rate(double frame_time)
{
    static const double thousands[] = {24, 30, 48, 60, 120, 240};
    for (size_t i = 0; i < sizeof thousands / sizeof *thousands; i++) {
        double rate = thousands[i] * 1000 / 1001;
        if (fabs(1 / rate - frame_time) <= 1.2e-6 * frame_time)
            return rate;
    }
    return 0;
}

double frame_rate_from_time(double frame_time, double *confidence)
{
    *confidence = 0;
    if (!(frame_time > 0) || !isfinite(frame_time) || !isfinite(1 / frame_time))
        return 30;
    double raw = 1 / frame_time, digit = last_digit(frame_time), plausible = raw >= 5 && raw <= 2000 ? 1 : 0.3;
    double exact = rint(raw);
    if (exact >= 1 && fabs(raw - exact) <= 1e-9 * raw) {
        *confidence = plausible;
        return exact;
    }
    if (television_rate(frame_time) > 0) {
        *confidence = plausible * 0.99;
        return television_rate(frame_time);
    }
    /* Rounded: half of the last digit. Computed in single precision: relative 1e-7. Truncated or careless: the whole
     * last digit, only if the digits still distinguish neighbouring rates. */
    double rounded = fmax(0.5 * digit * (1 + 1e-6), 1.2e-7 * frame_time);
    double rate = rate_within(frame_time, rounded);
    *confidence = plausible * (rounded < 1e-3 * frame_time ? 0.99 : 0.8);
    if (rate > 0)
        return rate;
    rate = digit < 1e-2 * frame_time ? rate_within(frame_time, digit * (1 + 1e-6)) : 0;
    *confidence = plausible * 0.8;
    return rate > 0 ? rate : raw;
}
