/* kane kinematics: pose, velocity and acceleration in world coordinates. */
#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/motion/kinematics.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/stage_list.h"

_Static_assert(sizeof(DifferenceDef) <= sizeof(OptionValues), "a stage's options have their place");

#define DIFF_FIELD(member) offsetof(DifferenceDef, member)
static const Option diff_options[] = {
    {.name = "scheme", .argument = "central|backward|fivepoint",
     .help = "Finite-difference scheme",
     .kind = &option_choice, .offset = DIFF_FIELD(scheme), .choices = difference_scheme_names},
    {0},
};

static void diff_defaults(OptionValues *values)
{
    *(DifferenceDef *)values = difference_default_def();
}

static Status apply_diff(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    DifferenceDef *def = (DifferenceDef *)values;
    (void)notes;
    Status status = stage_lanes(&def->lanes, err);
    if (status)
        return status;
    ClipView view = clip_view(clip);
    return differentiate(&view, def, &clip->kinematics, err);
}

const Stage stage_kinematics = {
    .command = {
        .name = "kinematics",
        .old_name = "diff",
        .group = COMMANDS_PIPELINE,
        .summary = "Compute velocities and accelerations",
        .arguments = "[FILE.h5...]",
        .description = "Fills /kinematics: world position, orientation, velocity and acceleration of each joint, and "
                       "of the whole-body centre of mass if the clip has a body.",
        .example = "kane kinematics smooth.h5 -o kinematics.h5",
        .options = diff_options,
    },
    .defaults = diff_defaults,
    .fills = CLIP_KINEMATICS,
    .apply = apply_diff,
};
