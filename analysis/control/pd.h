/* Proportional-derivative control of each joint: plain, stable, and bubbled up (thesis 2.2.1 to 2.2.3).
 *
 * Errors are joint errors: child relative to parent. Rotation errors are rotation vectors, 2 log(q_r q_c*). */
#ifndef KANE_CONTROL_PD_H
#define KANE_CONTROL_PD_H

#include <math.h>

#include "analysis/base/status.h"
#include "analysis/clip/body.h"
#include "analysis/clip/clip_view.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/clip/world_motion.h"
#include "analysis/dynamics/kane_method.h"

/* Inputs of a controller: the present state of the simulated body, and the reference. World axes, SI units. */

/* Points that may touch the ground. */
typedef struct Footing {
    int count;
    const int *joint;   /* [point] its joint */
    const Vec3 *point;  /* [point] m, joint axes */
    double height;      /* m, y where the ground meets the y axis */
    Vec3 normal;        /* unit, upwards */
    double friction;
} Footing;

/* Skeleton and body are borrowed; motion and kinematics contain one frame, the present state. */
typedef struct ControlPlant {
    const Skeleton *skeleton;
    const Body *body;
    Vec3 gravity;          /* m/s2 */
    double dt;             /* s, step that the torques apply to */
    Motion motion;
    Kinematics kinematics;
    Loads loads;           /* one frame: external forces known before the step, per joint */
    const Footing *ground;  /* ground under a free root; NULL: an external actuator supports the root */
} ControlPlant;

static inline ClipView plant_view(const ControlPlant *p)
{
    return (ClipView){p->skeleton, p->body, &p->motion, &p->kinematics};
}

/* The reference at one instant, for every body. Accelerations are those over the step that begins here. */
typedef struct Desired {
    const Quat *orientation;          /* [joint] joint to world */
    const Vec3 *angular_velocity;     /* [joint] rad/s */
    const Vec3 *angular_acceleration; /* [joint] rad/s2 */
    Vec3 root_acceleration;           /* m/s2, of the root joint, which is driven along its path */
    Vec3 root_position, root_velocity; /* m, m/s, of the root joint: targets of a free root */
} Desired;

/* At rest in the identity pose under standard gravity, without loads. */
Status plant_init(ControlPlant *plant, const Skeleton *skeleton, const Body *body, double dt, Error *err);
void plant_free(ControlPlant *plant);

/* The chain of a joint: its body and all bodies beyond, as one rigid body in the present pose. */
typedef struct Subtree {
    double mass;  /* kg */
    Vec3 moment;  /* kg m, sum of mass times COM from the world's origin */
    Sym3 inertia; /* kg m2, about the joint centre, world axes */
} Subtree;

/* Computes chain[joint], from the tips to the root. Cost: O(joints). */
void chains_find(const ControlPlant *plant, Subtree *chain);

/* Factor on the gains: the inertia of the joint's chain, one, or the mass of that chain. */
typedef enum GainScale { GAINS_BY_INERTIA, GAINS_PLAIN, GAINS_BY_MASS } GainScale;

/* Gains of one joint. */
typedef struct JointGains {
    double stiffness;  /* kp. By inertia: 1/s2; plain: N m/rad; by mass: m2/s2 */
    double damping;    /* kd; 0: the damping ratio times critical damping. 1/s, Nms/rad, m2/s */
    double integral;   /* ki. 1/s3, N m/(rad s), m2/s3 */
    double torque_max; /* N m, bound on the joint's torque; 0: none */
} JointGains;

/* Gains of all joints. */
typedef struct Gains {
    double stiffness; /* as in JointGains; default 300 */
    double damping;   /* default 0 */
    GainScale scale;  /* default GAINS_BY_INERTIA */
    double integral;  /* default 0 */
    double damping_ratio;    /* damping ratio if no damping is given; 0: default, 1 */
    double integral_max;     /* rad s, bound on the time integral of the error; default 1 */
    const JointGains *joint; /* [joint] override these; NaN: no override; NULL: none */
    double change;    /* factor 1 + change on stiffness and integral gain, and its root on given damping; default 0 */
} Gains;

Gains gains_default(void);

/* Default kd: 2 sqrt(kp), which is critical for accelerations, times the damping ratio. */
static inline double gains_critical(const Gains *g, double stiffness)
{
    return 2 * (g->damping_ratio > 0 ? g->damping_ratio : 1) * sqrt(stiffness);
}

/* Gains of one joint, with the change applied. */
JointGains gains_of_joint(const Gains *g, int joint);

/* Whether any of `joints` joints has an integral gain. */
int gains_integrate(const Gains *g, int joints);

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

/* Stable PD: a PD on the errors at the end of the step, solved implicitly with the mass matrix (thesis 2.2.2).
 * O(joints^3). Default damping is the larger of critical and 1.5 kp dt; below that, joints between light bodies become
 * unstable (pd.c). */
typedef struct StablePd {
    PdDef def;
    const Vec3 *feedforward; /* [joint] N m, world axes, replace the torques that balance known loads; NULL: none */
    KaneSystem system;
    double *matrix;  /* [speed][speed] M */
    double *reduced; /* [3 joint][3 joint] M without the root's velocity, plus damping */
    double *applied; /* [speed] */
    Vec3 *force, *couple; /* [joint] */
    Sym3 *damping;   /* [joint] kd dt */
    Arena memory;    /* owns the arrays */
} StablePd;

Status stable_pd_init(StablePd *s, int joint_count, const PdDef *def, Error *err);
void stable_pd_free(StablePd *s);

/* Writes torque[joint], N m. `next` is the reference at the end of the step, except the root's acceleration, which is
 * that over the step. STATUS_NO_RESULT naming a joint without inertia. */
Status stable_pd_torques(StablePd *s, const ControlPlant *plant, const Subtree *chain, const Desired *next,
                         Vec3 *torque, Error *err);

#endif
