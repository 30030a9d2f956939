/* Controllers: from the present state and the reference to joint torques.
 *
 * To add one: its name in CONTROLLERS (analysis/clip/tracking.h), a row of `methods` in controller.c, and a word in the
 * help of pipeline/stages/track_options.c. */
#ifndef KANE_CONTROL_CONTROLLER_H
#define KANE_CONTROL_CONTROLLER_H

#include "analysis/clip/dynamics.h"
#include "analysis/clip/tracking.h"
#include "analysis/control/balance.h"
#include "analysis/control/stable_pd.h"

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

/* Shortens torques to their bounds. The root's torque comes from outside, since it has no joint. */
void controller_bound(const Gains *gains, const ControlPlant *plant, Vec3 *torque);

/* Writes torque[joint], N m, world axes, within their bounds. now, next: the reference at both ends of the step. */
Status controller_torques(Controller *c, ControlPlant *plant, const Desired *now, const Desired *next, Vec3 *torque,
                          Error *err);

#endif
