/* The controllers by their kinds: from the present state and the reference to joint torques.
 *
 * A new kind: ControllerKind and its name (analysis/clip/tracking.h), and a row of the table `methods` in
 * controller.c. */
#ifndef KANE_CONTROL_CONTROLLER_H
#define KANE_CONTROL_CONTROLLER_H

#include "analysis/clip/dynamics.h"
#include "analysis/clip/tracking.h"
#include "analysis/control/pd.h"

/* The thesis's controller: inverse dynamics on desired accelerations (chapter 3, figure 1.2).
 *
 * Every body's desired angular acceleration comes from a critically damped PD on its orientation in the world; one
 * stiffness serves all. The torques then make these accelerations exactly, whatever the bodies do to each other. */
typedef struct ComputedTorqueDef {
    double stiffness;  /* kp, 1/s2; default 300. kd = 2 sqrt(kp) */
    int zero_velocity; /* 1: the desired velocity is zero, 0: the reference's */
    int feedforward;   /* 1: adds the reference's acceleration */
} ComputedTorqueDef;

ComputedTorqueDef computed_torque_default_def(void);

/* alpha_d of one body, rad/s2. */
Vec3 desired_acceleration(const Plant *plant, const Desired *desired, int joint, const ComputedTorqueDef *def);

/* Fills torque[joint], Nm. Writes the accelerations into the plant's kinematics; dynamics is empty or of an earlier
 * call. */
Status computed_torques(Plant *plant, const Desired *desired, const ComputedTorqueDef *def, Dynamics *dynamics,
                        Vec3 *torque, Error *err);

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
