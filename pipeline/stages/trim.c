/* kane trim: a stretch of a clip. */
#include <math.h>
#include <stdio.h>

#include "analysis/motion/resample.h"
#include "formats/container/clip_frames.h"
#include "pipeline/stages/stage.h"

typedef struct TrimOptions {
    double from, to; /* s, source time; infinite: not given */
} TrimOptions;

static void time_format(const Option *option, const void *value, char *text, size_t size)
{
    text[0] = 0;
    if (isfinite(*(const double *)value))
        option_real.format(option, value, text, size);
}

static Status time_parse(const Option *option, const char *text, void *value, Error *err)
{
    return option_real.parse(option, text, value, err);
}

static const OptionKind option_time = {time_parse, time_format};

_Static_assert(sizeof(TrimOptions) <= sizeof(OptionValues), "a stage's options have their place");

static const Option options[] = {
    {.name = "from", .argument = "S",
     .help = "First moment to keep, seconds of the source's time",
     .kind = &option_time, .offset = offsetof(TrimOptions, from)},
    {.name = "to", .argument = "S",
     .help = "Last moment to keep",
     .kind = &option_time, .offset = offsetof(TrimOptions, to)},
    {0},
};

static void defaults(OptionValues *values)
{
    *(TrimOptions *)values = (TrimOptions){-INFINITY, INFINITY};
}

static Status check(OptionValues *values, const Clip *clip, Error *err)
{
    const TrimOptions *given = (const TrimOptions *)values;
    (void)clip;
    if (!isfinite(given->from) && !isfinite(given->to))
        return error_set(err, STATUS_USAGE, "expected --from, --to or both");
    return STATUS_OK;
}

static Status apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    const TrimOptions *given = (const TrimOptions *)values;
    int first, count;
    (void)notes;
    Status status = motion_find_frames(&clip->motion, given->from, given->to, &first, &count, err);
    if (status == STATUS_OK)
        clip_keep_frames(clip, first, count);
    return status;
}

const Stage stage_trim = {
    .command = {
        .name = "trim",
        .summary = "Cut a stretch out of clips",
        .arguments = "[FILE.h5|FILE.bvh...]",
        .description = "Keeps the frames between two moments. The time axis stays that of the source, and every "
                       "frame keeps its velocities, forces and torques; what kane track simulated is dropped.",
        .options = options,
    },
    .defaults = defaults,
    .fills = CLIP_MOTION,
    .adapts = CLIP_KINEMATICS | CLIP_CONTACT | CLIP_DYNAMICS | CLIP_ANATOMY | CLIP_SIMULATION | CLIP_PARTICLES,
    .check = check,
    .apply = apply,
};
