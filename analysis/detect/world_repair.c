/* See world_repair.h. */
#include "analysis/detect/world_repair.h"

#include "analysis/math/quat.h"
#include "analysis/motion/mirror.h"

void world_level(Vec3 up, Motion *motion)
{
    Quat turn = quat_between(up, vec3(0, 1, 0));
    for (int f = 0; f < motion->frame_count; f++) {
        Quat *root = &motion->rotation[motion_index(motion, f, 0)];
        motion->root_position[f] = quat_rotate(turn, motion->root_position[f]);
        *root = quat_mul(turn, *root);
    }
}

void world_reflect(Skeleton *skeleton, Motion *motion)
{
    size_t count = (size_t)motion->frame_count * (size_t)motion->joint_count;
    for (int j = 0; j < skeleton->joint_count; j++)
        skeleton->offset[j].x = -skeleton->offset[j].x;
    for (int e = 0; e < skeleton->end_count; e++)
        skeleton->end_offset[e].x = -skeleton->end_offset[e].x;
    for (int f = 0; f < motion->frame_count; f++)
        motion->root_position[f].x = -motion->root_position[f].x;
    for (size_t i = 0; i < count; i++) {
        Quat q = motion->rotation[i];
        motion->rotation[i] = (Quat){q.w, q.x, -q.y, -q.z};
        if (motion->translation)
            motion->translation[i].x = -motion->translation[i].x;
    }
}

Status skeleton_exchange_sides(Skeleton *skeleton, Error *err)
{
    Mirror mirror;
    Status status = mirror_init(&mirror, skeleton, NULL, err);
    if (status)
        return status;
    for (int j = 0; j < skeleton->joint_count; j++) {
        int other = mirror.pair[j];
        skeleton->role[j] = role_mirror(skeleton->role[j]);
        skeleton->segment[j] = role_mirror(skeleton->segment[j]);
        if (other > j) {
            char *name = skeleton->name[j];
            skeleton->name[j] = skeleton->name[other];
            skeleton->name[other] = name;
        }
    }
    mirror_free(&mirror);
    return STATUS_OK;
}
