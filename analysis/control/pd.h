/* Proportional-derivative control of every joint by itself: plain, stable, and bubbled up (thesis 2.2.1 to 2.2.3).
 *
 * Errors are those of the joint: child against parent. Rotation errors are rotation vectors, 2 log(q_r q_c*). */
#ifndef KANE_CONTROL_PD_H
#define KANE_CONTROL_PD_H

#include <math.h>

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

/* What gains are multiplied by: the inertia of the chain that the joint moves, nothing, or the mass of that chain. */
typedef enum GainScale { GAINS_BY_INERTIA, GAINS_PLAIN, GAINS_BY_MASS } GainScale;

/* Gains of one joint. */
typedef struct JointGains {
    double stiffness;  /* kp. By inertia: 1/s2; plain: Nm/rad; by mass: m2/s2 */
    double damping;    /* kd; 0: the damping ratio times critical. 1/s, Nms/rad, m2/s */
    double integral;   /* ki. 1/s3, Nm/(rad s), m2/s3 */
    double torque_max; /* Nm, size of the joint's torque; 0: any */
} JointGains;

/* Gains of all joints. */
typedef struct Gains {
    double stiffness; /* as of JointGains; default 300 */
    double damping;   /* default 0 */
    GainScale scale;  /* default GAINS_BY_INERTIA */
    double integral;  /* default 0 */
    double damping_ratio;    /* of the critical damping where none is given; 0: default, 1 */
    double integral_max;     /* rad s, bound of the sum of errors; default 1 */
    const JointGains *joint; /* [joint] in place of these; NaN: as these; NULL: none */
    double change;    /* stiffness and integral times 1 + change, given damping times the root of that; default 0 */
} Gains;

Gains gains_default(void);

/* kd where none is given: twice the root of kp, which is critical for accelerations, times the ratio. */
static inline double gains_critical(const Gains *g, double stiffness)
{
    return 2 * (g->damping_ratio > 0 ? g->damping_ratio : 1) * sqrt(stiffness);
}

/* Of one joint, with the change. */
JointGains gains_of_joint(const Gains *g, int joint);

/* Whether any of `joints` joints sums its errors. */
int gains_integrate(const Gains *g, int joints);

typedef struct PdDef {
    Gains gains;
    int zero_velocity; /* 1: the desired velocity is zero, 0: the reference's */
    int feedforward;   /* 1: adds the reference's acceleration times the chain's inertia (2.3) */
    const Vec3 *sum;   /* [joint] rad s, of the rotation error over time, axes of the parent; NULL: none */
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

/* kp, kd and ki of a joint as matrices, world axes. */
typedef struct GainMatrices {
    Sym3 kp, kd, ki;
} GainMatrices;

GainMatrices pd_gains(const Gains *gains, int joint, const Subtree *chain);

/* torque[joint], Nm: (2.2), or PID (2.1) with the sum of errors. chain: of chains_find. */
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
    const Vec3 *feedforward; /* [joint] Nm, world axes, in place of what holds the known loads; NULL: none */
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
