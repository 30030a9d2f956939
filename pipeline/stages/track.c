#include "pipeline/stages/track_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/tables/retarget_tables.h"
#include "formats/tables/soft_joint_table.h"
#include "formats/tables/spring_table.h"
#include "pipeline/stages/scene_file.h"
#include "pipeline/stages/stage.h"

static Status playback_options(const TrackOptions *o, const Clip *clip, PlaybackDef *def, Error *err)
{
    *def = playback_default_def();
    def->dt = o->dt;
    def->follow = o->follow;
    def->hinges = o->scene != SCENE_NONE;
    def->from_rest = def->hinges || o->scene_file;
    def->root = (RootMode)o->root;
    def->present_acceleration = o->present_acceleration;
    def->duration = o->scene == SCENE_NONE ? o->duration : 0;
    def->friction = o->friction > 0 ? o->friction : clip->contact.friction > 0 ? clip->contact.friction : def->friction;
    int stands = o->contact || def->root == ROOT_FREE;
    if (def->root == ROOT_LOADS && !clip->has_contact)
        return error_set(err, STATUS_BAD_INPUT,
                         "has no /contact, so nothing tells the ground's forces: run kane contact first");
    if (stands && (!clip->has_contact || clip->contact.point_count == 0))
        return error_set(err, STATUS_BAD_INPUT,
                         "has no contact points, so nothing tells where the ground is: kane contact finds it");
    if (stands) {
        def->ground = clip->contact.ground_height;
        def->ground_normal = clip->contact.ground_normal;
    }
    if (!o->perturb)
        return STATUS_OK;
    if (o->perturb_time > 0)
        def->ball.time = o->perturb_time;
    const char *body;
    Status status = track_parse_perturb(o->perturb, &def->ball, &body, err);
    if (!status && (def->ball.joint = skeleton_find_name_or_role(&clip->skeleton, body)) < 0)
        status = error_set(err, STATUS_BAD_INPUT, "--perturb: no joint \"%s\"", body);
    return status;
}

static Status run_controllers(const TrackOptions *o, const Playback *playback, Tracking *tracking, Error *err)
{
    int wanted;
    Status status = track_parse_controller(o->controller, &wanted, err);
    for (int i = 0; !status && i < CONTROLLER_COUNT; i++) {
        ControllerDef def = {(ControllerKind)i, o->stiffness, o->damping, o->plain_gains, o->zero_velocity};
        if (wanted == i || (wanted < 0 && track_can_run(o, (ControllerKind)i)))
            status = playback_run(playback, &def, tracking, err);
    }
    return status;
}

Status track_read_scene(const TrackOptions *given, SceneReference *out, Notes *notes, Error *err)
{
    Model model;
    *out = (SceneReference){0};
    Status status = scene_file_read(given->scene_file, given->leave_out, &model, notes, err);
    if (!status)
        status = scene_reference_init(&model, given->dt, out, err);
    model_free(&model);
    return error_of_file(err, given->scene_file, status);
}

/* Loads, springs and limits of the clip go with the playback, which copies what it needs. */
static Status init_playback(const TrackOptions *o, const Clip *clip, PlaybackDef def, Playback *playback, Error *err)
{
    Loads loads = {0};
    Springs springs = {0};
    JointLimits limits = {0};
    ClipView view = clip_view(clip);
    uint8_t *counts = malloc((size_t)clip->motion.frame_count + 1);
    Status status = counts ? STATUS_OK : error_no_memory(err);
    for (int f = 0; counts && f < clip->motion.frame_count; f++)
        counts[f] = (uint8_t)clip_counts_frame(clip, f, FRAMES_TRUSTED);
    def.counts = counts;
    if (!status && def.root == ROOT_LOADS)
        status = loads_from_contact(&clip->contact, &clip->kinematics, &loads, err);
    if (!status && o->springs)
        status = error_of_file(err, o->springs, springs_read(o->springs, &clip->skeleton, &springs, err));
    if (!status && o->limits)
        status = error_of_file(err, o->limits, joint_limits_read(o->limits, &limits, err));
    def.loads = def.root == ROOT_LOADS ? &loads : NULL;
    def.springs = o->springs ? &springs : NULL;
    def.limits = o->limits ? &limits : NULL;
    if (!status)
        status = playback_init(playback, &view, &def, err);
    loads_free(&loads);
    springs_free(&springs);
    joint_limits_free(&limits);
    free(counts);
    return status;
}

/* A table that would change nothing of the simulated body. */
static Status check_tables(const TrackOptions *o, const Clip *clip, const Playback *p, Error *err)
{
    if (o->limits && p->limits.count == 0)
        return error_set(err, STATUS_BAD_INPUT, "%s: limits no joint that is simulated", o->limits);
    for (int i = 0; i < p->def.soft.count; i++) {
        int joint = p->def.soft.joint[i].joint, carrier = p->lumped.carrier[joint];
        if (!playback_moves(p, joint))
            return error_set(err, STATUS_BAD_INPUT,
                             "%s: \"%s\" is simulated as one body with \"%s\": nothing gives way", o->soft_joints,
                             clip->skeleton.name[joint], clip->skeleton.name[carrier]);
    }
    return STATUS_OK;
}

static Status run_playback(const TrackOptions *o, Clip *clip, PlaybackDef def, Error *err)
{
    Playback playback;
    Status status = STATUS_OK;
    if (o->soft_joints)
        status = error_of_file(err, o->soft_joints,
                               soft_joints_read(o->soft_joints, &clip->skeleton, &def.soft, err));
    if (!status)
        status = init_playback(o, clip, def, &playback, err);
    if (status) {
        free(def.soft.joint);
        return status;
    }
    status = check_tables(o, clip, &playback, err);
    if (!status)
        status = playback_tracking(&playback, &clip->tracking, err);
    if (!status)
        status = run_controllers(o, &playback, &clip->tracking, err);
    playback_free(&playback);
    free(def.soft.joint);
    return status;
}

/* Runs that went on with impulses that had not settled. */
static Status note_unsettled(Clip *clip, Notes *notes, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; !status && i < CONTROLLER_COUNT; i++) {
        const TrackingRun *run = &clip->tracking.run[i];
        char text[256];
        if (run->unsettled_count == 0)
            continue;
        snprintf(text, sizeof text, "%s: contacts and limits were solved roughly %d time%s, first at %.4g s: forces "
                 "may be wrong there: try a smaller --dt", controller_name((ControllerKind)i), run->unsettled_count,
                 run->unsettled_count > 1 ? "s" : "", run->unsettled_time);
        status = notes_warn(notes, clip, "unsettled", text, err);
    }
    return status;
}

/* Runs that ended before the motion: what follows in them is their last pose. The table of the stage has their time;
 * pictures and pages show the pose. */
static Status note_flown_apart(Clip *clip, Notes *notes, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; !status && i < CONTROLLER_COUNT; i++) {
        const TrackingRun *run = &clip->tracking.run[i];
        char text[256];
        if (!run->is_flown_apart)
            continue;
        snprintf(text, sizeof text, "%s: the body flies apart at %.4g s and keeps its pose from there on: try a "
                 "smaller --dt, other gains or another controller", controller_name((ControllerKind)i),
                 run->stable_time);
        status = notes_warn(notes, clip, "flown-apart", text, err);
    }
    return status;
}

static Status apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    const TrackOptions *o = (const TrackOptions *)values;
    SceneReference scene = {0};
    PlaybackDef def;
    Status status = playback_options(o, clip, &def, err);
    if (!status && o->scene_file)
        status = track_read_scene(o, &scene, notes, err);
    if (status)
        return status;
    if (o->scene_file) {
        def.axis = scene.axis;
        def.rest = scene.rest;
        def.gravity = scene.gravity;
    }
    status = run_playback(o, clip, def, err);
    if (!status)
        status = note_unsettled(clip, notes, err);
    if (!status)
        status = note_flown_apart(clip, notes, err);
    scene_reference_free(&scene);
    return status;
}

const Stage stage_track = {
    .command = {
        .name = "track",
        .summary = "Simulate bodies under controllers that follow the motion, and compare them",
        .arguments = "[FILE.h5...]",
        .description = "Simulates the body, with its root driven along the clip, under joint torques of one controller "
                       "or of all, and prints how near each stays to the motion: mean, 95th percentile and final "
                       "orientation error over the segments, mean distance of their centres of mass, mean sum of the "
                       "torques, and how long the simulation was stable. Fills /tracking.",
        .options = track_options,
    },
    .defaults = track_defaults,
    .needs = CLIP_BODY,
    .fills = CLIP_TRACKING,
    .check = track_check,
    .apply = apply,
};
