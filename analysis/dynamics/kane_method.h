/* Kane's method for a tree of ball joints on a free root, at one instant (thesis chapter 3).
 *
 * Generalised speeds (3.29): the world components of the root joint's velocity, then of every body's angular velocity:
 * speed 3 + 3 j + i is omega_j . N_i. The thesis moves the root by its COM, here it is the root joint; the two are the
 * same where the root's COM lies at its joint. Forces act at the COM of a body, (3.19) has its gyroscopic moment
 * (docs/sources.md "Errata").
 *
 * This is the method itself, for forward dynamics, planning and as the check of inverse_dynamics.h, which is the fast
 * way to torques. Translating joints are taken as they stand at that instant, or have three speeds each behind those of
 * (3.29): the velocity of the joint as its parent sees it, world components. */
#ifndef KANE_DYNAMICS_KANE_METHOD_H
#define KANE_DYNAMICS_KANE_METHOD_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/dynamics/inverse_dynamics.h"

typedef struct KaneSystem {
    int joint_count;
    int speed_count;                /* 3 + 3 joint_count, and 3 of every joint that translates */
    int is_dense;                   /* 1: of speeds that were chosen or that translate, the mass matrix is any */
    int *parent;                    /* [joint] */
    int *translation;               /* [joint] first of its three speeds of translation, -1: it has none */
    Vec3 *slide;                    /* [joint] m/s, the velocity of the joint in its parent, world axes */
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

/* The same with speeds of translation for the joints, not the root, whose translates[joint] is set. */
Status kane_init_translating(KaneSystem *s, int joint_count, const char *translates, Error *err);
void kane_free(KaneSystem *s);

/* Takes masses, pose and angular velocities of one frame: skeleton, body and kinematics of a clip of joint_count
 * joints. */
void kane_set_frame(KaneSystem *s, const ClipView *clip, int frame);

/* Replaces the speeds u0 by `count` others u of which they are linear forms, u0 = W u (3.8): map[speed][count].
 * drift[speed] is what the rates of u0 are while no u changes, W' u; NULL: zero. A frame that is set later needs a
 * system of its own. */
Status kane_choose_speeds(KaneSystem *s, const double *map, int count, const double *drift, Error *err);

/* Forces on the bodies, each [joint]: at the COM, and couples. They add to what force and couple hold. */
void kane_add_weight(const KaneSystem *s, Vec3 gravity, Vec3 *force);
void kane_add_loads(const KaneSystem *s, const Loads *loads, int frame, Vec3 *force, Vec3 *couple);

/* A force on a body at its joint and, reversed, on its parent there. */
void kane_add_joint_force(const KaneSystem *s, int joint, Vec3 joint_force, Vec3 *force, Vec3 *couple);

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
