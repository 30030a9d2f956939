/* Computed torque: the torques that give a body the accelerations of its reference, corrected by its errors. */
#ifndef KANE_CONTROL_COMPUTED_TORQUE_H
#define KANE_CONTROL_COMPUTED_TORQUE_H

#include "analysis/clip/dynamics.h"
#include "analysis/control/balance.h"
#include "analysis/control/gains.h"
#include "analysis/control/plant.h"

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

/* 2 log(q_r q_c*) of a body, rad, world axes. */
Vec3 body_rotation_error(const ControlPlant *plant, const Desired *desired, int joint);

/* Desired angular acceleration alpha_d of one body, rad/s2. */
Vec3 desired_acceleration(const ControlPlant *plant, const Desired *desired, int joint, const ComputedTorqueDef *def);

/* Writes torque[joint], N m. Writes the accelerations into the plant's kinematics; dynamics is empty or from an earlier
 * call. */
Status computed_torques(ControlPlant *plant, const Desired *desired, const ComputedTorqueDef *def, Dynamics *dynamics,
                        Vec3 *torque, Error *err);

#endif
