/* See page_clip.h. */
#include "formats/report/page_clip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/contact/foot_load.h"
#include "analysis/contact/tracked_contact.h"
#include "analysis/math/elementary.h"
#include "analysis/motion/forward_kinematics.h"
#include "analysis/stats/joint_series.h"
#include "formats/report/torque_parts.h"

#define IMPLIED 0.3   /* smallest w that can be computed from x, y and z accurately */
#define SHIFTING 2e-4 /* m: joints whose offset deviates less from its mean are rigid */

static Status fail(PageClip *actor, Status status)
{
    if (status)
        page_clip_free(actor);
    return status;
}

static int is_push(const PageClip *actor, int point) { return actor->run && point >= actor->first_push; }

/* Returns the support of a contact point. All joints of a foot are one support, at the joint with the ankle role, else
 * the point's joint. */
static Support support_of_point(const PageClip *actor, int point)
{
    const Skeleton *s = &actor->clip->skeleton;
    int joint = actor->contact->point_joint[point];
    int foot = foot_of_segment(s->segment[joint]);
    if (foot == FOOT_COUNT || is_push(actor, point))
        return (Support){FOOT_COUNT, joint, is_push(actor, point)};
    int ankle = skeleton_find_role(s, foot == FOOT_LEFT ? ROLE_LEFT_ANKLE : ROLE_RIGHT_ANKLE);
    return (Support){foot, ankle < 0 ? joint : ankle, 0};
}

static int by_side(const void *a, const void *b)
{
    const Support *left = a, *right = b;
    if (left->is_push != right->is_push)
        return left->is_push - right->is_push;
    if (left->foot != right->foot)
        return left->foot - right->foot;
    return left->foot < FOOT_COUNT ? 0 : left->joint - right->joint;
}

static int find_support(const PageClip *actor, Support wanted)
{
    for (int s = 0; s < actor->support_count; s++)
        if (by_side(&actor->support[s], &wanted) == 0)
            return s;
    return -1;
}

/* Returns 1 if the point belongs to a foot or touches the ground in any frame. */
static int is_used(const PageClip *actor, int point)
{
    const Contact *c = actor->contact;
    int used = foot_of_segment(actor->clip->skeleton.segment[c->point_joint[point]]) < FOOT_COUNT;
    for (int f = 0; f < c->frame_count && !used; f++)
        used = c->state[(size_t)f * (size_t)c->point_count + (size_t)point] > 0.5;
    return used;
}

static Status find_supports(PageClip *actor, Error *err)
{
    int points = actor->contact ? actor->contact->point_count : 0;
    actor->support = array_new((size_t)points, 1, sizeof *actor->support);
    actor->point_support = array_new((size_t)points, 1, sizeof *actor->point_support);
    if (!actor->support || !actor->point_support)
        return error_no_memory(err);
    for (int p = 0; p < points; p++)
        if (is_used(actor, p) && find_support(actor, support_of_point(actor, p)) < 0)
            actor->support[actor->support_count++] = support_of_point(actor, p);
    if (actor->support_count > 1)
        qsort(actor->support, (size_t)actor->support_count, sizeof *actor->support, by_side);
    for (int p = 0; p < points; p++)
        actor->point_support[p] = find_support(actor, support_of_point(actor, p));
    return STATUS_OK;
}

static Status find_kinds(PageClip *actor, Error *err)
{
    const Clip *clip = actor->clip;
    size_t joints = (size_t)clip->skeleton.joint_count;
    actor->is_residual = array_new(joints, 1, 1);
    actor->is_helper = array_new(joints, 1, 1);
    if (!actor->is_residual || !actor->is_helper)
        return error_no_memory(err);
    for (int j = 0; j < clip->skeleton.joint_count; j++) {
        actor->is_residual[j] = (unsigned char)joint_carries_residual(clip, j);
        actor->is_helper[j] = (unsigned char)joint_is_helper(clip, j);
    }
    return STATUS_OK;
}

static void find_shifts(PageClip *actor)
{
    size_t joints = (size_t)actor->clip->skeleton.joint_count, samples = (size_t)actor->sample_count;
    for (size_t j = 0; j < joints; j++) {
        Vec3 sum = {0, 0, 0};
        int known = 0;
        for (size_t i = 0; i < samples; i++) {
            Vec3 at = actor->shift[i * joints + j];
            if (isfinite(at.x + at.y + at.z)) {
                sum = vec3_add(sum, at);
                known++;
            }
        }
        actor->offset[j] = known ? vec3_scale(sum, 1.0 / known) : actor->clip->skeleton.offset[j];
        for (size_t i = 0; i < samples; i++)
            actor->is_shifting[j] |= vec3_distance(actor->shift[i * joints + j], actor->offset[j]) > SHIFTING;
    }
    actor->is_shifting[0] = 0; /* the root position has its own channel */
}

/* Computes rotations and offsets relative to the parent per sample. They can be interpolated, and repeat while a joint
 * rests, which compresses well. */
static Status find_rotations(PageClip *actor, Error *err)
{
    const int *parent = actor->clip->skeleton.parent;
    size_t joints = (size_t)actor->clip->skeleton.joint_count, samples = (size_t)actor->sample_count;
    int failed = 0;
    actor->rotation = array_try(&failed, samples, joints, sizeof(Quat));
    actor->shift = array_try(&failed, samples, joints, sizeof(Vec3));
    actor->offset = array_try(&failed, joints, 1, sizeof *actor->offset);
    actor->is_shifting = array_try(&failed, joints, 1, 1);
    actor->is_implied = array_try(&failed, joints, 1, 1);
    if (failed)
        return error_no_memory(err);
    memset(actor->is_implied, 1, joints);
    Quat *rotation = actor->rotation;
    for (size_t i = 0; i < samples; i++)
        for (size_t j = 0; j < joints; j++) {
            size_t at = i * (size_t)actor->stride * joints + j, own = i * joints + j;
            rotation[own] = actor->orientation[at];
            if (parent[j] >= 0) {
                size_t up = at - j + (size_t)parent[j];
                rotation[own] = quat_mul(quat_conjugate(actor->orientation[up]), rotation[own]);
                actor->shift[own] =
                    quat_rotate_inverse(actor->orientation[up], vec3_sub(actor->position[at], actor->position[up]));
            }
            rotation[own] = quat_nearest(rotation[own], i ? rotation[own - joints] : QUAT_IDENTITY);
            actor->is_implied[j] &= rotation[own].w > IMPLIED;
        }
    find_shifts(actor);
    return STATUS_OK;
}

static Status find_common(PageClip *actor, long max_values, Error *err)
{
    const Clip *clip = actor->clip;
    long values = (long)actor->frame_count * (clip->skeleton.joint_count + clip->skeleton.end_count);
    actor->mass = clip->has_body && clip->body.total_mass > 0 ? clip->body.total_mass : NAN;
    actor->stride = (int)(values / max_values) + (values % max_values > 0);
    actor->stride += actor->stride == 0;
    actor->sample_count = (actor->frame_count + actor->stride - 1) / actor->stride;
    Status status = find_rotations(actor, err);
    if (!status)
        status = find_supports(actor, err);
    return status ? status : find_kinds(actor, err);
}

static Status make_pose(PageClip *actor, Error *err)
{
    size_t frames = (size_t)actor->frame_count, joints = (size_t)actor->clip->skeleton.joint_count;
    actor->own_position = array_new(frames, joints, sizeof(Vec3));
    actor->own_orientation = array_new(frames, joints, sizeof(Quat));
    if (!actor->own_position || !actor->own_orientation)
        return error_no_memory(err);
    actor->position = actor->own_position;
    actor->orientation = actor->own_orientation;
    return STATUS_OK;
}

Status page_clip_init(const Clip *clip, long max_values, PageClip *out, Error *err)
{
    const Motion *motion = &clip->motion;
    *out = (PageClip){.clip = clip, .frame_count = motion->frame_count, .frame_time = motion->frame_time};
    if (motion->frame_count < 1)
        return error_set(err, STATUS_BAD_INPUT, "holds no frame");
    out->start = motion->time[0];
    out->contact = clip->has_contact ? &clip->contact : NULL;
    Status status = STATUS_OK;
    if (clip->has_kinematics) {
        out->position = clip->kinematics.position;
        out->orientation = clip->kinematics.orientation;
    } else {
        status = make_pose(out, err);
        if (!status)
            status = forward_kinematics(&(ClipView){.skeleton = &clip->skeleton, .motion = motion}, LANES_AUTO,
                                        &(WorldPoses){out->own_position, out->own_orientation, NULL}, err);
    }
    if (!status)
        status = find_common(out, max_values, err);
    if (!status && out->stride == 1 && clip->has_dynamics && clip->has_body && clip->has_kinematics)
        status = torque_parts(clip, &out->part, err);
    return fail(out, status);
}

/* Interpolates a translation linearly between two frames. */
static Vec3 between(const Motion *motion, const Vec3 *row, size_t stride, double time)
{
    double position = (time - motion->time[0]) / motion->frame_time, last = motion->frame_count - 1;
    position = position > 0 ? fmin(position, last) : 0; /* NaN: 0 */
    size_t f = (size_t)fmin(floor(position), fmax(last - 1, 0)), next = last > 0 ? f + 1 : f;
    return vec3_lerp(row[f * stride], row[next * stride], position - (double)f);
}

/* p_j = p_parent + Q_parent l_j, with simulated orientations and root position. */
static void place_joints(PageClip *actor, int frame)
{
    const Clip *clip = actor->clip;
    const Motion *motion = &clip->motion;
    size_t joints = (size_t)clip->skeleton.joint_count, row = (size_t)frame * joints;
    double time = clip->tracking.time[frame];
    actor->own_position[row] = actor->run->root_position[frame];
    for (size_t j = 1; j < joints; j++) {
        size_t up = row + (size_t)clip->skeleton.parent[j];
        Vec3 offset = motion->translation ? between(motion, motion->translation + j, joints, time)
                                          : clip->skeleton.offset[j];
        actor->own_position[row + j] =
            vec3_add(actor->own_position[up], quat_rotate(actor->run->orientation[up], offset));
    }
}

Status page_clip_init_controller(const Clip *clip, ControllerKind kind, long max_values, PageClip *out, Error *err)
{
    const Tracking *tracking = &clip->tracking;
    *out = (PageClip){.clip = clip, .controller = kind, .frame_count = clip->has_tracking ? tracking->frame_count : 0};
    if (out->frame_count < 1 || !tracking->run[kind].present || clip->motion.frame_count < 1)
        return error_set(err, STATUS_USAGE, "has no motion of the controller %s: run kane track first",
                         controller_name(kind));
    out->run = &tracking->run[kind];
    out->start = tracking->time[0];
    out->frame_time = clip->motion.frame_time;
    if (tracking->frame_count > 1)
        out->frame_time = (tracking->time[tracking->frame_count - 1] - out->start) / (tracking->frame_count - 1);
    Status status = make_pose(out, err);
    if (status)
        return fail(out, status);
    out->orientation = out->run->orientation;
    for (int f = 0; f < out->frame_count; f++)
        place_joints(out, f);
    Kinematics pose = {.frame_count = out->frame_count, .joint_count = clip->skeleton.joint_count,
                       .position = out->own_position, .orientation = (Quat *)out->orientation};
    TrackedBody body = {out->run, &clip->skeleton, &pose, clip->has_contact ? &clip->contact : NULL};
    out->contact = &out->own_contact;
    status = tracked_contact(&body, &out->own_contact, &out->first_push, err);
    return fail(out, status ? status : find_common(out, max_values, err));
}

void page_clip_free(PageClip *actor)
{
    if (!actor)
        return;
    free(actor->own_position);
    free(actor->own_orientation);
    free(actor->rotation);
    free(actor->shift);
    free(actor->offset);
    free(actor->is_implied);
    free(actor->is_shifting);
    contact_free(&actor->own_contact);
    free(actor->support);
    free(actor->point_support);
    free(actor->is_residual);
    free(actor->is_helper);
    free(actor->part);
    *actor = (PageClip){0};
}

int page_clip_is_down(const PageClip *actor, int support, int frame)
{
    const Contact *c = actor->contact;
    const double *state = c->state + (size_t)frame * (size_t)c->point_count;
    for (int p = 0; p < c->point_count; p++)
        if (state[p] > 0.5 && actor->point_support[p] == support)
            return 1;
    return 0;
}

/* Sums the forces at the points of a support, and computes their mean position weighted by normal force. */
static void joint_force(const PageClip *actor, int support, int frame, Vec3 *force, Vec3 *point)
{
    const Contact *c = actor->contact;
    size_t joints = (size_t)actor->clip->skeleton.joint_count;
    Vec3 sum = {0, 0, 0};
    double carried = 0;
    for (int p = 0; p < c->point_count; p++) {
        if (actor->point_support[p] != support)
            continue;
        Vec3 one = c->force[(size_t)frame * (size_t)c->point_count + (size_t)p];
        size_t at = (size_t)frame * joints + (size_t)c->point_joint[p];
        Vec3 origin = vec3_add(actor->position[at], quat_rotate(actor->orientation[at], c->point_position[p]));
        double weight = fabs(vec3_dot(one, c->ground_normal)), square = vec3_dot(one, one);
        if (c->moment && square > 0) /* the point on the line of action, about which the moment is parallel to the
                                        force */
            origin = vec3_mad(origin, 1 / square,
                                vec3_cross(one, c->moment[(size_t)frame * (size_t)c->point_count + (size_t)p]));
        *force = vec3_add(*force, one);
        sum = vec3_mad(sum, weight, origin);
        carried += weight;
    }
    *point = carried > 0 ? vec3_scale(sum, 1 / carried) : vec3(NAN, NAN, NAN);
}

void page_clip_support_force(const PageClip *actor, int support, int frame, Vec3 *force, Vec3 *point)
{
    const Contact *c = actor->contact;
    int foot = actor->support[support].foot;
    *force = vec3(0, 0, 0);
    if (foot == FOOT_COUNT) {
        joint_force(actor, support, frame, force, point);
        return;
    }
    size_t at = (size_t)frame * FOOT_COUNT + (size_t)foot;
    *force = c->foot_force[at];
    *point = vec3_norm(*force) > 0 ? c->foot_cop[at] : vec3(NAN, NAN, NAN);
}
