/* Joint torques from motion: the thesis's two-pass recursion (3.41, 3.46) for a floating base, with the gyroscopic
 * moment and external couples that it leaves out (docs/sources.md "Errata"). */
#ifndef KANE_DYNAMICS_INVERSE_DYNAMICS_H
#define KANE_DYNAMICS_INVERSE_DYNAMICS_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/motion.h"
#include "analysis/math/lane_width.h"
#include "analysis/math/quat.h"

/* Loads of the surroundings on the bodies, ready for inverse dynamics: a force and a moment about the world origin
 * for each loaded joint and frame. Measured tables and contact forces both become this. */

typedef struct Loads {
    int frame_count;
    int load_count; /* loaded joints */
    int *joint;     /* [load] increasing, each once */
    Vec3 *force;    /* [frame][load] N, world axes, on the body */
    Vec3 *moment;   /* [frame][load] Nm, about the world origin, world axes */
} Loads;

/* Rows of an external-force table, joints resolved (long form; docs/formats/input_tables.md). */
typedef struct ExternalRows {
    int row_count;
    double *time;  /* [row] s */
    int *joint;    /* [row] */
    Vec3 *force;   /* [row] N, world */
    Vec3 *point;   /* [row] m, world */
    Vec3 *couple;  /* [row] Nm, world */
} ExternalRows;

Status external_rows_init(ExternalRows *rows, int row_count, Error *err);
void external_rows_free(ExternalRows *rows);

/* Zeroed loads of the joints whose loaded[joint] is set. */
Status loads_init(Loads *l, int frame_count, const char *loaded, int joint_count, Error *err);
void loads_free(Loads *l);

/* Several rows of one joint at one time add up; between rows force and moment about the world origin are
 * interpolated linearly, never the point; first and last row hold half a frame beyond, then there is no load.
 * STATUS_BAD_INPUT where the times of a joint decrease. */
Status loads_from_external(const ExternalRows *rows, const Motion *motion, Loads *out, Error *err);

/* Sum of the contact points of each joint; points are moved by the kinematics. */
Status loads_from_contact(const Contact *contact, const Kinematics *kinematics, Loads *out, Error *err);

/* What the lane kernel of inverse dynamics needs of a clip: flat views, no ownership. */

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

/* Arrays are [frame][joint] unless a comment states otherwise; world axes, SI. */
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

/* Standard gravity, m/s2, along -Y of the world. */
#define GRAVITY 9.80665

typedef struct InverseDynamicsDef {
    Vec3 gravity;    /* m/s2, world; default (0, -GRAVITY, 0) */
    LaneWidth lanes; /* default LANES_AUTO; every width gives the same bits */
} InverseDynamicsDef;

InverseDynamicsDef inverse_dynamics_default_def(void);

/* Fills *out, which is empty or holds the result of an earlier call: arrays of the right size are used again.
 * Reads all of the clip: rotation, root_position and translation of the motion and angular velocity, angular
 * acceleration and the root's velocity and acceleration of the kinematics; poses in between are never stored. The
 * residual's moment is about their COM, or that of their poses where they have none. Where
 * joints translate, the acceleration and velocity of every joint come from the kinematics too. loads may be NULL or
 * empty. */
Status inverse_dynamics(const ClipView *clip, const Loads *loads, const InverseDynamicsDef *def, Dynamics *out,
                        Error *err);

#endif
