/* See foot_outline.h. */
#include "analysis/retarget/foot_outline.h"

#include <math.h>

#include "analysis/retarget/limb.h"

static const Role foot_roles[2][2] = {{ROLE_LEFT_ANKLE, ROLE_LEFT_TOE}, {ROLE_RIGHT_ANKLE, ROLE_RIGHT_TOE}};

/* Adds a joint, or the end at `local`, if it is part of the foot. The toe joint itself moves with the ankle. */
static void add_point(FootOutline *outline, const Skeleton *s, int joint, const Vec3 *local)
{
    if (!limb_is_ancestor(s, outline->ankle, joint))
        return;
    int is_toe = limb_is_ancestor(s, outline->toe, joint) && (local || joint != outline->toe);
    outline->point[outline->count++] = (OutlinePoint){joint, local ? *local : vec3(0, 0, 0), !local, is_toe};
}

void foot_outline_init(FootOutline outline[2], const Skeleton *s, Arena *arena)
{
    for (int foot = 0; foot < 2; foot++) {
        size_t max = (size_t)s->joint_count + (size_t)s->end_count;
        outline[foot] = (FootOutline){.ankle = skeleton_find_role(s, foot_roles[foot][0]),
                                      .toe = skeleton_find_role(s, foot_roles[foot][1]),
                                      .point = arena_array(arena, max, 1, sizeof(OutlinePoint))};
        for (int j = 0; j < s->joint_count && outline[foot].point; j++)
            add_point(&outline[foot], s, j, NULL);
        for (int e = 0; e < s->end_count && outline[foot].point; e++)
            add_point(&outline[foot], s, s->end_parent[e], &s->end_offset[e]);
    }
}

double foot_outline_height(const FootOutline *outline, const Vec3 *position, const Quat *orientation, Vec3 normal)
{
    double min = INFINITY;
    for (int i = 0; i < outline->count; i++)
        min = fmin(min, vec3_dot(normal, outline_position(&outline->point[i], position, orientation)));
    return min;
}

void foot_outline_rotate(const FootOutline *outline, int joint, Quat turn, Vec3 *position, Quat *orientation)
{
    Vec3 base = position[joint];
    for (int i = 0; i < outline->count; i++) {
        const OutlinePoint *p = &outline->point[i];
        int j = p->joint;
        if (!p->is_joint || (joint == outline->toe && j != joint && !p->is_toe))
            continue;
        position[j] = vec3_add(base, quat_rotate(turn, vec3_sub(position[j], base)));
        orientation[j] = quat_mul(turn, orientation[j]);
    }
}
