/* Runs a playback (playback.h) and records its steps. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/control/playback_state.h"
#include "analysis/control/tracking_error.h"

/* The wrenches on each body in the last step: of ground and ball, and of pushes. */
static void note_wrenches(const PlaybackState *s, int frame, TrackingRun *run)
{
    const LumpedBody *lumped = &s->playback->lumped;
    for (int i = 0; i < lumped->body.joint_count; i++) {
        size_t at = (size_t)frame * (size_t)lumped->source_count + (size_t)lumped->source[i];
        if (run->contact_force) {
            run->contact_force[at] = s->contact[i].force;
            run->contact_moment[at] = s->contact[i].moment;
        }
        if (run->push_force) {
            run->push_force[at] = s->push[i].force;
            run->push_moment[at] = s->push[i].moment;
        }
    }
}

/* Records the wrenches of the last step. */
static void note_step(const PlaybackState *s, int frame, TrackingRun *run)
{
    note_wrenches(s, frame, run);
    if (s->playback->def.root == ROOT_FREE)
        return;
    int is_held = s->playback->def.root == ROOT_COMPLIANT;
    run->root_residual_force[frame] = body_scene_root_force(s->scene);
    run->root_residual_torque[frame] = is_held ? body_scene_root_torque(s->scene) : s->torque[0];
}

/* Toes bend in the orientations of a run. */
static void bend_toes(const PlaybackState *s, int frame, TrackingRun *run)
{
    const Playback *p = s->playback;
    Quat *orientation = run->orientation + (size_t)frame * (size_t)p->lumped.source_count;
    for (int i = 0; i < p->toes.count; i++) {
        const ToeHinge *toe = &p->toes.toe[i];
        Quat bend = toe_bend(toe, &p->lumped, &s->ground, &s->plant.kinematics);
        for (int j = toe->joint; j <= toe->last; j++)
            orientation[j] = quat_mul(bend, orientation[j]);
    }
}

static void note_ball(const PlaybackState *s, int frame, TrackingRun *run)
{
    if (run->ball)
        run->ball[frame] = s->is_released ? body_scene_ball(s->scene) : vec3(NAN, NAN, NAN);
}

static void note_outcome(const PlaybackState *s, TrackingRun *run)
{
    int is_loose = playback_is_loose(s->playback);
    TrackingOutcome outcome = run->is_flown_apart ? OUTCOME_DIVERGES : playback_outcome(s);
    snprintf(run->outcome, sizeof run->outcome, "%s", outcome_name(outcome));
    double start = s->playback->motion.time[0];
    run->lost_time = run->is_flown_apart ? start + run->stable_time : is_loose ? start + s->reaction.lost : NAN;
    run->rest_time = is_loose ? start + s->reaction.rest : NAN;
    const UnsettledSweeps *unsettled = body_scene_unsettled(s->scene);
    run->unsettled_count = unsettled->count;
    run->unsettled_time = unsettled->time;
}

/* Steps until the run is over; a body that diverges keeps its pose. */
static Status run_steps(PlaybackState *s, int frames, TrackingRun *run, Error *err)
{
    const Playback *p = s->playback;
    Status status = STATUS_OK;
    int stops = 0;
    for (int f = 0; !status && f < frames; f++) {
        tracking_error_of_frame(&p->lumped, &p->kinematics, &s->plant.kinematics, f, playback_frame(p, f), run);
        bend_toes(s, f, run);
        note_ball(s, f, run);
        if (!stops && playback_is_over(s, f)) {
            stops = 1;
            memset(s->torque, 0, (size_t)p->motion.joint_count * sizeof *s->torque);
        }
        if (!stops) {
            run->step_count = f + 1;
            run->stable_time = fmin(f, p->motion.frame_count - 1) * p->def.dt;
            status = playback_step(s, f, err);
            run->is_flown_apart = stops = status == STATUS_NO_RESULT;
            if (!status)
                note_step(s, f, run);
            if (stops) {
                memset(s->torque, 0, (size_t)p->motion.joint_count * sizeof *s->torque);
                status = STATUS_OK;
            }
        }
        tracking_effort_of_frame(&p->lumped, s->torque, f, run);
    }
    return status;
}

/* The optional arrays of a run. */
static int parts_of(const Playback *p)
{
    int has_ball = p->def.ball.mass > 0;
    return (has_ball ? RUN_BALL : 0) | (isfinite(p->def.ground) || has_ball ? RUN_CONTACT : 0) |
           (p->pushes.count || p->forces.load_count ? RUN_PUSHES : 0);
}

Status playback_run(const Playback *p, const ControllerDef *controller, Tracking *tracking, Error *err)
{
    PlaybackState s;
    Status status = playback_state_init(&s, p, controller, err);
    if (!status)
        status = tracking_add_run(tracking, controller->kind, parts_of(p), err);
    TrackingRun *run = &tracking->run[controller->kind];
    if (!status)
        status = run_steps(&s, tracking->frame_count, run, err);
    if (!status) {
        note_outcome(&s, run);
        status = tracking_error_sum(&p->lumped, &(TrackingSpan){p->motion.frame_count, p->counts}, tracking,
                                    controller->kind, err);
    }
    playback_state_free(&s);
    return status;
}
