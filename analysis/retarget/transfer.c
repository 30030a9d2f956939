/* See transfer.h. */
#include "analysis/retarget/transfer.h"

#include "analysis/base/arena.h"
#include "analysis/retarget/reference_pose.h"

/* A transfer and the frame it is at. */
typedef struct Transfer {
    const ReferencePose *target, *source;
    const JointMap *map;
    const Alignment *alignment;
    const Motion *motion;
    double scale;                   /* target over source */
    const Vec3 *source_position;    /* [source] m, world, of the frame */
    const Quat *source_orientation; /* [source] joint to world, of the frame */
    Quat *orientation;              /* [target] joint to world */
    Vec3 *position;                 /* [target] m, relative to the root joint */
} Transfer;

/* Weighted mean of the orientations from the rows of target t. */
static Quat blend_rows(const Transfer *w, int t)
{
    const JointMap *map = w->map;
    const Quat *rotation = w->alignment->rotation;
    int first = map->first[t];
    Quat sum = quat_mul(w->source_orientation[map->row[first].source], rotation[first]);
    if (map->first[t + 1] == first + 1)
        return sum;
    Quat nearest = sum;
    double weight = map->row[first].weight;
    sum = (Quat){weight * sum.w, weight * sum.x, weight * sum.y, weight * sum.z};
    for (int i = first + 1; i < map->first[t + 1]; i++) {
        Quat q = quat_nearest(quat_mul(w->source_orientation[map->row[i].source], rotation[i]), nearest);
        weight = map->row[i].weight;
        sum = (Quat){sum.w + weight * q.w, sum.x + weight * q.x, sum.y + weight * q.y, sum.z + weight * q.z};
    }
    return quat_normalize(sum);
}

static Quat orient_joint(const Transfer *w, int t)
{
    int parent = w->target->skeleton->parent[t];
    if (w->map->first[t] == w->map->first[t + 1])
        return parent < 0 ? w->target->local[t] : quat_mul(w->orientation[parent], w->target->local[t]);
    Quat q = blend_rows(w, t);
    const BoneDirection *bone = &w->alignment->bone[t];
    if (bone->from < 0)
        return q;
    Vec3 direction = vec3_sub(w->source_position[bone->to], w->source_position[bone->from]);
    if (!(vec3_norm(direction) > 0))
        return q;
    return quat_normalize(quat_mul(quat_between(quat_rotate(q, bone->local), direction), q));
}

/* The point whose path is scaled: the middle of the hip joints, or a creature's root. */
static Vec3 path_point(const ReferencePose *r, const Vec3 *position)
{
    if (!r->is_human)
        return position[0];
    return vec3_scale(vec3_add(position[r->joint[ROLE_LEFT_HIP]], position[r->joint[ROLE_RIGHT_HIP]]), 0.5);
}

/* Offset of a translating joint in its parent on the target, m. */
static Vec3 target_translation(const Transfer *w, int f, int t)
{
    Vec3 moved = vec3_sub(w->motion->translation[motion_index(w->motion, f, t)], w->source->skeleton->offset[t]);
    return vec3_add(w->target->skeleton->offset[t], vec3_scale(moved, w->scale));
}

static void transfer_frame(const Transfer *w, int f, Motion *out)
{
    const Skeleton *s = w->target->skeleton;
    Quat *rotation = out->rotation + motion_index(out, f, 0);
    for (int t = 0; t < s->joint_count; t++) {
        int parent = s->parent[t];
        Vec3 offset = s->offset[t];
        w->orientation[t] = orient_joint(w, t);
        rotation[t] = parent < 0 ? w->orientation[t]
                                 : quat_normalize(quat_mul(quat_conjugate(w->orientation[parent]), w->orientation[t]));
        if (out->translation && t > 0)
            offset = out->translation[motion_index(out, f, t)] = target_translation(w, f, t);
        w->position[t] = parent < 0 ? vec3(0, 0, 0)
                                    : vec3_add(w->position[parent], quat_rotate(w->orientation[parent], offset));
    }
    Vec3 path = vec3_scale(path_point(w->source, w->source_position), w->scale);
    out->root_position[f] = vec3_sub(path, path_point(w->target, w->position));
}

Status transfer_motion(const BodyPair *pair, const Alignment *alignment, const Motion *motion, const WorldPoses *poses,
                       Motion *out, Error *err)
{
    size_t joints = (size_t)pair->target->skeleton->joint_count, sources = (size_t)motion->joint_count;
    Arena arena = {0};
    Transfer work = {.target = pair->target, .source = pair->source, .map = pair->map, .alignment = alignment,
                     .motion = motion, .scale = pair->target->leg / pair->source->leg,
                     .orientation = arena_array(&arena, joints, 1, sizeof(Quat)),
                     .position = arena_array(&arena, joints, 1, sizeof(Vec3))};
    Status status = arena.failed ? error_no_memory(err)
                                 : motion_init(out, motion->frame_count, (int)joints, motion->frame_time,
                                               motion->translation && alignment->same_joints, err);
    for (int f = 0; !status && f < motion->frame_count; f++) {
        work.source_position = poses->position + (size_t)f * sources;
        work.source_orientation = poses->orientation + (size_t)f * sources;
        transfer_frame(&work, f, out);
        out->time[f] = motion->time[f];
    }
    if (!status)
        motion_make_continuous(out);
    arena_free(&arena);
    return status;
}
