/* Proportional-derivative control of each joint: plain, stable, and bubbled up (thesis 2.2.1 to 2.2.3).
 *
 * Errors are joint errors: child relative to parent. Rotation errors are rotation vectors, 2 log(q_r q_c*). */
#ifndef KANE_CONTROL_PD_H
#define KANE_CONTROL_PD_H

#include "analysis/clip/skeleton.h"
#include "analysis/control/gains.h"
#include "analysis/control/plant.h"

typedef struct PdDef {
    Gains gains;
    int zero_velocity; /* 1: the desired velocity is zero, 0: the reference's */
    int feedforward;   /* 1: adds the reference's acceleration times the chain's inertia (2.3) */
    const Vec3 *sum;   /* [joint] rad s, time integral of the rotation error, parent axes; NULL: none */
} PdDef;

PdDef pd_default_def(void);

/* Deviation of a joint from the reference, in world axes, relative to the parent's present orientation. */
typedef struct JointError {
    Vec3 rotation;     /* rad, remaining rotation */
    Vec3 velocity;     /* rad/s, desired minus present */
    Vec3 spin;         /* rad/s, present, relative to the parent */
    Vec3 acceleration; /* rad/s2, of the reference, relative to the parent */
} JointError;

JointError joint_error_find(const ControlPlant *plant, const Desired *desired, int joint, int zero_velocity);

/* kp, kd and ki of a joint as matrices, world axes. */
typedef struct GainMatrices {
    Sym3 kp, kd, ki;
} GainMatrices;

GainMatrices pd_gains(const Gains *gains, int joint, const Subtree *chain);

/* ki times the time integral of a joint's error (2.1), world axes. */
Vec3 pd_integral_torque(const ControlPlant *plant, const PdDef *def, int joint, const GainMatrices *g);

/* Writes torque[joint], N m: PD (2.2), or PID (2.1) with the time integral of the error. chain: from chains_find. */
void pd_torques(const ControlPlant *plant, const Desired *desired, const Subtree *chain, const PdDef *def,
                Vec3 *torque);

/* Makes each joint torque act on one body alone (thesis 2.2.3): adds the torque of every joint to that of its parent's
 * joint, from the tips to the root, so that the parent's own joint balances the reaction on the parent. */
void bubble_up(const Skeleton *skeleton, Vec3 *torque);

/* Adds to each joint the torque that supports the chain beyond it against gravity (thesis 2.2.3). It contains the
 * reactions of the joints beyond and must not be bubbled up again. */
void gravity_compensate(const ControlPlant *plant, const Subtree *chain, Vec3 *torque);

/* Adds to each joint the torque that balances the plant's loads on the chain beyond it: minus their moment about the
 * joint. Like the gravity torque it is not bubbled up. */
void loads_compensate(const ControlPlant *plant, Vec3 *torque);

#endif
