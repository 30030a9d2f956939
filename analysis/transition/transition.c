/* See transition.h. */
#include "analysis/transition/transition.h"

#include <math.h>
#include <string.h>

#include "analysis/body/roles.h"
#include "analysis/contact/contact_points.h"
#include "analysis/math/elementary.h"
#include "analysis/motion/forward_kinematics.h"
#include "analysis/motion/root_motion.h"
#include "analysis/retarget/even_pose.h"
#include "analysis/retarget/planting.h"
#include "analysis/retarget/retarget.h"

#define HELD 1e8        /* factor on the distance of a held frame: it stays to a nanometre */
#define STANCE_TIME 0.1 /* s: within this of the seam the contacts change from one motion's paths to the other's */
#define NEAR 0.12       /* s before and after a contact in which a foot turns to and from its path in contact */
#define MIN_AIR 0.1     /* s: a foot with less time in the air slides instead of stepping */

Status standing_feet_init(StandingFeet *out, const ClipView *clip, const Contact *contact, Arena *arena, Error *err)
{
    ContactPoints points = {0};
    *out = (StandingFeet){.sole = {{.ankle = -1}, {.ankle = -1}}};
    if (!contact || !clip->kinematics || !roles_are_human(clip->skeleton))
        return STATUS_OK;
    Status status = reference_pose_init(&out->reference, clip, REFERENCE_AUTO, arena, err);
    if (!status)
        status = even_pose(&out->reference, clip->motion, err);
    if (!status)
        status = contact_points_drawn(clip->skeleton, clip->kinematics, &points, err);
    if (!status)
        status = foot_contact_init(&out->contact, clip, contact, arena, err);
    if (!status)
        sole_init(out->sole, &out->reference, &points);
    contact_points_free(&points);
    out->is_known = !status && (out->sole[0].ankle >= 0 || out->sole[1].ankle >= 0);
    return status;
}

/* 0 below 0, 1 above 1, between them a polynomial with zero first and second derivatives at both ends. */
static double transition_weight(double x)
{
    x = fmin(fmax(x, 0), 1);
    return x * x * x * (10 + x * (6 * x - 15));
}

Status transition_init(Transition *out, TransitionFrames window, const Motion *like, Arena *arena, Error *err)
{
    int frame_count = window.count, first = window.first, last = window.last;
    size_t frames = (size_t)frame_count;
    int joints = like->joint_count, translates = like->translation != NULL;
    *out = (Transition){.frame_count = frame_count, .joint_count = joints, .first = first, .last = last,
                        .seam = first + (last - first + 1) / 2,
                        .weight = arena_array(arena, frames, 1, sizeof *out->weight)};
    out->contact = (FootContact){.frame_count = frame_count, .frame_time = like->frame_time, .normal = {0, 1, 0},
                                 .in_contact = arena_array(arena, frames, FOOT_COUNT, 1),
                                 .down = {arena_array(arena, frames, FOOT_COUNT, 1),
                                          arena_array(arena, frames, FOOT_COUNT, 1)},
                                 .locked = arena_array(arena, frames, FOOT_COUNT, 1),
                                 .level = arena_array(arena, frames, FOOT_COUNT, sizeof(double))};
    Status status = arena->failed ? error_no_memory(err) : STATUS_OK;
    if (!status)
        status = motion_init(&out->outgoing, frame_count, joints, like->frame_time, translates, err);
    if (!status)
        status = motion_init(&out->incoming, frame_count, joints, like->frame_time, translates, err);
    if (!status)
        status = motion_init(&out->blended, frame_count, joints, like->frame_time, translates, err);
    for (int k = 0; !status && k < frame_count; k++)
        out->weight[k] = transition_weight((double)(k - first) / (last > first ? last - first : 1));
    return status;
}

void transition_free(Transition *t)
{
    motion_free(&t->outgoing);
    motion_free(&t->incoming);
    motion_free(&t->blended);
}

void transition_pose(Motion *to, int frame, const Motion *from, int source)
{
    size_t joints = (size_t)to->joint_count, at = motion_index(to, frame, 0), row = motion_index(from, source, 0);
    to->root_position[frame] = from->root_position[source];
    memcpy(to->rotation + at, from->rotation + row, joints * sizeof *to->rotation);
    if (to->translation && from->translation)
        memcpy(to->translation + at, from->translation + row, joints * sizeof *to->translation);
}

void transition_contact(Transition *t, int frame, const FootContact *from, int source)
{
    for (int foot = 0; from->in_contact && foot < FOOT_COUNT; foot++) {
        size_t at = foot_index(frame, foot), row = foot_index(source, foot);
        t->contact.in_contact[at] = from->in_contact[row];
        t->contact.down[0][at] = from->down[0][row];
        t->contact.down[1][at] = from->down[1][row];
        t->contact.level[at] = from->level[row];
    }
}

/* ---- Blending ---- */

/* Logarithm of a unit quaternion whose sign counts: half angles up to pi. */
static Vec3 signed_log(Quat q)
{
    Vec3 v = quat_log(q);
    double half = vec3_norm(v);
    if (q.w >= 0 || !(half > 0))
        return v;
    return vec3_scale(v, (half - PI) / half);
}

/* Blends the rotation of a joint in a frame; *turn is the turn from outgoing to incoming in the frame before, which it
 * follows. */
static void blend_rotation(Transition *t, int frame, size_t joint, Quat *turn)
{
    size_t at = motion_index(&t->blended, frame, 0) + joint;
    Quat from = t->outgoing.rotation[at], to = t->incoming.rotation[at];
    *turn = quat_nearest(quat_mul(quat_conjugate(from), to), *turn);
    Vec3 part = vec3_scale(signed_log(*turn), t->weight[frame]);
    t->blended.rotation[at] = quat_normalize(quat_mul(from, quat_exp(part)));
}

/* Blends one joint from the seam, where the shorter arc is taken, to both ends. */
static void blend_joint(Transition *t, size_t joint)
{
    Quat turn = QUAT_IDENTITY, start;
    blend_rotation(t, t->seam, joint, &turn);
    start = turn;
    for (int k = t->seam + 1; k < t->last; k++)
        blend_rotation(t, k, joint, &turn);
    turn = start;
    for (int k = t->seam - 1; k > t->first; k--)
        blend_rotation(t, k, joint, &turn);
}

/* Paths of the hips in the world, [frame] m. */
typedef struct HipsPaths {
    Vec3 *outgoing, *incoming, *blended;
    Quat *scratch;
} HipsPaths;

static Status hips_paths(const Transition *t, const Skeleton *skeleton, HipsPaths *out, Arena *arena, Error *err)
{
    const Motion *motion[] = {&t->outgoing, &t->incoming, &t->blended};
    Vec3 **path[] = {&out->outgoing, &out->incoming, &out->blended};
    size_t frames = (size_t)t->frame_count;
    out->scratch = arena_array(arena, frames, 1, sizeof *out->scratch);
    for (int i = 0; i < 3; i++)
        *path[i] = arena_array(arena, frames, 1, sizeof **path[i]);
    if (arena->failed)
        return error_no_memory(err);
    for (int i = 0; i < 3; i++)
        joint_path(&(ClipView){.skeleton = skeleton, .motion = motion[i]}, root_motion_carrier(skeleton), 0,
                   t->frame_count, LANES_AUTO, &(WorldPoses){*path[i], out->scratch, NULL});
    return STATUS_OK;
}

/* The next place on a path along the ground with blended velocity. */
static Vec3 next_place(const Transition *t, const HipsPaths *p, Vec3 place, int frame)
{
    double w = 0.5 * (t->weight[frame] + t->weight[frame + 1]);
    Vec3 step = vec3_lerp(vec3_sub(p->outgoing[frame + 1], p->outgoing[frame]),
                          vec3_sub(p->incoming[frame + 1], p->incoming[frame]), w);
    return vec3_add(place, vec3(step.x, 0, step.z));
}

static Vec3 find_drift(const Transition *t, const HipsPaths *p)
{
    Vec3 place = p->outgoing[t->first];
    for (int k = t->first; k < t->last; k++)
        place = next_place(t, p, place, k);
    Vec3 drift = vec3_sub(place, p->incoming[t->last]);
    return vec3(drift.x, 0, drift.z);
}

Status transition_drift(const Transition *t, const Skeleton *skeleton, Vec3 *shift, Error *err)
{
    HipsPaths p;
    Arena arena = {0};
    Status status = hips_paths(t, skeleton, &p, &arena, err);
    if (!status)
        *shift = find_drift(t, &p);
    arena_free(&arena);
    return status;
}

/* Moves the blended body so that its hips follow the blended path; what the end of that misses is made up for over the
 * interval. */
static Status follow_path(Transition *t, const Skeleton *skeleton, Error *err)
{
    HipsPaths p;
    Arena arena = {0};
    Status status = hips_paths(t, skeleton, &p, &arena, err);
    Vec3 place = status ? vec3(0, 0, 0) : p.outgoing[t->first], drift = status ? place : find_drift(t, &p);
    for (int k = t->first + 1; k < t->last && !status; k++) {
        double w = t->weight[k];
        place = next_place(t, &p, place, k - 1);
        place.y = p.outgoing[k].y + w * (p.incoming[k].y - p.outgoing[k].y);
        Vec3 wanted = vec3_mad(place, -w, drift);
        t->blended.root_position[k] = vec3_add(t->blended.root_position[k], vec3_sub(wanted, p.blended[k]));
    }
    arena_free(&arena);
    return status;
}

static void blend_poses(Transition *t)
{
    for (int k = 0; k < t->frame_count; k++)
        transition_pose(&t->blended, k, k < t->seam ? &t->outgoing : &t->incoming, k);
    for (int k = t->first + 1; k < t->last; k++) {
        size_t row = motion_index(&t->blended, k, 0);
        double w = t->weight[k];
        t->blended.root_position[k] = vec3_lerp(t->outgoing.root_position[k], t->incoming.root_position[k], w);
        for (size_t j = 0; t->blended.translation && j < (size_t)t->joint_count; j++)
            t->blended.translation[row + j] =
                vec3_lerp(t->outgoing.translation[row + j], t->incoming.translation[row + j], w);
    }
    for (size_t j = 0; j < (size_t)t->joint_count && t->seam > t->first && t->seam < t->last; j++)
        blend_joint(t, j);
}

/* ---- Feet ---- */

/* World poses of the three motions and what the feet should do. */
typedef struct FootPaths {
    const Transition *t;
    const Skeleton *skeleton;
    WorldPoses outgoing, incoming, blended, wanted; /* [frame][joint] */
    double *part; /* [frame] of a foot: how far its contacts are those of the incoming motion */
    double *down; /* [frame] 1 in contact, 0 in the air and NEAR before and after it */
    double *step; /* [frame] part of the way that the foot has to make up for */
    double *hold; /* [frame] */
} FootPaths;

static Status pose_motion(const Skeleton *skeleton, const Motion *motion, WorldPoses *out, Arena *arena, Error *err)
{
    size_t frames = (size_t)motion->frame_count, joints = (size_t)motion->joint_count;
    *out = (WorldPoses){.position = arena_array(arena, frames, joints, sizeof *out->position),
                        .orientation = arena_array(arena, frames, joints, sizeof *out->orientation)};
    if (arena->failed)
        return error_no_memory(err);
    return forward_kinematics(&(ClipView){.skeleton = skeleton, .motion = motion}, LANES_AUTO, out, err);
}

/* Fills part, down and step of a foot. It makes up in the air for what its path misses; one that is hardly ever in the
 * air slides, evenly over the interval. */
static void weigh_foot(const FootPaths *p, int foot)
{
    const Transition *t = p->t;
    const uint8_t *c = t->contact.in_contact;
    double dt = t->contact.frame_time, each = dt / NEAR, left = 0, right = 0, air = 0;
    for (int k = 0; k < t->frame_count; k++) {
        p->part[k] = transition_weight(0.5 + 0.5 * (k - t->seam + 0.5) * dt / STANCE_TIME);
        p->down[k] = left = c[foot_index(k, foot)] ? 1 : fmax(left - each, 0);
    }
    for (int k = t->frame_count - 1; k >= 0; k--) {
        right = c[foot_index(k, foot)] ? 1 : fmax(right - each, 0);
        p->down[k] = transition_weight(fmax(right, p->down[k]));
    }
    for (int k = t->first; k < t->last; k++)
        air += (1 - p->down[k]) * (1 - p->down[k]) * dt;
    double is_air = transition_weight(air / MIN_AIR), sum = 0;
    for (int k = 0; k < t->frame_count; k++) {
        p->step[k] = (1 - is_air) * t->weight[k] + (air > 0 ? is_air * sum / air : 0);
        if (k >= t->first && k < t->last)
            sum += (1 - p->down[k]) * (1 - p->down[k]) * dt;
    }
}

static Vec3 along_ground(const Transition *t, Vec3 v)
{
    return vec3_mad(v, -vec3_dot(v, t->contact.normal), t->contact.normal);
}

/* Pose of a joint of the motion that owns the contacts, mixed near the seam. */
static Vec3 owner_position(const FootPaths *p, int frame, int joint)
{
    size_t at = (size_t)frame * (size_t)p->t->joint_count + (size_t)joint;
    return vec3_lerp(p->outgoing.position[at], p->incoming.position[at], p->part[frame]);
}

/* Step of the ankle along the ground to the next frame: in contact the owner's, in the air the blended motion's. */
static Vec3 ankle_step(const FootPaths *p, int frame, int ankle)
{
    size_t joints = (size_t)p->t->joint_count, at = (size_t)frame * joints + (size_t)ankle, next = at + joints;
    double part = 0.5 * (p->part[frame] + p->part[frame + 1]), down = 0.5 * (p->down[frame] + p->down[frame + 1]);
    Vec3 own = vec3_lerp(vec3_sub(p->outgoing.position[next], p->outgoing.position[at]),
                         vec3_sub(p->incoming.position[next], p->incoming.position[at]), part);
    return along_ground(p->t, vec3_lerp(vec3_sub(p->blended.position[next], p->blended.position[at]), own, down));
}

/* Sets where the ankle and the toe joint of a foot should be: their height is the owner's in contact and the blended
 * motion's in the air, their path along the ground leads from the first held frame to the last. */
static void want_path(const FootPaths *p, const Sole *sole)
{
    const Transition *t = p->t;
    size_t joints = (size_t)t->joint_count;
    Vec3 *wanted = p->wanted.position + sole->ankle, path = p->blended.position[sole->ankle];
    Vec3 end = p->blended.position[(size_t)(t->frame_count - 1) * joints + (size_t)sole->ankle], miss = end;
    for (int k = 0; k + 1 < t->frame_count; k++)
        miss = vec3_sub(miss, ankle_step(p, k, sole->ankle));
    miss = along_ground(t, vec3_sub(miss, path));
    for (int k = 0; k < t->frame_count; k++) {
        size_t row = (size_t)k * joints, ankle = row + (size_t)sole->ankle, toe = row + (size_t)sole->toe;
        Vec3 own = owner_position(p, k, sole->ankle), now = vec3_lerp(p->blended.position[ankle], own, p->down[k]);
        Vec3 across = along_ground(t, vec3_sub(vec3_mad(path, p->step[k], miss), now));
        Vec3 arm = vec3_lerp(vec3_sub(p->blended.position[toe], p->blended.position[ankle]),
                             vec3_sub(owner_position(p, k, sole->toe), own), p->down[k]);
        wanted[row] = vec3_add(now, across);
        p->wanted.position[toe] = vec3_add(wanted[row], arm);
        for (int i = 0; i < 2; i++) {
            size_t at = i ? toe : ankle;
            Quat owner = quat_slerp(p->outgoing.orientation[at], p->incoming.orientation[at], p->part[k]);
            p->wanted.orientation[at] = quat_slerp(p->blended.orientation[at], owner, p->down[k]);
        }
        if (k + 1 < t->frame_count)
            path = vec3_add(path, ankle_step(p, k, sole->ankle));
    }
}

static Status foot_paths_init(FootPaths *p, const StandingFeet *feet, Arena *arena, Error *err)
{
    const Transition *t = p->t;
    size_t cells = (size_t)t->frame_count * (size_t)t->joint_count;
    Status status;
    if ((status = pose_motion(p->skeleton, &t->outgoing, &p->outgoing, arena, err)) ||
        (status = pose_motion(p->skeleton, &t->incoming, &p->incoming, arena, err)) ||
        (status = pose_motion(p->skeleton, &t->blended, &p->blended, arena, err)))
        return status;
    p->wanted.position = arena_array(arena, cells, 1, sizeof *p->wanted.position);
    p->wanted.orientation = arena_array(arena, cells, 1, sizeof *p->wanted.orientation);
    p->part = arena_array(arena, (size_t)t->frame_count, 1, sizeof *p->part);
    p->step = arena_array(arena, (size_t)t->frame_count, 1, sizeof *p->step);
    p->down = arena_array(arena, (size_t)t->frame_count, 1, sizeof *p->down);
    p->hold = arena_array(arena, (size_t)t->frame_count, 1, sizeof *p->hold);
    if (arena->failed)
        return error_no_memory(err);
    memcpy(p->wanted.position, p->blended.position, cells * sizeof *p->wanted.position);
    memcpy(p->wanted.orientation, p->blended.orientation, cells * sizeof *p->wanted.orientation);
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        const Sole *sole = &feet->sole[foot];
        if (sole->ankle < 0)
            continue;
        weigh_foot(p, foot);
        want_path(p, sole);
    }
    for (int k = 0; k < t->frame_count; k++)
        p->hold[k] = k <= t->first || k >= t->last ? HELD : 0;
    return STATUS_OK;
}

/* Moves the legs of the blended motion so that the feet keep their paths in contact. */
static Status plant(Transition *t, const Skeleton *skeleton, const StandingFeet *feet, Error *err)
{
    Arena arena = {0};
    FootPaths p = {.t = t, .skeleton = skeleton};
    PlantDef def = plant_default_def();
    Status status = foot_paths_init(&p, feet, &arena, err);
    if (!status) {
        FootPair pair = {{feet->sole, NULL, p.blended.position, p.blended.orientation, t->joint_count},
                         {feet->sole, NULL, p.wanted.position, p.wanted.orientation, t->joint_count},
                         &t->contact, 1, feet->reference.leg};
        PlantedBody body = {.pair = &pair, .target = &feet->reference, .source = &feet->reference};
        def.hold = p.hold;
        status = plant_motion(&body, &def, &t->blended, err);
    }
    arena_free(&arena);
    return status;
}

Status transition_make(Transition *t, const Skeleton *skeleton, const StandingFeet *feet, Error *err)
{
    blend_poses(t);
    Status status = follow_path(t, skeleton, err);
    return !status && feet->is_known && t->seam > 0 && t->last > t->first + 1 ? plant(t, skeleton, feet, err) : status;
}

Status transition_stance(const Transition *t, const Skeleton *skeleton, const StandingFeet *feet, Vec3 *shift,
                         int *stands, Error *err)
{
    Motion views[] = {motion_view(&t->outgoing, t->seam, 1), motion_view(&t->incoming, t->seam, 1)};
    WorldPoses pose[2];
    Arena arena = {0};
    Status status = STATUS_OK;
    int count = 0;
    *shift = vec3(0, 0, 0);
    for (int i = 0; i < 2 && !status && feet->is_known && t->seam > 0; i++)
        status = pose_motion(skeleton, &views[i], &pose[i], &arena, err);
    for (int foot = 0; foot < FOOT_COUNT && !status && feet->is_known && t->seam > 0; foot++) {
        const uint8_t *c = t->contact.in_contact;
        if (feet->sole[foot].ankle < 0 || !c[foot_index(t->seam - 1, foot)] || !c[foot_index(t->seam, foot)])
            continue;
        for (int k = SOLE_HEEL; k <= SOLE_BALL; k++, count++) {
            Vec3 from = sole_point(&feet->sole[foot], (SolePoint)k, pose[1].position, pose[1].orientation);
            Vec3 to = sole_point(&feet->sole[foot], (SolePoint)k, pose[0].position, pose[0].orientation);
            *shift = vec3_add(*shift, along_ground(t, vec3_sub(to, from)));
        }
    }
    *shift = vec3_scale(*shift, count ? 1.0 / count : 0);
    *stands = count > 0;
    arena_free(&arena);
    return status;
}
