/* kane resample: another frame rate. */
#include "analysis/motion/resample.h"
#include "pipeline/cli/verbs.h"

typedef struct ResampleOptions {
    double fps;
} ResampleOptions;

_Static_assert(sizeof(ResampleOptions) <= sizeof(OptionValues), "a verb's options have their place");

static const Option options[] = {
    {.name = "fps", .argument = "N",
     .help = "Frames a second of the result",
     .kind = &option_positive, .offset = offsetof(ResampleOptions, fps)},
    {0},
};

static Status apply(OptionValues *values, Clip *clip, Error *err)
{
    const ResampleOptions *given = (const ResampleOptions *)values;
    Motion motion;
    if (!(given->fps > 0))
        return error_set(err, STATUS_USAGE, "--fps is missing");
    Status status = motion_resample(&clip->motion, given->fps, &motion, err);
    if (status != STATUS_OK)
        return status;
    clip_drop(clip, CLIP_KINEMATICS);
    motion_free(&clip->motion);
    clip->motion = motion;
    return STATUS_OK;
}

const Verb verb_resample = {
    .name = "resample",
    .summary = "Change the frame rate",
    .arguments = "[FILE.h5...]",
    .description = "Interpolates positions linearly and rotations on the shortest arc. Nothing is filtered: run kane "
                   "smooth first when going to a lower rate.",
    .options = options,
    .apply = apply,
};
