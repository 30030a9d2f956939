#include "analysis/retarget/retarget.h"

#include "analysis/motion/differentiate.h"
#include "analysis/motion/forward_kinematics.h"
#include "analysis/retarget/scorecard.h"
#include "analysis/retarget/transfer.h"

/* All that one call holds. */
typedef struct Retargeting {
    const RetargetJob *job;
    const RetargetDef *def;
    Arena arena;
    ReferencePose target, source;
    JointMap own_map;
    Alignment alignment;
    WorldPoses poses;   /* of the source */
    Kinematics copied;  /* target as copied, then as planted */
    FootContact contact;
    Sole sole[FOOT_COUNT];
} Retargeting;

RetargetDef retarget_default_def(void)
{
    return (RetargetDef){.source_rest = REFERENCE_AUTO, .target_rest = REFERENCE_AUTO, .plant = 1,
                         .feet = foot_plant_default_def(), .lanes = LANES_AUTO};
}

/* The same rest pose up to scale: then it serves, pose or not. */
static int same_rest(const Skeleton *a, const Skeleton *b)
{
    double sum_a = 0, sum_b = 0;
    if (a->joint_count != b->joint_count)
        return 0;
    for (int j = 1; j < a->joint_count; j++) {
        sum_a += vec3_norm(a->offset[j]);
        sum_b += vec3_norm(b->offset[j]);
    }
    for (int j = 1; j < a->joint_count; j++)
        if (a->parent[j] != b->parent[j] ||
            !(vec3_distance(vec3_scale(a->offset[j], sum_b), vec3_scale(b->offset[j], sum_a)) <= 1e-4 * sum_a * sum_b))
            return 0;
    return 1;
}

static Status pose_references(Retargeting *r, Error *err)
{
    const ClipView *target = &r->job->target, *source = &r->job->source;
    int source_frame = r->def->source_rest, target_frame = r->def->target_rest;
    if (source_frame == REFERENCE_AUTO && target_frame == REFERENCE_AUTO &&
        same_rest(source->skeleton, target->skeleton))
        source_frame = target_frame = REFERENCE_REST;
    Status status = reference_pose_init(&r->source, source, source_frame, &r->arena, err);
    if (!status)
        status = reference_pose_init(&r->target, target, target_frame, &r->arena, err);
    if (!status)
        reference_pose_compare(&r->target, &r->source);
    return status;
}

static void retargeting_free(Retargeting *r)
{
    joint_map_free(&r->own_map);
    kinematics_free(&r->copied);
    arena_free(&r->arena);
}

Status retarget_map(const RetargetJob *job, const RetargetDef *def, JointMap *out, Error *err)
{
    Retargeting r = {.job = job, .def = def};
    Status status = pose_references(&r, err);
    if (!status)
        status = joint_map_init(out, &r.target, &r.source, err);
    retargeting_free(&r);
    return status;
}

/* The copied motion: everything but the feet. */
static Status copy_motion(Retargeting *r, Motion *out, Error *err)
{
    const Motion *motion = r->job->source.motion;
    size_t frames = (size_t)motion->frame_count, joints = (size_t)motion->joint_count;
    BodyPair pair = {&r->target, &r->source, r->job->map ? r->job->map : &r->own_map};
    r->poses = (WorldPoses){.position = arena_array(&r->arena, frames, joints, sizeof *r->poses.position),
                            .orientation = arena_array(&r->arena, frames, joints, sizeof *r->poses.orientation)};
    if (r->arena.failed)
        return error_no_memory(err);
    Status status = forward_kinematics(&r->job->source, r->def->lanes, &r->poses, err);
    if (!status)
        status = pose_references(r, err);
    if (!status && !r->job->map)
        status = joint_map_init(&r->own_map, &r->target, &r->source, err);
    if (!status)
        status = alignment_init(&r->alignment, &pair, motion->translation != NULL, &r->arena, err);
    return status ? status : transfer_motion(&pair, &r->alignment, motion, &r->poses, out, err);
}

/* World pose, velocity and acceleration of the target as it is now. */
static Status pose_target(Retargeting *r, const Motion *out, Error *err)
{
    DifferenceDef difference = difference_default_def();
    difference.lanes = r->def->lanes;
    return differentiate(&(ClipView){.skeleton = r->job->target.skeleton, .motion = out}, &difference, &r->copied, err);
}

static Status update_pose(Retargeting *r, const Motion *out, Error *err)
{
    ClipView target = {.skeleton = r->job->target.skeleton, .motion = out};
    return forward_kinematics(&target, r->def->lanes, &(WorldPoses){r->copied.position, r->copied.orientation, NULL},
                              err);
}

/* The soles of the target, as it stands: a zero pose that serves for the same skeleton may be no pose. */
static Status find_soles(Retargeting *r, Error *err)
{
    const ClipView *target = &r->job->target;
    ContactPoints points = {0};
    ReferencePose standing;
    Status status = contact_points_init(&contact_constants, target->skeleton, NULL, &r->copied, &points, err);
    if (!status)
        status = reference_pose_init(&standing, target, r->def->target_rest, &r->arena, err);
    if (!status)
        sole_init(r->sole, &standing, &points);
    contact_points_free(&points);
    return status;
}

static TargetFeet feet_of(const Retargeting *r)
{
    return (TargetFeet){.skeleton = r->job->target.skeleton, .sole = r->sole, .contact = &r->contact,
                        .pose = &r->copied, .scale = r->target.leg / r->source.leg, .leg = r->target.leg};
}

/* Finds when feet stand and plants them. */
static Status plant_motion(Retargeting *r, Motion *out, Error *err)
{
    TargetFeet feet = feet_of(r);
    Status status = foot_contact_init(&r->contact, &r->job->source, r->job->contact, &r->arena, err);
    if (!status)
        status = find_soles(r, err);
    if (!status && r->def->plant)
        status = foot_plant(&feet, &r->def->feet, out, err);
    return status ? status : update_pose(r, out, err);
}

/* Limits hold in the result. What they straighten may push a planted foot into the ground: the body rises. */
static Status limit_joints(Retargeting *r, Motion *out, RetargetScore *score, Error *err)
{
    TargetFeet feet = feet_of(r);
    if (r->def->limits)
        score->limits_hit = joint_limits_apply(r->def->limits, &r->target, out);
    if (!r->def->limits && r->def->hands == HANDS_ROTATION)
        return STATUS_OK;
    Status status = update_pose(r, out, err);
    if (status || !r->def->limits || !r->def->plant || !r->job->contact)
        return status;
    status = foot_plant_raise(&feet, &r->def->feet, out, err);
    return status ? status : update_pose(r, out, err);
}

static Status finish_human(Retargeting *r, Motion *out, RetargetScore *score, Error *err)
{
    if (r->def->limits)
        joint_limits_apply(r->def->limits, &r->target, out);
    Status status = pose_target(r, out, err);
    if (!status && r->job->contact)
        status = plant_motion(r, out, err);
    if (status)
        return status;
    HandPoses hands = {&r->target, &r->source, &r->copied, r->poses.position};
    hands_reach(&hands, r->def->hands, out);
    status = limit_joints(r, out, score, err);
    if (status)
        return status;
    motion_make_continuous(out);
    ScoredPose target = {&r->target, r->sole, r->copied.position, r->copied.orientation};
    ScoredPose source = {&r->source, NULL, r->poses.position, r->poses.orientation};
    scorecard_measure(&target, &source, r->job->contact ? &r->contact : NULL, out->frame_count, score);
    score->hand_reach_cm = 100 * hands_error(&hands, r->def->hands);
    return STATUS_OK;
}

Status retarget_motion(const RetargetJob *job, const RetargetDef *def, Motion *out, RetargetScore *score, Error *err)
{
    Retargeting r = {.job = job, .def = def};
    *out = (Motion){0};
    *score = retarget_score_unknown();
    Status status = copy_motion(&r, out, err);
    score->scale = status ? NAN : r.target.leg / r.source.leg;
    if (!status && r.target.is_human && r.source.is_human)
        status = finish_human(&r, out, score, err);
    if (status)
        motion_free(out);
    retargeting_free(&r);
    return status;
}
