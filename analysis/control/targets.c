/* End-effector targets: inverse kinematics of the reference before it is tracked. */
#include "analysis/control/targets.h"

#include <math.h>

#include "analysis/base/arena.h"
#include "analysis/retarget/two_bone.h"

/* The motion to be changed, and a frame of it. */
typedef struct Reaching {
    const TargetRows *targets;
    const LumpedBody *lumped;
    Motion *motion;
    TargetMiss *miss;
    Vec3 *position;    /* [joint] m, world */
    Quat *orientation; /* [joint] */
} Reaching;

/* Target position of a joint at a time, blended from the motion's position by `weight`. */
typedef struct Aim {
    Vec3 goal;
    double weight;
} Aim;

/* Rows of a joint around a time: the last that is not later, and the next; -1: none. */
static void rows_around(const TargetRows *t, int joint, double time, int *before, int *after)
{
    *before = *after = -1;
    for (int i = 0; i < t->row_count; i++) {
        if (t->joint[i] != joint)
            continue;
        if (t->time[i] <= time && (*before < 0 || t->time[i] >= t->time[*before]))
            *before = i;
        if (t->time[i] > time && (*after < 0 || t->time[i] < t->time[*after]))
            *after = i;
    }
}

/* Smooth step from 0 to 1. */
static double ease(double x)
{
    x = fmin(fmax(x, 0), 1);
    return x * x * x * (10 - x * (15 - 6 * x));
}

static Aim aim_at(const TargetRows *t, int joint, double time)
{
    int before, after;
    rows_around(t, joint, time, &before, &after);
    if (before < 0)
        return (Aim){t->position[after], ease(1 - (t->time[after] - time) / TARGET_BLEND)};
    if (after < 0)
        return (Aim){t->position[before], ease(1 - (time - t->time[before]) / TARGET_BLEND)};
    double part = (time - t->time[before]) / (t->time[after] - t->time[before]);
    return (Aim){vec3_mad(vec3_scale(t->position[before], 1 - part), part, t->position[after]), 1};
}

static void pose_bodies(Reaching *r, int frame)
{
    const Skeleton *s = &r->lumped->skeleton;
    const Quat *rotation = r->motion->rotation + motion_index(r->motion, frame, 0);
    Vec3 *position = r->position;
    Quat *orientation = r->orientation;
    for (int j = 0; j < s->joint_count; j++) {
        int up = s->parent[j];
        orientation[j] = up < 0 ? rotation[j] : quat_mul(orientation[up], rotation[j]);
        position[j] = up < 0 ? r->motion->root_position[frame]
                             : vec3_add(position[up], quat_rotate(orientation[up], s->offset[j]));
    }
}

/* World axis about which a straight limb bends: an arm forwards, a leg backwards. */
static Vec3 natural_axis(const Reaching *r, int end)
{
    const Skeleton *s = &r->lumped->skeleton;
    int middle = s->parent[end], root = s->parent[middle];
    Vec3 upper = vec3_sub(r->position[middle], r->position[root]);
    Vec3 forward = quat_rotate(r->orientation[0], vec3(0, 0, role_is_leg(s->role[end]) ? -1 : 1));
    Vec3 axis = vec3_cross(upper, forward);
    return vec3_norm(axis) > 0.1 * vec3_norm(upper) ? axis : quat_rotate(r->orientation[0], vec3(1, 0, 0));
}

/* Mean axis about which the limb bends in the motion, in axes of the upper body. */
static Vec3 bend_axis(Reaching *r, int end)
{
    const Skeleton *s = &r->lumped->skeleton;
    int middle = s->parent[end], root = s->parent[middle];
    Vec3 sum = {0, 0, 0};
    for (int f = 0; f < r->motion->frame_count; f++) {
        pose_bodies(r, f);
        Vec3 upper = vec3_sub(r->position[middle], r->position[root]);
        Vec3 lower = vec3_sub(r->position[end], r->position[middle]);
        Vec3 axis = vec3_cross(upper, lower);
        if (vec3_norm(axis) < 0.05 * vec3_norm(upper) * vec3_norm(lower))
            axis = vec3_scale(vec3_normalize(natural_axis(r, end)), 0.05 * vec3_norm(upper) * vec3_norm(lower));
        sum = vec3_add(sum, quat_rotate_inverse(r->orientation[root], axis));
    }
    return vec3_normalize(sum);
}

/* Moves the end of a limb in one frame; returns the remaining distance from the target, m. */
static double reach(Reaching *r, int end, Vec3 axis, Vec3 goal, int frame)
{
    const Skeleton *s = &r->lumped->skeleton;
    const Vec3 *position = r->position;
    const Quat *orientation = r->orientation;
    Quat *rotation = r->motion->rotation + motion_index(r->motion, frame, 0);
    int middle = s->parent[end], root = s->parent[middle], above = s->parent[root];
    TwoBone limb = {position[root], position[middle], position[end],
                    quat_rotate(orientation[root], axis)};
    TwoBoneRotation bend = two_bone_solve(&limb, goal, vec3_distance(goal, position[root]));
    Quat upper = quat_mul(bend.root, orientation[root]), lower = quat_mul(bend.middle, orientation[middle]);
    rotation[root] = quat_normalize(quat_mul(quat_conjugate(orientation[above]), upper));
    rotation[middle] = quat_normalize(quat_mul(quat_conjugate(upper), lower));
    rotation[end] = quat_normalize(quat_mul(quat_conjugate(lower), orientation[end]));
    Vec3 there = vec3_add(position[root], quat_rotate(upper, s->offset[middle]));
    return vec3_distance(goal, vec3_add(there, quat_rotate(lower, s->offset[end])));
}

static Status check_joint(const LumpedBody *lumped, const char *const *names, int joint, Error *err)
{
    const Skeleton *s = &lumped->skeleton;
    int end = lumped->body_of[joint], up = s->parent[end];
    if (lumped->carrier[joint] != joint)
        return error_set(err, STATUS_BAD_INPUT, "target of \"%s\": it is rigidly attached to \"%s\"", names[joint],
                         names[lumped->carrier[joint]]);
    if (up < 0 || s->parent[up] < 0 || s->parent[s->parent[up]] < 0)
        return error_set(err, STATUS_BAD_INPUT, "target of \"%s\": there are no two joints between it and the root",
                         names[joint]);
    return STATUS_OK;
}

/* All frames of one joint of the clip. */
static void reach_frames(Reaching *r, int joint)
{
    int end = r->lumped->body_of[joint];
    Vec3 axis = bend_axis(r, end);
    for (int f = 0; f < r->motion->frame_count; f++) {
        double time = r->motion->time[f];
        Aim aim = aim_at(r->targets, joint, time);
        if (!(aim.weight > 0))
            continue;
        pose_bodies(r, f);
        Vec3 goal = vec3_mad(vec3_scale(aim.goal, aim.weight), 1 - aim.weight, r->position[end]);
        double gap = reach(r, end, axis, goal, f);
        if (gap > r->miss->distance)
            *r->miss = (TargetMiss){gap, time, joint};
    }
}

Status targets_reach(const TargetRows *targets, const LumpedBody *lumped, const char *const *names, Motion *motion,
                     TargetMiss *miss, Error *err)
{
    Arena arena = {0};
    size_t joints = (size_t)lumped->skeleton.joint_count;
    Reaching r = {targets, lumped, motion, miss, arena_array(&arena, joints, 1, sizeof *r.position),
                  arena_array(&arena, joints, 1, sizeof *r.orientation)};
    char *done = arena_array(&arena, (size_t)lumped->source_count, 1, 1);
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    *miss = (TargetMiss){0};
    for (int i = 0; !status && i < targets->row_count; i++) {
        int joint = targets->joint[i];
        if (done[joint])
            continue;
        done[joint] = 1;
        status = check_joint(lumped, names, joint, err);
        if (!status)
            reach_frames(&r, joint);
    }
    if (!status)
        motion_make_continuous(motion);
    arena_free(&arena);
    return status;
}
