/* Power spectral density of samples, the mean over segments of the same length.
 *
 * Of each segment the line through its ends is subtracted, and the rest continued as an odd function, so that neither
 * its ends nor their slopes jump: the leakage of slow motion falls with the sixth power of the frequency. */
#ifndef KANE_SIGNAL_POWER_SPECTRUM_H
#define KANE_SIGNAL_POWER_SPECTRUM_H

#include <stddef.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/signal/biquad.h"

typedef struct PowerSpectrum {
    double step;     /* Hz, between frequencies */
    size_t count;    /* of frequencies: 0 to half the sampling rate */
    double *density; /* [count] one-sided, squared unit of the samples per Hz; owned by the arena */
} PowerSpectrum;

/* Returns the number of intervals of a segment, a power of two: at most 4 s and row_count - 1; 0 for fewer than 3 rows.
 * A segment has one row more. */
size_t power_spectrum_intervals(size_t row_count, double rate);

/* Makes a spectrum of zeros for such segments. Failure shows in the arena. */
PowerSpectrum power_spectrum_new(size_t intervals, double rate, Arena *arena);

/* Adds `part` times the density of one segment, summed over its channels. segment has count rows. */
Status power_spectrum_add(const Samples *segment, double part, PowerSpectrum *out, Error *err);

/* The power of the second differences of each group of channels, tapered by a Hann window, which keeps lines within two
 * bins of their frequency: power[k][group], k = 0 .. count / 2, in squared units of the samples, at k / count cycles
 * per row. A segment has count + 2 rows, count a power of two; size: channels of a group, even. Uses the arena for
 * scratch; failure shows there. */
void power_spectrum_of_changes(const Samples *segment, size_t size, double *power, Arena *arena);

#endif
