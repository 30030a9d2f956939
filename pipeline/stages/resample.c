/* kane resample: another frame rate. */
#include "pipeline/stages/resample_rerun.h"

#include "analysis/motion/resample.h"
#include "analysis/motion/resample_contact.h"
#include "analysis/trust/trust_carry.h"
#include "pipeline/stages/rerun.h"

typedef struct ResampleOptions {
    double fps;
} ResampleOptions;

_Static_assert(sizeof(ResampleOptions) <= sizeof(OptionValues), "a stage's options have their place");

static const Option options[] = {
    {.name = "fps", .argument = "N",
     .help = "Frames a second of the result",
     .kind = &option_positive, .offset = offsetof(ResampleOptions, fps)},
    {0},
};

static Status check(OptionValues *values, const Clip *clip, Error *err)
{
    const ResampleOptions *given = (const ResampleOptions *)values;
    (void)clip;
    return given->fps > 0 ? STATUS_OK : error_set(err, STATUS_USAGE, "--fps is missing");
}

static Status apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    const ResampleOptions *given = (const ResampleOptions *)values;
    Motion motion;
    (void)notes;
    /* What is differentiated again wants accelerations without kinks between frames. */
    int is_smooth = clip->has_kinematics && !clip->motion.translation && given->fps * clip->motion.frame_time > 1;
    Status status = is_smooth ? motion_resample_smooth(&clip->motion, given->fps, &motion, err)
                              : motion_resample(&clip->motion, given->fps, &motion, err);
    if (status != STATUS_OK)
        return status;
    status = trust_follow(clip, &motion, err);
    retarget_score_move_frames(&clip->retarget, 0, clip->motion.frame_time / motion.frame_time, motion.frame_count);
    motion_free(&clip->motion);
    clip->motion = motion;
    return status;
}

/* Measured forces, which the plan has taken out of the clip, at the times of the new motion. */
static Status resample_measured(double first_time, double frame_time, const Motion *now, Rerun *rerun, Error *err)
{
    Contact contact;
    if (!*rerun->measured_line)
        return STATUS_OK;
    Status status = contact_resample(&rerun->measured, first_time, frame_time, now, &contact, err);
    if (status != STATUS_OK)
        return status;
    contact_free(&rerun->measured);
    rerun->measured = contact;
    return STATUS_OK;
}

Status resample_and_rerun(const OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    const ClipScale same = {.length = 1, .mass = 1, .time = 1};
    double first_time = clip->motion.frame_count > 0 ? clip->motion.time[0] : 0, frame_time = clip->motion.frame_time;
    Rerun rerun = {0};
    Status status = rerun_plan("resampled", clip, &rerun, notes, err);
    if (status == STATUS_OK)
        status = stage_apply(&stage_resample, values, clip, notes, err);
    if (status == STATUS_OK)
        status = resample_measured(first_time, frame_time, &clip->motion, &rerun, err);
    if (status == STATUS_OK)
        status = rerun_apply(&rerun, &same, clip, notes, err);
    rerun_free(&rerun);
    return status;
}

const Stage stage_resample = {
    .command = {
        .name = "resample",
        .summary = "Change the frame rate",
        .arguments = "[FILE.h5|FILE.bvh...]",
        .description = "Interpolates positions linearly and rotations on the shortest arc. Nothing is filtered: run "
                       "kane smooth first when going to a lower rate. Computes again what the clip had (diff, "
                       "contact, torque, anatomy) with the options of its history.",
        .options = options,
    },
    .fills = CLIP_MOTION,
    .check = check,
    .apply = apply,
};
