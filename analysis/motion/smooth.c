/* See smooth.h. */
#include "analysis/motion/smooth.h"

#include <math.h>

#include "analysis/math/passes.h"
#include "analysis/signal/biquad.h"
#include "analysis/signal/smoothing.h"

/* The filtered quantities, one row per frame. */
enum {
    TRACK_ROTATION, TRACK_ROOT, TRACK_TRANSLATION, TRACK_POSITION, TRACK_AXIS, TRACK_VELOCITY, TRACK_COUNT
};

static void motion_tracks(const Motion *motion, const Dofs *dof, Samples *track)
{
    size_t joints = (size_t)motion->joint_count, frames = (size_t)motion->frame_count;
    track[TRACK_ROTATION] = (Samples){&motion->rotation->w, frames, 4 * joints};
    track[TRACK_ROOT] = (Samples){&motion->root_position->x, frames, 3};
    track[TRACK_TRANSLATION] = (Samples){NULL, frames, 0};
    if (motion->translation)
        track[TRACK_TRANSLATION] = (Samples){&motion->translation->x, frames, 3 * joints};
    track[TRACK_POSITION] = track[TRACK_AXIS] = track[TRACK_VELOCITY] = (Samples){NULL, frames, 0};
    if (dof && dof->moving_axis && dof->position) {
        size_t rows = (size_t)dof->count;
        track[TRACK_POSITION] = (Samples){dof->position, frames, rows};
        track[TRACK_AXIS] = (Samples){&dof->moving_axis->x, frames, 3 * rows};
        track[TRACK_VELOCITY] = (Samples){&dof->moving_velocity->x, frames, 3 * rows};
    }
}

static Status check_motion(const Motion *motion, const SmoothDef *def, const Smoother *smoother, Error *err)
{
    if (!(motion->frame_time > 0) || !isfinite(motion->frame_time))
        return error_set(err, STATUS_BAD_INPUT, "frame time out of range: %g s", motion->frame_time);
    return smoother->check(def, err);
}

static void normalize_rotations(Motion *motion)
{
    QuatsNormalize *normalize = LANE_TWIN(quats_normalize, lane_width_choose(LANES_AUTO));
    normalize(motion->rotation, (size_t)motion->frame_count * (size_t)motion->joint_count);
}

Status smooth_motion(Motion *motion, const SmoothDef *def, double *resolved_cutoff, Error *err)
{
    return smooth_motion_of(motion, NULL, def, resolved_cutoff, err);
}

Status smooth_motion_of(Motion *motion, Dofs *dof, const SmoothDef *def, double *resolved_cutoff, Error *err)
{
    const Smoother *smoother = smoother_find(def->method);
    SmoothDef resolved = *def;
    Samples track[TRACK_COUNT];
    if (resolved_cutoff)
        *resolved_cutoff = 0;
    if (!smoother)
        return error_set(err, STATUS_USAGE, "no smoothing method %d", (int)def->method);
    if (!smoother->filter)
        return STATUS_OK;
    Status status = check_motion(motion, def, smoother, err);
    if (status || motion->frame_count < smoother->min_rows(def) || motion->joint_count < 1)
        return status;
    motion_make_continuous(motion);
    motion_tracks(motion, dof, track);
    if (smoother->has_cutoff)
        resolved.cutoff = cutoff_limit(resolved.cutoff, 1 / motion->frame_time);
    status = smoother->filter(track, TRACK_COUNT, &resolved, 1 / motion->frame_time, err);
    if (status)
        return status;
    normalize_rotations(motion);
    if (resolved_cutoff && smoother->has_cutoff)
        *resolved_cutoff = resolved.cutoff;
    return STATUS_OK;
}
