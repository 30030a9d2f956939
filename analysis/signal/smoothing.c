/* The table of smoothing methods (smoothing.h). */
#include "analysis/signal/smoothing.h"

#include <math.h>

#include "analysis/signal/biquad.h"
#include "analysis/signal/savgol.h"

SmoothDef smooth_default_def(void)
{
    return (SmoothDef){.method = SMOOTH_BUTTERWORTH, .cutoff = 8, .damping_ratio = 1, .window = 9, .order = 3};
}

static Status check_cutoff(const SmoothDef *def, Error *err)
{
    if (!(def->cutoff > 0) || !isfinite(def->cutoff))
        return error_set(err, STATUS_USAGE, "--cutoff out of range: %g Hz", def->cutoff);
    return STATUS_OK;
}

static int biquad_rows(const SmoothDef *def)
{
    (void)def;
    return BIQUAD_MIN_ROWS;
}

static Status filter_all(const Biquad *section, const Samples *samples, int count, size_t pad, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < count && !status; i++)
        status = biquad_filter(section, &samples[i], pad, LANES_AUTO, err);
    return status;
}

static Status filter_butterworth(const Samples *samples, int count, const SmoothDef *def, double rate, Error *err)
{
    Biquad section = butterworth_biquad(def->cutoff, rate);
    return filter_all(&section, samples, count, cutoff_pad(def->cutoff, rate), err);
}

static Status filter_spring(const Samples *samples, int count, const SmoothDef *def, double rate, Error *err)
{
    Biquad section = spring_biquad(def->cutoff, def->damping_ratio, rate);
    return filter_all(&section, samples, count, spring_pad(def->cutoff, def->damping_ratio, rate), err);
}

static Status check_spring(const SmoothDef *def, Error *err)
{
    Status status = check_cutoff(def, err);
    if (!status && !(def->damping_ratio >= DAMPING_RATIO_LOWEST && def->damping_ratio <= DAMPING_RATIO_HIGHEST))
        status = error_set(err, STATUS_USAGE, "--damping-ratio %g: expected %g to %g", def->damping_ratio,
                           DAMPING_RATIO_LOWEST, DAMPING_RATIO_HIGHEST);
    return status;
}

static Status check_window(const SmoothDef *def, Error *err) { return savgol_check(def->window, def->order, err); }

static int window_rows(const SmoothDef *def) { return def->window; }

static Status filter_savgol(const Samples *samples, int count, const SmoothDef *def, double rate, Error *err)
{
    Status status = STATUS_OK;
    (void)rate;
    for (int i = 0; i < count && !status; i++)
        status = savgol_smooth(&samples[i], def->window, def->order, err);
    return status;
}

/* Names and rows in the order of SmoothMethod. */
#define ROWS_OF(table) (sizeof(table) / sizeof *(table))

const char *const smooth_method_names[] = {"butterworth", "savgol", "spring", "none", NULL};

static const Smoother smoothers[] = {
    {1, check_cutoff, biquad_rows, filter_butterworth},
    {0, check_window, window_rows, filter_savgol},
    {1, check_spring, biquad_rows, filter_spring},
    {0},
};

_Static_assert(ROWS_OF(smooth_method_names) == SMOOTH_METHOD_COUNT + 1, "every SmoothMethod has a name");
_Static_assert(ROWS_OF(smoothers) == SMOOTH_METHOD_COUNT, "every SmoothMethod has a filter");

const Smoother *smoother_find(SmoothMethod method)
{
    return (unsigned)method < SMOOTH_METHOD_COUNT ? &smoothers[method] : NULL;
}
