/* kane resample: another frame rate. */
#include "analysis/motion/resample.h"
#include "analysis/trust/trust_carry.h"
#include "pipeline/stages/stage.h"

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
    Status status = motion_resample(&clip->motion, given->fps, &motion, err);
    if (status != STATUS_OK)
        return status;
    status = trust_follow(clip, &motion, err);
    motion_free(&clip->motion);
    clip->motion = motion;
    return status;
}

const Stage stage_resample = {
    .command = {
        .name = "resample",
        .summary = "Change the frame rate",
        .arguments = "[FILE.h5|FILE.bvh...]",
        .description = "Interpolates positions linearly and rotations on the shortest arc. Nothing is filtered: run "
                       "kane smooth first when going to a lower rate.",
        .options = options,
    },
    .fills = CLIP_MOTION,
    .check = check,
    .apply = apply,
};
