#include "analysis/control/pd.h"

PdDef pd_default_def(void)
{
    return (PdDef){.stiffness = 300};
}

/* The reference's orientation, spin and acceleration of a body relative to its parent, in the parent's axes. */
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
    /* seen from the parent, which turns itself */
    acceleration = vec3_sub(acceleration, vec3_cross(d->angular_velocity[parent], spin));
    return (Relative){quat_mul(quat_conjugate(up), d->orientation[joint]), quat_rotate_inverse(up, spin),
                      quat_rotate_inverse(up, acceleration)};
}

JointError joint_error_find(const Plant *plant, const Desired *desired, int joint, int zero_velocity)
{
    const Kinematics *k = &plant->kinematics;
    int parent = plant->skeleton->parent[joint];
    Relative wanted = desired_relative(desired, joint, parent);
    Quat up = parent < 0 ? QUAT_IDENTITY : k->orientation[parent];
    Quat now = quat_mul(quat_conjugate(up), k->orientation[joint]);
    Vec3 turn = vec3_scale(quat_log(quat_mul(wanted.rotation, quat_conjugate(now))), 2);
    JointError e;
    e.rotation = quat_rotate(up, turn);
    e.spin = k->angular_velocity[joint];
    if (parent >= 0)
        e.spin = vec3_sub(e.spin, k->angular_velocity[parent]);
    e.velocity = zero_velocity ? vec3_neg(e.spin) : vec3_sub(quat_rotate(up, wanted.spin), e.spin);
    e.acceleration = quat_rotate(up, wanted.acceleration);
    return e;
}

static Sym3 scaled(Sym3 m, double s)
{
    return (Sym3){m.xx * s, m.yy * s, m.zz * s, m.xy * s, m.xz * s, m.yz * s};
}

static const Sym3 identity = {1, 1, 1, 0, 0, 0};

/* A torque's critical damping is 2 sqrt(kp I) (docs/sources.md "Errata"): with kp = K I it is 2 sqrt(K) I. Plain gains
 * take the mean of the three principal inertias. */
void pd_gains(const PdDef *def, const Chain *chain, Sym3 *kp, Sym3 *kd)
{
    double mean = (chain->inertia.xx + chain->inertia.yy + chain->inertia.zz) / 3;
    Sym3 unit = def->plain ? identity : chain->inertia;
    double critical = 2 * sqrt(def->plain ? def->stiffness * mean : def->stiffness);
    *kp = scaled(unit, def->stiffness);
    *kd = scaled(unit, def->damping > 0 ? def->damping : critical);
}

void pd_torques(const Plant *plant, const Desired *desired, const Chain *chain, const PdDef *def, Vec3 *torque)
{
    for (int j = 0; j < plant->skeleton->joint_count; j++) {
        JointError e = joint_error_find(plant, desired, j, def->zero_velocity);
        Sym3 kp, kd;
        pd_gains(def, &chain[j], &kp, &kd);
        /* tau = kp (q_r - q_c) + kd (q'_r - q'_c) (2.2) */
        torque[j] = vec3_add(sym3_mul(kp, e.rotation), sym3_mul(kd, e.velocity));
        /* + q''_r (2.3), which is an acceleration: times the inertia that it moves */
        if (def->feedforward)
            torque[j] = vec3_add(torque[j], sym3_mul(chain[j].inertia, e.acceleration));
    }
}
