#include "analysis/retarget/transfer.h"

#include "analysis/base/memory.h"

/* One frame at work. */
typedef struct TransferFrame {
    const Vec3 *source_position;    /* [source] */
    const Quat *source_orientation; /* [source] */
    Quat *orientation;              /* [target] joint to world */
    Vec3 *position;                 /* [target] m, root joint at the origin */
} TransferFrame;

/* Weighted mean of what the rows of target t say. */
static Quat blend_rows(const JointMap *map, const Alignment *alignment, const TransferFrame *f, int t)
{
    int first = map->first[t];
    Quat sum = quat_mul(f->source_orientation[map->row[first].source], alignment->turn[first]);
    if (map->first[t + 1] == first + 1)
        return sum;
    Quat nearest = sum;
    double w = map->row[first].weight;
    sum = (Quat){w * sum.w, w * sum.x, w * sum.y, w * sum.z};
    for (int i = first + 1; i < map->first[t + 1]; i++) {
        Quat q = quat_nearest(quat_mul(f->source_orientation[map->row[i].source], alignment->turn[i]), nearest);
        w = map->row[i].weight;
        sum = (Quat){sum.w + w * q.w, sum.x + w * q.x, sum.y + w * q.y, sum.z + w * q.z};
    }
    return quat_normalize(sum);
}

static Quat orient_joint(const ReferencePose *target, const JointMap *map, const Alignment *alignment,
                         const TransferFrame *f, int t)
{
    int parent = target->skeleton->parent[t];
    if (map->first[t] == map->first[t + 1])
        return parent < 0 ? target->local[t] : quat_mul(f->orientation[parent], target->local[t]);
    Quat q = blend_rows(map, alignment, f, t);
    const BoneDirection *bone = &alignment->bone[t];
    if (bone->from < 0)
        return q;
    Vec3 direction = vec3_sub(f->source_position[bone->to], f->source_position[bone->from]);
    if (!(vec3_norm(direction) > 0))
        return q;
    return quat_normalize(quat_mul(quat_between(quat_rotate(q, bone->local), direction), q));
}

/* The place whose path is scaled: the middle of the hip joints; a creature's root. */
static Vec3 path_point(const ReferencePose *r, const Vec3 *position)
{
    if (!r->is_human)
        return position[0];
    return vec3_scale(vec3_add(position[r->joint[ROLE_LEFT_HIP]], position[r->joint[ROLE_RIGHT_HIP]]), 0.5);
}

static void transfer_frame(const ReferencePose *target, const ReferencePose *source, const JointMap *map,
                           const Alignment *alignment, const Motion *motion, TransferFrame *work, int f, Motion *out)
{
    const Skeleton *s = target->skeleton;
    double scale = target->leg / source->leg;
    Quat *rotation = out->rotation + motion_index(out, f, 0);
    for (int t = 0; t < s->joint_count; t++) {
        int parent = s->parent[t];
        Vec3 offset = s->offset[t];
        work->orientation[t] = orient_joint(target, map, alignment, work, t);
        rotation[t] = parent < 0
                          ? work->orientation[t]
                          : quat_normalize(quat_mul(quat_conjugate(work->orientation[parent]), work->orientation[t]));
        if (out->translation && t > 0)
            offset = out->translation[motion_index(out, f, t)] = vec3_add(
                offset,
                vec3_scale(vec3_sub(motion->translation[motion_index(motion, f, t)], source->skeleton->offset[t]),
                           scale));
        work->position[t] = parent < 0
                                ? vec3(0, 0, 0)
                                : vec3_add(work->position[parent], quat_rotate(work->orientation[parent], offset));
    }
    Vec3 path = vec3_scale(path_point(source, work->source_position), scale);
    out->root_position[f] = vec3_sub(path, path_point(target, work->position));
}

/* Joints that move within their parents do so on the target too where it has the same joints in the same axes. */
static int keeps_translation(const ReferencePose *target, const ReferencePose *source, const Alignment *alignment,
                             const Motion *motion)
{
    double scale = target->leg / source->leg;
    if (!motion->translation || !alignment->same_body)
        return 0;
    for (int j = 1; j < target->skeleton->joint_count; j++)
        if (vec3_distance(target->skeleton->offset[j], vec3_scale(source->skeleton->offset[j], scale)) >
            1e-3 * target->leg)
            return 0;
    return 1;
}

Status transfer_motion(const ReferencePose *target, const ReferencePose *source, const JointMap *map,
                       const Alignment *alignment, const Motion *motion, const Vec3 *position, const Quat *orientation,
                       Motion *out, Error *err)
{
    size_t joints = (size_t)target->skeleton->joint_count, sources = (size_t)motion->joint_count;
    TransferFrame work = {.orientation = array_new(joints, 1, sizeof(Quat)),
                          .position = array_new(joints, 1, sizeof(Vec3))};
    Status status = work.orientation && work.position
                        ? motion_init(out, motion->frame_count, (int)joints, motion->frame_time,
                                      keeps_translation(target, source, alignment, motion), err)
                        : error_no_memory(err);
    for (int f = 0; !status && f < motion->frame_count; f++) {
        work.source_position = position + (size_t)f * sources;
        work.source_orientation = orientation + (size_t)f * sources;
        transfer_frame(target, source, map, alignment, motion, &work, f, out);
        out->time[f] = motion->time[f];
    }
    if (!status)
        motion_make_continuous(out);
    free(work.orientation);
    free(work.position);
    return status;
}
