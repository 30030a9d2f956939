/* See retarget.h. */
#include "analysis/retarget/retarget.h"

#include <string.h>

#include "analysis/body/roles.h"
#include "analysis/math/elementary.h"
#include "analysis/motion/kinematics.h"
#include "analysis/motion/mirror.h"
#include "analysis/retarget/even_pose.h"
#include "analysis/retarget/ground_level.h"
#include "analysis/retarget/hand_tie.h"
#include "analysis/retarget/ik_bones.h"
#include "analysis/retarget/sole_level.h"
#include "analysis/retarget/transfer.h"
#include "analysis/retarget/viewer_score.h"

/* Retargets the mirror image of the source and compares the result with the mirror image of the result: a method should
 * treat left and right alike.
 *
 * The mirrored job, which points into the other members; the target is not mirrored. */
typedef struct MirroredJob {
    RetargetJob job;
    Mirror mirror;
    Skeleton skeleton;
    Motion motion;
    Kinematics kinematics;
    Contact contact;   /* only what retargeting reads: ground and foot forces */
    ContactEdits rows;  /* with feet exchanged; count 0: none given */
} MirroredJob;

static Status mirrored_job_init(MirroredJob *out, const RetargetJob *job, const ContactEdits *rows, Error *err);
static void mirrored_job_free(MirroredJob *m);
static void mirrored_job_score(const MirroredJob *m, const Skeleton *target, const Vec3 *result, const Vec3 *mirrored,
                               RetargetScore *score);

/* State of one call. */
typedef struct Retargeting {
    const RetargetJob *job;
    const RetargetDef *def;
    Arena arena;
    ReferencePose target, source;
    JointMap own_map;
    Alignment alignment;
    WorldPoses poses;   /* of the source */
    Kinematics copied;  /* target as copied, after planting as planted */
    FootContact contact;
    Sole sole[FOOT_COUNT], source_sole[FOOT_COUNT];
    FootOutline outline[FOOT_COUNT], source_outline[FOOT_COUNT];
    int same_axes;      /* 1: the target is the source up to bone lengths, with the same joint axes */
    FootPair feet;
    Props props;
} Retargeting;

static FootGoalDef foot_goal_default_def(void) { return (FootGoalDef){.near = 0.12, .in_air = 0.005}; }

LimbSolveDef limb_solve_default_def(void)
{
    return (LimbSolveDef){.shift = 2, .rotation = 20, .bend = 20, .shift_time = 0.75, .rotation_time = 0.06,
                          .bend_time = 0.1, .velocity = 2000, .height = 3000, .floor = 30000, .straight = 3000,
                          .tie = 6000, .guard = 3000, .fall = 10, .min_bend = 0.03, .rounds = 3};
}

PlantDef plant_default_def(void)
{
    return (PlantDef){.foot = foot_goal_default_def(), .solve = limb_solve_default_def(), .strength = 1,
                      .bend_time = 0.1};
}

RetargetDef retarget_default_def(void)
{
    return (RetargetDef){.source_rest = REFERENCE_AUTO, .target_rest = REFERENCE_AUTO, .plant = PLANT_KEEP,
                         .hands = HANDS_AUTO, .feet = plant_default_def(), .root = ROOT_AUTO, .score_mirror = 1,
                         .lanes = LANES_AUTO};
}

/* Whether end sites have the same positions up to scale. */
static int same_ends(const Skeleton *a, const Skeleton *b, double scale)
{
    int same = a->end_count == b->end_count;
    for (int e = 0; same && e < a->end_count; e++)
        same = a->end_parent[e] == b->end_parent[e] &&
               vec3_distance(a->end_offset[e], vec3_scale(b->end_offset[e], scale)) <=
                   1e-3 * (1e-3 + vec3_norm(a->end_offset[e]));
    return same;
}

/* Sets the pose in which a body is compared; an automatically chosen one is made symmetric. */
static Status pose_body(ReferencePose *pose, const ClipView *body, int rest, Arena *arena, Error *err)
{
    Status status = reference_pose_init(pose, body, rest, arena, err);
    return !status && rest == REFERENCE_AUTO ? even_pose(pose, body->motion, err) : status;
}

static Status pose_references(Retargeting *r, Error *err)
{
    const ClipView *target = &r->job->target, *source = &r->job->source;
    int source_frame = r->def->source_rest, target_frame = r->def->target_rest;
    if (source_frame == REFERENCE_AUTO && target_frame == REFERENCE_AUTO &&
        skeletons_same_joints(source->skeleton, target->skeleton)) { /* even a zero pose that does not stand */
        r->same_axes = 1;
        source_frame = target_frame = REFERENCE_REST;
    }
    if (roles_are_human(source->skeleton) && !roles_are_human(target->skeleton)) {
        /* its arms become forelegs: choose a frame in which they hang; a creature's zero pose may not stand */
        source_frame = source_frame == REFERENCE_AUTO ? REFERENCE_BEST : source_frame;
        target_frame = target_frame == REFERENCE_AUTO && target->motion ? 0 : target_frame;
    }
    Status status = pose_body(&r->source, source, source_frame, &r->arena, err);
    if (!status)
        status = pose_body(&r->target, target, target_frame, &r->arena, err);
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
    if (!status && r.target.is_human == r.source.is_human)
        status = joint_map_init(out, &r.target, &r.source, err);
    else if (!status)
        status = joint_map_template(out, &r.target, &r.source, err);
    retargeting_free(&r);
    return status;
}

Status retarget_keep_pose(const RetargetJob *job, const RetargetDef *def, Skeleton *target, Error *err)
{
    Retargeting r = {.job = job, .def = def};
    Status status = pose_references(&r, err);
    int is_found = !status && r.target.is_human && r.target.frame >= 0;
    if (is_found && !(status = skeleton_add_standing(target, err))) {
        memcpy(target->standing, r.target.local, (size_t)target->joint_count * sizeof *target->standing);
        target->standing[0] = quat_mul(quat_conjugate(r.target.body), r.target.local[0]);
    }
    retargeting_free(&r);
    return status;
}

/* Copies the motion: all stages except feet and hands. */
static Status copy_motion(Retargeting *r, Motion *out, Error *err)
{
    const Motion *motion = r->job->source.motion;
    size_t frames = (size_t)motion->frame_count, joints = (size_t)motion->joint_count;
    BodyPair pair = {&r->target, &r->source, r->job->map ? r->job->map : &r->own_map};
    r->poses = (WorldPoses){.position = arena_array(&r->arena, frames, joints, sizeof *r->poses.position),
                            .orientation = arena_array(&r->arena, frames, joints, sizeof *r->poses.orientation)};
    if (r->arena.failed)
        return error_no_memory(err);
    Status status;
    if ((status = forward_kinematics(&r->job->source, r->def->lanes, &r->poses, err)) ||
        (status = pose_references(r, err)) ||
        (!r->job->map && (status = joint_map_init(&r->own_map, &r->target, &r->source, err))) ||
        (status = alignment_init(&r->alignment, &pair, motion->translation != NULL, &r->arena, err)))
        return status;
    r->props = props_find(&pair, r->def->hold, r->def->hold_count);
    return transfer_motion(&pair, &r->alignment, motion, &r->poses, out, err);
}

/* Computes world pose, velocity and acceleration of the target's present motion. */
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

/* Finds the soles of one body in a standing pose: the zero pose of equal skeletons need not stand. */
static Status find_soles(Retargeting *r, const ClipView *body, const Kinematics *pose, int rest, Sole *sole, Error *err)
{
    ContactPoints points = {0};
    ReferencePose standing;
    Status status = contact_points_drawn(body->skeleton, pose, &points, err);
    if (!status)
        status = pose_body(&standing, body, rest, &r->arena, err);
    if (!status)
        sole_init(sole, &standing, &points);
    contact_points_free(&points);
    return status;
}

/* Finds the target's soles from its own motion, if it has one: feet of the copied motion may be rotated, because the
 * compared poses need not have flat feet. */
static Status find_target_soles(Retargeting *r, Error *err)
{
    const ClipView *target = &r->job->target;
    DifferenceDef difference = difference_default_def();
    Kinematics own = {0};
    int moves = target->motion && target->motion->frame_count > 1;
    difference.lanes = r->def->lanes;
    Status status = moves ? differentiate(target, &difference, &own, err) : STATUS_OK;
    if (!status)
        status = find_soles(r, target, moves ? &own : &r->copied, r->def->target_rest, r->sole, err);
    if (!status && r->target.frame >= 0)
        status = sole_even(r->sole, target, err);
    kinematics_free(&own);
    return status;
}

/* Uses the target's soles for a source with the same body: soles depend slightly on the motion they are found in, and
 * the copied motion was smoothed. */
static void scale_soles(Retargeting *r)
{
    double scale = r->source.leg / r->target.leg;
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        r->source_sole[foot] = r->sole[foot];
        r->source_sole[foot].length *= scale;
        for (int k = 0; k < SOLE_POINTS; k++)
            r->source_sole[foot].local[k] = vec3_scale(r->sole[foot].local[k], scale);
    }
}

/* Finds the frames in which feet are on the ground, or applies the given contacts. */
static Status find_contacts(Retargeting *r, Error *err)
{
    const RetargetJob *job = r->job;
    Status status = foot_contact_init(&r->contact, &job->source, job->contact, &r->arena, err);
    size_t cells = status ? 0 : (size_t)r->contact.frame_count * FOOT_COUNT;
    for (size_t i = 0; i < cells && r->def->plant == PLANT_LOCK; i++)
        r->contact.locked[i] = r->contact.in_contact[i];
    if (!status && r->def->contacts)
        contact_edits_apply(r->def->contacts, job->source.motion, &r->contact);
    return status;
}

Status retarget_contacts(const RetargetJob *job, const RetargetDef *def, ContactEdits *out, Error *err)
{
    Retargeting r = {.job = job, .def = def};
    *out = (ContactEdits){0};
    Status status = find_contacts(&r, err);
    if (!status)
        status = contact_edits_from(&r.contact, job->source.motion, out, err);
    retargeting_free(&r);
    return status;
}

/* Finds the foot contacts and the soles of both bodies. */
static Status find_feet(Retargeting *r, Error *err)
{
    const RetargetJob *job = r->job;
    Kinematics unsmoothed = *job->source.kinematics; /* except velocities, on which soles hardly depend */
    unsmoothed.position = r->poses.position;
    unsmoothed.orientation = r->poses.orientation;
    Status status = find_contacts(r, err);
    if (!status)
        status = find_target_soles(r, err);
    if (!status && r->same_axes &&
        same_ends(job->target.skeleton, job->source.skeleton, r->target.leg / r->source.leg))
        scale_soles(r);
    else if (!status)
        status = find_soles(r, &job->source, &unsmoothed, r->def->source_rest, r->source_sole, err);
    return status;
}

static FootPair retarget_feet(const Retargeting *r)
{
    int joints = r->job->target.skeleton->joint_count, sources = r->job->source.skeleton->joint_count;
    return (FootPair){
        {r->sole, r->outline, r->copied.position, r->copied.orientation, joints},
        {r->source_sole, r->source_outline, r->poses.position, r->poses.orientation, sources},
        &r->contact, r->target.leg / r->source.leg, r->target.leg};
}

static Status plant_feet(Retargeting *r, Motion *out, Error *err)
{
    PlantedBody body = {&r->feet, &r->target, &r->source, r->def->hands == HANDS_AUTO, &r->props};
    Status status = find_feet(r, err);
    for (int foot = 0; foot < FOOT_COUNT && !status && r->def->plant != PLANT_NONE; foot++)
        if (r->sole[foot].ankle >= 0 && r->source_sole[foot].ankle >= 0)
            sole_level(&r->feet, foot);
    if (!status && r->def->plant != PLANT_NONE)
        status = plant_motion(&body, &r->def->feet, out, err);
    return status ? status : update_pose(r, out, err);
}

/* Applies the limits to the result. If they straighten a planted leg and push its foot into the ground, raises the
 * body. */
static Status limit_joints(Retargeting *r, Motion *out, RetargetScore *score, Error *err)
{
    PlantedBody body = {.pair = &r->feet, .target = &r->target, .source = &r->source};
    if (r->def->limits)
        score->limits_hit = joint_limits_apply(r->def->limits, &r->target, out);
    if (!r->def->limits && (r->def->hands == HANDS_ROTATION || r->def->hands == HANDS_AUTO))
        return STATUS_OK;
    Status status = update_pose(r, out, err);
    if (status || !r->def->limits || r->def->plant == PLANT_NONE || !r->job->contact)
        return status;
    status = plant_raise(&body, out, err);
    return status ? status : update_pose(r, out, err);
}

static Status finish_human(Retargeting *r, Motion *out, RetargetScore *score, Error *err)
{
    if (r->def->limits)
        joint_limits_apply(r->def->limits, &r->target, out);
    Status status = pose_target(r, out, err);
    foot_outline_init(r->outline, r->job->target.skeleton, &r->arena);
    foot_outline_init(r->source_outline, r->job->source.skeleton, &r->arena);
    if (r->arena.failed)
        return error_no_memory(err);
    r->feet = retarget_feet(r);
    if (!status && r->job->contact)
        status = plant_feet(r, out, err);
    if (status)
        return status;
    HandPoses hands = {&r->target, &r->source, &r->copied, r->poses.position};
    hands_reach(&hands, r->def->hands, out);
    status = limit_joints(r, out, score, err);
    score->hand_reach_cm = status ? NAN : 100 * hands_error(&hands, r->def->hands);
    motion_make_continuous(out);
    return status;
}

/* Marks the joints that follow ankles and wrists of the human, and their descendants; returns their number. */
static int mark_feet(const Retargeting *r, const JointMap *map, unsigned char *is_foot)
{
    static const Role ends[] = {ROLE_LEFT_ANKLE, ROLE_RIGHT_ANKLE, ROLE_LEFT_WRIST, ROLE_RIGHT_WRIST};
    const Skeleton *s = r->target.skeleton;
    int count = 0;
    for (int i = 0; i < map->row_count; i++)
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
            is_foot[map->row[i].target] |= map->row[i].source == r->source.joint[ends[k]];
    for (int j = 0; j < s->joint_count; j++) {
        is_foot[j] |= j > 0 && is_foot[s->parent[j]];
        count += is_foot[j];
    }
    return count;
}

/* Raises a creature to the height of the human that it follows, if that has ground contact. */
static Status finish_creature(Retargeting *r, Motion *out, Error *err)
{
    const RetargetJob *job = r->job;
    if (!r->source.is_human || !job->contact || job->contact->point_count == 0 || r->def->plant == PLANT_NONE)
        return STATUS_OK;
    unsigned char *is_foot = arena_array(&r->arena, (size_t)job->target.skeleton->joint_count, 1, 1);
    Status status = is_foot ? pose_target(r, out, err) : error_no_memory(err);
    if (status)
        return status;
    int has_feet = mark_feet(r, job->map ? job->map : &r->own_map, is_foot);
    PosedBody target = {job->target.skeleton, r->copied.position, r->copied.orientation, has_feet ? is_foot : NULL};
    PosedBody source = {job->source.skeleton, r->poses.position, r->poses.orientation, NULL};
    double scale = r->target.leg / r->source.leg;
    return ground_level(&target, &source, job->contact->ground_normal, scale, out, err);
}

/* Makes the motion without its score; on failure *out may be incomplete. */
static Status make_motion(Retargeting *r, Motion *out, RetargetScore *score, Error *err)
{
    Status status = copy_motion(r, out, err);
    score->scale = status ? NAN : r->target.leg / r->source.leg;
    if (status)
        return status;
    return r->target.is_human && r->source.is_human ? finish_human(r, out, score, err) : finish_creature(r, out, err);
}

/* Scores the mirrored clip on the same target. Leaves the metric unset if a joint has no counterpart. */
static Status score_mirrored(const Retargeting *r, RetargetScore *score, Error *err)
{
    MirroredJob mirrored;
    RetargetDef def = *r->def;
    Error none = {0};
    Status status = mirrored_job_init(&mirrored, r->job, def.contacts, &none);
    if (status)
        return status == STATUS_BAD_INPUT ? STATUS_OK : error_no_memory(err);
    def.contacts = def.contacts ? &mirrored.rows : NULL;
    HandHold hold[MAX_PROPS];
    def.hold_count = def.hold_count < MAX_PROPS ? def.hold_count : MAX_PROPS;
    for (int i = 0; i < def.hold_count; i++)
        hold[i] = (HandHold){1 - def.hold[i].side, def.hold[i].joint};
    def.hold = hold;
    Retargeting other = {.job = &mirrored.job, .def = &def};
    RetargetScore unused = retarget_score_unknown();
    Motion motion = {0};
    status = make_motion(&other, &motion, &unused, err);
    if (!status)
        mirrored_job_score(&mirrored, r->job->target.skeleton, r->copied.position, other.copied.position, score);
    motion_free(&motion);
    retargeting_free(&other);
    mirrored_job_free(&mirrored);
    return status;
}

static Status measure_human(Retargeting *r, const Motion *out, RetargetScore *score, Error *err)
{
    ScoredPair pair = {{&r->target, r->feet.target}, {&r->source, r->feet.source},
                       r->job->contact ? &r->contact : NULL, out->frame_count, out->frame_time, score->scale};
    Status status = scorecard_measure(&pair, score, err);
    if (!status)
        status = viewer_score(&pair, &r->job->target, &r->job->source, score, err);
    return !status && r->def->score_mirror ? score_mirrored(r, score, err) : status;
}

/* Places props and IK bones. */
static Status place_beside_body(const Retargeting *r, Motion *out, Error *err)
{
    const RetargetJob *job = r->job;
    HandPair hands = {&r->feet, &r->target, &r->source, &r->props};
    Status status = r->source.is_human ? hand_tie_props(&hands, out, err) : STATUS_OK;
    return status ? status : ik_bones_follow(&job->target, r->alignment.same_joints ? &job->source : NULL, out, err);
}

Status retarget_motion(const RetargetJob *job, const RetargetDef *def, Motion *out, RetargetScore *score, Error *err)
{
    Retargeting r = {.job = job, .def = def};
    *out = (Motion){0};
    *score = retarget_score_unknown();
    Status status = make_motion(&r, out, score, err);
    if (!status) {
        score->source_rest_frame = r.source.frame;
        score->target_rest_frame = r.target.frame;
        score->rest_asymmetry_deg = fmax(r.source.unlike, r.target.is_human ? r.target.unlike : 0) * 180 / PI;
    }
    if (!status && r.target.is_human && r.source.is_human)
        status = measure_human(&r, out, score, err);
    if (!status)
        status = root_placement_apply(&job->target, &job->source, def->root, out, err);
    if (!status && r.target.is_human && r.source.is_human)
        status = viewer_score_root(&(BodiesInMotion){&job->target, &job->source, out}, def->root, score->scale, score,
                                   err);
    if (!status && r.target.is_human)
        status = place_beside_body(&r, out, err);
    if (status)
        motion_free(out);
    retargeting_free(&r);
    return status;
}

static Status mirror_contact(MirroredJob *m, const Contact *contact, Error *err)
{
    Status status = contact_init(&m->contact, contact->frame_count, contact->point_count, 0, err);
    for (int f = 0; f < contact->frame_count && !status; f++)
        for (int foot = 0; foot < FOOT_COUNT; foot++)
            m->contact.foot_force[foot_index(f, foot)] =
                mirror_point(&m->mirror, contact->foot_force[foot_index(f, FOOT_COUNT - 1 - foot)]);
    m->contact.ground_height = contact->ground_height;
    m->contact.ground_normal = mirror_point(&m->mirror, contact->ground_normal);
    return status;
}

static Status mirror_rows(MirroredJob *m, const ContactEdits *rows, Error *err)
{
    int failed = 0;
    m->rows.row = array_try(&failed, (size_t)rows->count, 1, sizeof *m->rows.row);
    if (failed)
        return error_no_memory(err);
    m->rows.count = rows->count;
    for (int i = 0; i < rows->count; i++) {
        m->rows.row[i] = rows->row[i];
        m->rows.row[i].foot = FOOT_COUNT - 1 - rows->row[i].foot;
    }
    return STATUS_OK;
}

/* STATUS_BAD_INPUT if a joint has no counterpart on the other side. rows: those of the job, or NULL. */
static Status mirrored_job_init(MirroredJob *out, const RetargetJob *job, const ContactEdits *rows, Error *err)
{
    const ClipView *source = &job->source;
    *out = (MirroredJob){.job = *job};
    Status status = mirror_init(&out->mirror, source->skeleton, source->motion, err);
    if (!status)
        status = skeleton_copy(&out->skeleton, source->skeleton, err);
    if (!status)
        status = mirror_skeleton(&out->mirror, &out->skeleton, err);
    if (!status)
        status = mirror_motion(&out->mirror, source->skeleton, source->motion, &out->motion, err);
    if (!status && source->kinematics)
        status = mirror_kinematics(&out->mirror, source->kinematics, &out->kinematics, err);
    if (!status && job->contact)
        status = mirror_contact(out, job->contact, err);
    if (!status && rows)
        status = mirror_rows(out, rows, err);
    out->job.source = (ClipView){.skeleton = &out->skeleton, .motion = &out->motion,
                                 .kinematics = source->kinematics ? &out->kinematics : NULL};
    out->job.contact = job->contact ? &out->contact : NULL;
    if (status)
        mirrored_job_free(out);
    return status;
}

static void mirrored_job_free(MirroredJob *m)
{
    mirror_free(&m->mirror);
    skeleton_free(&m->skeleton);
    motion_free(&m->motion);
    kinematics_free(&m->kinematics);
    contact_free(&m->contact);
    contact_edits_free(&m->rows);
}

/* Sets mirror_cm and its worst frame over the joints whose role has a counterpart. result, mirrored: world positions
 * [frame][joint] of both results on the target, m. */
static void mirrored_job_score(const MirroredJob *m, const Skeleton *target, const Vec3 *result, const Vec3 *mirrored,
                               RetargetScore *score)
{
    ScoreMean apart = {0};
    size_t joints = (size_t)target->joint_count;
    for (int j = 0; j < target->joint_count; j++) {
        int other = target->role[j] == ROLE_NONE ? -1 : skeleton_find_role(target, role_mirror(target->role[j]));
        for (int f = 0; f < m->motion.frame_count && other >= 0; f++) {
            Vec3 image = mirror_point(&m->mirror, mirrored[(size_t)f * joints + (size_t)other]);
            score_add(&apart, vec3_distance(image, result[(size_t)f * joints + (size_t)j]), f);
        }
    }
    score->mirror_cm = apart.count > 0 ? 100 * apart.max : NAN;
    score->worst_frame[WORST_mirror_cm] = score_worst(&apart);
}
