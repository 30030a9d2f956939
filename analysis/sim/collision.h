/* Where two shapes meet: the nearest points, the gap between them, the normal. */
#ifndef KANE_SIM_COLLISION_H
#define KANE_SIM_COLLISION_H

#include "analysis/math/vec.h"

typedef struct Collision {
    Vec3 point;  /* m, world, halfway between the surfaces */
    Vec3 normal; /* unit, from the first shape to the second */
    double gap;  /* m, negative where they overlap */
} Collision;

/* Ground that meets the y axis at height, with a unit normal, below a sphere (radius 0: a point). */
Collision collide_ground_sphere(double height, Vec3 normal, Vec3 centre, double radius);

Collision collide_spheres(Vec3 first, double first_radius, Vec3 second, double second_radius);

/* A capsule around the segment from a to b, and a sphere. */
Collision collide_capsule_sphere(Vec3 a, Vec3 b, double capsule_radius, Vec3 centre, double radius);

#endif
