#include "formats/report/actor.h"

#include <stdlib.h>

#include "analysis/base/memory.h"
#include "analysis/contact/foot.h"
#include "analysis/motion/forward_kinematics.h"
#include "formats/report/torque_parts.h"

static Status fail(Actor *actor, Status status)
{
    if (status)
        actor_free(actor);
    return status;
}

/* Contact points belong to the clip's own motion. */
static int has_points(const Actor *actor)
{
    return !actor->run && actor->clip->has_contact && actor->clip->contact.point_count > 0;
}

/* A foot is one support however many joints its points belong to: the one that has the ankle's role, else the first. */
static Support support_of_point(const Clip *clip, int point)
{
    int joint = clip->contact.point_joint[point];
    int foot = foot_of_segment(clip->skeleton.segment[joint]);
    if (foot == FOOT_COUNT)
        return (Support){foot, joint};
    int ankle = skeleton_find_role(&clip->skeleton, foot == FOOT_LEFT ? ROLE_LEFT_ANKLE : ROLE_RIGHT_ANKLE);
    return (Support){foot, ankle < 0 ? joint : ankle};
}

static int by_side(const void *a, const void *b)
{
    const Support *left = a, *right = b;
    if (left->foot != right->foot)
        return left->foot - right->foot;
    return left->foot < FOOT_COUNT ? 0 : left->joint - right->joint;
}

static int find_support(const Actor *actor, Support wanted)
{
    for (int s = 0; s < actor->support_count; s++)
        if (by_side(&actor->support[s], &wanted) == 0)
            return s;
    return -1;
}

/* A foot, or a point that touches the ground at any time. */
static int is_used(const Clip *clip, int point)
{
    const Contact *c = &clip->contact;
    int used = foot_of_segment(clip->skeleton.segment[c->point_joint[point]]) < FOOT_COUNT;
    for (int f = 0; f < c->frame_count && !used; f++)
        used = c->state[(size_t)f * (size_t)c->point_count + (size_t)point] > 0.5;
    return used;
}

static Status find_supports(Actor *actor, Error *err)
{
    int points = has_points(actor) ? actor->clip->contact.point_count : 0;
    actor->support = array_new((size_t)points, 1, sizeof *actor->support);
    actor->point_support = array_new((size_t)points, 1, sizeof *actor->point_support);
    if (!actor->support || !actor->point_support)
        return error_no_memory(err);
    for (int p = 0; p < points; p++)
        if (is_used(actor->clip, p) && find_support(actor, support_of_point(actor->clip, p)) < 0)
            actor->support[actor->support_count++] = support_of_point(actor->clip, p);
    if (actor->support_count > 1)
        qsort(actor->support, (size_t)actor->support_count, sizeof *actor->support, by_side);
    for (int p = 0; p < points; p++)
        actor->point_support[p] = find_support(actor, support_of_point(actor->clip, p));
    return STATUS_OK;
}

static Status find_kinds(Actor *actor, Error *err)
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

#define IMPLIED 0.3   /* least w that x, y and z tell well enough */
#define SHIFTING 2e-4 /* m: a bone whose length or place varies less is rigid */

static void find_shifts(Actor *actor)
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
    actor->is_shifting[0] = 0; /* the root's place is a channel of its own */
}

/* Every sample as turns between neighbours, which one can interpolate and which repeat where a joint rests. */
static Status find_turns(Actor *actor, Error *err)
{
    const int *parent = actor->clip->skeleton.parent;
    size_t joints = (size_t)actor->clip->skeleton.joint_count, samples = (size_t)actor->sample_count;
    int failed = 0;
    actor->turn = array_need(&failed, samples, joints, sizeof(Quat));
    actor->shift = array_need(&failed, samples, joints, sizeof(Vec3));
    actor->offset = array_need(&failed, joints, 1, sizeof *actor->offset);
    actor->is_shifting = array_need(&failed, joints, 1, 1);
    actor->is_implied = array_need(&failed, joints, 1, 1);
    if (failed)
        return error_no_memory(err);
    memset(actor->is_implied, 1, joints);
    Quat *turn = actor->turn;
    for (size_t i = 0; i < samples; i++)
        for (size_t j = 0; j < joints; j++) {
            size_t at = i * (size_t)actor->stride * joints + j, own = i * joints + j;
            turn[own] = actor->orientation[at];
            if (parent[j] >= 0) {
                size_t up = at - j + (size_t)parent[j];
                turn[own] = quat_mul(quat_conjugate(actor->orientation[up]), turn[own]);
                actor->shift[own] =
                    quat_rotate_inverse(actor->orientation[up], vec3_sub(actor->position[at], actor->position[up]));
            }
            turn[own] = quat_nearest(turn[own], i ? turn[own - joints] : QUAT_IDENTITY);
            actor->is_implied[j] &= turn[own].w > IMPLIED;
        }
    find_shifts(actor);
    return STATUS_OK;
}

static Status find_common(Actor *actor, long most_values, Error *err)
{
    const Clip *clip = actor->clip;
    long values = (long)actor->frame_count * (clip->skeleton.joint_count + clip->skeleton.end_count);
    actor->mass = clip->has_body && clip->body.total_mass > 0 ? clip->body.total_mass : NAN;
    actor->stride = (int)(values / most_values) + (values % most_values > 0);
    actor->stride += actor->stride == 0;
    actor->sample_count = (actor->frame_count + actor->stride - 1) / actor->stride;
    Status status = find_turns(actor, err);
    if (!status)
        status = find_supports(actor, err);
    return status ? status : find_kinds(actor, err);
}

static Status make_pose(Actor *actor, Error *err)
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

Status actor_init(const Clip *clip, long most_values, Actor *out, Error *err)
{
    const Motion *motion = &clip->motion;
    *out = (Actor){.clip = clip, .frame_count = motion->frame_count, .frame_time = motion->frame_time};
    if (motion->frame_count < 1)
        return error_set(err, STATUS_BAD_INPUT, "holds no frame");
    out->start = motion->time[0];
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
        status = find_common(out, most_values, err);
    if (!status && out->stride == 1 && clip->has_dynamics && clip->has_body && clip->has_kinematics)
        status = torque_parts(clip, &out->part, err);
    return fail(out, status);
}

/* Root and translations of the motion at a time between two of its frames. */
static Vec3 between(const Motion *motion, const Vec3 *row, size_t stride, double time)
{
    double place = (time - motion->time[0]) / motion->frame_time, last = motion->frame_count - 1;
    place = place > 0 ? fmin(place, last) : 0; /* NaN: 0 */
    size_t f = (size_t)fmin(floor(place), fmax(last - 1, 0)), next = last > 0 ? f + 1 : f;
    return vec3_mad(row[f * stride], place - (double)f, vec3_sub(row[next * stride], row[f * stride]));
}

/* p_j = p_parent + Q_parent l_j, from the simulated orientations along the driven path of the root. */
static void place_joints(Actor *actor, int frame)
{
    const Clip *clip = actor->clip;
    const Motion *motion = &clip->motion;
    size_t joints = (size_t)clip->skeleton.joint_count, row = (size_t)frame * joints;
    double time = clip->tracking.time[frame];
    actor->own_position[row] = between(motion, motion->root_position, 1, time);
    for (size_t j = 1; j < joints; j++) {
        size_t up = row + (size_t)clip->skeleton.parent[j];
        Vec3 offset = motion->translation ? between(motion, motion->translation + j, joints, time)
                                          : clip->skeleton.offset[j];
        actor->own_position[row + j] =
            vec3_add(actor->own_position[up], quat_rotate(actor->run->orientation[up], offset));
    }
}

Status actor_init_controller(const Clip *clip, ControllerKind kind, long most_values, Actor *out, Error *err)
{
    const Tracking *tracking = &clip->tracking;
    *out = (Actor){.clip = clip, .controller = kind, .frame_count = clip->has_tracking ? tracking->frame_count : 0};
    if (out->frame_count < 1 || !tracking->run[kind].present || clip->motion.frame_count < 1)
        return error_set(err, STATUS_USAGE, "holds no run of the controller %s: kane track makes it",
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
    return fail(out, find_common(out, most_values, err));
}

void actor_free(Actor *actor)
{
    if (!actor)
        return;
    free(actor->own_position);
    free(actor->own_orientation);
    free(actor->turn);
    free(actor->shift);
    free(actor->offset);
    free(actor->is_implied);
    free(actor->is_shifting);
    free(actor->support);
    free(actor->point_support);
    free(actor->is_residual);
    free(actor->is_helper);
    free(actor->part);
    *actor = (Actor){0};
}

int actor_is_down(const Actor *actor, int support, int frame)
{
    const Contact *c = &actor->clip->contact;
    const double *state = c->state + (size_t)frame * (size_t)c->point_count;
    for (int p = 0; p < c->point_count; p++)
        if (state[p] > 0.5 && actor->point_support[p] == support)
            return 1;
    return 0;
}

/* Sum of the forces of a joint's points, at their mean place weighted by what each carries. */
static void joint_force(const Actor *actor, int support, int frame, Vec3 *force, Vec3 *place)
{
    const Contact *c = &actor->clip->contact;
    size_t joints = (size_t)actor->clip->skeleton.joint_count;
    Vec3 sum = {0, 0, 0};
    double carried = 0;
    for (int p = 0; p < c->point_count; p++) {
        if (actor->point_support[p] != support)
            continue;
        Vec3 one = c->force[(size_t)frame * (size_t)c->point_count + (size_t)p];
        size_t at = (size_t)frame * joints + (size_t)c->point_joint[p];
        Vec3 point = vec3_add(actor->position[at], quat_rotate(actor->orientation[at], c->point_position[p]));
        double weight = fabs(vec3_dot(one, c->ground_normal));
        *force = vec3_add(*force, one);
        sum = vec3_mad(sum, weight, point);
        carried += weight;
    }
    *place = carried > 0 ? vec3_scale(sum, 1 / carried) : vec3(NAN, NAN, NAN);
}

void actor_support_force(const Actor *actor, int support, int frame, Vec3 *force, Vec3 *place)
{
    const Contact *c = &actor->clip->contact;
    int foot = actor->support[support].foot;
    *force = vec3(0, 0, 0);
    if (foot == FOOT_COUNT) {
        joint_force(actor, support, frame, force, place);
        return;
    }
    size_t at = (size_t)frame * FOOT_COUNT + (size_t)foot;
    *force = c->foot_force[at];
    *place = vec3_norm(*force) > 0 ? c->foot_cop[at] : vec3(NAN, NAN, NAN);
}
