#include "analysis/retarget/retarget.h"

#include "analysis/base/memory.h"
#include "analysis/motion/differentiate.h"
#include "analysis/motion/forward_kinematics.h"
#include "analysis/retarget/scorecard.h"
#include "analysis/retarget/transfer.h"

/* All that one call holds. */
typedef struct Retargeting {
    const RetargetBody *target, *source;
    const RetargetDef *def;
    ReferencePose target_pose, source_pose;
    JointMap own_map;
    Alignment alignment;
    Vec3 *position;     /* [frame][source joint] m */
    Quat *orientation;  /* [frame][source joint] */
    Kinematics copied;  /* target as copied, then as planted */
    FootContact contact;
    Sole sole[FOOT_COUNT];
} Retargeting;

RetargetDef retarget_default_def(void)
{
    return (RetargetDef){.source_rest = REFERENCE_AUTO, .target_rest = REFERENCE_AUTO, .plant = 1,
                         .feet = plant_default_def(), .lanes = LANES_AUTO};
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
    int source_frame = r->def->source_rest, target_frame = r->def->target_rest;
    if (source_frame == REFERENCE_AUTO && target_frame == REFERENCE_AUTO &&
        same_rest(r->source->skeleton, r->target->skeleton))
        source_frame = target_frame = REFERENCE_REST;
    Status status = reference_pose_init(&r->source_pose, r->source->skeleton, r->source->motion, source_frame, err);
    if (!status)
        status = reference_pose_init(&r->target_pose, r->target->skeleton, r->target->motion, target_frame, err);
    if (!status)
        reference_pose_compare(&r->target_pose, &r->source_pose);
    return status;
}

static void retargeting_free(Retargeting *r)
{
    reference_pose_free(&r->target_pose);
    reference_pose_free(&r->source_pose);
    joint_map_free(&r->own_map);
    alignment_free(&r->alignment);
    free(r->position);
    free(r->orientation);
    kinematics_free(&r->copied);
    foot_contact_free(&r->contact);
}

Status retarget_map(const RetargetBody *target, const RetargetBody *source, const RetargetDef *def, JointMap *out,
                    Error *err)
{
    Retargeting r = {.target = target, .source = source, .def = def};
    Status status = pose_references(&r, err);
    if (!status)
        status = joint_map_init(out, &r.target_pose, &r.source_pose, err);
    retargeting_free(&r);
    return status;
}

/* The copied motion: everything but the feet. */
static Status copy_motion(Retargeting *r, const JointMap *map, Motion *out, Error *err)
{
    const Motion *motion = r->source->motion;
    size_t frames = (size_t)motion->frame_count, joints = (size_t)motion->joint_count;
    r->position = array_new(frames, joints, sizeof *r->position);
    r->orientation = array_new(frames, joints, sizeof *r->orientation);
    if (!r->position || !r->orientation)
        return error_no_memory(err);
    ClipView source = {.skeleton = r->source->skeleton, .motion = motion};
    Status status = forward_kinematics(&source, r->def->lanes, &(WorldPoses){r->position, r->orientation, NULL}, err);
    if (!status)
        status = pose_references(r, err);
    if (!status && !map)
        status = joint_map_init(&r->own_map, &r->target_pose, &r->source_pose, err);
    if (!map)
        map = &r->own_map;
    if (!status)
        status = alignment_init(&r->alignment, &r->target_pose, &r->source_pose, map, motion->translation != NULL, err);
    return status ? status
                  : transfer_motion(&r->target_pose, &r->source_pose, map, &r->alignment, motion, r->position,
                                    r->orientation, out, err);
}

/* World pose, velocity and acceleration of the target as it is now. */
static Status pose_target(Retargeting *r, const Motion *out, Error *err)
{
    DifferenceDef difference = difference_default_def();
    difference.lanes = r->def->lanes;
    return differentiate(&(ClipView){.skeleton = r->target->skeleton, .motion = out}, &difference, &r->copied, err);
}

static Status update_pose(Retargeting *r, const Motion *out, Error *err)
{
    ClipView target = {.skeleton = r->target->skeleton, .motion = out};
    return forward_kinematics(&target, r->def->lanes, &(WorldPoses){r->copied.position, r->copied.orientation, NULL},
                              err);
}

/* The soles of the target, as it stands: a zero pose that serves for the same skeleton may be no pose. */
static Status find_soles(Retargeting *r, Error *err)
{
    ContactPoints points = {0};
    ReferencePose standing = {0};
    Status status = contact_points_init(r->target->skeleton, NULL, &r->copied, &points, err);
    if (!status)
        status = reference_pose_init(&standing, r->target->skeleton, r->target->motion, r->def->target_rest, err);
    if (!status)
        sole_init(r->sole, &standing, &points);
    contact_points_free(&points);
    reference_pose_free(&standing);
    return status;
}

/* Finds when feet stand and plants them. */
static Status plant_motion(Retargeting *r, const Contact *contact, const Kinematics *seen, Motion *out, Error *err)
{
    Status status = foot_contact_init(&r->contact, r->source->skeleton, seen, contact, out->frame_time, err);
    if (!status)
        status = find_soles(r, err);
    if (!status && r->def->plant)
        status = plant_feet(r->target->skeleton, r->sole, &r->contact, &r->copied,
                            r->target_pose.leg / r->source_pose.leg, r->target_pose.leg, &r->def->feet, out, err);
    return status ? status : update_pose(r, out, err);
}

/* Limits hold in the result. What they straighten may push a planted foot into the ground: the body rises. */
static Status limit_joints(Retargeting *r, const Contact *contact, Motion *out, RetargetScore *score, Error *err)
{
    if (r->def->limits)
        score->limits_hit = joint_limits_apply(r->def->limits, &r->target_pose, out);
    if (!r->def->limits && r->def->hands == HANDS_ROTATION)
        return STATUS_OK;
    Status status = update_pose(r, out, err);
    if (status || !r->def->limits || !r->def->plant || !contact)
        return status;
    status = plant_raise(r->sole, &r->contact, &r->copied, r->target_pose.leg / r->source_pose.leg, &r->def->feet, out,
                         err);
    return status ? status : update_pose(r, out, err);
}

static Status finish_human(Retargeting *r, const Contact *contact, const Kinematics *seen, Motion *out,
                           RetargetScore *score, Error *err)
{
    if (r->def->limits)
        joint_limits_apply(r->def->limits, &r->target_pose, out);
    Status status = pose_target(r, out, err);
    if (!status && contact)
        status = plant_motion(r, contact, seen, out, err);
    if (status)
        return status;
    HandPoses hands = {&r->target_pose, &r->source_pose, &r->copied, r->position};
    hands_reach(&hands, r->def->hands, out);
    status = limit_joints(r, contact, out, score, err);
    if (status)
        return status;
    motion_make_continuous(out);
    ScoredPose target = {&r->target_pose, r->sole, r->copied.position, r->copied.orientation};
    ScoredPose source = {&r->source_pose, NULL, r->position, r->orientation};
    scorecard_measure(&target, &source, contact ? &r->contact : NULL, out->frame_count, score);
    score->hand_reach_cm = 100 * hands_error(&hands, r->def->hands);
    return STATUS_OK;
}

Status retarget_motion(const RetargetBody *target, const RetargetBody *source, const JointMap *map,
                       const Contact *contact, const Kinematics *seen, const RetargetDef *def, Motion *out,
                       RetargetScore *score, Error *err)
{
    Retargeting r = {.target = target, .source = source, .def = def};
    *out = (Motion){0};
    *score = retarget_score_unknown();
    Status status = copy_motion(&r, map, out, err);
    score->scale = status ? NAN : r.target_pose.leg / r.source_pose.leg;
    if (!status && r.target_pose.is_human && r.source_pose.is_human)
        status = finish_human(&r, contact, seen, out, score, err);
    if (status)
        motion_free(out);
    retargeting_free(&r);
    return status;
}
