/* Cutoff of the zero-lag Butterworth filter from the spectrum of a recording (data/cutoff.tsv).
 *
 * The density of the acceleration, f^4 P(f), of a body in motion falls with the frequency; recording noise makes it
 * rise if it is white or falls by less than f^-4. The edge of the motion's band is the lowest frequency from which it
 * rises by a factor `rise`, or, without such a rise, where it is least. Below the edge the noise has the density n from
 * just above it; above the edge everything is noise, N = P, but harmonics of the steps, which stand out of it by a
 * factor `harmonic` in the next octave: N = n. The cutoff has the least predicted error of acceleration,
 *   E = integral (2 pi f)^4 ((1 - H)^2 (P - n) + H^2 N) df
 * with H the gain of the double pass: the motion that the filter removes, and the noise that it passes. After D. A.
 * Winter, Biomechanics and Motor Control of Human Movement, section 3.4.4.3, which compares the two by a residual.
 * A factor on all samples, rotations of the world and offsets have no effect. */
#ifndef KANE_SIGNAL_CUTOFF_H
#define KANE_SIGNAL_CUTOFF_H

#include "analysis/signal/power_spectrum.h"

typedef struct CutoffConstants {
    double lowest, highest, unknown, min_duration, averaged, rise, harmonic, torque, max_error, lever;
} CutoffConstants;

extern const CutoffConstants cutoff_constants;

typedef struct CutoffChoice {
    double cutoff; /* Hz, multiple of 0.1; at most 0.45 of the rate */
    double noise;  /* density of the noise, square root of n: unit of the samples per square root of Hz; 0: unknown */
    double error;  /* predicted error of the acceleration, RMS, unit of the samples per s2; 0: unknown */
    double stated_error; /* the same of a cutoff that the user states; 0: none, or unknown */
} CutoffChoice;

/* The choice where noise cannot be measured. */
CutoffChoice cutoff_unknown(double rate);

/* The error that cutoff_choose predicts for this cutoff, Hz; 0: unknown. */
double cutoff_error(const PowerSpectrum *spectrum, double noise, double cutoff, double rate);

/* Standard deviation of the mean acceleration over an interval of so many seconds, m/s2, that white noise of a path
 * (density, m per square root of Hz) leaves after the double pass: the square root of the integral of
 * (2 pi f)^4 N^2 H^2 sinc^2(f T) df. */
double cutoff_mean_noise(double noise, double cutoff, double rate, double seconds);

/* noise: if above 0, it is taken as measured, and white. A spectrum without power gives cutoff_unknown. */
CutoffChoice cutoff_choose(const PowerSpectrum *spectrum, double noise, double rate);

#endif
