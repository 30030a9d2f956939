/* What a controller sees: the simulated body as it stands, and what is wanted of it. World axes, SI. */
#ifndef KANE_CONTROL_PLANT_H
#define KANE_CONTROL_PLANT_H

#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/dynamics/loads.h"

/* Points that may touch the ground. */
typedef struct Ground {
    int count;
    const int *joint;   /* [point] that carries it */
    const Vec3 *point;  /* [point] m, axes of the joint */
    double height;      /* m, y where it meets the y axis */
    Vec3 normal;        /* unit, upwards */
    double friction;
} Ground;

/* Skeleton and body are borrowed; motion and kinematics hold one frame, the present state. */
typedef struct Plant {
    const Skeleton *skeleton;
    const Body *body;
    Vec3 gravity;          /* m/s2 */
    double dt;             /* s, of the step that the torques are for */
    Motion motion;
    Kinematics kinematics;
    Loads loads;           /* one frame: forces of the surroundings that are known before the step, of every joint */
    const Ground *ground;  /* what a free root stands on; NULL: a hand carries the root */
} Plant;

static inline ClipView plant_view(const Plant *p)
{
    return (ClipView){p->skeleton, p->body, &p->motion, &p->kinematics};
}

/* One instant of the reference, for every body. The acceleration is that over the step which begins here. */
typedef struct Desired {
    const Quat *orientation;          /* [joint] joint to world */
    const Vec3 *angular_velocity;     /* [joint] rad/s */
    const Vec3 *angular_acceleration; /* [joint] rad/s2 */
    Vec3 root_acceleration;           /* m/s2, of the root joint, which is driven along its path */
    Vec3 root_position, root_velocity; /* m, m/s, of the same: wanted of a root that is free */
} Desired;

/* At rest in the identity pose under standard gravity, without loads. */
Status plant_init(Plant *plant, const Skeleton *skeleton, const Body *body, double dt, Error *err);
void plant_free(Plant *plant);

/* The chain that a joint moves: its body and all bodies beyond, as one rigid whole in the present pose. */
typedef struct Chain {
    double mass;  /* kg */
    Vec3 moment;  /* kg m, sum of mass times COM from the world's origin */
    Sym3 inertia; /* kg m2, about the joint centre, world axes */
} Chain;

/* chain[joint], from the tips to the root. Cost: O(joints). */
void chains_find(const Plant *plant, Chain *chain);

#endif
