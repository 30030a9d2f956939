/* See smooth.h. */
#include "analysis/motion/smooth.h"

#include <math.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/signal/smoothing.h"

/* The cutoff that a recording itself suggests. */

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
        Biquad section = butterworth_biquad(cutoff, rate);
        memcpy(filtered->rows, raw->rows, raw->row_count * raw->channel_count * sizeof *raw->rows);
        Status status = biquad_filter(&section, filtered, cutoff_pad(cutoff, rate), LANES_AUTO, err);
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
    if (samples->row_count < BIQUAD_MIN_ROWS || samples->channel_count == 0 || highest <= CUTOFF_LOWEST)
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

/* What is filtered, one row per frame. */
enum { TRACK_ROTATION, TRACK_ROOT, TRACK_TRANSLATION, TRACK_COUNT };

static void tracks_of(const Motion *motion, Samples *track)
{
    size_t joints = (size_t)motion->joint_count, frames = (size_t)motion->frame_count;
    track[TRACK_ROTATION] = (Samples){&motion->rotation->w, frames, 4 * joints};
    track[TRACK_ROOT] = (Samples){&motion->root_position->x, frames, 3};
    track[TRACK_TRANSLATION] = (Samples){NULL, frames, 0};
    if (motion->translation)
        track[TRACK_TRANSLATION] = (Samples){&motion->translation->x, frames, 3 * joints};
}

static Status check(const Motion *motion, const SmoothDef *def, const Smoother *smoother, Error *err)
{
    if (!(motion->frame_time > 0) || !isfinite(motion->frame_time))
        return error_set(err, STATUS_BAD_INPUT, "frame time out of range: %g s", motion->frame_time);
    return smoother->check(def, err);
}

/* 0 becomes the cutoff that the rotations suggest. */
static Status resolve_cutoff(const Samples *rotation, double rate, double *cutoff, Error *err)
{
    if (!(*cutoff > 0))
        return cutoff_by_residuals(rotation, rate, cutoff, err);
    *cutoff = cutoff_limit(*cutoff, rate);
    return STATUS_OK;
}

static void normalize_rotations(Motion *motion)
{
    QuatsNormalize *normalize = LANE_TWIN(quats_normalize, lane_width_choose(LANES_AUTO));
    normalize(motion->rotation, (size_t)motion->frame_count * (size_t)motion->joint_count);
}

Status smooth_motion(Motion *motion, const SmoothDef *def, double *resolved_cutoff, Error *err)
{
    const Smoother *smoother = smoother_of(def->method);
    SmoothDef resolved = *def;
    Samples track[TRACK_COUNT];
    if (resolved_cutoff)
        *resolved_cutoff = 0;
    if (!smoother)
        return error_set(err, STATUS_USAGE, "no smoothing method %d", (int)def->method);
    if (!smoother->filter)
        return STATUS_OK;
    Status status = check(motion, def, smoother, err);
    if (status || motion->frame_count < smoother->least_rows(def) || motion->joint_count < 1)
        return status;
    motion_make_continuous(motion);
    tracks_of(motion, track);
    if (smoother->has_cutoff)
        status = resolve_cutoff(&track[TRACK_ROTATION], 1 / motion->frame_time, &resolved.cutoff, err);
    if (!status)
        status = smoother->filter(track, TRACK_COUNT, &resolved, 1 / motion->frame_time, err);
    if (status)
        return status;
    normalize_rotations(motion);
    if (resolved_cutoff && smoother->has_cutoff)
        *resolved_cutoff = resolved.cutoff;
    return STATUS_OK;
}
