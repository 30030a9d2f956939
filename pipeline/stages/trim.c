/* kane trim, resample, mirror and scale: edits of a whole clip, after which its computed groups are recomputed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/anatomy/coordinates.h"
#include "analysis/math/elementary.h"
#include "analysis/motion/clip_scale.h"
#include "analysis/motion/mirror.h"
#include "analysis/motion/resample.h"
#include "analysis/quality/trust_carry.h"
#include "analysis/quality/trust_marks.h"
#include "analysis/stats/joint_series.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/stage.h"

/* Recomputing kinematics, contact, torque and angles after a change of the motion, with the options of the history.
 * Measured forces, whose table is not in the clip, are saved and scaled. */

enum { RERUN_STAGES = 4 };

/* Initialise with (Recompute){0}. */
typedef struct Recompute {
    const char *change;               /* what happened to the motion: "scaled", "resampled" */
    int count;
    const Stage *stage[RERUN_STAGES]; /* in order; NULL: contact, from the saved measured forces */
    OptionValues values[RERUN_STAGES];
    Contact measured;                 /* owned */
    char measured_line[256];          /* its history line */
} Recompute;

static const struct {
    const Stage *stage;
    ClipGroup group;
} computed[RERUN_STAGES] = {
    {&stage_kinematics, CLIP_KINEMATICS}, {&stage_contact, CLIP_CONTACT}, {&stage_torque, CLIP_DYNAMICS},
    {&stage_angles, CLIP_ANATOMY},
};

static Status note_file(const Stage *stage, const char *file, const Recompute *recompute, Clip *clip, Notes *notes,
                        Error *err)
{
    char text[512];
    snprintf(text, sizeof text, "kane %s used %s, which is not in the clip: run it again with a table for the %s clip",
             stage->command.name, file, recompute->change);
    return notes_warn(notes, clip, "left-out", text, err);
}

static void take_measured(Clip *clip, Recompute *out, const char *file)
{
    snprintf(out->measured_line, sizeof out->measured_line, "contact --method external --external %s # %s", file,
             out->change);
    out->measured = clip->contact;
    out->measured.linear_reduction = out->measured.angular_reduction = 0;
    clip->contact = (Contact){0};
    clip->has_contact = 0;
}

/* Plans the stages to run from the clip's groups and history. A stage that read a table, and those that depend on it,
 * are left out with a note. */
static Status recompute_plan(const char *change, Clip *clip, Recompute *out, Notes *notes, Error *err)
{
    unsigned there = clip_groups(clip);
    *out = (Recompute){.change = change};
    for (int i = 0; i < RERUN_STAGES; i++) {
        char file[200];
        if (!(there & computed[i].group))
            continue;
        const Stage *stage = computed[i].stage;
        Status status = history_read(clip, stage, &out->values[out->count], file, sizeof file, err);
        if (!status && *file && stage != &stage_contact)
            return note_file(stage, file, out, clip, notes, err);
        if (status)
            return status;
        if (*file)
            take_measured(clip, out, file);
        out->stage[out->count++] = *file ? NULL : stage;
    }
    return STATUS_OK;
}

/* Restores the scaled measured forces in place of the contact stage. */
static Status put_measured(Recompute *recompute, const ClipScale *scale, Clip *clip, Error *err)
{
    contact_scale(scale, &recompute->measured);
    clip->contact = recompute->measured;
    recompute->measured = (Contact){0};
    clip_hold(clip, CLIP_CONTACT);
    Status status = trust_judge(clip, CLIP_CONTACT, err);
    return status ? status : clip_add_history(clip, recompute->measured_line, err);
}

/* Scales the ground height, the only length among the options; NaN if it is detected. */
static void scale_ground(const Stage *stage, double length, OptionValues *values)
{
    const Option *ground = option_find(stage->command.options, "ground");
    double height;
    if (!ground)
        return;
    memcpy(&height, values->bytes + ground->offset, sizeof height);
    height *= length;
    memcpy(values->bytes + ground->offset, &height, sizeof height);
}

/* Runs the plan on the scaled clip; ground heights and measured forces are scaled first. */
static Status recompute_apply(Recompute *recompute, const ClipScale *scale, Clip *clip, Notes *notes, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < recompute->count && !status; i++) {
        const Stage *stage = recompute->stage[i];
        if (stage) {
            scale_ground(stage, scale->length, &recompute->values[i]);
            status = stage_apply(stage, &recompute->values[i], clip, notes, err);
        } else {
            status = put_measured(recompute, scale, clip, err);
        }
    }
    return status;
}

static void recompute_free(Recompute *recompute)
{
    contact_free(&recompute->measured);
}

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
     .help = "Start time in s, on the time axis of the source",
     .kind = &option_time, .offset = offsetof(TrimOptions, from)},
    {.name = "to", .argument = "S",
     .help = "End time in s",
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
        .arguments = "[FILE.h5|{motion-files}...]",
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

/* kane resample: change of the frame rate. */

typedef struct ResampleOptions {
    double fps;
} ResampleOptions;

_Static_assert(sizeof(ResampleOptions) <= sizeof(OptionValues), "a stage's options have their place");

static const Option resample_options[] = {
    {.name = "fps", .argument = "N",
     .help = "New frame rate in Hz",
     .kind = &option_positive, .offset = offsetof(ResampleOptions, fps)},
    {0},
};

static Status resample_check(OptionValues *values, const Clip *clip, Error *err)
{
    const ResampleOptions *given = (const ResampleOptions *)values;
    (void)clip;
    return given->fps > 0 ? STATUS_OK : error_set(err, STATUS_USAGE, "expected --fps N");
}

static Status resample_apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    const ResampleOptions *given = (const ResampleOptions *)values;
    Motion motion;
    (void)notes;
    /* Accelerations must have no kinks between frames, because the result is differentiated again. */
    if (clip->dof.moving_axis)
        return error_set(err, STATUS_BAD_INPUT, "has axes that move (/dof/moving_axis), which are known in its frames "
                         "alone: resample the motion before they are made");
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

/* Interpolates the measured forces, which the plan removed from the clip, at the times of the new motion. */
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
        .arguments = "[FILE.h5|{motion-files}...]",
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
    .apply_and_recompute = resample_and_rerun,
};

/* kane mirror: swap of left and right. */

/* Moves the flags of a joint to its counterpart on the other side. */
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
             "the skeleton is asymmetric by up to %.3g cm below \"%.60s\" and is mirrored as well",
             100 * m->asymmetry, clip->skeleton.name[m->asymmetric_joint]);
    return notes_warn(notes, clip, "asymmetric", text, err);
}

#define MIRROR_BEFORE ": mirror the motion before it is put on the model"
#define LOOSE 0.01 /* fraction of the range; a simulated limit is exceeded by as much */

/* Rejects rotations of joints without degrees of freedom in a model that has some. */
static Status check_fixed(const Clip *clip, const Motion *image, Error *err)
{
    const double same = 1e-8; /* half the squared half angle, rad^2 */
    for (int j = 0; clip->has_dof && j < image->joint_count; j++) {
        int rows = 0;
        for (int i = 0; i < clip->dof.count; i++)
            rows += clip->dof.joint[i] == j;
        for (int f = 0; f < image->frame_count && rows == 0; f++) {
            size_t at = motion_index(image, f, j);
            if (!(fabs(quat_dot(image->rotation[at], clip->motion.rotation[at])) >= 1 - same))
                return error_set(err, STATUS_BAD_INPUT, "its model cannot move as its mirror image: joint \"%.60s\", "
                                 "which is fixed, would be turned" MIRROR_BEFORE,
                                 clip->skeleton.name[j]);
        }
    }
    return STATUS_OK;
}

/* Rejects positions beyond the stored ranges. */
static Status check_ranges(const Clip *clip, Error *err)
{
    const Dofs *d = &clip->dof;
    for (int f = 0; f < d->frame_count; f++)
        for (int i = 0; i < d->count; i++) {
            double x = d->position[dofs_index(d, f, i)];
            const double *range = d->range + (size_t)DOF_BOUNDS * (size_t)i;
            double beyond = fmax(isnan(range[0]) ? 0 : range[0] - x, isnan(range[1]) ? 0 : x - range[1]);
            if (beyond > fmax(fabs(range[0]), fabs(range[1])) * LOOSE)
                return error_set(err, STATUS_BAD_INPUT, "its model cannot move as its mirror image: \"%.60s\" would be "
                                 "at %.4g, out of its range of %.4g to %.4g (frame %d)" MIRROR_BEFORE, d->name[i], x,
                                 range[0], range[1], f);
        }
    return STATUS_OK;
}

/* Checks that the mirrored motion is one of the model, whose axes do not change. */
static Status check_image(const Mirror *m, Clip *clip, Error *err)
{
    DofMisfit misfit;
    Error cause = {0};
    if (!clip->has_dof)
        return STATUS_OK;
    if (clip->dof.moving_axis)
        return error_set(err, STATUS_BAD_INPUT, "has axes that move (/dof/moving_axis): their image is not known");
    if (m->asymmetry > 0)
        return error_set(err, STATUS_BAD_INPUT, "its model is not symmetric, by up to %.3g cm below \"%.60s\": it "
                         "cannot move as its mirror image", 100 * m->asymmetry,
                         clip->skeleton.name[m->asymmetric_joint]);
    Status status = dofs_follow(clip, &misfit, err);
    if (status || !stage_check_axes(clip, &misfit, &cause))
        return status ? status : check_ranges(clip, err);
    return error_set(err, STATUS_BAD_INPUT, "its model cannot move as its mirror image: joint \"%.60s\" would be %.3g "
                     "degrees and %.3g cm off its axes" MIRROR_BEFORE, clip->skeleton.name[clip->dof.joint[misfit.row]],
                     misfit.angle * 180 / PI, 100 * misfit.distance);
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
        status = check_fixed(clip, &motion, err);
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
        status = check_image(&mirror, clip, err);
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
        .arguments = "[FILE.h5|{motion-files}...]",
        .description = "Reflects the motion with its forces, torques and angles. Joints are paired by role and name. "
                       "A symmetric skeleton is unchanged, any other is reflected as well.",
        .example = "kane mirror walk.h5 -o mirrored.h5",
    },
    .fills = CLIP_SKELETON | CLIP_MOTION,
    .reads_motion = 1,
    .adapts = CLIP_BODY | CLIP_KINEMATICS | CLIP_CONTACT | CLIP_DYNAMICS | CLIP_ANATOMY,
    .apply = mirror_apply,
};

/* kane scale: resizing of body and motion. */

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

static Status check(OptionValues *values, const Clip *clip, Error *err)
{
    const ScaleOptions *given = (const ScaleOptions *)values;
    if ((given->stature > 0) == (given->factor > 0))
        return error_set(err, STATUS_USAGE, "expected --stature METRES or --factor L");
    if (clip && clip->has_body && given->stature > 0 && !(clip->body.stature > 0))
        return error_set(err, STATUS_BAD_INPUT, "has no stature (not a human body): use --factor");
    return STATUS_OK;
}

/* Requires a clip with a body that passed check. */
static ClipScale scale_of(const ScaleOptions *given, const Body *body)
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
    ClipScale scale = scale_of((const ScaleOptions *)values, &clip->body);
    clip_scale(&scale, clip);
    clip_drop(clip, CLIP_RETARGET);
    return size_doubt(clip, notes, err);
}

/* Peak torque by role in Nm over trusted frames; NaN if the clip has none. */
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
    static const Role told[] = {ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE, ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE,
                                ROLE_RIGHT_ANKLE, ROLE_SPINE, ROLE_LEFT_SHOULDER, ROLE_RIGHT_SHOULDER};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        if (now->torque[told[i]] >= 0 && before->torque[told[i]] >= 0)
            used += snprintf(text + used, TEXT_SIZE - (size_t)used, " %s %.3g -> %.3g,", role_name(told[i]),
                             before->torque[told[i]], now->torque[told[i]]);
    return used;
}

/* Notes the scale factors, the peak torques and how their ratios compare with the similarity law; or why there are
 * none. */
static Status note_peaks(const RolePeaks *before, const RolePeaks *now, const ClipScale *scale, const Clip *clip,
                         Notes *notes, Error *err)
{
    double law = scale->mass * scale->length, least = INFINITY, most = -INFINITY;
    char text[TEXT_SIZE];
    int used = snprintf(text, sizeof text, "scale factors: length %.4g, mass %.4g, time %.4g; peak torques in Nm:",
                        scale->length, scale->mass, scale->time);
    if (!clip->has_dynamics)
        return STATUS_OK;
    for (int r = 0; r < ROLE_COUNT; r++) {
        double ratio = now->torque[r] / before->torque[r];
        least = ratio < least ? ratio : least;
        most = ratio > most ? ratio : most;
    }
    if (most < least) {
        snprintf(text + used, sizeof text - (size_t)used, " none to compare (%.0f %% of frames trusted)",
                 100 * trust_fraction(&clip->trust));
    } else {
        used = put_peaks(before, now, text, used);
        snprintf(text + used, sizeof text - (size_t)used, " ratios %.4g to %.4g (similarity: %.4g)", least, most, law);
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

Status scale_and_rerun(const OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    OptionValues checked = *values;
    RolePeaks before, now;
    Status status = check(&checked, clip, err);
    if (status)
        return status;
    if (!clip->has_body) /* fails with the stage to run first */
        return stage_apply(&stage_scale, values, clip, notes, err);
    ClipScale scale = scale_of((const ScaleOptions *)values, &clip->body);
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
    .check = check,
    .apply = apply,
    .apply_and_recompute = scale_and_rerun,
};
