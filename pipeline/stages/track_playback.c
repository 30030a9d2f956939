/* See track_playback.h. */
#include "pipeline/stages/track_playback.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/body/human_rest.h"
#include "analysis/math/elementary.h"
#include "formats/base/text.h"
#include "formats/model/mjcf.h"
#include "formats/tables/external_table.h"
#include "formats/tables/push_table.h"
#include "formats/tables/retarget_tables.h"
#include "formats/tables/spring_tables.h"
#include "formats/tables/target_table.h"
#include "pipeline/stages/track_words.h"

static Status find_joint(const char *option, const char *name, const Clip *clip, int *joint, Error *err)
{
    char near[256];
    *joint = skeleton_find_name_or_role(&clip->skeleton, name);
    if (*joint >= 0)
        return STATUS_OK;
    did_you_mean_joint(name, &clip->skeleton, near, sizeof near);
    return error_set(err, STATUS_BAD_INPUT, "%s: unknown joint or role \"%s\"%s", option, name, near);
}

/* The ball of --perturb or --throw. */
static Status ball_of(const TrackOptions *o, const Clip *clip, BallDrop *ball, Error *err)
{
    const char *body;
    TrackName name;
    Status status = STATUS_OK;
    if (o->throw_ball) {
        status = track_parse_throw(o->throw_ball, ball, &name, err);
        return status ? status : find_joint("--throw", name.text, clip, &ball->joint, err);
    }
    if (!o->perturb)
        return STATUS_OK;
    if (o->perturb_time > 0)
        ball->time = o->perturb_time;
    status = track_parse_perturb(o->perturb, ball, &body, err);
    return status ? status : find_joint("--perturb", body, clip, &ball->joint, err);
}

Status track_playback_def(const TrackOptions *o, const Clip *clip, PlaybackDef *def, Error *err)
{
    *def = playback_default_def();
    def->dt = o->dt;
    def->follow = o->follow;
    if (o->follow_damping_ratio > 0)
        def->follow_damping_ratio = o->follow_damping_ratio;
    def->hinges = o->scene != SCENE_NONE;
    def->from_rest = def->hinges || o->scene_file;
    def->root = (RootMode)o->root;
    def->present_acceleration = o->present_acceleration;
    def->duration = o->scene == SCENE_NONE ? o->duration : 0;
    def->friction = o->friction > 0 ? o->friction : clip->contact.friction > 0 ? clip->contact.friction : def->friction;
    int stands = o->contact || track_stands(o);
    if (o->root_stiffness > 0)
        def->root_stiffness = o->root_stiffness;
    def->forces_known = o->forces_known;
    def->strength_share = o->unbounded ? 0 : o->strength_share > 0 ? o->strength_share : 1;
    def->stature = clip_stature(clip);
    def->contact = clip->has_contact ? &clip->contact : NULL;
    def->contact_frame_time = clip->motion.frame_time;
    def->steps = !o->steps_off;
    def->on_fall = (FallRule)o->on_fall;
    if (def->root == ROOT_LOADS && !clip->has_contact)
        return error_set(err, STATUS_BAD_INPUT,
                         "has no /contact: run kane contact first");
    if (stands && (!clip->has_contact || clip->contact.point_count == 0))
        return error_set(err, STATUS_BAD_INPUT,
                         "has no contact points: run kane contact first");
    if (stands) {
        def->ground = clip->contact.ground_height;
        def->ground_normal = clip->contact.ground_normal;
    }
    return ball_of(o, clip, &def->ball, err);
}

/* Reads --push and --pushes. The caller frees out->push. */
static Status read_pushes(const TrackOptions *o, const Clip *clip, Pushes *out, Error *err)
{
    TrackName name;
    Push single;
    Status status = STATUS_OK;
    if (o->pushes)
        status = error_of_file(err, o->pushes, pushes_read(o->pushes, &clip->skeleton, out, err));
    if (status || !o->push)
        return status;
    if ((status = track_parse_push(o->push, &single, &name, err)) ||
        (status = find_joint("--push", name.text, clip, &single.joint, err)))
        return status;
    Push *all = array_new((size_t)out->count + 1, 1, sizeof *all);
    if (!all)
        return error_no_memory(err);
    if (out->count)
        memcpy(all, out->push, (size_t)out->count * sizeof *all);
    all[out->count++] = single;
    free(out->push);
    out->push = all;
    return STATUS_OK;
}

static Status read_springs(const TrackOptions *o, const Clip *clip, Springs *out, Error *err)
{
    const Kinematics *k = &clip->kinematics;
    SpringPose start = {k->position, k->orientation, k->velocity, k->angular_velocity};
    SpringFiles files = {.springs = o->springs, .laws = o->spring_laws};
    Status status = springs_read(&files, &clip->skeleton, out, err);
    if (!status)
        springs_settle(out, &start);
    return status;
}

/* The ground of --slope or --ground. */
static Status read_terrain(const TrackOptions *o, Terrain *out, Error *err)
{
    Model model;
    MjcfRemarks remarks = {0};
    MjcfDef mjcf = mjcf_default_def();
    double slope;
    if (o->slope) {
        Status parsed = track_parse_slope(o->slope, &slope, err);
        return parsed ? parsed : terrain_slope(slope * PI / 180, out, err);
    }
    Status status = error_of_file(err, o->ground, mjcf_read(o->ground, &mjcf, &model, &remarks, err));
    if (!status) {
        status = error_of_file(err, o->ground, terrain_of_model(&model, out, err));
        model_free(&model);
    }
    mjcf_remarks_free(&remarks);
    return status;
}

Status track_init_playback(const TrackOptions *o, const Clip *clip, PlaybackDef def, Playback *playback, Error *err)
{
    Loads loads = {0};
    Springs springs = {0};
    JointLimits limits = {0};
    ExternalRows forces = {0};
    TargetRows targets = {0};
    Pushes pushes = {0};
    Terrain terrain = {0};
    ClipView view = clip_view(clip);
    uint8_t *counts = malloc((size_t)clip->motion.frame_count + 1);
    Status status = counts ? STATUS_OK : error_no_memory(err);
    for (int f = 0; counts && f < clip->motion.frame_count; f++)
        counts[f] = (uint8_t)clip_counts_frame(clip, f, FRAMES_TRUSTED);
    def.counts = counts;
    int has_loads = def.root == ROOT_LOADS || def.root == ROOT_COMPLIANT;
    if (!status && has_loads)
        status = loads_from_contact(&clip->contact, &clip->kinematics, &loads, err);
    if (!status && o->springs)
        status = read_springs(o, clip, &springs, err);
    if (!status && o->limits && !o->scene_file)
        status = error_of_file(err, o->limits, joint_limits_read(o->limits, &limits, err));
    def.loads = has_loads ? &loads : NULL;
    def.springs = o->springs ? &springs : NULL;
    def.limits = o->limits && !o->scene_file ? &limits : NULL;
    if (!status && o->forces)
        status = error_of_file(err, o->forces, external_read(o->forces, &clip->skeleton, &forces, err));
    def.forces = o->forces ? &forces : NULL;
    if (!status && o->targets)
        status = error_of_file(err, o->targets, targets_read(o->targets, &clip->skeleton, &targets, err));
    def.targets = o->targets ? &targets : NULL;
    if (!status)
        status = read_pushes(o, clip, &pushes, err);
    def.pushes = pushes.count ? &pushes : NULL;
    if (!status && (o->ground || o->slope))
        status = read_terrain(o, &terrain, err);
    def.terrain = terrain.part_count ? &terrain : NULL;
    if (!status)
        status = playback_init(playback, &view, &def, err);
    terrain_free(&terrain);
    loads_free(&loads);
    springs_free(&springs);
    joint_limits_free(&limits);
    external_rows_free(&forces);
    free(pushes.push);
    arena_free(&targets.memory);
    free(counts);
    return status;
}
