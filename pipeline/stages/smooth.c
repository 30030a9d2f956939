/* kane smooth: low-pass filter of root position and rotations. kane kinematics: velocities and accelerations. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/motion/smooth.h"
#include "analysis/quality/artifact_bridge.h"
#include "analysis/signal/smoothing.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/stage_list.h"

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
     .help = "Damping ratio of the spring, 0.1 to 100: below 1 it overshoots, above 1 it lags; 1 is critical",
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
