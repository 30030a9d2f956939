/* Proportional-derivative control of every joint by itself: plain, stable, and bubbled up (thesis 2.2.1 to 2.2.3).
 *
 * Errors are those of the joint: child against parent. Rotation errors are rotation vectors, 2 log(q_r q_c*). */
#ifndef KANE_CONTROL_PD_H
#define KANE_CONTROL_PD_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/dynamics/kane_method.h"

/* What a controller sees: the simulated body as it stands, and what is wanted of it. World axes, SI. */

/* Points that may touch the ground. */
typedef struct Footing {
    int count;
    const int *joint;   /* [point] that carries it */
    const Vec3 *point;  /* [point] m, axes of the joint */
    double height;      /* m, y where it meets the y axis */
    Vec3 normal;        /* unit, upwards */
    double friction;
} Footing;

/* Skeleton and body are borrowed; motion and kinematics hold one frame, the present state. */
typedef struct ControlPlant {
    const Skeleton *skeleton;
    const Body *body;
    Vec3 gravity;          /* m/s2 */
    double dt;             /* s, of the step that the torques are for */
    Motion motion;
    Kinematics kinematics;
    Loads loads;           /* one frame: forces of the surroundings that are known before the step, of every joint */
    const Footing *ground;  /* what a free root stands on; NULL: an actuator from outside carries the root */
} ControlPlant;

static inline ClipView plant_view(const ControlPlant *p)
{
    return (ClipView){p->skeleton, p->body, &p->motion, &p->kinematics};
}

/* One instant of the reference, for every body. The acceleration is that over the step which begins here. */
typedef struct Desired {
    const Quat *orientation;          /* [joint] joint to world */
    const Vec3 *angular_velocity;     /* [joint] rad/s */
    const Vec3 *angular_acceleration; /* [joint] rad/s2 */
    Vec3 root_acceleration;           /* m/s2, of the root joint, which is driven along its path */
    Vec3 root_position, root_velocity; /* m, m/s, of the same: wanted of a root that is free */
} Desired;

/* At rest in the identity pose under standard gravity, without loads. */
Status plant_init(ControlPlant *plant, const Skeleton *skeleton, const Body *body, double dt, Error *err);
void plant_free(ControlPlant *plant);

/* The chain that a joint moves: its body and all bodies beyond, as one rigid whole in the present pose. */
typedef struct Subtree {
    double mass;  /* kg */
    Vec3 moment;  /* kg m, sum of mass times COM from the world's origin */
    Sym3 inertia; /* kg m2, about the joint centre, world axes */
} Subtree;

/* chain[joint], from the tips to the root. Cost: O(joints). */
void chains_find(const ControlPlant *plant, Subtree *chain);

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

JointError joint_error_find(const ControlPlant *plant, const Desired *desired, int joint, int zero_velocity);

/* kp and kd of a joint as matrices, world axes. */
void pd_gains(const PdDef *def, const Subtree *chain, Sym3 *kp, Sym3 *kd);

/* torque[joint], Nm (2.2). chain: of chains_find. */
void pd_torques(const ControlPlant *plant, const Desired *desired, const Subtree *chain, const PdDef *def,
                Vec3 *torque);

/* Makes joint torques act on one body alone (thesis 2.2.3): adds the torque of every joint to that of its parent's
 * joint, from the tips to the root, so that the reaction on the parent is borne by the parent's own joint. */
void bubble_up(const Skeleton *skeleton, Vec3 *torque);

/* Adds to every joint the torque that holds the chain beyond it against gravity (thesis 2.2.3). It contains the
 * reactions of the joints beyond and must not be bubbled up again. */
void gravity_compensate(const ControlPlant *plant, const Subtree *chain, Vec3 *torque);

/* Adds to every joint the torque that holds the chain beyond it against the plant's loads: minus their moment about the
 * joint. As with gravity it is not bubbled up. */
void loads_compensate(const ControlPlant *plant, Vec3 *torque);

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
Status stable_pd_torques(StablePd *s, const ControlPlant *plant, const Subtree *chain, const Desired *next,
                         Vec3 *torque, Error *err);

#endif
