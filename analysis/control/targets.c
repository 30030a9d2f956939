/* End-effector targets: inverse kinematics of the reference before it is tracked. */
#include "analysis/control/targets.h"

#include <math.h>

#include "analysis/base/arena.h"
#include "analysis/control/reference_ik.h"

typedef struct Reaching {
    const TargetRows *targets;
    const LumpedBody *lumped;
    TargetMiss *miss;
    ReferencePose pose;
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
    const Motion *motion = r->pose.motion;
    Vec3 axis = reference_bend_axis(&r->pose, end);
    for (int f = 0; f < motion->frame_count; f++) {
        double time = motion->time[f];
        Aim aim = aim_at(r->targets, joint, time);
        if (!(aim.weight > 0))
            continue;
        reference_pose(&r->pose, f);
        Vec3 goal = vec3_mad(vec3_scale(aim.goal, aim.weight), 1 - aim.weight, r->pose.position[end]);
        double gap = reference_reach(&r->pose, end, axis, goal);
        if (gap > r->miss->distance)
            *r->miss = (TargetMiss){gap, time, joint};
    }
}

Status targets_reach(const TargetRows *targets, const LumpedBody *lumped, const char *const *names, Motion *motion,
                     TargetMiss *miss, Error *err)
{
    Arena arena = {0};
    size_t joints = (size_t)lumped->skeleton.joint_count;
    Reaching r = {targets, lumped, miss, {&lumped->skeleton, motion, 0, NULL, NULL}};
    r.pose.position = arena_array(&arena, joints, 1, sizeof *r.pose.position);
    r.pose.orientation = arena_array(&arena, joints, 1, sizeof *r.pose.orientation);
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
