/* See savgol.h. */
#include "analysis/signal/savgol.h"

#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/signal/biquad.h"

Status savgol_check(int window, int order, Error *err)
{
    if (window < 3 || window > SAVGOL_MAX_WINDOW || window % 2 == 0)
        return error_set(err, STATUS_USAGE, "--window %d: expected an odd number from 3 to %d", window,
                         SAVGOL_MAX_WINDOW);
    if (order < 0 || order > SAVGOL_MAX_ORDER || order >= window)
        return error_set(err, STATUS_USAGE,
                         "--order %d: expected 0 to %d, below the window of %d", order,
                         SAVGOL_MAX_ORDER, window);
    return STATUS_OK;
}

/* Derivative s of the Gram polynomials of degree 0 .. order at sample i (-m .. m): value[degree]. (Gorry 11) */
static void gram(int i, int m, int order, int s, double *value)
{
    double below[SAVGOL_MAX_ORDER + 1] = {0}; /* derivative s - 1 */
    for (int d = 0; d <= s; d++) {
        double now[SAVGOL_MAX_ORDER + 1] = {d == 0 ? 1 : 0};
        for (int k = 1; k <= order; k++) {
            double scale = k * (2.0 * m - k + 1);
            now[k] = (4 * k - 2) / scale * (i * now[k - 1] + d * below[k - 1]);
            if (k > 1)
                now[k] -= (k - 1) * (2.0 * m + k) / scale * now[k - 2];
        }
        memcpy(below, now, sizeof now);
    }
    memcpy(value, below, ((size_t)order + 1) * sizeof *value);
}

/* a (a - 1) ... (a - count + 1) */
static double falling_factorial(int a, int count)
{
    double product = 1;
    for (int i = 0; i < count; i++)
        product *= a - i;
    return product;
}

void savgol_weights(int window, int order, int derivative, int at, double *weights)
{
    int m = window / 2;
    double value[SAVGOL_MAX_ORDER + 1], target[SAVGOL_MAX_ORDER + 1];
    gram(at - m, m, order, derivative, target);
    /* h_i = sum_k (2k + 1) (2m)^(k) / (2m + k + 1)^(k+1) P_k(i) P_k^(s)(t)    (Gorry 8) */
    for (int i = 0; i < window; i++) {
        gram(i - m, m, order, 0, value);
        weights[i] = 0;
        for (int k = 0; k <= order; k++) {
            double norm = (2 * k + 1) * falling_factorial(2 * m, k) / falling_factorial(2 * m + k + 1, k + 1);
            weights[i] += norm * value[k] * target[k];
        }
    }
}

/* out[channel] = sum over the window of weights[i] in[i][channel] */
static void weigh_rows(const double *weights, int window, const double *in, size_t channel_count, double *out)
{
    for (size_t c = 0; c < channel_count; c++)
        out[c] = weights[0] * in[c];
    for (int i = 1; i < window; i++) {
        const double *row = in + (size_t)i * channel_count;
        for (size_t c = 0; c < channel_count; c++)
            out[c] += weights[i] * row[c];
    }
}

/* Smooths every row from the window around it, near the ends from the first or last window. */
static void smooth_rows(const Samples *samples, const double *copy, int window, int order)
{
    size_t channels = samples->channel_count, half = (size_t)window / 2, last = samples->row_count - (size_t)window;
    double weights[SAVGOL_MAX_WINDOW], *rows = samples->rows;
    savgol_weights(window, order, 0, (int)half, weights);
    for (size_t first = 0; first <= last; first++)
        weigh_rows(weights, window, copy + first * channels, channels, rows + (first + half) * channels);
    for (size_t i = 0; i < half; i++) {
        size_t mirror = samples->row_count - 1 - i;
        savgol_weights(window, order, 0, (int)i, weights);
        weigh_rows(weights, window, copy, channels, rows + i * channels);
        savgol_weights(window, order, 0, window - 1 - (int)i, weights);
        weigh_rows(weights, window, copy + last * channels, channels, rows + mirror * channels);
    }
}

Status savgol_smooth(const Samples *samples, int window, int order, Error *err)
{
    Status status = savgol_check(window, order, err);
    if (status || samples->row_count < (size_t)window || samples->channel_count == 0)
        return status;
    Arena arena = {0};
    double *copy = arena_array(&arena, samples->row_count, samples->channel_count, sizeof *copy);
    if (!arena.failed) {
        memcpy(copy, samples->rows, samples->row_count * samples->channel_count * sizeof *copy);
        smooth_rows(samples, copy, window, order);
    }
    status = arena.failed ? error_no_memory(err) : STATUS_OK;
    arena_free(&arena);
    return status;
}
