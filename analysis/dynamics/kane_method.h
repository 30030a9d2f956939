/* Kane's method for a tree of ball joints with a free root, at one instant (thesis chapter 3).
 *
 * Generalised speeds (3.29): the world components of the root joint's velocity, then of every body's angular velocity;
 * speed 3 + 3 j + i is omega_j . N_i. The thesis moves the root by its centre of mass, here by the root joint; both
 * agree if the centre of mass lies at the joint. Forces act at the centre of mass of a body, and (3.19) includes its
 * gyroscopic moment (docs/sources.md "Errata").
 *
 * For forward dynamics, planning, and as a check of the faster inverse_dynamics.h. Translating joints are either frozen
 * at that instant or have three speeds each, after those of (3.29): the joint's velocity relative to its parent, world
 * components. */
#ifndef KANE_DYNAMICS_KANE_METHOD_H
#define KANE_DYNAMICS_KANE_METHOD_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/dynamics/loads.h"

typedef struct KaneSystem {
    int joint_count;
    int speed_count;                /* 3 + 3 joint_count, plus 3 per translating joint */
    int is_dense;                   /* 1: with chosen or translation speeds; the mass matrix then has no known
                                       sparsity */
    int *parent;                    /* [joint] */
    int *translation;               /* [joint] first of its three translation speeds; -1: none */
    Vec3 *slide;                    /* [joint] m/s, velocity of the joint relative to its parent, world axes */
    double *mass;                   /* [joint] kg */
    Sym3 *inertia;                  /* [joint] kg m2, about the centre of mass, world axes */
    Vec3 *joint_position;           /* [joint] m, world */
    Vec3 *com_position;             /* [joint] m, world */
    Vec3 *partial_velocity;         /* [joint][speed] of the centre of mass */
    Vec3 *partial_angular_velocity; /* [joint][speed] */
    Vec3 *speed_acceleration;       /* [joint] m/s2, of the centre of mass at zero rates of the speeds */
    Vec3 *gyroscopic_moment;        /* [joint] N m, omega x I omega */
    Arena memory;                   /* of these arrays */
} KaneSystem;

/* Allocates a zeroed system of joint_count joints. */
Status kane_init(KaneSystem *s, int joint_count, Error *err);

/* The same with translation speeds for the joints, except the root, with translates[joint] set. */
Status kane_init_translating(KaneSystem *s, int joint_count, const char *translates, Error *err);
void kane_free(KaneSystem *s);

/* Reads masses, pose and angular velocities of one frame from skeleton, body and kinematics of a clip with joint_count
 * joints. */
void kane_set_frame(KaneSystem *s, const ClipView *clip, int frame);

/* Replaces the speeds u0 by `count` speeds u, u0 = W u (3.8): map[speed][count] is W. drift[speed]: rates of u0 at zero
 * rates of u, W' u; NULL: zero. Afterwards, kane_set_frame must not be called on this system. */
Status kane_choose_speeds(KaneSystem *s, const double *map, int count, const double *drift, Error *err);

/* Add forces at the centres of mass and couples to force[joint] and couple[joint]. */
void kane_add_weight(const KaneSystem *s, Vec3 gravity, Vec3 *force);
void kane_add_loads(const KaneSystem *s, const Loads *loads, int frame, Vec3 *force, Vec3 *couple);

/* Adds a force on a body at its joint, and the opposite force on its parent. */
void kane_add_joint_force(const KaneSystem *s, int joint, Vec3 joint_force, Vec3 *force, Vec3 *couple);

/* Adds joint torques on the bodies, and the opposite torques on their parents; root_force acts at the root joint. */
void kane_add_joint_torques(const KaneSystem *s, const Vec3 *torque, Vec3 root_force, Vec3 *force, Vec3 *couple);

/* Fills active[speed] with the generalised active forces F_r (3.18) of forces at the centres of mass and couples. */
void kane_active_forces(const KaneSystem *s, const Vec3 *force, const Vec3 *couple, double *active);

/* Fills inertia[speed] with the generalised inertia forces F*_r (3.19) for the rates of the speeds; rate NULL: zero
 * rates. */
void kane_inertia_forces(const KaneSystem *s, const double *rate, double *inertia);

/* Fills matrix[speed][speed], symmetric, with M of (3.21). */
void kane_mass_matrix(const KaneSystem *s, double *matrix);

/* Solves for the rates of the speeds under the generalised forces T + E (3.25): applied[speed] is F_r of all forces
 * plus F*_r at zero rates. STATUS_NO_RESULT, naming the joint, if M is singular because a joint without inertia can
 * rotate freely. */
Status kane_forward_dynamics(const KaneSystem *s, const double *applied, double *rate, Error *err);

#endif
