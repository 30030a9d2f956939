/* See cutoff.h. */
#include "analysis/signal/cutoff.h"

#include <math.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/math/elementary.h"
#include "analysis/math/sort.h"
#include "analysis/signal/biquad.h"

#define NOISE_WINDOW 0.1    /* s */
#define NOISE_QUANTILE 0.5 /* of the windows: noise is in all of them, impacts are not */
#define NOISE_MAX 0.0014   /* per sqrt(Hz): density from which the lowest cutoff is used */

/* The middle rows, at most CUTOFF_ROWS. */
static Samples middle_rows(const Samples *samples)
{
    size_t before = samples->row_count > CUTOFF_ROWS ? (samples->row_count - CUTOFF_ROWS) / 2 : 0;
    size_t count = samples->row_count > CUTOFF_ROWS ? CUTOFF_ROWS : samples->row_count;
    return (Samples){samples->rows + before * samples->channel_count, count, samples->channel_count};
}

/* Adds to energy[row] the square of the rows' content above a frequency (Hz), times scale. */
static Status add_energy(const Samples *samples, double above, double rate, double scale, double *energy, Error *err)
{
    Arena arena = {0};
    Samples raw = middle_rows(samples), low = raw;
    Biquad section = butterworth_biquad(above, rate);
    size_t count = raw.row_count * raw.channel_count;
    low.rows = arena_array(&arena, raw.row_count, raw.channel_count, sizeof *low.rows);
    if (arena.failed)
        return error_no_memory(err);
    memcpy(low.rows, raw.rows, count * sizeof *raw.rows);
    Status status = biquad_filter(&section, &low, cutoff_pad(above, rate), LANES_AUTO, err);
    for (size_t i = 0; !status && i < count; i++)
        energy[i / raw.channel_count] += scale * (raw.rows[i] - low.rows[i]) * (raw.rows[i] - low.rows[i]);
    arena_free(&arena);
    return status;
}

/* The NOISE_QUANTILE of the means over windows. Overwrites energy. */
static double quantile_of_windows(double *energy, size_t rows, size_t window)
{
    size_t count = rows - window + 1;
    for (size_t i = 0; i < count; i++) {
        double sum = 0;
        for (size_t k = 0; k < window; k++)
            sum += energy[i + k];
        energy[i] = sum / (double)window;
    }
    sort_doubles(energy, count);
    return energy[(size_t)(NOISE_QUANTILE * (double)(count - 1))];
}

Status cutoff_by_noise(const Samples *rotation, const Samples *root, double rate, double *cutoff, Error *err)
{
    size_t rows = middle_rows(rotation).row_count, window = (size_t)fmax(1, NOISE_WINDOW * rate + 0.5);
    double above = fmin(CUTOFF_HIGHEST, NOISE_BAND * rate), *energy;
    *cutoff = cutoff_limit(CUTOFF_LOWEST, rate);
    if (rows < BIQUAD_MIN_ROWS || rows < window)
        return STATUS_OK;
    Arena arena = {0};
    energy = arena_array(&arena, rows, 1, sizeof *energy);
    Status status = arena.failed ? error_no_memory(err) : add_energy(rotation, above, rate, 4, energy, err);
    if (!status)
        status = add_energy(root, above, rate, 1, energy, err);
    if (!status) {
        double density = sqrt(quantile_of_windows(energy, rows, window) / (0.5 * rate - above));
        double allowed = CUTOFF_LOWEST * elementary_pow(NOISE_MAX / fmax(density, 1e-12), 0.4);
        *cutoff = cutoff_limit(fmax(CUTOFF_LOWEST, fmin(CUTOFF_HIGHEST, allowed)), rate);
    }
    arena_free(&arena);
    return status;
}
