#include "analysis/sim/collision.h"

Collision collide_ground_sphere(double height, Vec3 normal, Vec3 centre, double radius)
{
    double gap = vec3_dot(normal, vec3_sub(centre, vec3(0, height, 0))) - radius;
    return (Collision){vec3_mad(centre, -(radius + 0.5 * gap), normal), normal, gap};
}

Collision collide_spheres(Vec3 first, double first_radius, Vec3 second, double second_radius)
{
    Vec3 apart = vec3_sub(second, first);
    double distance = vec3_norm(apart), gap = distance - first_radius - second_radius;
    Vec3 normal = distance > 0 ? vec3_scale(apart, 1 / distance) : vec3(0, 1, 0);
    return (Collision){vec3_mad(first, first_radius + 0.5 * gap, normal), normal, gap};
}

Collision collide_capsule_sphere(Vec3 a, Vec3 b, double capsule_radius, Vec3 centre, double radius)
{
    Vec3 along = vec3_sub(b, a);
    double square = vec3_dot(along, along);
    double t = square > 0 ? vec3_dot(vec3_sub(centre, a), along) / square : 0;
    return collide_spheres(vec3_mad(a, fmin(1, fmax(0, t)), along), capsule_radius, centre, radius);
}
