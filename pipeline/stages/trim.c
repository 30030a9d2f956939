/* kane trim: extracts a range of frames. */
#include <math.h>
#include <stddef.h>

#include "analysis/angles/neutral_pose.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/motion/resample.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/stage_list.h"

typedef struct TrimOptions {
    double from, to; /* s, source time; infinite: not given */
} TrimOptions;

_Static_assert(sizeof(TrimOptions) <= sizeof(OptionValues), "a stage's options have their place");

static const Option trim_options[] = {
    {.name = "from", .argument = "S",
     .help = "Start time in s, on the time axis of the source",
     .kind = &option_time, .offset = offsetof(TrimOptions, from)},
    {.name = "to", .argument = "S",
     .help = "End time in s",
     .kind = &option_time, .offset = offsetof(TrimOptions, to)},
    {0},
};

static void defaults(OptionValues *values)
{
    *(TrimOptions *)values = (TrimOptions){-INFINITY, INFINITY};
}

static Status trim_check(OptionValues *values, const Clip *clip, Error *err)
{
    const TrimOptions *given = (const TrimOptions *)values;
    (void)clip;
    if (!isfinite(given->from) && !isfinite(given->to))
        return error_set(err, STATUS_USAGE, "expected --from, --to or both");
    return STATUS_OK;
}

static Status trim_apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    const TrimOptions *given = (const TrimOptions *)values;
    int first, count;
    (void)notes;
    Status status = motion_find_frames(&clip->motion, given->from, given->to, &first, &count, err);
    if (status)
        return status;
    clip_keep_frames(clip, first, count);
    neutral_pose_move_frames(clip->angles.neutral, sizeof clip->angles.neutral, first, count);
    return STATUS_OK;
}

const Stage stage_trim = {
    .command = {
        .name = "trim",
        .group = COMMANDS_EDIT,
        .summary = "Extract a time range",
        .arguments = "[FILE.h5|{motion-files}...]",
        .description = "Keeps the frames from --from to --to, with their times, velocities, forces and torques. Drops "
                       "/tracking.",
        .example = "kane trim walk.h5 --from 1.2 --to 3 -o step.h5",
        .options = trim_options,
    },
    .defaults = defaults,
    .fills = CLIP_MOTION,
    .reads_motion = 1,
    .adapts = CLIP_KINEMATICS | CLIP_CONTACT | CLIP_DYNAMICS | CLIP_ANGLES | CLIP_SIMULATION | CLIP_PARTICLES |
              CLIP_MARKERS,
    .check = trim_check,
    .apply = trim_apply,
};
