/* Kane's method for a tree of ball joints on a free root, at one instant (thesis chapter 3).
 *
 * Generalised speeds (3.29): the world components of the root joint's velocity, then of every body's angular velocity:
 * speed 3 + 3 j + i is omega_j . N_i. The thesis moves the root by its COM, here it is the root joint; the two are the
 * same where the root's COM lies at its joint. Forces act at the COM of a body, (3.19) has its gyroscopic moment
 * (docs/sources.md "Errata").
 *
 * This is the method itself, for forward dynamics, planning and as the check of inverse_dynamics.h, which is the fast
 * way to torques. Translating joints are taken as they stand at that instant. */
#ifndef KANE_DYNAMICS_KANE_METHOD_H
#define KANE_DYNAMICS_KANE_METHOD_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/dynamics/inverse_dynamics.h"

typedef struct KaneSystem {
    int joint_count;
    int speed_count;                /* 3 + 3 joint_count */
    int *parent;                    /* [joint] */
    double *mass;                   /* [joint] kg */
    Sym3 *inertia;                  /* [joint] kg m2, about the COM, world axes */
    Vec3 *joint_position;           /* [joint] m, world */
    Vec3 *com_position;             /* [joint] m, world */
    Vec3 *partial_velocity;         /* [joint][speed] of the COM */
    Vec3 *partial_angular_velocity; /* [joint][speed] */
    Vec3 *speed_acceleration;       /* [joint] m/s2, of the COM while no speed changes */
    Vec3 *gyroscopic_moment;        /* [joint] Nm, omega x I omega */
    Arena memory;                   /* of these arrays */
} KaneSystem;

/* Zeroed, for skeletons of joint_count joints. */
Status kane_init(KaneSystem *s, int joint_count, Error *err);
void kane_free(KaneSystem *s);

/* Takes masses, pose and angular velocities of one frame: skeleton, body and kinematics of a clip of joint_count
 * joints. */
void kane_set_frame(KaneSystem *s, const ClipView *clip, int frame);

/* Forces on the bodies, each [joint]: at the COM, and couples. They add to what force and couple hold. */
void kane_add_weight(const KaneSystem *s, Vec3 gravity, Vec3 *force);
void kane_add_loads(const KaneSystem *s, const Loads *loads, int frame, Vec3 *force, Vec3 *couple);

/* Joint torques act on the body and, reversed, on its parent; root_force acts at the root joint. */
void kane_add_joint_torques(const KaneSystem *s, const Vec3 *torque, Vec3 root_force, Vec3 *force, Vec3 *couple);

/* Generalised active forces F_r (3.18) of forces at the COMs and couples: active[speed]. */
void kane_active_forces(const KaneSystem *s, const Vec3 *force, const Vec3 *couple, double *active);

/* Generalised inertia forces F*_r (3.19) for the rates of the speeds; rate NULL: while no speed changes. */
void kane_inertia_forces(const KaneSystem *s, const double *rate, double *inertia);

/* M of (3.21): matrix[speed][speed], symmetric. */
void kane_mass_matrix(const KaneSystem *s, double *matrix);

/* Rates of the speeds under the generalised forces T + E (3.25): applied[speed] holds F_r of all forces plus F*_r
 * while no speed changes. STATUS_NO_RESULT naming the joint where M is singular: a joint without mass turns freely. */
Status kane_forward_dynamics(const KaneSystem *s, const double *applied, double *rate, Error *err);

#endif
