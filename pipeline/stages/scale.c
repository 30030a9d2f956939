/* kane scale: resizes body and motion, recomputes what the clip had and notes the change of the torques. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/clip/skeleton.h"
#include "analysis/motion/clip_scale.h"
#include "analysis/stats/joint_series.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/recompute.h"
#include "pipeline/stages/size_doubt.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/stage_list.h"

typedef enum ScaledTime { TIME_SAME = 0, TIME_SIMILAR } ScaledTime;

typedef struct ScaleOptions {
    ScaledTime time;
    double stature, factor; /* one of them, m and 1; 0: not given */
    double mass;            /* kg; 0: scaled by length^3 */
} ScaleOptions;

static const char *const times[] = {"same", "similar", NULL};

_Static_assert(sizeof(ScaleOptions) <= sizeof(OptionValues), "a stage's options have their place");

#define FIELD(member) offsetof(ScaleOptions, member)
static const Option options[] = {
    {.name = "stature", .argument = "METRES",
     .help = "New stature in m",
     .kind = &option_positive, .offset = FIELD(stature)},
    {.name = "factor", .argument = "L",
     .help = "Scale factor of the lengths, instead of --stature",
     .kind = &option_positive, .offset = FIELD(factor)},
    {.name = "mass", .argument = "KG",
     .help = "New total mass in kg (default: scaled by the cube of the lengths)",
     .kind = &option_positive, .offset = FIELD(mass)},
    {.name = "time", .argument = "same|similar",
     .help = "Time scale: same, or similar = square root of the lengths (Froude similarity)",
     .kind = &option_choice, .offset = FIELD(time), .choices = times},
    {0},
};

static Status check_options(OptionValues *values, const Clip *clip, Error *err)
{
    const ScaleOptions *given = (const ScaleOptions *)values;
    if ((given->stature > 0) == (given->factor > 0))
        return error_set(err, STATUS_USAGE, "expected --stature METRES or --factor L");
    if (clip && clip->has_body && given->stature > 0 && !(clip->body.stature > 0))
        return error_set(err, STATUS_BAD_INPUT, "has no stature (not a human body): use --factor");
    return STATUS_OK;
}

/* Requires a clip with a body that passed check. */
static ClipScale scale_from_options(const ScaleOptions *given, const Body *body)
{
    double length = given->factor > 0 ? given->factor : given->stature / body->stature;
    return (ClipScale){
        .length = length,
        .mass = given->mass > 0 && body->total_mass > 0 ? given->mass / body->total_mass : length * length * length,
        .time = given->time == TIME_SIMILAR ? sqrt(length) : 1,
    };
}

static Status apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    ClipScale scale = scale_from_options((const ScaleOptions *)values, &clip->body);
    clip_scale(&scale, clip);
    clip_drop(clip, CLIP_RETARGET);
    return size_doubt(clip, notes, err);
}

/* Peak torque by role in N m over trusted frames; NaN if the clip has none. */
typedef struct RolePeaks {
    double torque[ROLE_COUNT];
} RolePeaks;

static Status measure_peaks(const Clip *clip, RolePeaks *out, Error *err)
{
    JointSeries series;
    for (int r = 0; r < ROLE_COUNT; r++)
        out->torque[r] = NAN;
    Status status = joint_series_init(&series, clip, FRAMES_TRUSTED, err);
    if (status)
        return status;
    for (int j = 0; j < clip->skeleton.joint_count && series.has_load; j++) {
        const double *torque = joint_series_torque(&series, j);
        double *peak = &out->torque[clip->skeleton.role[j]];
        for (int i = 0; i < series.count && joint_series_ranks(&series, j); i++)
            *peak = torque[i] <= *peak ? *peak : torque[i];
    }
    joint_series_free(&series);
    out->torque[ROLE_NONE] = NAN;
    return STATUS_OK;
}

/* Size of the note. */
enum { TEXT_SIZE = 512 };

/* Appends " left_knee 93.1 -> 181," for the main load-bearing roles. Returns the length of the text. */
static int put_peaks(const RolePeaks *before, const RolePeaks *now, char *text, int used)
{
    static const Role listed[] = {ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE, ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE,
                                ROLE_RIGHT_ANKLE, ROLE_SPINE, ROLE_LEFT_SHOULDER, ROLE_RIGHT_SHOULDER};
    for (size_t i = 0; i < sizeof listed / sizeof *listed; i++)
        if (now->torque[listed[i]] >= 0 && before->torque[listed[i]] >= 0)
            used += snprintf(text + used, TEXT_SIZE - (size_t)used, " %s %.3g -> %.3g,", role_name(listed[i]),
                             before->torque[listed[i]], now->torque[listed[i]]);
    return used;
}

/* Notes the scale factors, the peak torques and how their ratios compare with the similarity law; or why there are
 * none. */
static Status note_peaks(const RolePeaks *before, const RolePeaks *now, const ClipScale *scale, const Clip *clip,
                         Notes *notes, Error *err)
{
    double law = scale->mass * scale->length, min = INFINITY, max = -INFINITY;
    char text[TEXT_SIZE];
    int used = snprintf(text, sizeof text, "scale factors: length %.4g, mass %.4g, time %.4g; peak torques in N m:",
                        scale->length, scale->mass, scale->time);
    if (!clip->has_dynamics)
        return STATUS_OK;
    for (int r = 0; r < ROLE_COUNT; r++) {
        double ratio = now->torque[r] / before->torque[r];
        min = ratio < min ? ratio : min;
        max = ratio > max ? ratio : max;
    }
    if (max < min) {
        snprintf(text + used, sizeof text - (size_t)used, " none to compare (%.0f %% of frames trusted)",
                 100 * trust_fraction(&clip->trust));
    } else {
        used = put_peaks(before, now, text, used);
        snprintf(text + used, sizeof text - (size_t)used, " ratios %.4g to %.4g (similarity: %.4g)", min, max, law);
    }
    return notes_add(notes, (Note){NOTE_RESULT, 0, 0, text}, err);
}

static Status warn_of_measured(const Recompute *recompute, const ClipScale *scale, Clip *clip, Notes *notes, Error *err)
{
    if (recompute->measured.point_count == 0 || scale->time == sqrt(scale->length))
        return STATUS_OK;
    return notes_warn(notes, clip, "scaled-forces", "measured forces scaled by mass do not match the unscaled time: "
                      "use --time similar", err);
}

static Status scale_body(const OptionValues *values, const ClipScale *scale, Clip *clip, Notes *notes, Error *err)
{
    Recompute recompute = {0};
    Status status = recompute_plan("scaled", clip, &recompute, notes, err);
    if (!status)
        status = warn_of_measured(&recompute, scale, clip, notes, err);
    if (!status)
        status = stage_apply(&stage_scale, values, clip, notes, err);
    if (!status)
        status = recompute_apply(&recompute, scale, clip, notes, err);
    recompute_free(&recompute);
    return status;
}

static Status scale_and_recompute(const OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    OptionValues checked = *values;
    RolePeaks before, now;
    Status status = check_options(&checked, clip, err);
    if (status)
        return status;
    if (!clip->has_body) /* fails with the stage to run first */
        return stage_apply(&stage_scale, values, clip, notes, err);
    ClipScale scale = scale_from_options((const ScaleOptions *)values, &clip->body);
    if ((status = measure_peaks(clip, &before, err)) ||
        (status = scale_body(values, &scale, clip, notes, err)) ||
        (status = measure_peaks(clip, &now, err)))
        return status;
    return note_peaks(&before, &now, &scale, clip, notes, err);
}

const Stage stage_scale = {
    .command = {
        .name = "scale",
        .group = COMMANDS_EDIT,
        .summary = "Resize body and motion",
        .arguments = "[FILE.h5...]",
        .description = "Scales lengths, path, masses and inertias, recomputes the stages that the clip had, with the "
                       "options of its history, and prints the change of the torques.",
        .example = "kane scale walk.h5 --stature 1.2 -o child.h5",
        .options = options,
    },
    .needs = CLIP_BODY,
    .fills = CLIP_SKELETON | CLIP_MOTION,
    .adapts = CLIP_BODY,
    .check = check_options,
    .apply = apply,
    .apply_and_recompute = scale_and_recompute,
};
