/* The stage track: follows a motion by simulated torques. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "formats/base/text.h"
#include "formats/tables/soft_joint_table.h"
#include "pipeline/stages/stage_list.h"
#include "pipeline/stages/track_gains.h"
#include "pipeline/stages/track_playback.h"
#include "pipeline/stages/track_scene.h"
#include "pipeline/stages/track_words.h"

#define MISSED 1e-3 /* m */
#define REACHED 0.02 /* m, of feet on another ground */
#define POOR_ERROR (10 * PI / 180) /* rad, mean error of gains that are not good */

/* Warns if the best gains are not good. */
static Status note_poor_gains(const GainSearch *found, ControllerKind kind, Clip *clip, Notes *notes, Error *err)
{
    char text[320];
    const char *edge = found->is_at_edge ? ", at the edge of the range that is searched" : "";
    if (found->stable_count > 0 && found->mean_error <= POOR_ERROR)
        return STATUS_OK;
    if (found->stable_count == 0)
        snprintf(text, sizeof text, "%s: no gains reach the end, in %d runs: use a smaller --dt or another controller",
                 controller_name(kind), found->run_count);
    else
        snprintf(text, sizeof text, "%s: the best gains follow poorly%s, with a mean error of %.3g degrees: use a "
                 "smaller --dt or another controller", controller_name(kind), edge, 180 / PI * found->mean_error);
    return notes_warn(notes, clip, "poor-gains", text, err);
}

/* Replaces the gains of the controller by the best that were found. */
static Status search_gains(const Playback *playback, ControllerDef *def, Clip *clip, Notes *notes, Error *err)
{
    GainSearch found;
    char text[256];
    Status status = playback_search_gains(playback, def, &found, err);
    if (status)
        return status;
    def->gains.damping = 0;
    def->gains.stiffness = found.stiffness;
    def->gains.damping_ratio = found.damping_ratio;
    snprintf(text, sizeof text, "%s: best gains: --stiffness %.4g --damping-ratio %.3g, mean error %.3g degrees; "
             "%d of %d runs reach the end", controller_name(def->kind), found.stiffness, found.damping_ratio,
             180 / PI * found.mean_error, found.stable_count, found.run_count);
    status = notes_add(notes, (Note){NOTE_RESULT, 0, 0, text}, err);
    return status ? status : note_poor_gains(&found, def->kind, clip, notes, err);
}

static Status learn_torques(const TrackOptions *o, const Playback *playback, const ControllerDef *def, Clip *clip,
                            Notes *notes, Error *err)
{
    double *error = array_new((size_t)o->learn, 1, sizeof *error);
    char text[256];
    if (!error)
        return error_no_memory(err);
    Status status = playback_learn(playback, def, o->learn, error, &clip->tracking, err);
    snprintf(text, sizeof text, "%s: learned torques in %d runs: mean error from %.3g to %.3g degrees",
             controller_name(def->kind), o->learn, 180 / PI * error[0], 180 / PI * error[o->learn - 1]);
    free(error);
    return status ? status : notes_add(notes, (Note){NOTE_RESULT, 0, 0, text}, err);
}

/* Runs one controller: searches gains if asked for, then one run or the learning runs. */
static Status run_controller(const TrackOptions *o, const Playback *playback, ControllerDef def, Clip *clip,
                             Notes *notes, Error *err)
{
    Status status = o->search_gains ? search_gains(playback, &def, clip, notes, err) : STATUS_OK;
    if (status)
        return status;
    return o->learn > 0 && controller_learns(def.kind) ? learn_torques(o, playback, &def, clip, notes, err)
                                                       : playback_run(playback, &def, &clip->tracking, err);
}

/* Of all controllers, drops explicit PD that diverges, as its torques do not hold the step: its pose would be compared
 * with those of others. */
static Status leave_out(const TrackOptions *o, Clip *clip, Notes *notes, Error *err)
{
    static const ControllerKind explicit[] = {CONTROLLER_PD, CONTROLLER_PD_FEEDFORWARD, CONTROLLER_BUBBLE_UP};
    char text[256] = "";
    size_t length = 0;
    for (size_t i = 0; i < sizeof explicit / sizeof *explicit; i++) {
        if (!clip->tracking.run[explicit[i]].is_flown_apart)
            continue;
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", length ? ", " : "",
                                   controller_name(explicit[i]));
        tracking_drop_run(&clip->tracking, explicit[i]);
    }
    if (!length)
        return STATUS_OK;
    snprintf(text + length, sizeof text - length, ": left out, since %s with steps of %g s: use a smaller --dt or give "
             "--controller NAME", strchr(text, ',') ? "they diverge" : "it diverges", o->dt);
    return notes_warn(notes, clip, "left-out", text, err);
}

static Status run_controllers(const TrackOptions *o, const Playback *playback, Clip *clip, Notes *notes, Error *err)
{
    int wanted;
    JointGains *gains = NULL;
    Status status = track_parse_controller(o->controller, &wanted, err);
    if (!status && o->joint_gains)
        status = track_read_gains(o, clip, playback, &gains, err);
    for (int i = 0; !status && i < CONTROLLER_COUNT; i++) {
        ControllerDef def = track_controller_def(o, (ControllerKind)i, gains);
        if (wanted == i || (wanted < 0 && track_can_run(o, (ControllerKind)i)))
            status = run_controller(o, playback, def, clip, notes, err);
    }
    free(gains);
    return status || wanted >= 0 ? status : leave_out(o, clip, notes, err);
}

/* Rejects tables without effect on the simulated body. */
static Status check_tables(const TrackOptions *o, const Clip *clip, const Playback *p, Error *err)
{
    if (o->limits && p->limits.count == 0)
        return error_set(err, STATUS_BAD_INPUT, "%s: no joint of the table is simulated", o->limits);
    for (int i = 0; i < p->def.soft.count; i++) {
        int joint = p->def.soft.joint[i].joint, carrier = p->lumped.carrier[joint];
        if (!playback_moves(p, joint))
            return error_set(err, STATUS_BAD_INPUT,
                             "%s: \"%s\" is rigidly attached to \"%s\": it cannot be compliant", o->soft_joints,
                             clip->skeleton.name[joint], clip->skeleton.name[carrier]);
    }
    return STATUS_OK;
}

static Status note_missed(const TargetMiss *miss, Clip *clip, Notes *notes, Error *err)
{
    char text[256];
    snprintf(text, sizeof text, "--targets: \"%s\" ends %.3g m short of its target at %.4g s: it is out of reach",
             clip->skeleton.name[miss->joint], miss->distance, miss->time);
    return notes_warn(notes, clip, "targets", text, err);
}

static Status note_ground(const Playback *p, Clip *clip, Notes *notes, Error *err)
{
    const GroundMiss *miss = &p->ground_miss;
    char text[256];
    if (!(miss->distance > REACHED))
        return STATUS_OK;
    snprintf(text, sizeof text, "the reference does not fit the ground: \"%s\" ends %.3g m from its position at %.4g s",
             clip->skeleton.name[p->lumped.source[miss->joint]], miss->distance, miss->time);
    return notes_warn(notes, clip, "ground", text, err);
}

static Status run_playback(const TrackOptions *o, Clip *clip, PlaybackDef def, Notes *notes, Error *err)
{
    Playback playback;
    Status status = STATUS_OK;
    if (o->soft_joints)
        status = error_of_file(err, o->soft_joints,
                               soft_joints_read(o->soft_joints, &clip->skeleton, &def.soft, err));
    if (!status)
        status = track_init_playback(o, clip, def, &playback, err);
    if (status) {
        free(def.soft.joint);
        return status;
    }
    status = check_tables(o, clip, &playback, err);
    if (!status && playback.miss.distance > MISSED)
        status = note_missed(&playback.miss, clip, notes, err);
    if (!status)
        status = note_ground(&playback, clip, notes, err);
    if (!status)
        status = playback_tracking(&playback, &clip->tracking, err);
    if (!status)
        status = run_controllers(o, &playback, clip, notes, err);
    if (!status)
        playback_trim(&playback, &clip->tracking);
    playback_free(&playback);
    free(def.soft.joint);
    return status;
}

/* Warns of runs whose contact impulses did not converge. */
static Status note_unsettled(Clip *clip, Notes *notes, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; !status && i < CONTROLLER_COUNT; i++) {
        const TrackingRun *run = &clip->tracking.run[i];
        char text[256];
        if (run->unsettled_count == 0)
            continue;
        snprintf(text, sizeof text, "%s: contacts and limits converged poorly %d time%s, first at %.4g s: forces may "
                 "be inaccurate; use a smaller --dt", controller_name((ControllerKind)i), run->unsettled_count,
                 run->unsettled_count > 1 ? "s" : "", run->unsettled_time);
        status = notes_warn(notes, clip, "unsettled", text, err);
    }
    return status;
}

/* Warns of runs that diverged: the frames that follow repeat their last pose. */
static Status note_flown_apart(Clip *clip, Notes *notes, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; !status && i < CONTROLLER_COUNT; i++) {
        const TrackingRun *run = &clip->tracking.run[i];
        char text[256];
        if (!run->is_flown_apart)
            continue;
        snprintf(text, sizeof text, "%s: the simulation diverges at %.4g s; its last pose is kept: use a smaller "
                 "--dt, other gains or another controller", controller_name((ControllerKind)i),
                 run->stable_time);
        status = notes_warn(notes, clip, "flown-apart", text, err);
    }
    return status;
}

/* Says what became of each run on its own feet; of those that diverged, the warning does. */
static Status note_outcomes(const TrackOptions *o, Clip *clip, Notes *notes, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; !status && track_stands(o) && i < CONTROLLER_COUNT; i++) {
        const TrackingRun *run = &clip->tracking.run[i];
        char outcome[OUTCOME_TEXT_SIZE], text[160];
        if (!run->present || run->is_flown_apart)
            continue;
        tracking_outcome_text(run, outcome);
        snprintf(text, sizeof text, "%s: %s", controller_name((ControllerKind)i), outcome);
        status = notes_add(notes, (Note){NOTE_RESULT, 0, 0, text}, err);
    }
    return status;
}

static Status apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    const TrackOptions *o = (const TrackOptions *)values;
    SceneReference scene = {0};
    PlaybackDef def;
    Status status;
    if ((status = track_playback_def(o, clip, &def, err)) ||
        (o->scene_file && (status = track_read_scene(o, &scene, notes, err))))
        return status;
    if (o->scene_file) {
        def.axis = scene.axis;
        def.rest = scene.rest;
        def.gravity = scene.gravity;
        def.limited_joint = scene.limited_joint;
        def.joint_limit = scene.limit;
        def.joint_limit_count = scene.limit_count;
    }
    status = run_playback(o, clip, def, notes, err);
    if (!status)
        status = note_unsettled(clip, notes, err);
    if (!status)
        status = note_flown_apart(clip, notes, err);
    if (!status)
        status = note_outcomes(o, clip, notes, err);
    scene_reference_free(&scene);
    return status;
}

const Stage stage_track = {
    .command = {
        .name = "track",
        .group = COMMANDS_SIMULATE,
        .summary = "Simulate tracking controllers and compare them",
        .arguments = "[FILE.h5...]",
        .description = "Simulates the body under the joint torques of one controller or of all, with the root as "
                       "--root prescribes, and prints the tracking error: mean, 95th percentile and final orientation "
                       "error of the segments, mean distance of their centres of mass, mean sum of torques, and "
                       "stable time. Fills /tracking.",
        .example = "kane track walk.h5 --controller all -o tracked.h5",
        .options = track_options,
    },
    .defaults = track_defaults,
    .needs = CLIP_BODY,
    .fills = CLIP_TRACKING,
    .check = track_check,
    .apply = apply,
};
