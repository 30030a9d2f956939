/* The controllers by their kinds: from the present state and the reference to joint torques.
 *
 * A new kind: ControllerKind and its name (analysis/clip/clip.h), and a row of the table `methods` in
 * controller.c. */
#ifndef KANE_CONTROL_CONTROLLER_H
#define KANE_CONTROL_CONTROLLER_H

#include "analysis/clip/clip.h"
#include "analysis/clip/contact.h"
#include "analysis/control/pd.h"

/* Standing on one's own feet: the ground forces that a controller asks for where nothing carries the root.
 *
 * A body of desired angular accelerations is short of six: the acceleration a of its root, and a turning b of all of it
 * about the root as one rigid whole. With the forces f of the points that are on the ground the equations of the root
 * (thesis 3.46 at the root, notes 0.2) read H (a, b) = J'f - r, with H the inertia of the whole and r what the root
 * would need at a = b = 0. The forces are those of a small quadratic program (notes 0.3),
 *
 *     minimise r |a - a_d|^2 + w |b|^2 + e |f|^2 + t sum |tau / m|^2    over f inside pyramids in the friction cones,
 *
 * f in body weights, where torques tau, of a body of mass m, stay within the bounds that joints have; where no f does
 * that, they pass them by as little as can be. */
typedef struct BalanceWeights {
    double root;    /* r; default 1 */
    double turning; /* w, m2; default 0.3 */
    double force;   /* e, (m/s2)2; default 1e-3 */
    double torque;  /* t, (m/s2)2 by (Nm/kg)2; default 0 */
} BalanceWeights;

BalanceWeights balance_default(void);

/* The plant's kinematics hold the desired accelerations, of the root joint and of all bodies; they become those that
 * the ground can give, and its forces are added to the plant's loads. dynamics: scratch. */
Status balance_find(ControlPlant *plant, const BalanceWeights *weights, const Gains *gains, Dynamics *dynamics,
                    Error *err);

/* The thesis's controller: inverse dynamics on desired accelerations (chapter 3, figure 1.2).
 *
 * Every body's desired angular acceleration comes from a critically damped PD on its orientation in the world; one
 * stiffness serves all. The torques then make these accelerations exactly, whatever the bodies do to each other. */
typedef struct ComputedTorqueDef {
    Gains gains;       /* default: kp 300, kd = 2 sqrt(kp); their scale and bounds of torques are not used */
    int zero_velocity; /* 1: the desired velocity is zero, 0: the reference's */
    int feedforward;   /* 1: adds the reference's acceleration */
    BalanceWeights balance;
    const Vec3 *sum;   /* [joint] rad s, of the body's rotation error over time, world axes; NULL: none */
} ComputedTorqueDef;

ComputedTorqueDef computed_torque_default_def(void);

/* alpha_d of one body, rad/s2. */
Vec3 desired_acceleration(const ControlPlant *plant, const Desired *desired, int joint, const ComputedTorqueDef *def);

/* Fills torque[joint], Nm. Writes the accelerations into the plant's kinematics; dynamics is empty or of an earlier
 * call. */
Status computed_torques(ControlPlant *plant, const Desired *desired, const ComputedTorqueDef *def, Dynamics *dynamics,
                        Vec3 *torque, Error *err);

typedef struct ControllerDef {
    ControllerKind kind; /* default CONTROLLER_KANE_FEEDFORWARD */
    Gains gains;         /* default: kp 300; damping of all and scale are of the PDs alone. joint: outlives */
    int zero_velocity;   /* 1: the desired velocity is zero */
    BalanceWeights balance;
    double hit_stiffness; /* of the gains when the ball hits, which is lost again evenly within hit_time; 0: none */
    double hit_time;      /* s; default 0.5 */
    Vec3 *learned;        /* [step][joint] Nm, axes of the parent: added, and a run adds to them what it had to answer
                             (feedback error learning); NULL (default): nothing is learned */
} ControllerDef;

ControllerDef controller_default_def(void);

/* Whether it is a stable PD, beside which torques can be learned. */
int controller_learns(ControllerKind kind);

/* Whether it finds ground forces itself where the root is loose. */
int controller_balances(ControllerKind kind);

/* A controller with its scratch memory. */
typedef struct Controller {
    ControllerDef def;
    Subtree *chain;      /* [joint] */
    Vec3 *sum;           /* [joint] rad s, of errors over time */
    Vec3 *planned;       /* [joint] Nm, world axes: those of a stable PD that are no feedback */
    const Vec3 *learned; /* [joint] Nm, axes of the parent, of the step: added to these; NULL: none */
    Dynamics dynamics;   /* one frame */
    StablePd stable;
    ControlPlant reference; /* the body as the reference has it */
} Controller;

Status controller_init(Controller *c, int joint_count, const ControllerDef *def, Error *err);
void controller_free(Controller *c);

/* The part of a torque of the last call that answered errors, axes of the parent; of a stable PD. */
Vec3 controller_feedback(const Controller *c, const ControlPlant *plant, int joint, Vec3 torque);

/* torque[joint], Nm, world axes. now, next: the reference at both ends of the step. */
Status controller_torques(Controller *c, ControlPlant *plant, const Desired *now, const Desired *next, Vec3 *torque,
                          Error *err);

#endif
