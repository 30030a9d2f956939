#include "analysis/motion/smooth.h"

#include <math.h>

#include "analysis/math/lane_width.h"
#include "analysis/motion/smooth_kernel.h"
#include "analysis/signal/butterworth.h"
#include "analysis/signal/cutoff.h"
#include "analysis/signal/savgol.h"
#include "analysis/signal/spring_section.h"

SmoothDef smooth_default_def(void)
{
    return (SmoothDef){.method = SMOOTH_BUTTERWORTH, .cutoff = 8, .window = 9, .order = 3};
}

/* What is filtered: rows of channels, one row a frame. */
typedef struct Track {
    double *rows;
    size_t channel_count;
} Track;

enum { TRACK_ROTATION, TRACK_ROOT, TRACK_TRANSLATION, TRACK_COUNT };

static void tracks_of(const Motion *motion, Track *track)
{
    size_t joints = (size_t)motion->joint_count;
    track[TRACK_ROTATION] = (Track){&motion->rotation->w, 4 * joints};
    track[TRACK_ROOT] = (Track){&motion->root_position->x, 3};
    track[TRACK_TRANSLATION] = motion->translation ? (Track){&motion->translation->x, 3 * joints} : (Track){NULL, 0};
}

static Status check_def(const Motion *motion, const SmoothDef *def, Error *err)
{
    if (!(motion->frame_time > 0) || !isfinite(motion->frame_time))
        return error_set(err, STATUS_BAD_INPUT, "a frame time of %g s cannot be smoothed", motion->frame_time);
    if (def->method == SMOOTH_SAVGOL)
        return savgol_check(def->window, def->order, 0, err);
    if (def->method != SMOOTH_BUTTERWORTH && def->method != SMOOTH_SPRING)
        return error_set(err, STATUS_USAGE, "no smoothing method %d", (int)def->method);
    if (!(def->cutoff >= 0) || !isfinite(def->cutoff))
        return error_set(err, STATUS_USAGE, "a cutoff of %g Hz", def->cutoff);
    return STATUS_OK;
}

static Status resolve_cutoff(const Motion *motion, const SmoothDef *def, double *cutoff, Error *err)
{
    double rate = 1 / motion->frame_time;
    if (def->cutoff > 0) {
        *cutoff = cutoff_limit(def->cutoff, rate);
        return STATUS_OK;
    }
    return cutoff_by_residuals(&motion->rotation->w, (size_t)motion->frame_count, 4 * (size_t)motion->joint_count, rate,
                               cutoff, err);
}

static void normalize_rotations(Motion *motion)
{
    QuatsNormalize *normalize = LANE_TWIN(quats_normalize, lane_width_choose(LANES_AUTO));
    normalize(motion->rotation, (size_t)motion->frame_count * (size_t)motion->joint_count);
}

static Status smooth_tracks(Motion *motion, const SmoothDef *def, double cutoff, Error *err)
{
    Track track[TRACK_COUNT];
    tracks_of(motion, track);
    size_t frames = (size_t)motion->frame_count;
    double rate = 1 / motion->frame_time;
    Section section = {0};
    if (def->method != SMOOTH_SAVGOL)
        section = def->method == SMOOTH_SPRING ? spring_section(cutoff, rate) : butterworth_section(cutoff, rate);
    Status status = STATUS_OK;
    for (int i = 0; i < TRACK_COUNT && !status; i++)
        status = def->method == SMOOTH_SAVGOL
                     ? savgol_smooth(track[i].rows, frames, track[i].channel_count, def->window, def->order, err)
                     : section_filter(&section, track[i].rows, frames, track[i].channel_count, cutoff_pad(cutoff, rate),
                                      LANES_AUTO, err);
    return status;
}

Status smooth_motion(Motion *motion, const SmoothDef *def, double *resolved_cutoff, Error *err)
{
    double cutoff = 0;
    if (resolved_cutoff)
        *resolved_cutoff = 0;
    if (def->method == SMOOTH_NONE)
        return STATUS_OK;
    Status status = check_def(motion, def, err);
    int shortest = def->method == SMOOTH_SAVGOL ? def->window : SECTION_MIN_ROWS;
    if (status || motion->frame_count < shortest || motion->joint_count < 1)
        return status;
    motion_make_continuous(motion);
    if (def->method != SMOOTH_SAVGOL)
        status = resolve_cutoff(motion, def, &cutoff, err);
    if (!status)
        status = smooth_tracks(motion, def, cutoff, err);
    if (status)
        return status;
    normalize_rotations(motion);
    if (resolved_cutoff)
        *resolved_cutoff = cutoff;
    return STATUS_OK;
}
