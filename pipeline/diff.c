/* kane diff: pose, velocity and acceleration in the world. */
#include "analysis/motion/differentiate.h"
#include "pipeline/environment.h"
#include "pipeline/verbs.h"

static const char *const schemes[] = {"central", "backward", "savgol", NULL};

#define FIELD(member) offsetof(DifferenceDef, member)
static const Option options[] = {
    {"scheme", 0, "central|backward|savgol", "Differences", &option_choice, FIELD(scheme), schemes, 0, NULL},
    {"window", 0, "N", "Savitzky-Golay: frames, odd", &option_count, FIELD(window), NULL, 0, "savgol"},
    {"order", 0, "N", "Savitzky-Golay: degree of the polynomial", &option_count, FIELD(order), NULL, 0, "savgol"},
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
    status = differentiate(&clip->skeleton, &clip->motion, clip->has_body ? &clip->body : NULL, def, &clip->kinematics,
                           err);
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
