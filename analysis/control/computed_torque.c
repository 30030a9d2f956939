#include "analysis/control/computed_torque.h"

#include <string.h>

#include "analysis/dynamics/inverse_dynamics.h"

ComputedTorqueDef computed_torque_default_def(void)
{
    return (ComputedTorqueDef){.stiffness = 300};
}

/* alpha_d = kp (theta_r - theta) + kd (omega_d - omega) [+ alpha_r] (2.3), kd = 2 sqrt(kp): critical, because it acts
 * on accelerations. */
Vec3 desired_acceleration(const Plant *plant, const Desired *desired, int joint, const ComputedTorqueDef *def)
{
    const Kinematics *k = &plant->kinematics;
    Quat turn = quat_mul(desired->orientation[joint], quat_conjugate(k->orientation[joint]));
    Vec3 velocity = def->zero_velocity ? vec3(0, 0, 0) : desired->angular_velocity[joint];
    Vec3 alpha = vec3_scale(quat_log(turn), 2 * def->stiffness);
    alpha = vec3_mad(alpha, 2 * sqrt(def->stiffness), vec3_sub(velocity, k->angular_velocity[joint]));
    return def->feedforward ? vec3_add(alpha, desired->angular_acceleration[joint]) : alpha;
}

Status computed_torques(Plant *plant, const Desired *desired, const Loads *loads, const ComputedTorqueDef *def,
                        Dynamics *dynamics, Vec3 *torque, Error *err)
{
    int joints = plant->skeleton->joint_count;
    InverseDynamicsDef inverse = inverse_dynamics_default_def();
    inverse.gravity = plant->gravity;
    inverse.lanes = LANES_SCALAR; /* a single frame */
    for (int j = 0; j < joints; j++)
        plant->kinematics.angular_acceleration[j] = desired_acceleration(plant, desired, j, def);
    plant->kinematics.acceleration[0] = desired->root_acceleration;
    ClipView view = plant_view(plant);
    Status status = inverse_dynamics(&view, loads, &inverse, dynamics, err);
    if (!status)
        memcpy(torque, dynamics->torque, (size_t)joints * sizeof *torque);
    return status;
}
