#include "analysis/signal/cutoff.h"

#include <math.h>
#include <string.h>

#include "analysis/base/memory.h"
#include "analysis/signal/butterworth.h"

enum { CANDIDATES = 48 };

/* Candidates lie evenly between the lowest and the highest cutoff. */
static double candidate(int i, double highest)
{
    return CUTOFF_LOWEST + i * (highest - CUTOFF_LOWEST) / (CANDIDATES - 1);
}

/* RMS over a row of the summed squared differences of its channels. */
static double residual(const double *raw, const double *filtered, size_t row_count, size_t channel_count)
{
    double sum = 0;
    for (size_t i = 0; i < row_count * channel_count; i++)
        sum += (filtered[i] - raw[i]) * (filtered[i] - raw[i]);
    return sqrt(sum / (double)row_count);
}

/* Residuals at every candidate; filtered is room for the rows. */
static Status residual_curve(const double *rows, size_t row_count, size_t channel_count, double rate, double *filtered,
                             double *curve, Error *err)
{
    double highest = cutoff_limit(CUTOFF_HIGHEST, rate);
    for (int i = 0; i < CANDIDATES; i++) {
        double cutoff = candidate(i, highest);
        Section section = butterworth_section(cutoff, rate);
        memcpy(filtered, rows, row_count * channel_count * sizeof *rows);
        Status status = section_filter(&section, filtered, row_count, channel_count, cutoff_pad(cutoff, rate),
                                       LANES_AUTO, err);
        if (status)
            return status;
        curve[i] = residual(rows, filtered, row_count, channel_count);
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

Status cutoff_by_residuals(const double *rows, size_t row_count, size_t channel_count, double rate, double *cutoff,
                           Error *err)
{
    double highest = cutoff_limit(CUTOFF_HIGHEST, rate), curve[CANDIDATES];
    *cutoff = highest;
    if (row_count < SECTION_MIN_ROWS || channel_count == 0 || highest <= CUTOFF_LOWEST)
        return STATUS_OK;
    if (row_count > CUTOFF_ROWS) {
        rows += (row_count - CUTOFF_ROWS) / 2 * channel_count;
        row_count = CUTOFF_ROWS;
    }
    double *filtered = array_new(row_count, channel_count, sizeof *filtered);
    if (!filtered)
        return error_no_memory(err);
    Status status = residual_curve(rows, row_count, channel_count, rate, filtered, curve, err);
    if (!status && curve[0] > 0)
        *cutoff = crossing(curve, noise_rms(curve, highest), highest);
    free(filtered);
    return status;
}
