/* See retime_trial.h. */
#include "pipeline/stages/retime_trial.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/quality/trust_carry.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/stage_list.h"

void trial_plan_add(TrialPlan *plan, const Stage *stage, const OptionValues *values)
{
    plan->stage[plan->count] = stage;
    if (values)
        plan->values[plan->count] = *values;
    else
        stage_defaults(stage, &plan->values[plan->count]);
    plan->count++;
}

/* Runs the stages of the plan; those of a motion with kinematics: the ones behind it. */
static Status solve(const TrialPlan *plan, int has_kinematics, Clip *clip, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < plan->count && !status; i++)
        if (!has_kinematics || !(plan->stage[i]->fills & (CLIP_MOTION | CLIP_KINEMATICS)))
            status = stage_apply(plan->stage[i], &plan->values[i], clip, NULL, err);
    return status;
}

Status trial_motion(const PoseCurve *curve, const Clip *source, const double *place, int count, Clip *out, Error *err)
{
    const Motion *m = &source->motion;
    Motion *now = &out->motion;
    Status status = motion_init(now, count, m->joint_count, m->frame_time, m->translation != NULL, err);
    if (status)
        return status;
    for (int f = 0; f < count; f++) {
        pose_curve_fill(curve, place[f] / m->frame_time, f, now);
        now->time[f] = m->time[0] + place[f];
    }
    motion_make_continuous(now);
    out->has_trust = source->has_trust;
    if (source->has_trust)
        status = trust_carry_frames(&source->trust, m, now, &out->trust, err);
    for (int f = 0; f < count; f++)
        now->time[f] = m->time[0] + f * m->frame_time;
    return status;
}

Status trial_make(const PoseCurve *curve, const Clip *source, const TimeWarp *warp, const TrialPlan *plan, Trial *out,
                  Error *err)
{
    int count = 0;
    *out = (Trial){0};
    Status status = time_warp_places(warp, source->motion.frame_time, &out->place, &count, err);
    if (!status)
        status = clip_copy(source, CLIP_SKELETON | CLIP_BODY, &out->clip, err);
    if (!status)
        status = trial_motion(curve, source, out->place, count, &out->clip, err);
    if (!status && !(out->rate = array_new((size_t)count, 1, sizeof *out->rate)))
        status = error_no_memory(err);
    for (int f = 0; f < count && !status; f++)
        out->rate[f] = time_warp_rate(warp, out->place[f]);
    if (!status)
        status = solve(plan, 0, &out->clip, err);
    if (status)
        trial_free(out);
    return status;
}

Status trial_filter(const Clip *written, const TrialPlan *plan, Clip *out, Error *err)
{
    OptionValues values;
    stage_defaults(&stage_smooth, &values);
    Status status = clip_copy(written, CLIP_ALWAYS | CLIP_BODY, out, err);
    if (status)
        return status;
    status = stage_apply(&stage_smooth, &values, out, NULL, err);
    if (!status)
        status = solve(plan, 0, out, err);
    if (status)
        clip_free(out);
    return status;
}

Status trial_make_uniform(const Clip *source, double rate, const TrialPlan *plan, Clip *out, Error *err)
{
    Status status = clip_copy(source, CLIP_ALWAYS | CLIP_BODY, out, err);
    if (status)
        return status;
    out->motion.frame_time /= rate;
    for (int f = 0; f < out->motion.frame_count; f++)
        out->motion.time[f] = out->motion.time[0] + f * out->motion.frame_time;
    status = solve(plan, 0, out, err);
    if (status)
        clip_free(out);
    return status;
}

void trial_free(Trial *trial)
{
    clip_free(&trial->clip);
    free(trial->place);
    free(trial->rate);
    *trial = (Trial){0};
}

/* With velocities v = p' r and accelerations a = p'' x + p' u of a pose p, x = r^2: adds d to x or to u. */
static void vary(TrialChange change, WarpRate rate, size_t count, Vec3 *velocity, Vec3 *acceleration)
{
    double root = sqrt(rate.square);
    for (size_t i = 0; i < count; i++) {
        Vec3 path = vec3_scale(velocity[i], 1 / root);
        if (change == CHANGE_PUSH) {
            acceleration[i] = vec3_mad(acceleration[i], TRIAL_PUSH, path);
        } else {
            Vec3 bend = vec3_mad(acceleration[i], -rate.push, path);
            acceleration[i] = vec3_mad(acceleration[i], TRIAL_SQUARE, bend);
            velocity[i] = vec3_scale(velocity[i], sqrt(1 + TRIAL_SQUARE));
        }
    }
}

Status trial_vary(const Trial *trial, TrialChange change, const TrialPlan *plan, Clip *out, Error *err)
{
    Status status = clip_copy(&trial->clip, CLIP_ALWAYS | CLIP_BODY | CLIP_KINEMATICS, out, err);
    Kinematics *k = &out->kinematics;
    size_t joints = (size_t)k->joint_count;
    if (status)
        return status;
    for (int f = 0; f < k->frame_count; f++) {
        size_t at = (size_t)f * joints;
        vary(change, trial->rate[f], joints, k->velocity + at, k->acceleration + at);
        vary(change, trial->rate[f], joints, k->angular_velocity + at, k->angular_acceleration + at);
    }
    status = solve(plan, 1, out, err);
    if (status)
        clip_free(out);
    return status;
}
