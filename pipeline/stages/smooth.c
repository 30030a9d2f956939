/* kane smooth: low-pass filter of root position and rotations. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/motion/motion_cutoff.h"
#include "analysis/motion/smooth.h"
#include "analysis/quality/artifact_bridge.h"
#include "analysis/signal/cutoff.h"
#include "analysis/signal/smoothing.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/smooth_options.h"
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

_Static_assert(sizeof(SmoothOptions) <= sizeof(OptionValues), "a stage's options have their place");

#define FIELD(member) offsetof(SmoothOptions, member)
static const Option options[] = {
    {.name = "method", .argument = "butterworth|savgol|spring|none",
     .help = "Filter",
     .kind = &option_choice, .offset = FIELD(def.method), .choices = smooth_method_names},
    {.name = "cutoff", .argument = "HZ|auto",
     .help = "Low-pass cutoff frequency (-3 dB) in Hz; auto = 4 to 20 by the noise of the clip; at most 0.45 of the "
             "frame rate",
     .kind = &option_cutoff, .offset = FIELD(def.cutoff), .with = "butterworth|spring"},
    {.name = "noise", .argument = "M",
     .help = "Density of the recording's noise, m per square root of Hz; auto chooses the cutoff by it, and error bars "
             "grow with it; measured unless given",
     .kind = &option_positive, .offset = FIELD(noise)},
    {.name = "damping-ratio", .argument = "Z",
     .help = "Damping ratio of the spring, 0.1 to 100: below 1 it overshoots, above 1 it lags; 1 is critical",
     .kind = &option_positive, .offset = FIELD(def.damping_ratio), .with = "spring"},
    {.name = "window", .argument = "N",
     .help = "Savitzky-Golay window, odd number of frames",
     .kind = &option_count, .offset = FIELD(def.window), .with = "savgol"},
    {.name = "order", .argument = "N",
     .help = "Savitzky-Golay polynomial degree",
     .kind = &option_count, .offset = FIELD(def.order), .with = "savgol"},
    {0},
};

static void defaults(OptionValues *values)
{
    SmoothDef def = smooth_default_def();
    def.cutoff = 0;
    *(SmoothOptions *)values = (SmoothOptions){.def = def};
}

/* Rounds to three digits, as the history has it, so that a repetition has the same number. */
static double rounded(double x)
{
    char text[32];
    snprintf(text, sizeof text, "%.3g", x);
    return strtod(text, NULL);
}

/* Measures the noise unless it is given, and replaces an automatic cutoff. */
static Status resolve(SmoothOptions *o, const Clip *clip, Error *err)
{
    CutoffChoice choice;
    ClipView view = clip_view(clip);
    int has_cutoff = smoother_find(o->def.method)->has_cutoff;
    o->is_auto = has_cutoff && !(o->def.cutoff > 0);
    o->is_given = o->noise > 0;
    if (o->is_given && !has_cutoff)
        return STATUS_OK;
    Status status = motion_cutoff(&view, o->is_auto ? o->noise : 0, has_cutoff ? o->def.cutoff : 0, &choice, err);
    if (status)
        return status;
    if (o->is_auto || !o->is_given)
        o->noise = rounded(choice.noise);
    if (o->is_auto)
        o->def.cutoff = choice.cutoff;
    else
        o->best = choice.cutoff;
    o->error = o->is_auto ? cutoff_constants.torque * choice.error : 0;
    o->best_error = cutoff_constants.torque * choice.error;
    o->stated_error = cutoff_constants.torque * choice.stated_error;
    return STATUS_OK;
}

/* Smooths the motion; artifacts flagged in the clip are bridged for the noise and the filter, and restored afterwards.
 * used: the cutoff, Hz. */
static Status smooth(SmoothOptions *o, Clip *clip, double *used, Error *err)
{
    TakenSteps taken = {0};
    int bridged = clip->has_trust && o->def.method != SMOOTH_NONE && artifact_bridge_needed(&clip->trust);
    Status status = STATUS_OK;
    if (bridged)
        status = artifact_bridge(&clip->skeleton, &clip->trust, &clip->motion, &taken, err);
    if (!status)
        status = resolve(o, clip, err);
    if (!status)
        status = smooth_motion_of(&clip->motion, clip->has_dof ? &clip->dof : NULL, &o->def, used, err);
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

/* Warns of noise that costs more than everything else does in a clean recording. */
static Status warn_of_noise(const SmoothOptions *o, Clip *clip, Notes *notes, Error *err)
{
    char text[200];
    snprintf(text, sizeof text, "noisy recording: at the best cutoff, %.1f Hz, noise and filter change joint torques "
             "by about %.2g N m/kg", o->def.cutoff, o->error);
    return notes_warn(notes, clip, "noise", text, err);
}

static const double min_cutoff = 2.5, greatest_cutoff = 30; /* Hz: beyond, no person's motion has its band's end */
static const double far_worse = 2;                            /* times the error of the best cutoff */

/* Warns of a stated cutoff with far more error than the best, or out of the range of human motion. */
static Status warn_cutoff(const SmoothOptions *o, double stated, Clip *clip, Notes *notes, Error *err)
{
    char text[240];
    int is_worse = o->stated_error > fmax(cutoff_constants.max_error, far_worse * o->best_error);
    int is_far = stated < min_cutoff || stated > greatest_cutoff;
    if (!(stated > 0) || !(o->stated_error > 0) || !(is_worse || is_far))
        return STATUS_OK;
    if (is_worse)
        snprintf(text, sizeof text, "--cutoff %.4g: noise and filter change joint torques by about %.2g N m/kg; %.1f "
                 "Hz fits the recording: %.2g", stated, o->stated_error, o->best, o->best_error);
    else
        snprintf(text, sizeof text, "--cutoff %.4g: the motion of people ends at 4 to 20 Hz; %.1f Hz fits the "
                 "recording", stated, o->best);
    return notes_warn(notes, clip, "cutoff", text, err);
}

static Status apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    SmoothOptions *o = (SmoothOptions *)values;
    double used = 0, given = o->def.cutoff;
    clip_drop_warnings(clip, "noise");
    clip_drop_warnings(clip, "cutoff");
    Status status = smooth(o, clip, &used, err);
    if (!status && used > 0)
        o->def.cutoff = used;
    if (!status && used > 0 && given > 0 && used != given)
        status = note_clamp(given, used, 1 / clip->motion.frame_time, notes, err);
    if (!status && !o->is_auto)
        status = warn_cutoff(o, given, clip, notes, err);
    return !status && o->error > cutoff_constants.max_error ? warn_of_noise(o, clip, notes, err) : status;
}

static const char of_measured[] = "automatic", of_given[] = "automatic by the noise given";

static void remark(const OptionValues *values, char *text, size_t size)
{
    const SmoothOptions *o = (const SmoothOptions *)values;
    const char *what = o->is_given ? of_given : of_measured;
    if (o->is_auto && o->error > 0)
        snprintf(text, size, "%s: predicted error %.2g N m/kg", what, o->error);
    else if (o->is_auto)
        snprintf(text, size, "%s: too short or at rest, noise not measured", what);
}

static void forget(const char *remark, OptionValues *values)
{
    SmoothOptions *o = (SmoothOptions *)values;
    if (!strncmp(remark, of_measured, strlen(of_measured)))
        o->def.cutoff = 0;
    if (o->def.cutoff == 0 && strncmp(remark, of_given, strlen(of_given)))
        o->noise = 0;
}

const Stage stage_smooth = {
    .command = {
        .name = "smooth",
        .group = COMMANDS_PIPELINE,
        .summary = "Low-pass filter the motion",
        .arguments = "[FILE.h5...]",
        .description = "Zero-lag filter of root position and joint rotations (as quaternions, not Euler angles). The "
                       "cutoff is that with the least predicted error, from the noise of the clip. Frames with capture "
                       "artifacts are bridged.",
        .example = "kane smooth walk.h5 --cutoff 6 -o smooth.h5",
        .options = options,
    },
    .defaults = defaults,
    .fills = CLIP_MOTION,
    .apply = apply,
    .remark = remark,
    .forget = forget,
};
