/* See pd.h. */
#include "analysis/control/pd.h"

#include "analysis/math/vec.h"

PdDef pd_default_def(void) { return (PdDef){.gains = gains_default()}; }

/* The reference's orientation, angular velocity and acceleration of a body relative to its parent, in the parent's
 * axes. */
typedef struct Relative {
    Quat rotation;
    Vec3 spin, acceleration;
} Relative;

static Relative desired_relative(const Desired *d, int joint, int parent)
{
    if (parent < 0)
        return (Relative){d->orientation[joint], d->angular_velocity[joint], d->angular_acceleration[joint]};
    Quat up = d->orientation[parent];
    Vec3 spin = vec3_sub(d->angular_velocity[joint], d->angular_velocity[parent]);
    Vec3 acceleration = vec3_sub(d->angular_acceleration[joint], d->angular_acceleration[parent]);
    /* in the rotating frame of the parent */
    acceleration = vec3_sub(acceleration, vec3_cross(d->angular_velocity[parent], spin));
    return (Relative){quat_mul(quat_conjugate(up), d->orientation[joint]), quat_rotate_inverse(up, spin),
                      quat_rotate_inverse(up, acceleration)};
}

JointError joint_error_find(const ControlPlant *plant, const Desired *desired, int joint, int zero_velocity)
{
    const Kinematics *k = &plant->kinematics;
    int parent = plant->skeleton->parent[joint];
    Relative wanted = desired_relative(desired, joint, parent);
    Quat up = parent < 0 ? QUAT_IDENTITY : k->orientation[parent];
    Quat now = quat_mul(quat_conjugate(up), k->orientation[joint]);
    Vec3 error = vec3_scale(quat_log(quat_mul(wanted.rotation, quat_conjugate(now))), 2);
    JointError e;
    e.rotation = quat_rotate(up, error);
    e.spin = k->angular_velocity[joint];
    if (parent >= 0)
        e.spin = vec3_sub(e.spin, k->angular_velocity[parent]);
    e.velocity = zero_velocity ? vec3_neg(e.spin) : vec3_sub(quat_rotate(up, wanted.spin), e.spin);
    e.acceleration = quat_rotate(up, wanted.acceleration);
    return e;
}

static const Sym3 identity = {1, 1, 1, 0, 0, 0};

/* Critical damping of a torque is 2 sqrt(kp I) (docs/sources.md "Errata"); with kp = K I it is 2 sqrt(K) I. Other gains
 * use the mean of the three principal inertias. */
GainMatrices pd_gains(const Gains *gains, int joint, const Subtree *chain)
{
    JointGains g = gains_of_joint(gains, joint);
    double mean = (chain->inertia.xx + chain->inertia.yy + chain->inertia.zz) / 3;
    double size = gains->scale == GAINS_BY_MASS ? chain->mass : 1;
    Sym3 unit = gains->scale == GAINS_BY_INERTIA ? chain->inertia : sym3_scale(identity, size);
    double critical = gains_critical(gains, g.stiffness);
    if (gains->scale != GAINS_BY_INERTIA)
        critical = size > 0 ? gains_critical(gains, g.stiffness * size * mean) / size : 0;
    return (GainMatrices){sym3_scale(unit, g.stiffness), sym3_scale(unit, g.damping > 0 ? g.damping : critical),
                          sym3_scale(unit, g.integral)};
}

Vec3 pd_integral_torque(const ControlPlant *plant, const PdDef *def, int joint, const GainMatrices *g)
{
    int parent = plant->skeleton->parent[joint];
    if (!def->sum)
        return vec3(0, 0, 0);
    Vec3 sum = def->sum[joint];
    return sym3_mul(g->ki, parent < 0 ? sum : quat_rotate(plant->kinematics.orientation[parent], sum));
}

void pd_torques(const ControlPlant *plant, const Desired *desired, const Subtree *chain, const PdDef *def, Vec3 *torque)
{
    for (int j = 0; j < plant->skeleton->joint_count; j++) {
        JointError e = joint_error_find(plant, desired, j, def->zero_velocity);
        GainMatrices g = pd_gains(&def->gains, j, &chain[j]);
        /* tau = kp (q_r - q_c) + kd (q'_r - q'_c) (2.2) */
        torque[j] = vec3_add(sym3_mul(g.kp, e.rotation), sym3_mul(g.kd, e.velocity));
        torque[j] = vec3_add(torque[j], pd_integral_torque(plant, def, j, &g));
        /* + q''_r (2.3) is an acceleration: times the inertia of the chain */
        if (def->feedforward)
            torque[j] = vec3_add(torque[j], sym3_mul(chain[j].inertia, e.acceleration));
    }
}

/* tau_(i-1) += tau_i, figure 2.2. */
void bubble_up(const Skeleton *skeleton, Vec3 *torque)
{
    for (int j = skeleton->joint_count - 1; j > 0; j--) {
        int parent = skeleton->parent[j];
        torque[parent] = vec3_add(torque[parent], torque[j]);
    }
}

/* Jacobian transpose, (2.9) and (2.10) with corrected sign (docs/sources.md "Errata"): tau_i = sum (P - P_i) x G over
 * the bodies beyond joint i, with the virtual force G = -m g at each COM P. */
void gravity_compensate(const ControlPlant *plant, const Subtree *chain, Vec3 *torque)
{
    for (int j = 0; j < plant->skeleton->joint_count; j++) {
        Vec3 arm = vec3_mad(chain[j].moment, -chain[j].mass, plant->kinematics.position[j]); /* sum of m (P - P_i) */
        torque[j] = vec3_add(torque[j], vec3_cross(arm, vec3_neg(plant->gravity)));
    }
}

void loads_compensate(const ControlPlant *plant, Vec3 *torque)
{
    for (int l = 0; l < plant->loads.load_count; l++)
        for (int j = plant->loads.joint[l]; j >= 0; j = plant->skeleton->parent[j]) {
            Vec3 lever = vec3_cross(plant->kinematics.position[j], plant->loads.force[l]);
            torque[j] = vec3_sub(torque[j], vec3_sub(plant->loads.moment[l], lever));
        }
}
