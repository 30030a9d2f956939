/* See reference_ik.h. */
#include "analysis/control/reference_ik.h"

#include "analysis/retarget/two_bone.h"

void reference_pose(ReferencePose *r, int frame)
{
    const Skeleton *s = r->skeleton;
    const Quat *rotation = r->motion->rotation + motion_index(r->motion, frame, 0);
    Vec3 *position = r->position;
    Quat *orientation = r->orientation;
    r->frame = frame;
    for (int j = 0; j < s->joint_count; j++) {
        int up = s->parent[j];
        orientation[j] = up < 0 ? rotation[j] : quat_mul(orientation[up], rotation[j]);
        position[j] = up < 0 ? r->motion->root_position[frame]
                             : vec3_add(position[up], quat_rotate(orientation[up], s->offset[j]));
    }
}

/* World axis about which a straight limb bends: an arm forwards, a leg backwards. */
static Vec3 natural_axis(const ReferencePose *r, int end)
{
    const Skeleton *s = r->skeleton;
    int middle = s->parent[end], root = s->parent[middle];
    Vec3 upper = vec3_sub(r->position[middle], r->position[root]);
    Vec3 forward = quat_rotate(r->orientation[0], vec3(0, 0, role_is_leg(s->role[end]) ? -1 : 1));
    Vec3 axis = vec3_cross(upper, forward);
    return vec3_norm(axis) > 0.1 * vec3_norm(upper) ? axis : quat_rotate(r->orientation[0], vec3(1, 0, 0));
}

Vec3 reference_bend_axis(ReferencePose *r, int end)
{
    const Skeleton *s = r->skeleton;
    int middle = s->parent[end], root = s->parent[middle];
    Vec3 sum = {0, 0, 0};
    for (int f = 0; f < r->motion->frame_count; f++) {
        reference_pose(r, f);
        Vec3 upper = vec3_sub(r->position[middle], r->position[root]);
        Vec3 lower = vec3_sub(r->position[end], r->position[middle]);
        Vec3 axis = vec3_cross(upper, lower);
        if (vec3_norm(axis) < 0.05 * vec3_norm(upper) * vec3_norm(lower))
            axis = vec3_scale(vec3_normalize(natural_axis(r, end)), 0.05 * vec3_norm(upper) * vec3_norm(lower));
        sum = vec3_add(sum, quat_rotate_inverse(r->orientation[root], axis));
    }
    return vec3_normalize(sum);
}

double reference_reach(ReferencePose *r, int end, Vec3 axis, Vec3 goal)
{
    const Skeleton *s = r->skeleton;
    const Vec3 *position = r->position;
    const Quat *orientation = r->orientation;
    Quat *rotation = r->motion->rotation + motion_index(r->motion, r->frame, 0);
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
