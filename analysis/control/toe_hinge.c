/* See toe_hinge.h. */
#include "analysis/control/toe_hinge.h"

#include <math.h>

#include "analysis/math/elementary.h"

/* Joints are in depth-first order: those beyond a joint follow it. */
static int find_last(const Skeleton *clip, int joint)
{
    int last = joint;
    while (last + 1 < clip->joint_count && clip->parent[last + 1] >= joint)
        last++;
    return last;
}

static Vec3 at_rest(const LumpedBody *l, int joint, Vec3 offset)
{
    return vec3_add(l->position[joint], quat_rotate(l->rotation[joint], offset));
}

static void widen(ToeHinge *toe, const LumpedBody *l, Vec3 point)
{
    double distance = vec3_distance(point, l->position[toe->joint]);
    if (distance > toe->radius) {
        toe->radius = distance;
        toe->tip = point;
    }
}

ToeHinges toe_hinges(const LumpedBody *l, const Skeleton *clip)
{
    static const Role roles[] = {ROLE_LEFT_TOE, ROLE_RIGHT_TOE};
    ToeHinges out = {0};
    for (int side = 0; side < 2; side++) {
        ToeHinge toe = {.joint = skeleton_find_role(clip, roles[side])};
        if (toe.joint < 0 || l->carrier[toe.joint] == toe.joint)
            continue;
        toe.foot = l->body_of[toe.joint];
        toe.last = find_last(clip, toe.joint);
        for (int j = toe.joint + 1; j <= toe.last; j++)
            widen(&toe, l, l->position[j]);
        for (int e = 0; e < clip->end_count; e++)
            if (clip->end_parent[e] >= toe.joint && clip->end_parent[e] <= toe.last)
                widen(&toe, l, at_rest(l, clip->end_parent[e], clip->end_offset[e]));
        if (toe.radius > 0)
            out.toe[out.count++] = toe;
    }
    return out;
}

Quat toe_bend(const ToeHinge *toe, const LumpedBody *l, const Footing *ground, const Kinematics *state)
{
    Vec3 foot = state->position[toe->foot];
    Quat turn = state->orientation[toe->foot];
    Vec3 joint = vec3_add(foot, quat_rotate(turn, l->position[toe->joint]));
    Vec3 tip = vec3_add(foot, quat_rotate(turn, toe->tip)), along = vec3_sub(tip, joint);
    Vec3 normal = footing_normal(ground, tip), axis = vec3_cross(along, normal);
    double height = footing_height(ground, tip), rise = vec3_dot(along, normal);
    if (height >= 0 || vec3_norm(axis) < 1e-6 * toe->radius)
        return QUAT_IDENTITY;
    double wanted = fmin(toe->radius, rise - height), is = elementary_asin(fmax(-1, rise / toe->radius));
    return quat_from_axis_angle(vec3_normalize(axis), elementary_asin(wanted / toe->radius) - is);
}
