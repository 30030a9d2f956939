#include "analysis/signal/cutoff.h"

#include <math.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/signal/section.h"

enum { CANDIDATES = 48 };

/* Candidates lie evenly between the lowest and the highest cutoff. */
static double candidate(int i, double highest)
{
    return CUTOFF_LOWEST + i * (highest - CUTOFF_LOWEST) / (CANDIDATES - 1);
}

/* RMS over a row of the summed squared differences of its channels. */
static double residual(const Samples *raw, const Samples *filtered)
{
    double sum = 0;
    for (size_t i = 0; i < raw->row_count * raw->channel_count; i++)
        sum += (filtered->rows[i] - raw->rows[i]) * (filtered->rows[i] - raw->rows[i]);
    return sqrt(sum / (double)raw->row_count);
}

/* Residuals at every candidate; filtered is room for the samples. */
static Status residual_curve(const Samples *raw, double rate, const Samples *filtered, double *curve, Error *err)
{
    double highest = cutoff_limit(CUTOFF_HIGHEST, rate);
    for (int i = 0; i < CANDIDATES; i++) {
        double cutoff = candidate(i, highest);
        Section section = butterworth_section(cutoff, rate);
        memcpy(filtered->rows, raw->rows, raw->row_count * raw->channel_count * sizeof *raw->rows);
        Status status = section_filter(&section, filtered, cutoff_pad(cutoff, rate), LANES_AUTO, err);
        if (status)
            return status;
        curve[i] = residual(raw, filtered);
    }
    return STATUS_OK;
}

/* Value at 0 Hz of the least-squares line through the upper half of the curve. */
static double noise_rms(const double *curve, double highest)
{
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int i = CANDIDATES / 2; i < CANDIDATES; i++) {
        double x = candidate(i, highest), y = curve[i];
        n++;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
    return (sy - slope * sx) / n;
}

/* Where the falling curve reaches the level, between candidates by interpolation. */
static double crossing(const double *curve, double level, double highest)
{
    if (curve[0] <= level)
        return CUTOFF_LOWEST;
    for (int i = 1; i < CANDIDATES; i++)
        if (curve[i] <= level) {
            double part = (curve[i - 1] - level) / (curve[i - 1] - curve[i]);
            return candidate(i - 1, highest) + part * (candidate(i, highest) - candidate(i - 1, highest));
        }
    return highest;
}

/* The middle rows, no more than CUTOFF_ROWS. */
static Samples middle_of(const Samples *samples)
{
    size_t before = samples->row_count > CUTOFF_ROWS ? (samples->row_count - CUTOFF_ROWS) / 2 : 0;
    size_t count = samples->row_count > CUTOFF_ROWS ? CUTOFF_ROWS : samples->row_count;
    return (Samples){samples->rows + before * samples->channel_count, count, samples->channel_count};
}

Status cutoff_by_residuals(const Samples *samples, double rate, double *cutoff, Error *err)
{
    double highest = cutoff_limit(CUTOFF_HIGHEST, rate), curve[CANDIDATES];
    *cutoff = highest;
    if (samples->row_count < SECTION_MIN_ROWS || samples->channel_count == 0 || highest <= CUTOFF_LOWEST)
        return STATUS_OK;
    Arena arena = {0};
    Samples raw = middle_of(samples), filtered = raw;
    filtered.rows = arena_array(&arena, raw.row_count, raw.channel_count, sizeof *filtered.rows);
    Status status = arena.failed ? error_no_memory(err) : residual_curve(&raw, rate, &filtered, curve, err);
    if (!status && curve[0] > 0)
        *cutoff = crossing(curve, noise_rms(curve, highest), highest);
    arena_free(&arena);
    return status;
}
