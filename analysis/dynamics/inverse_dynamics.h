/* Joint torques from motion, in total and as a sum of named terms: the thesis's two-pass recursion (3.41, 3.46) for a
 * floating base, with the gyroscopic moment and external couples that it omits (docs/sources.md "Errata"). */
#ifndef KANE_DYNAMICS_INVERSE_DYNAMICS_H
#define KANE_DYNAMICS_INVERSE_DYNAMICS_H

#include <stddef.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/clip/dynamics.h"
#include "analysis/dynamics/loads.h"
#include "analysis/math/lane_width.h"
#include "analysis/math/quat.h"

/* Input and output of the lane kernel of inverse dynamics: views, not owned.
 *
 * Lanes of scratch per joint: LaneJoint of inverse_dynamics_kernel.c and a position. */
enum { INVERSE_DYNAMICS_SCRATCH = 19 };

/* One body in the tree. */
typedef struct TreeJoint {
    int parent;
    int first_child;  /* -1: none */
    int next_sibling; /* -1: last child */
    int load;         /* index of its load; -1: none */
    int has_inertia;  /* 0: neither mass nor inertia; the joint only transmits the forces of its children */
    double mass;      /* kg */
    Vec3 offset;      /* m, parent axes */
    Vec3 com;         /* m, joint axes */
    Sym3 inertia;     /* kg m2, about the centre of mass, joint axes */
} TreeJoint;

/* Arrays are [frame][joint] unless stated otherwise; world axes, SI. */
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

/* frame_count must be at least the number of lanes. */
typedef void InverseDynamicsFrames(const InverseDynamicsView *view);
LANE_TWINS(InverseDynamicsFrames, inverse_dynamics_frames);

typedef struct InverseDynamicsDef {
    Vec3 gravity;    /* m/s2, world; default (0, -GRAVITY, 0) */
    LaneWidth lanes; /* default LANES_AUTO; results are bitwise equal at every width */
} InverseDynamicsDef;

InverseDynamicsDef inverse_dynamics_default_def(void);

/* Fills *out, which is empty or contains an earlier result, whose arrays are reused if their size fits.
 *
 * Reads rotation, root_position and translation of the motion, and angular velocity, angular acceleration and the
 * root's velocity and acceleration of the kinematics; if joints translate, velocity and acceleration of every joint.
 * The residual moment is about kinematics->com, or the centre of mass of the poses if that is NULL. loads may be NULL
 * or empty. STATUS_USAGE if sizes do not match. */
Status inverse_dynamics(const ClipView *clip, const Loads *loads, const InverseDynamicsDef *def, Dynamics *out,
                        Error *err);

#endif
