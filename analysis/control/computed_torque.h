/* The thesis's controller: inverse dynamics on desired accelerations (chapter 3, figure 1.2).
 *
 * Every body's desired angular acceleration comes from a critically damped PD on its orientation in the world; one
 * stiffness serves all. The torques then make these accelerations exactly, whatever the bodies do to each other. */
#ifndef KANE_CONTROL_COMPUTED_TORQUE_H
#define KANE_CONTROL_COMPUTED_TORQUE_H

#include "analysis/clip/dynamics.h"
#include "analysis/control/plant.h"
#include "analysis/dynamics/loads.h"

typedef struct ComputedTorqueDef {
    double stiffness;  /* kp, 1/s2; default 300. kd = 2 sqrt(kp) */
    int zero_velocity; /* 1: the desired velocity is zero, 0: the reference's */
    int feedforward;   /* 1: adds the reference's acceleration */
} ComputedTorqueDef;

ComputedTorqueDef computed_torque_default_def(void);

/* alpha_d of one body, rad/s2. */
Vec3 desired_acceleration(const Plant *plant, const Desired *desired, int joint, const ComputedTorqueDef *def);

/* Fills torque[joint], Nm. Writes the accelerations into the plant's kinematics; dynamics is empty or of an earlier
 * call. loads: forces of the surroundings that are known beforehand, one frame; NULL: none. */
Status computed_torques(Plant *plant, const Desired *desired, const Loads *loads, const ComputedTorqueDef *def,
                        Dynamics *dynamics, Vec3 *torque, Error *err);

#endif
