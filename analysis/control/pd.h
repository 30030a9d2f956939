/* Proportional-derivative control of every joint by itself (thesis 2.2.1).
 *
 * Errors are those of the joint: child against parent. Rotation errors are rotation vectors, 2 log(q_r q_c*). */
#ifndef KANE_CONTROL_PD_H
#define KANE_CONTROL_PD_H

#include "analysis/control/chain.h"

typedef struct PdDef {
    double stiffness;       /* kp; default 300. Scaled: 1/s2 */
    double damping;         /* kd; 0: critical, 2 sqrt(kp), per chain inertia where gains are plain. Scaled: 1/s */
    int plain;              /* 0: gains times the inertia of the chain that the joint moves; 1: Nm/rad and Nms/rad */
    int zero_velocity;      /* 1: the desired velocity is zero, 0: the reference's */
    int feedforward;        /* 1: adds the reference's acceleration times the chain's inertia (2.3) */
} PdDef;

PdDef pd_default_def(void);

/* Deviation of a joint from the reference, all in world axes as the parent now carries them. */
typedef struct JointError {
    Vec3 rotation;     /* rad, by which the joint must still turn */
    Vec3 velocity;     /* rad/s, desired minus present */
    Vec3 spin;         /* rad/s, present, relative to the parent */
    Vec3 acceleration; /* rad/s2, of the reference, relative to the parent */
} JointError;

JointError joint_error_find(const Plant *plant, const Desired *desired, int joint, int zero_velocity);

/* kp and kd of a joint as matrices, world axes. */
void pd_gains(const PdDef *def, const Chain *chain, Sym3 *kp, Sym3 *kd);

/* torque[joint], Nm (2.2). chain: of chains_find. */
void pd_torques(const Plant *plant, const Desired *desired, const Chain *chain, const PdDef *def, Vec3 *torque);

#endif
