/* kane diff: pose, velocity and acceleration in the world. */
#include "analysis/motion/differentiate.h"
#include "pipeline/stages/stage.h"

_Static_assert(sizeof(DifferenceDef) <= sizeof(OptionValues), "a stage's options have their place");

#define FIELD(member) offsetof(DifferenceDef, member)
static const Option options[] = {
    {.name = "scheme", .argument = "central|backward|fivepoint",
     .help = "Differences",
     .kind = &option_choice, .offset = FIELD(scheme), .choices = difference_scheme_names},
    {0},
};

static void defaults(OptionValues *values)
{
    *(DifferenceDef *)values = difference_default_def();
}

static Status apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    DifferenceDef *def = (DifferenceDef *)values;
    (void)notes;
    Status status = stage_lanes(&def->lanes, err);
    if (status)
        return status;
    ClipView view = clip_view(clip);
    return differentiate(&view, def, &clip->kinematics, err);
}

const Stage stage_diff = {
    .command = {
        .name = "diff",
        .group = COMMANDS_PIPELINE,
        .summary = "Compute velocities and accelerations",
        .arguments = "[FILE.h5...]",
        .description = "Fills /kinematics: world position, orientation, velocity and acceleration of each joint, and "
                       "of the whole-body centre of mass if the clip has a body.",
        .example = "kane diff smooth.h5 -o kinematics.h5",
        .options = options,
    },
    .defaults = defaults,
    .fills = CLIP_KINEMATICS,
    .apply = apply,
};
