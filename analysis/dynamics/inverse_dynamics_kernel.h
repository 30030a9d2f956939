/* What the lane kernel of inverse dynamics needs of a clip: flat views, no ownership. */
#ifndef KANE_DYNAMICS_INVERSE_DYNAMICS_KERNEL_H
#define KANE_DYNAMICS_INVERSE_DYNAMICS_KERNEL_H

#include <stddef.h>

#include "analysis/math/lane_width.h"
#include "analysis/math/quat.h"

/* Lanes of scratch that one joint needs: LaneJoint of inverse_dynamics_kernel.c and a position. */
enum { INVERSE_DYNAMICS_SCRATCH = 19 };

/* One body and its place in the tree. */
typedef struct TreeJoint {
    int parent;
    int first_child;  /* -1: a leaf */
    int next_sibling; /* -1: the last child */
    int load;         /* index of its load, -1: none */
    int has_inertia;  /* 0: no mass and no inertia, the joint passes the forces of its children on */
    double mass;      /* kg */
    Vec3 offset;      /* m, parent axes */
    Vec3 com;         /* m, joint axes */
    Sym3 inertia;     /* kg m2, about the COM, joint axes */
} TreeJoint;

/* Arrays are [frame][joint] unless a comment says otherwise; world axes, SI. */
typedef struct InverseDynamicsView {
    size_t frame_count, joint_count, load_count;
    const TreeJoint *joint;           /* [joint] */
    Vec3 gravity;
    const Quat *rotation;             /* joint to parent */
    const Vec3 *translation;          /* parent axes, or NULL */
    const Vec3 *root_position;        /* [frame] */
    const Vec3 *angular_velocity;
    const Vec3 *angular_acceleration;
    const Vec3 *velocity;
    const Vec3 *acceleration;
    const Vec3 *load_force;           /* [frame][load] */
    const Vec3 *load_moment;          /* [frame][load] about the world origin */
    Vec3 *torque, *force;
    double *power;
    double *scratch;                  /* [joint][INVERSE_DYNAMICS_SCRATCH][lane], 64-byte aligned */
} InverseDynamicsView;

/* frame_count is at least the number of lanes. */
typedef void InverseDynamicsFrames(const InverseDynamicsView *view);
LANE_TWINS(InverseDynamicsFrames, inverse_dynamics_frames);

#endif
