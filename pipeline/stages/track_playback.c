/* See track_playback.h. */
#include "pipeline/stages/track_playback.h"

#include <stdlib.h>

#include "analysis/body/human_rest.h"
#include "formats/base/text.h"
#include "formats/tables/external_table.h"
#include "formats/tables/retarget_tables.h"
#include "formats/tables/spring_tables.h"
#include "formats/tables/target_table.h"
#include "pipeline/stages/track_words.h"

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
    if (!o->perturb)
        return STATUS_OK;
    if (o->perturb_time > 0)
        def->ball.time = o->perturb_time;
    const char *body;
    char near[256];
    Status status = track_parse_perturb(o->perturb, &def->ball, &body, err);
    if (status || (def->ball.joint = skeleton_find_name_or_role(&clip->skeleton, body)) >= 0)
        return status;
    did_you_mean_joint(body, &clip->skeleton, near, sizeof near);
    return error_set(err, STATUS_BAD_INPUT, "--perturb: unknown joint or role \"%s\"%s", body, near);
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

Status track_init_playback(const TrackOptions *o, const Clip *clip, PlaybackDef def, Playback *playback, Error *err)
{
    Loads loads = {0};
    Springs springs = {0};
    JointLimits limits = {0};
    ExternalRows forces = {0};
    TargetRows targets = {0};
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
        status = playback_init(playback, &view, &def, err);
    loads_free(&loads);
    springs_free(&springs);
    joint_limits_free(&limits);
    external_rows_free(&forces);
    arena_free(&targets.memory);
    free(counts);
    return status;
}
