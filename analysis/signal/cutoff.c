/* See cutoff.h. */
#include "analysis/signal/cutoff.h"

#include <math.h>

#include "analysis/math/elementary.h"
#include "analysis/math/vec.h"

#define BAND_END 0.48    /* of the rate: above it the filters of converters act */
#define NOISE_OCTAVE 2.0 /* the noise is measured from the edge to this multiple of it */
#define CANDIDATES 33
#define NOISE_STEPS 512  /* of the integral over frequencies */
#define MIN_DENSITY 1e-300

/* The spectrum split at the edge. */
typedef struct Split {
    const PowerSpectrum *spectrum;
    size_t edge;
    double noise, rate; /* density below the edge */
    int is_white;       /* 1: also above it */
} Split;

static double frequency_at(const PowerSpectrum *s, size_t i) { return (double)i * s->step; }

/* Below half the rate, where the density of an odd sequence is zero. */
static size_t frequency_index(const PowerSpectrum *s, double f)
{
    return (size_t)fmin(ceil(f / s->step), (double)(s->count - 2));
}

static double fourth(double x) { return x * x * x * x; }

/* Log density of the acceleration, the mean over the frequencies around i. */
static double acceleration_level(const PowerSpectrum *s, size_t i, size_t reach, size_t end)
{
    size_t first = i > reach ? i - reach : 1, last = i + reach < end ? i + reach : end;
    double sum = 0;
    for (size_t k = first; k <= last; k++)
        sum += elementary_log(fourth(frequency_at(s, k)) * fmax(s->density[k], MIN_DENSITY));
    return sum / (double)(last - first + 1);
}

static size_t find_edge(const PowerSpectrum *s, size_t end)
{
    size_t edge = frequency_index(s, cutoff_constants.lowest);
    size_t reach = (size_t)fmax(1, cutoff_constants.averaged / s->step + 0.5);
    double least = acceleration_level(s, edge, reach, end), rise = elementary_log(cutoff_constants.rise);
    for (size_t i = edge + 1; i <= end; i++) {
        double level = acceleration_level(s, i, reach, end);
        if (level > least + rise)
            break;
        if (level < least) {
            least = level;
            edge = i;
        }
    }
    return edge;
}

static double mean_density(const PowerSpectrum *s, size_t first, size_t last)
{
    double sum = 0;
    for (size_t k = first; k <= last; k++)
        sum += s->density[k];
    return sum / (double)(last - first + 1);
}

CutoffChoice cutoff_unknown(double rate)
{
    return (CutoffChoice){.cutoff = cutoff_limit(cutoff_constants.unknown, rate)};
}

/* The candidates are spaced evenly by ratio and rounded to 0.1 Hz. */
static double candidate(int i, double rate)
{
    double range = cutoff_constants.highest / cutoff_constants.lowest;
    double cutoff = floor(10 * cutoff_constants.lowest * elementary_pow(range, i / (CANDIDATES - 1.0)) + 0.5) / 10;
    return cutoff_limit(cutoff, rate);
}

/* Whether steps stand out of the noise above the edge. */
static int is_harmonic(const Split *split, size_t k)
{
    int is_near = (double)k < NOISE_OCTAVE * (double)split->edge;
    return is_near && split->spectrum->density[k] > cutoff_constants.harmonic * split->noise;
}

/* Sums the squared errors of the acceleration that the candidates predict. The gain of the double pass is
 * 1 / (1 + (sqrt 2 - 1) (tan(pi f / rate) / tan(pi cutoff / rate))^4). */
static void predict(const Split *split, const double *cutoff, int count, double *error)
{
    const PowerSpectrum *s = split->spectrum;
    double steepness[CANDIDATES];
    for (int i = 0; i < count; i++)
        steepness[i] = (sqrt(2) - 1) / fourth(elementary_tan(PI * cutoff[i] / split->rate));
    for (size_t k = 1; k + 1 < s->count; k++) {
        double f = frequency_at(s, k), whole = s->density[k], motion = 0;
        double noise = split->is_white ? split->noise : whole;
        if (k < split->edge || is_harmonic(split, k)) {
            noise = fmin(split->noise, whole);
            motion = whole - noise;
        }
        double warped = fourth(elementary_tan(PI * f / split->rate)), weight = s->step * fourth(2 * PI * f);
        for (int i = 0; i < count; i++) {
            double gain = 1 / (1 + steepness[i] * warped);
            error[i] += weight * ((1 - gain) * (1 - gain) * motion + gain * gain * noise);
        }
    }
}

/* Returns 0 if the noise cannot be measured. */
static int split_spectrum(const PowerSpectrum *spectrum, double noise, double rate, Split *out)
{
    size_t end = frequency_index(spectrum, BAND_END * rate);
    if (!(mean_density(spectrum, 1, end) > MIN_DENSITY) || frequency_index(spectrum, cutoff_constants.lowest) >= end)
        return 0;
    *out = (Split){.spectrum = spectrum, .edge = find_edge(spectrum, end), .rate = rate, .is_white = noise > 0};
    size_t octave = (size_t)(NOISE_OCTAVE * (double)out->edge);
    out->noise = noise > 0 ? noise * noise : mean_density(spectrum, out->edge, octave < end ? octave : end);
    return 1;
}

double cutoff_error(const PowerSpectrum *spectrum, double noise, double cutoff, double rate)
{
    Split split;
    double error = 0;
    if (!split_spectrum(spectrum, noise, rate, &split))
        return 0;
    predict(&split, &cutoff, 1, &error);
    return sqrt(error);
}

double cutoff_mean_noise(double noise, double cutoff, double rate, double seconds)
{
    double steepness = (sqrt(2) - 1) / fourth(elementary_tan(PI * cutoff_limit(cutoff, rate) / rate)), sum = 0;
    double step = rate / 2 / NOISE_STEPS;
    for (int k = 0; k < NOISE_STEPS; k++) {
        double f = (k + 0.5) * step, gain = 1 / (1 + steepness * fourth(elementary_tan(PI * f / rate)));
        double mean = elementary_sin(PI * f * seconds) / (PI * f * seconds);
        sum += step * fourth(2 * PI * f) * gain * gain * mean * mean;
    }
    return noise * sqrt(sum);
}

CutoffChoice cutoff_choose(const PowerSpectrum *spectrum, double noise, double rate)
{
    Split split;
    if (!split_spectrum(spectrum, noise, rate, &split))
        return cutoff_unknown(rate);
    double cutoff[CANDIDATES], error[CANDIDATES] = {0};
    int best = 0;
    for (int i = 0; i < CANDIDATES; i++)
        cutoff[i] = candidate(i, rate);
    predict(&split, cutoff, CANDIDATES, error);
    for (int i = 1; i < CANDIDATES; i++)
        best = error[i] < error[best] ? i : best;
    return (CutoffChoice){.cutoff = cutoff[best], .noise = sqrt(split.noise), .error = sqrt(error[best])};
}
