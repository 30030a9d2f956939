/* The controllers by their kinds: from the present state and the reference to joint torques. */
#ifndef KANE_CONTROL_CONTROLLER_H
#define KANE_CONTROL_CONTROLLER_H

#include "analysis/clip/tracking.h"
#include "analysis/control/computed_torque.h"
#include "analysis/control/stable_pd.h"

typedef struct ControllerDef {
    ControllerKind kind; /* default CONTROLLER_KANE_FEEDFORWARD */
    double stiffness;    /* default 300 */
    double damping;      /* of the PDs; 0: critical */
    int plain;           /* of the PDs: gains are not scaled by the chain's inertia */
    int zero_velocity;   /* 1: the desired velocity is zero */
} ControllerDef;

ControllerDef controller_default_def(void);

/* A controller with its scratch memory. */
typedef struct Controller {
    ControllerDef def;
    Chain *chain;      /* [joint] */
    Dynamics dynamics; /* one frame */
    StablePd stable;
} Controller;

Status controller_init(Controller *c, int joint_count, const ControllerDef *def, Error *err);
void controller_free(Controller *c);

/* torque[joint], Nm, world axes. now, next: the reference at both ends of the step. */
Status controller_torques(Controller *c, Plant *plant, const Desired *now, const Desired *next, Vec3 *torque,
                          Error *err);

#endif
