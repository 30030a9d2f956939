/* See footing.h. */
#include "analysis/control/footing.h"

Vec3 footing_position(const Footing *f, const Kinematics *k, size_t row, int point)
{
    size_t at = row + (size_t)f->joint[point];
    return vec3_add(k->position[at], quat_rotate(k->orientation[at], f->point[point]));
}

double footing_height(const Footing *f, Vec3 position)
{
    if (f->terrain)
        return position.y - terrain_at(f->terrain, position.x, position.z).height;
    return vec3_dot(f->normal, vec3_sub(position, vec3(0, f->height, 0)));
}

Vec3 footing_normal(const Footing *f, Vec3 position)
{
    return f->terrain ? terrain_at(f->terrain, position.x, position.z).normal : f->normal;
}
