/* Proportional-derivative control of every joint by itself: plain, stable, and bubbled up (thesis 2.2.1 to 2.2.3).
 *
 * Errors are those of the joint: child against parent. Rotation errors are rotation vectors, 2 log(q_r q_c*). */
#ifndef KANE_CONTROL_PD_H
#define KANE_CONTROL_PD_H

#include "analysis/control/plant.h"
#include "analysis/dynamics/kane_method.h"

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

/* Makes joint torques act on one body alone (thesis 2.2.3): adds the torque of every joint to that of its parent's
 * joint, from the tips to the root, so that the reaction on the parent is borne by the parent's own joint. */
void bubble_up(const Skeleton *skeleton, Vec3 *torque);

/* Adds to every joint the torque that holds the chain beyond it against gravity (thesis 2.2.3). It contains the
 * reactions of the joints beyond and must not be bubbled up again. */
void gravity_compensate(const Plant *plant, const Chain *chain, Vec3 *torque);

/* Adds to every joint the torque that holds the chain beyond it against the plant's loads: minus their moment about the
 * joint. As with gravity it is not bubbled up. */
void loads_compensate(const Plant *plant, Vec3 *torque);

/* Stable PD: a PD on the next step's errors, solved implicitly with the mass matrix (thesis 2.2.2). O(joints^3).
 * Damping that is not given is critical, or 1.5 kp dt where that is more: below it joints between light bodies swing up
 * (pd.c). */
typedef struct StablePd {
    PdDef def;
    KaneSystem system;
    double *matrix;  /* [speed][speed] M */
    double *reduced; /* [3 joint][3 joint] the same without the root's velocity, with the damping */
    double *applied; /* [speed] */
    Vec3 *force, *couple; /* [joint] */
    Sym3 *damping;   /* [joint] kd dt */
    Arena memory;    /* of the arrays */
} StablePd;

Status stable_pd_init(StablePd *s, int joint_count, const PdDef *def, Error *err);
void stable_pd_free(StablePd *s);

/* torque[joint], Nm. `next` is the reference at the end of the step, but for the root's acceleration: that is the one
 * over the step. STATUS_NO_RESULT naming a joint that nothing resists. */
Status stable_pd_torques(StablePd *s, const Plant *plant, const Chain *chain, const Desired *next, Vec3 *torque,
                         Error *err);

#endif
