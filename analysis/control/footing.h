/* Points of a body that may touch the ground, and the ground that they touch. */
#ifndef KANE_CONTROL_FOOTING_H
#define KANE_CONTROL_FOOTING_H

#include "analysis/clip/joint_kinematics.h"
#include "analysis/control/terrain.h"

#define TOUCHES 0.005 /* m above the ground, below which a point is on it */

/* The ground is a plane, or with a terrain the highest surface of that; the normal is then the vertical. */
typedef struct Footing {
    int count;
    const int *joint;   /* [point] its joint */
    const Vec3 *point;  /* [point] m, joint axes */
    double height;      /* m, y where the ground meets the y axis */
    Vec3 normal;        /* unit, upwards */
    double friction;
    const Terrain *terrain; /* NULL: the plane; borrowed */
} Footing;

/* A point of the ground in a row of kinematics, m, world. */
Vec3 footing_position(const Footing *f, const Kinematics *k, size_t row, int point);

/* Height of a place over the ground, along the normal, m; and the ground's own normal below it. */
double footing_height(const Footing *f, Vec3 position);
Vec3 footing_normal(const Footing *f, Vec3 position);

#endif
