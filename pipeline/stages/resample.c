/* kane resample: changes the frame rate and recomputes what the clip had. */
#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/motion/clip_scale.h"
#include "analysis/motion/resample.h"
#include "analysis/quality/trust_carry.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/recompute.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/stage_list.h"

typedef struct ResampleOptions {
    double fps;
} ResampleOptions;

_Static_assert(sizeof(ResampleOptions) <= sizeof(OptionValues), "a stage's options have their place");

static const Option resample_options[] = {
    {.name = "fps", .argument = "N",
     .help = "New frame rate in Hz",
     .kind = &option_positive, .offset = offsetof(ResampleOptions, fps)},
    {0},
};

static Status resample_check(OptionValues *values, const Clip *clip, Error *err)
{
    const ResampleOptions *given = (const ResampleOptions *)values;
    (void)clip;
    return given->fps > 0 ? STATUS_OK : error_set(err, STATUS_USAGE, "expected --fps N");
}

static Status resample_apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    const ResampleOptions *given = (const ResampleOptions *)values;
    Motion motion;
    (void)notes;
    /* Accelerations must have no kinks between frames, because the result is differentiated again. */
    if (clip->dof.moving_axis)
        return error_set(err, STATUS_BAD_INPUT, "has axes that move (/dof/moving_axis), which are known in its frames "
                         "alone: resample the motion before they are made");
    int is_smooth = clip->has_kinematics && !clip->motion.translation && given->fps * clip->motion.frame_time > 1;
    Status status = is_smooth ? motion_resample_smooth(&clip->motion, given->fps, &motion, err)
                              : motion_resample(&clip->motion, given->fps, &motion, err);
    if (status)
        return status;
    status = trust_follow(clip, &motion, err);
    retarget_score_move_frames(&clip->retarget, 0, clip->motion.frame_time / motion.frame_time, motion.frame_count);
    motion_free(&clip->motion);
    clip->motion = motion;
    return status;
}

/* Interpolates the measured forces, which the plan removed from the clip, at the times of the new motion. */
static Status resample_measured(double first_time, double frame_time, const Motion *now, Recompute *recompute,
                                Error *err)
{
    Contact contact;
    if (!*recompute->measured_line)
        return STATUS_OK;
    Status status = contact_resample(&recompute->measured, first_time, frame_time, now, &contact, err);
    if (status)
        return status;
    contact_free(&recompute->measured);
    recompute->measured = contact;
    return STATUS_OK;
}

static Status resample_and_recompute(const OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    const ClipScale same = {.length = 1, .mass = 1, .time = 1};
    double first_time = clip->motion.frame_count > 0 ? clip->motion.time[0] : 0, frame_time = clip->motion.frame_time;
    Recompute recompute = {0};
    Status status = recompute_plan("resampled", clip, &recompute, notes, err);
    if (!status)
        status = stage_apply(&stage_resample, values, clip, notes, err);
    if (!status)
        status = resample_measured(first_time, frame_time, &clip->motion, &recompute, err);
    if (!status)
        status = recompute_apply(&recompute, &same, clip, notes, err);
    recompute_free(&recompute);
    return status;
}

const Stage stage_resample = {
    .command = {
        .name = "resample",
        .group = COMMANDS_EDIT,
        .summary = "Change the frame rate",
        .arguments = "[FILE.h5|{motion-files}...]",
        .description = "Interpolates positions linearly and rotations along the shortest arc, without a filter: run "
                       "kane smooth before a reduction of the rate. Recomputes the stages that the clip had, with the "
                       "options of its history.",
        .example = "kane resample walk.h5 --fps 30 -o walk30.h5",
        .options = resample_options,
    },
    .fills = CLIP_MOTION,
    .reads_motion = 1,
    .check = resample_check,
    .apply = resample_apply,
    .apply_and_recompute = resample_and_recompute,
};
