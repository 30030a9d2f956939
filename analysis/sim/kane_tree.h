/* A small tree of ball joints on a free root that moves by Kane's equations: M u' = T + E (thesis 3.21 to 3.25) under
 * any of the four integrators (scene_step.h), with Jacobians by differences. Joints cannot open, for the speeds are
 * those of Kane's method; the cost of a step is of the order joints^4, so it is for small trees. A World (world.h)
 * has the same motion in linear time.
 *
 * World axes, SI. Forces are given for one step at a time. */
#ifndef KANE_SIM_KANE_TREE_H
#define KANE_SIM_KANE_TREE_H

#include "analysis/dynamics/kane_method.h"
#include "analysis/sim/scene_step.h"

typedef struct KaneTree {
    const Skeleton *skeleton; /* borrowed */
    const Body *body;         /* borrowed */
    Vec3 gravity;             /* m/s2 */
    KaneSystem system;
    Integrator integrator;
    Motion motion;            /* one frame: rotation, root_position */
    Kinematics kinematics;    /* one frame: pose and velocities */
    double *x;                /* [3 + 4 joint] root joint's place, orientations in the world */
    double *v;                /* [3 + 3 joint] speeds */
    double *probe_x, *probe_v, *applied, *rate; /* scratch */
    double *before_x, *before_v;
    Vec3 *torque;             /* [joint] Nm, of the parent on the body, for the next step */
    Vec3 *force, *couple;     /* [joint] N at the COM, Nm, of the surroundings, for the next step */
    Vec3 *all_force, *all_couple; /* [joint] scratch */
    Status status;            /* of what the integrator cannot hand on */
    Error *err;
    Arena memory;             /* of the arrays */
} KaneTree;

/* At rest, all rotations none; skeleton and body outlive it. */
Status kane_tree_init(KaneTree *t, const Skeleton *skeleton, const Body *body, IntegratorKind kind, Error *err);
void kane_tree_free(KaneTree *t);

/* rotation[joint] joint to parent, root to world; the root joint's velocity and angular_velocity[joint], world. */
void kane_tree_set_pose(KaneTree *t, Vec3 root_position, const Quat *rotation, Vec3 root_velocity,
                        const Vec3 *angular_velocity);

/* One step under torque, force and couple, which it then clears. STATUS_NO_RESULT where the mass matrix is singular or
 * it flies apart: the tree is then as it was. */
Status kane_tree_step(KaneTree *t, double h, Error *err);

#endif
