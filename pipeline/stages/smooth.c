/* kane smooth: low-pass filter of root position and rotations. kane kinematics: velocities and accelerations. */
#include <stdio.h>
#include <string.h>

#include "analysis/motion/kinematics.h"
#include "analysis/motion/smooth.h"
#include "analysis/quality/artifact_bridge.h"
#include "pipeline/stages/stage.h"

/* 0: "auto". */
static Status cutoff_parse(const Option *option, const char *text, void *value, Error *err)
{
    if (strcmp(text, "auto"))
        return option_positive.parse(option, text, value, err);
    *(double *)value = 0;
    return STATUS_OK;
}

static void cutoff_format(const Option *option, const void *value, char *text, size_t size)
{
    if (*(const double *)value > 0)
        option_real.format(option, value, text, size);
    else
        snprintf(text, size, "auto");
}

static const OptionKind option_cutoff = {cutoff_parse, cutoff_format};

_Static_assert(sizeof(SmoothDef) <= sizeof(OptionValues), "a stage's options have their place");

#define FIELD(member) offsetof(SmoothDef, member)
static const Option options[] = {
    {.name = "method", .argument = "butterworth|savgol|spring|none",
     .help = "Filter",
     .kind = &option_choice, .offset = FIELD(method), .choices = smooth_method_names},
    {.name = "cutoff", .argument = "HZ|auto",
     .help = "Low-pass cutoff frequency (-3 dB) in Hz; auto = 8 to 20 by the noise of the clip; at most 0.45 of the "
             "frame rate",
     .kind = &option_cutoff, .offset = FIELD(cutoff), .with = "butterworth|spring"},
    {.name = "damping-ratio", .argument = "Z",
     .help = "Of the spring, 0.1 to 100: below 1 it overshoots, above 1 it lags; 1 is critical",
     .kind = &option_positive, .offset = FIELD(damping_ratio), .with = "spring"},
    {.name = "window", .argument = "N",
     .help = "Savitzky-Golay window, odd number of frames",
     .kind = &option_count, .offset = FIELD(window), .with = "savgol"},
    {.name = "order", .argument = "N",
     .help = "Savitzky-Golay polynomial degree",
     .kind = &option_count, .offset = FIELD(order), .with = "savgol"},
    {0},
};

static void defaults(OptionValues *values)
{
    *(SmoothDef *)values = smooth_default_def();
}

/* Smooths the motion; artifacts flagged in the clip are bridged for the filter and restored afterwards. */
static Status smooth(const SmoothDef *def, Clip *clip, double *resolved, Error *err)
{
    TakenSteps taken = {0};
    int bridged = clip->has_trust && def->method != SMOOTH_NONE && artifact_bridge_needed(&clip->trust);
    Status status = STATUS_OK;
    if (bridged)
        status = artifact_bridge(&clip->skeleton, &clip->trust, &clip->motion, &taken, err);
    if (!status)
        status = smooth_motion(&clip->motion, def, resolved, err);
    if (!status && bridged)
        artifact_put_back(&clip->motion, &taken);
    taken_steps_free(&taken);
    return status;
}

static Status note_clamp(double given, double used, double rate, Notes *notes, Error *err)
{
    char text[160];
    snprintf(text, sizeof text, "--cutoff %.4g is above 0.45 of %.4g fps; using %.4g Hz", given, rate, used);
    return notes_add(notes, (Note){NOTE_WARNING, 0, 0, text}, err);
}

static Status apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    SmoothDef *def = (SmoothDef *)values;
    double resolved = 0, given = def->cutoff;
    Status status = smooth(def, clip, &resolved, err);
    if (!status && resolved > 0)
        def->cutoff = resolved;
    if (!status && resolved > 0 && given > 0 && resolved != given)
        status = note_clamp(given, resolved, 1 / clip->motion.frame_time, notes, err);
    return status;
}

const Stage stage_smooth = {
    .command = {
        .name = "smooth",
        .group = COMMANDS_PIPELINE,
        .summary = "Low-pass filter the motion",
        .arguments = "[FILE.h5...]",
        .description = "Zero-lag filter of root position and joint rotations (as quaternions, not Euler angles). "
                       "Frames with capture artifacts are bridged.",
        .example = "kane smooth walk.h5 --cutoff 6 -o smooth.h5",
        .options = options,
    },
    .defaults = defaults,
    .fills = CLIP_MOTION,
    .apply = apply,
};

/* kane kinematics: pose, velocity and acceleration in world coordinates. */

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
