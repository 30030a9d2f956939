/* kane diff: pose, velocity and acceleration in the world. */
#include "analysis/motion/differentiate.h"
#include "pipeline/cli/environment.h"
#include "pipeline/cli/verbs.h"

static const char *const schemes[] = {"central", "backward", "savgol", NULL};

_Static_assert(sizeof(DifferenceDef) <= sizeof(OptionValues), "a verb's options have their place");

#define FIELD(member) offsetof(DifferenceDef, member)
static const Option options[] = {
    {.name = "scheme", .argument = "central|backward|savgol",
     .help = "Differences",
     .kind = &option_choice, .offset = FIELD(scheme), .choices = schemes},
    {.name = "window", .argument = "N",
     .help = "Savitzky-Golay: frames, odd",
     .kind = &option_count, .offset = FIELD(window), .with = "savgol"},
    {.name = "order", .argument = "N",
     .help = "Savitzky-Golay: degree of the polynomial",
     .kind = &option_count, .offset = FIELD(order), .with = "savgol"},
    {0},
};

static void defaults(OptionValues *values)
{
    *(DifferenceDef *)values = difference_default_def();
}

static Status apply(OptionValues *values, Clip *clip, Error *err)
{
    DifferenceDef *def = (DifferenceDef *)values;
    Status status = environment_lanes(&def->lanes, err);
    if (status != STATUS_OK)
        return status;
    clip_drop(clip, CLIP_KINEMATICS);
    ClipView view = clip_view(clip);
    status = differentiate(&view, def, &clip->kinematics, err);
    if (status == STATUS_OK)
        clip->has_kinematics = 1;
    return status;
}

const Verb verb_diff = {
    .name = "diff",
    .summary = "Velocities and accelerations by finite differences on rotations",
    .arguments = "[FILE.h5...]",
    .description = "Fills /kinematics: world pose, velocity and acceleration of every joint, and of the whole body's "
                   "centre of mass where the container holds a body.",
    .options = options,
    .defaults = defaults,
    .apply = apply,
};
