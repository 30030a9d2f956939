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
 *     minimise |a - a_d|^2 + w |b|^2 + e |f|^2    over f inside pyramids within the friction cones. */

/* The plant's kinematics hold the desired accelerations, of the root joint and of all bodies; they become those that
 * the ground can give, and its forces are added to the plant's loads. dynamics: scratch. */
Status balance_find(ControlPlant *plant, Dynamics *dynamics, Error *err);

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
Vec3 desired_acceleration(const ControlPlant *plant, const Desired *desired, int joint, const ComputedTorqueDef *def);

/* Fills torque[joint], Nm. Writes the accelerations into the plant's kinematics; dynamics is empty or of an earlier
 * call. */
Status computed_torques(ControlPlant *plant, const Desired *desired, const ComputedTorqueDef *def, Dynamics *dynamics,
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
    Subtree *chain;      /* [joint] */
    Dynamics dynamics; /* one frame */
    StablePd stable;
} Controller;

Status controller_init(Controller *c, int joint_count, const ControllerDef *def, Error *err);
void controller_free(Controller *c);

/* torque[joint], Nm, world axes. now, next: the reference at both ends of the step. */
Status controller_torques(Controller *c, ControlPlant *plant, const Desired *now, const Desired *next, Vec3 *torque,
                          Error *err);

#endif
