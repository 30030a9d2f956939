/* Controllers: from the present state and the reference to joint torques.
 *
 * To add a kind: ControllerKind and its name (analysis/clip/clip.h), and a row of the table `methods` in
 * controller.c. */
#ifndef KANE_CONTROL_CONTROLLER_H
#define KANE_CONTROL_CONTROLLER_H

#include "analysis/clip/dynamics.h"
#include "analysis/clip/tracking.h"
#include "analysis/control/pd.h"

/* Balance: the ground forces that a controller requires when nothing supports the root.
 *
 * With given angular accelerations of the bodies, six unknowns remain: the acceleration a of the root, and an angular
 * acceleration b of the whole body about the root as one rigid body. With the forces f at the points on the ground, the
 * equations of the root (thesis 3.46 at the root, notes 0.2) are H (a, b) = J'f - r. H is the inertia of the whole
 * body, r the wrench that the root would need at a = b = 0. A small quadratic program (notes 0.3) gives the forces:
 *
 * minimise r |a - a_d|^2 + w |b|^2 + e |f|^2 + t sum |tau / m|^2    over f inside pyramids in the friction cones,
 *
 * with f in body weights and torques tau of a body of mass m within the bounds of the joints. If no f satisfies the
 * bounds, the excess is minimal. */
typedef struct BalanceWeights {
    double root;    /* r; default 1 */
    double turning; /* w, m2; default 0.3 */
    double force;   /* e, (m/s2)2; default 1e-3 */
    double torque;  /* t, (m/s2)2 by (N m/kg)2; default 0 */
} BalanceWeights;

BalanceWeights balance_default(void);

/* The plant's kinematics contain the desired accelerations of the root joint and of all bodies. They are replaced by
 * those that the ground can support; the ground forces are added to the plant's loads. dynamics: scratch. */
Status balance_find(ControlPlant *plant, const BalanceWeights *weights, const Gains *gains, Dynamics *dynamics,
                    Error *err);

/* The thesis's controller: inverse dynamics on desired accelerations (chapter 3, figure 1.2).
 *
 * A critically damped PD on each body's orientation in the world gives its desired angular acceleration; all share one
 * stiffness. The torques then produce exactly these accelerations, including all interaction between bodies. */
typedef struct ComputedTorqueDef {
    Gains gains;       /* default: kp 300, kd = 2 sqrt(kp); their scale and torque bounds are not used */
    int zero_velocity; /* 1: the desired velocity is zero, 0: the reference's */
    int feedforward;   /* 1: adds the reference's acceleration */
    BalanceWeights balance;
    const Vec3 *sum;   /* [joint] rad s, time integral of the body's rotation error, world axes; NULL: none */
} ComputedTorqueDef;

ComputedTorqueDef computed_torque_default_def(void);

/* Desired angular acceleration alpha_d of one body, rad/s2. */
Vec3 desired_acceleration(const ControlPlant *plant, const Desired *desired, int joint, const ComputedTorqueDef *def);

/* Writes torque[joint], N m. Writes the accelerations into the plant's kinematics; dynamics is empty or from an earlier
 * call. */
Status computed_torques(ControlPlant *plant, const Desired *desired, const ComputedTorqueDef *def, Dynamics *dynamics,
                        Vec3 *torque, Error *err);

typedef struct ControllerDef {
    ControllerKind kind; /* default CONTROLLER_KANE_FEEDFORWARD */
    Gains gains;         /* default: kp 300; total damping and scale apply to the PDs alone. joint: must outlive the
                            controller */
    int zero_velocity;   /* 1: the desired velocity is zero */
    BalanceWeights balance;
    double hit_stiffness; /* change of the gains when the ball hits, which decays linearly within hit_time; 0: none */
    double hit_time;      /* s; default 0.5 */
    Vec3 *learned;        /* [step][joint] N m, parent axes: added to the torques; a run adds its feedback to them
                             (feedback error learning). NULL (default): no learning */
} ControllerDef;

ControllerDef controller_default_def(void);

/* Whether it is a stable PD, to which learned torques can be added. */
int controller_learns(ControllerKind kind);

/* Whether it computes ground forces itself if the root is free. */
int controller_balances(ControllerKind kind);

/* A controller with its scratch memory. */
typedef struct Controller {
    ControllerDef def;
    Subtree *chain;      /* [joint] */
    Vec3 *sum;           /* [joint] rad s, time integrals of the errors */
    Vec3 *planned;       /* [joint] N m, world axes: feedforward torques of a stable PD */
    const Vec3 *learned; /* [joint] N m, parent axes, learned torques of the step; NULL: none */
    Dynamics dynamics;   /* one frame */
    StablePd stable;
    ControlPlant reference; /* the body in the reference state */
} Controller;

Status controller_init(Controller *c, int joint_count, const ControllerDef *def, Error *err);
void controller_free(Controller *c);

/* Feedback part of a joint's torque in the last call, parent axes; for a stable PD. */
Vec3 controller_feedback(const Controller *c, const ControlPlant *plant, int joint, Vec3 torque);

/* Writes torque[joint], N m, world axes. now, next: the reference at both ends of the step. */
Status controller_torques(Controller *c, ControlPlant *plant, const Desired *now, const Desired *next, Vec3 *torque,
                          Error *err);

#endif
