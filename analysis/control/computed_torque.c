/* See computed_torque.h. */
#include "analysis/control/computed_torque.h"

#include <string.h>

#include "analysis/control/balance.h"
#include "analysis/control/gains.h"
#include "analysis/control/plant.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/vec.h"

ComputedTorqueDef computed_torque_default_def(void)
{
    return (ComputedTorqueDef){.gains = gains_default(), .balance = balance_default()};
}

static double joint_damping(const Gains *all, JointGains g)
{
    return g.damping > 0 ? g.damping : gains_critical(all, g.stiffness);
}

Vec3 body_rotation_error(const ControlPlant *plant, const Desired *desired, int joint)
{
    Quat now = plant->kinematics.orientation[joint];
    return vec3_scale(quat_log(quat_mul(desired->orientation[joint], quat_conjugate(now))), 2);
}

/* alpha_d = kp (theta_r - theta) + kd (omega_d - omega) [+ alpha_r] (2.3), with kd = 2 sqrt(kp), critical because it
 * acts on accelerations; plus ki times the time integral of the error. */
Vec3 desired_acceleration(const ControlPlant *plant, const Desired *desired, int joint, const ComputedTorqueDef *def)
{
    const Kinematics *k = &plant->kinematics;
    JointGains g = gains_of_joint(&def->gains, joint);
    Vec3 velocity = def->zero_velocity ? vec3(0, 0, 0) : desired->angular_velocity[joint];
    Vec3 alpha = vec3_scale(body_rotation_error(plant, desired, joint), g.stiffness);
    alpha = vec3_mad(alpha, joint_damping(&def->gains, g), vec3_sub(velocity, k->angular_velocity[joint]));
    if (def->sum)
        alpha = vec3_mad(alpha, g.integral, def->sum[joint]);
    return def->feedforward ? vec3_add(alpha, desired->angular_acceleration[joint]) : alpha;
}

/* The same for the position of a free root. */
static Vec3 desired_root_acceleration(const ControlPlant *plant, const Desired *desired, const ComputedTorqueDef *def)
{
    const Kinematics *k = &plant->kinematics;
    JointGains g = gains_of_joint(&def->gains, 0);
    Vec3 velocity = def->zero_velocity ? vec3(0, 0, 0) : desired->root_velocity;
    Vec3 a = vec3_scale(vec3_sub(desired->root_position, k->position[0]), g.stiffness);
    a = vec3_mad(a, joint_damping(&def->gains, g), vec3_sub(velocity, k->velocity[0]));
    return def->feedforward ? vec3_add(a, desired->root_acceleration) : a;
}

Status computed_torques(ControlPlant *plant, const Desired *desired, const ComputedTorqueDef *def, Dynamics *dynamics,
                        Vec3 *torque, Error *err)
{
    int joints = plant->skeleton->joint_count;
    InverseDynamicsDef inverse = inverse_dynamics_default_def();
    inverse.gravity = plant->gravity;
    inverse.lanes = LANES_SCALAR; /* a single frame */
    for (int j = 0; j < joints; j++)
        plant->kinematics.angular_acceleration[j] = desired_acceleration(plant, desired, j, def);
    plant->kinematics.acceleration[0] = desired->root_acceleration;
    ClipView view = plant_view(plant);
    Status status = STATUS_OK;
    if (plant->ground) {
        plant->kinematics.acceleration[0] = desired_root_acceleration(plant, desired, def);
        status = balance_find(plant, &def->balance, &def->gains, err);
    }
    if (!status)
        status = inverse_dynamics(&view, &plant->loads, &inverse, dynamics, err);
    if (!status)
        memcpy(torque, dynamics->torque, (size_t)joints * sizeof *torque);
    return status;
}
