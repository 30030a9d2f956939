/* kane trim: a stretch of a clip. */
#include <math.h>
#include <stdio.h>

#include "analysis/anatomy/coordinates.h"
#include "analysis/motion/mirror.h"
#include "analysis/motion/resample.h"
#include "analysis/quality/trust_marks.h"
#include "pipeline/stages/recompute.h"
#include "pipeline/stages/resample_rerun.h"
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

static const Option trim_options[] = {
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
    neutral_pose_move_frames(clip->anatomy.neutral, sizeof clip->anatomy.neutral, first, count);
    return STATUS_OK;
}

const Stage stage_trim = {
    .command = {
        .name = "trim",
        .group = COMMANDS_EDIT,
        .summary = "Extract a time range",
        .arguments = "[FILE.h5|FILE.bvh...]",
        .description = "Keeps the frames from --from to --to, with their times, velocities, forces and torques. Drops "
                       "/tracking.",
        .example = "kane trim walk.h5 --from 1.2 --to 3 -o step.h5",
        .options = trim_options,
    },
    .defaults = defaults,
    .fills = CLIP_MOTION,
    .reads_motion = 1,
    .adapts = CLIP_KINEMATICS | CLIP_CONTACT | CLIP_DYNAMICS | CLIP_ANATOMY | CLIP_SIMULATION | CLIP_PARTICLES,
    .check = trim_check,
    .apply = trim_apply,
};

/* kane resample: another frame rate. */

typedef struct ResampleOptions {
    double fps;
} ResampleOptions;

_Static_assert(sizeof(ResampleOptions) <= sizeof(OptionValues), "a stage's options have their place");

static const Option resample_options[] = {
    {.name = "fps", .argument = "N",
     .help = "Frames a second of the result",
     .kind = &option_positive, .offset = offsetof(ResampleOptions, fps)},
    {0},
};

static Status resample_check(OptionValues *values, const Clip *clip, Error *err)
{
    const ResampleOptions *given = (const ResampleOptions *)values;
    (void)clip;
    return given->fps > 0 ? STATUS_OK : error_set(err, STATUS_USAGE, "--fps is missing");
}

static Status resample_apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    const ResampleOptions *given = (const ResampleOptions *)values;
    Motion motion;
    (void)notes;
    /* What is differentiated again wants accelerations without kinks between frames. */
    int is_smooth = clip->has_kinematics && !clip->motion.translation && given->fps * clip->motion.frame_time > 1;
    Status status = is_smooth ? motion_resample_smooth(&clip->motion, given->fps, &motion, err)
                              : motion_resample(&clip->motion, given->fps, &motion, err);
    if (status)
        return status;
    status = trust_follow(clip, &motion, err);
    retarget_score_move_frames(&clip->retarget, 0, clip->motion.frame_time / motion.frame_time, motion.frame_count);
    motion_free(&clip->motion);
    clip->motion = motion;
    return status;
}

/* Measured forces, which the plan has taken out of the clip, at the times of the new motion. */
static Status resample_measured(double first_time, double frame_time, const Motion *now, Recompute *recompute,
                                Error *err)
{
    Contact contact;
    if (!*recompute->measured_line)
        return STATUS_OK;
    Status status = contact_resample(&recompute->measured, first_time, frame_time, now, &contact, err);
    if (status)
        return status;
    contact_free(&recompute->measured);
    recompute->measured = contact;
    return STATUS_OK;
}

Status resample_and_rerun(const OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    const ClipScale same = {.length = 1, .mass = 1, .time = 1};
    double first_time = clip->motion.frame_count > 0 ? clip->motion.time[0] : 0, frame_time = clip->motion.frame_time;
    Recompute recompute = {0};
    Status status = recompute_plan("resampled", clip, &recompute, notes, err);
    if (!status)
        status = stage_apply(&stage_resample, values, clip, notes, err);
    if (!status)
        status = resample_measured(first_time, frame_time, &clip->motion, &recompute, err);
    if (!status)
        status = recompute_apply(&recompute, &same, clip, notes, err);
    recompute_free(&recompute);
    return status;
}

const Stage stage_resample = {
    .command = {
        .name = "resample",
        .group = COMMANDS_EDIT,
        .summary = "Change the frame rate",
        .arguments = "[FILE.h5|FILE.bvh...]",
        .description = "Interpolates positions linearly and rotations along the shortest arc, without a filter: run "
                       "kane smooth before a reduction of the rate. Recomputes the stages that the clip had, with the "
                       "options of its history.",
        .example = "kane resample walk.h5 --fps 30 -o walk30.h5",
        .options = resample_options,
    },
    .fills = CLIP_MOTION,
    .reads_motion = 1,
    .check = resample_check,
    .apply = resample_apply,
};

/* kane mirror: left and right exchanged. */

/* What speaks against a joint goes to the one on the other side. */
static void mirror_trust(const Mirror *m, Trust *t)
{
    for (int f = 0; t->joint_reason && f < t->frame_count; f++) {
        uint32_t *row = t->joint_reason + (size_t)f * (size_t)t->joint_count;
        for (int j = 0; j < t->joint_count; j++)
            if (m->pair[j] > j) {
                uint32_t kept = row[j];
                row[j] = row[m->pair[j]];
                row[m->pair[j]] = kept;
            }
    }
}

static Status tell_asymmetry(const Mirror *m, Clip *clip, Notes *notes, Error *err)
{
    char text[192];
    clip_drop_warnings(clip, "asymmetric");
    if (m->asymmetry <= 0)
        return STATUS_OK;
    snprintf(text, sizeof text,
             "the skeleton is not symmetric, by up to %.3g cm below \"%.60s\": it is mirrored with the motion",
             100 * m->asymmetry, clip->skeleton.name[m->asymmetric_joint]);
    return notes_warn(notes, clip, "asymmetric", text, err);
}

static Status mirror_apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    Mirror mirror;
    Motion motion = {0};
    (void)values;
    Status status = mirror_init(&mirror, &clip->skeleton, err);
    if (status)
        return status;
    status = mirror_motion(&mirror, &clip->skeleton, &clip->motion, &motion, err);
    if (!status)
        status = tell_asymmetry(&mirror, clip, notes, err);
    if (!status)
        status = mirror_skeleton(&mirror, &clip->skeleton, err);
    if (!status)
        status = mirror_computed(&mirror, clip, err);
    if (!status) {
        motion_free(&clip->motion);
        clip->motion = motion;
        motion = (Motion){0};
        if (clip->has_trust)
            mirror_trust(&mirror, &clip->trust);
    }
    motion_free(&motion);
    mirror_free(&mirror);
    return status;
}

const Stage stage_mirror = {
    .command = {
        .name = "mirror",
        .group = COMMANDS_EDIT,
        .summary = "Swap left and right",
        .arguments = "[FILE.h5|FILE.bvh...]",
        .description = "Reflects the motion with its forces, torques and angles. Joints are paired by role and name. "
                       "A symmetric skeleton is unchanged, any other is reflected as well.",
        .example = "kane mirror walk.h5 -o mirrored.h5",
    },
    .fills = CLIP_SKELETON | CLIP_MOTION,
    .reads_motion = 1,
    .adapts = CLIP_BODY | CLIP_KINEMATICS | CLIP_CONTACT | CLIP_DYNAMICS | CLIP_ANATOMY,
    .apply = mirror_apply,
};
