/* See simulated_limits.h. */
#include "analysis/control/simulated_limits.h"

#include "analysis/base/arena.h"
#include "analysis/sim/joint_rows.h"

/* A limited rotation is c q_local reference* c*, with c from the parent's axes to the body's (reference_pose.c).
 * q_local is rotation[parent]* q, since the parent may be frozen to the body that carries it. */
static AngleLimits limit_between(const JointLimit *limit, const ReferencePose *r, const LumpedBody *lumped, int joint)
{
    int parent = r->skeleton->parent[joint];
    Quat c = quat_mul(quat_conjugate(r->body), r->orientation[parent]);
    return (AngleLimits){.min = angle_limits_bounds(limit->min), .max = angle_limits_bounds(limit->max),
                         .parent = quat_mul(lumped->rotation[parent], quat_conjugate(c)),
                         .child = quat_mul(quat_conjugate(r->local[joint]), quat_conjugate(c))};
}

Status simulated_limits_init(SimulatedLimits *out, const JointLimits *limits, const LumpedBody *lumped,
                             const ClipView *clip, Error *err)
{
    ReferencePose r;
    Arena arena = {0};
    size_t room = (size_t)limits->count;
    *out = (SimulatedLimits){0};
    Status status = reference_pose_init(&r, clip, REFERENCE_AUTO, &arena, err);
    out->joint = arena_array(&out->memory, room, 1, sizeof *out->joint);
    out->limit = arena_array(&out->memory, room, 1, sizeof *out->limit);
    if (!status && out->memory.failed)
        status = error_no_memory(err);
    for (size_t i = 0; !status && i < room; i++) {
        int joint = r.joint[limits->limit[i].role];
        if (joint < 0 || clip->skeleton->parent[joint] < 0 || lumped->carrier[joint] != joint ||
            lumped->body_of[joint] == 0)
            continue;
        out->joint[out->count] = lumped->body_of[joint];
        out->limit[out->count++] = limit_between(&limits->limit[i], &r, lumped, joint);
    }
    arena_free(&arena);
    return status;
}

void simulated_limits_free(SimulatedLimits *limits)
{
    arena_free(&limits->memory);
    *limits = (SimulatedLimits){0};
}
