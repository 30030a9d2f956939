/* kane retime: the nearest timing of a clip that a body can do. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "analysis/clip/clip.h"
#include "analysis/retime/slow_artifacts.h"
#include "formats/tables/torque_limits.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/recompute.h"
#include "pipeline/stages/retime_search.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/stage_list.h"

#define OVERLOAD "over-limit" /* kind of warning */
#define SLOW 0.3                      /* rate at which an artifact is one of the recording, not of its timing */
enum { LISTED = 8 }; /* overloads that are named */

typedef struct RetimeOptions {
    const char *torque_limits;
    double share; /* 0: not given */
    BandEnd band;
    const Recompute *plan; /* not an option; NULL: the stages with their defaults */
} RetimeOptions;

_Static_assert(sizeof(RetimeOptions) <= sizeof(OptionValues), "a stage's options have their place");

static const char *const bands[] = {"estimate", "low", "high", NULL};

#define FIELD(member) offsetof(RetimeOptions, member)
static const Option options[] = {
    {.name = "torque-limits", .argument = "FILE.tsv",
     .help = "Table of torque limits, columns joint torque (N m); joints without a row have none",
     .kind = &option_file, .offset = FIELD(torque_limits)},
    {.name = "strength-share", .argument = "S",
     .help = "Limit as a fraction of the strength of kane angles; 1 unless --torque-limits is given",
     .kind = &option_positive, .offset = FIELD(share)},
    {.name = "within", .argument = "estimate|low|high",
     .help = "What is held within the limits: the estimate, or the low or high end of its band of error",
     .kind = &option_choice, .offset = FIELD(band), .choices = bands},
    {0},
};

static Status check_options(OptionValues *values, const Clip *clip, Error *err)
{
    RetimeOptions *given = (RetimeOptions *)values;
    if (!given->torque_limits && !(given->share > 0))
        given->share = 1;
    if (clip && clip->has_dof && clip->dof.moving_axis)
        return error_set(err, STATUS_BAD_INPUT, "has axes that move (/dof/moving_axis), which are known in its frames "
                         "alone: retime the motion before they are made");
    if (clip && given->plan && given->share > 0 && !clip->has_angles)
        return error_set(err, STATUS_BAD_INPUT, "has no /angles, which --strength-share requires: run kane angles "
                         "first");
    return STATUS_OK;
}

/* The stages of a trial: those of the clip or, for a clip of motion alone, those of kane run behind the filter. Error
 * bars are computed only for a band. */
static Status plan_trial(const RetimeOptions *given, TrialPlan *out, Error *err)
{
    static const Stage *const defaults[TRIAL_STAGES] = {&stage_kinematics, &stage_contact, &stage_torque,
                                                        &stage_angles};
    const Recompute *plan = given->plan;
    const Option *bars = option_find(stage_torque.command.options, "uncertainty");
    Status status = STATUS_OK;
    *out = (TrialPlan){0};
    for (int i = 0; i < (plan ? plan->count : TRIAL_STAGES) && !status; i++) {
        const Stage *stage = plan ? plan->stage[i] : defaults[i];
        trial_plan_add(out, stage, plan ? &plan->values[i] : NULL);
        if (stage == &stage_torque && given->band == BAND_ESTIMATE)
            status = bars->kind->parse(bars, "none", out->values[i].bytes + bars->offset, err);
    }
    return status;
}

static Status note_result(const Clip *clip, const Retimed *r, Notes *notes, Error *err)
{
    char text[240], flights[100] = "";
    double before = (clip->motion.frame_count - 1) * clip->motion.frame_time;
    double now = (r->motion.frame_count - 1) * clip->motion.frame_time;
    if (r->is_same)
        return notes_add(notes, (Note){NOTE_RESULT, 0, 0, "within its limits: timing unchanged"}, err);
    if (r->wrong_flights)
        snprintf(flights, sizeof flights, "; %d of %d flights take the time that gravity gives them", r->wrong_flights,
                 r->flights);
    snprintf(text, sizeof text, "%.4g s became %.4g s, %.3g times as long%s", before, now, now / before, flights);
    return notes_add(notes, (Note){NOTE_RESULT, 0, 0, text}, err);
}

/* Warns of each effort that stays over its limit. */
static Status warn_of_overloads(const Retimed *r, Clip *clip, Notes *notes, Error *err)
{
    Status status = STATUS_OK;
    clip_drop_warnings(clip, OVERLOAD);
    for (int i = 0; i < r->overloads && i < LISTED && !status; i++) {
        const Overload *o = &r->overload[i];
        char text[160];
        snprintf(text, sizeof text, "%s: %.3g times its limit at %.3f s (frame %d)", o->name, o->factor, o->time,
                 o->frame);
        status = notes_warn(notes, clip, OVERLOAD, text, err);
    }
    return status;
}

/* Moves frame numbers of /retarget to the frame nearest in the clip's time. */
static void move_frames(const Retimed *r, double frame_time, RetargetScore *score)
{
    for (int i = 0; i < RETARGET_FRAMES; i++) {
        int f = 0;
        while (f + 1 < r->motion.frame_count && r->place[f] < (score->worst_frame[i] - 0.5) * frame_time)
            f++;
        if (score->worst_frame[i] >= 0)
            score->worst_frame[i] = f;
    }
}

static void take_motion(Clip *clip, Retimed *r)
{
    if (clip->has_retarget)
        move_frames(r, clip->motion.frame_time, &clip->retarget);
    motion_free(&clip->motion);
    clip->motion = r->motion;
    r->motion = (Motion){0};
    if (clip->has_trust) {
        trust_free(&clip->trust);
        clip->trust = r->trust;
        r->trust = (Trust){0};
    }
}

/* Runs a stage with its defaults. */
static Status run_default(const Stage *stage, Clip *clip, Error *err)
{
    OptionValues values;
    stage_defaults(stage, &values);
    return stage_apply(stage, &values, clip, NULL, err);
}

/* Motion alone is filtered as by kane run, noise that is differentiated twice is no effort; its own poses stay. */
static Status filter(Clip *copy, Motion *own, Error *err)
{
    Status status = motion_copy(own, &copy->motion, err);
    if (status)
        return status;
    motion_make_continuous(own);
    return run_default(&stage_smooth, copy, err);
}

/* Searches on a copy of what trials read. */
static Status search(const RetimeOptions *given, const BodyLimits *limits, const Clip *clip, Retimed *out, Error *err)
{
    TrialPlan plan;
    Clip copy;
    Motion own = {0};
    Status status = clip_copy(clip, CLIP_ALWAYS | CLIP_BODY, &copy, err);
    if (!status && !copy.has_body)
        status = run_default(&stage_body, &copy, err);
    if (!status && !clip->has_kinematics)
        status = filter(&copy, &own, err);
    if (!status)
        motion_make_continuous(&copy.motion); /* an edited joint may have turned round */
    if (!status)
        status = artifacts_confirm(&copy, SLOW, err);
    if (!status)
        status = plan_trial(given, &plan, err);
    if (!status)
        status = retime_search(&copy, clip->has_kinematics ? &copy.motion : &own, limits, &plan, out, err);
    motion_free(&own);
    clip_free(&copy);
    return status;
}

static Status apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    const RetimeOptions *given = (const RetimeOptions *)values;
    BodyLimits limits = {.share = given->share > 0 ? given->share : INFINITY, .band = given->band};
    Retimed retimed = {0};
    Status status = STATUS_OK;
    if (given->torque_limits)
        status = error_of_file(err, given->torque_limits,
                               torque_limits_read(given->torque_limits, &clip->skeleton, &limits.torque, err));
    if (!status)
        status = search(given, &limits, clip, &retimed, err);
    if (!status)
        status = note_result(clip, &retimed, notes, err);
    if (!status)
        status = warn_of_overloads(&retimed, clip, notes, err);
    if (!status && !retimed.is_same)
        take_motion(clip, &retimed);
    retimed_free(&retimed);
    body_limits_free(&limits);
    return status;
}

static Status retime_and_recompute(const OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    const ClipScale same = {.length = 1, .mass = 1, .time = 1};
    OptionValues planned = *values;
    Recompute plan = {0};
    Status status = STATUS_OK;
    if (!clip->has_dynamics)
        return stage_apply(&stage_retime, values, clip, notes, err);
    status = recompute_plan_estimated("retimed", clip, &plan, notes, err);
    ((RetimeOptions *)&planned)->plan = &plan;
    if (!status)
        status = stage_apply(&stage_retime, &planned, clip, notes, err);
    if (!status)
        status = recompute_apply(&plan, &same, clip, notes, err);
    recompute_free(&plan);
    return status;
}

const Stage stage_retime = {
    .command = {
        .name = "retime",
        .group = COMMANDS_EDIT,
        .summary = "Slow a clip down where its body could not do it",
        .arguments = "[FILE.h5|{motion-files}...]",
        .description = "Finds the shortest timing along the clip's own poses, never faster than the clip, in which "
                       "joint torques are within their limits and the ground can give the force that the motion "
                       "requires. Flights keep the rate at which the body falls with g. The retimed clip is solved "
                       "again by the stages that it had; motion alone is filtered as by kane run for its torques, and "
                       "written as it is. What stays over its limit is listed, with exit code 1.",
        .example = "kane retime fast.h5 --strength-share 1.5 -o slow.h5",
        .options = options,
    },
    .fills = CLIP_MOTION,
    .reads_motion = 1,
    .check = check_options,
    .apply = apply,
    .shortfall = OVERLOAD,
    .apply_and_recompute = retime_and_recompute,
};
