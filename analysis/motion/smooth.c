/* Smoothing of a motion, and the cutoff from its noise (differentiate.h). */
#include "analysis/motion/differentiate.h"

#include <math.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/math/elementary.h"
#include "analysis/math/sort.h"
#include "analysis/signal/smoothing.h"

#define NOISE_WINDOW 0.1    /* s */
#define NOISE_QUANTILE 0.5 /* of the windows: noise is in all of them, impacts are not */
#define NOISE_MOST 0.0014   /* per sqrt(Hz): density from which the lowest cutoff is used */

/* The middle rows, at most CUTOFF_ROWS. */
static Samples middle_of(const Samples *samples)
{
    size_t before = samples->row_count > CUTOFF_ROWS ? (samples->row_count - CUTOFF_ROWS) / 2 : 0;
    size_t count = samples->row_count > CUTOFF_ROWS ? CUTOFF_ROWS : samples->row_count;
    return (Samples){samples->rows + before * samples->channel_count, count, samples->channel_count};
}

/* Adds to energy[row] the square of the rows' content above a frequency (Hz), times scale. */
static Status add_energy(const Samples *samples, double above, double rate, double scale, double *energy, Error *err)
{
    Arena arena = {0};
    Samples raw = middle_of(samples), low = raw;
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
    size_t rows = middle_of(rotation).row_count, window = (size_t)fmax(1, NOISE_WINDOW * rate + 0.5);
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
        double allowed = CUTOFF_LOWEST * elementary_pow(NOISE_MOST / fmax(density, 1e-12), 0.4);
        *cutoff = cutoff_limit(fmax(CUTOFF_LOWEST, fmin(CUTOFF_HIGHEST, allowed)), rate);
    }
    arena_free(&arena);
    return status;
}

/* The filtered quantities, one row per frame. */
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

/* Replaces a cutoff of 0 by that from the noise. */
static Status resolve_cutoff(const Samples *track, double rate, double *cutoff, Error *err)
{
    if (!(*cutoff > 0))
        return cutoff_by_noise(&track[TRACK_ROTATION], &track[TRACK_ROOT], rate, cutoff, err);
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
        status = resolve_cutoff(track, 1 / motion->frame_time, &resolved.cutoff, err);
    if (!status)
        status = smoother->filter(track, TRACK_COUNT, &resolved, 1 / motion->frame_time, err);
    if (status)
        return status;
    normalize_rotations(motion);
    if (resolved_cutoff && smoother->has_cutoff)
        *resolved_cutoff = resolved.cutoff;
    return STATUS_OK;
}
