/* Inputs of a controller: the present state of the simulated body, and the reference. World axes, SI units. */
#ifndef KANE_CONTROL_PLANT_H
#define KANE_CONTROL_PLANT_H

#include "analysis/base/status.h"
#include "analysis/clip/body.h"
#include "analysis/clip/clip_view.h"
#include "analysis/clip/joint_kinematics.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/control/footing.h"
#include "analysis/control/gains.h"
#include "analysis/dynamics/loads.h"

typedef struct BalanceGoal BalanceGoal; /* balance.h */

/* Skeleton and body are borrowed; motion and kinematics contain one frame, the present state. */
typedef struct ControlPlant {
    const Skeleton *skeleton;
    const Body *body;
    Vec3 gravity;          /* m/s2 */
    double dt;             /* s, step that the torques apply to */
    Motion motion;
    Kinematics kinematics;
    Loads loads;           /* one frame: external forces known before the step, per joint */
    const double *torque_max; /* [joint] N m, bounds of the joint torques; NULL: none */
    const BalanceGoal *goal;  /* of this step, with a ground */
    const Footing *ground;  /* ground under a free root; NULL: an external actuator supports the root */
} ControlPlant;

static inline ClipView plant_view(const ControlPlant *p)
{
    return (ClipView){p->skeleton, p->body, &p->motion, &p->kinematics};
}

/* N m, bound of a joint's torque by the strength of the body and the gains; 0: none. */
static inline double plant_torque_max(const ControlPlant *p, const Gains *gains, int joint)
{
    double own = p->torque_max ? p->torque_max[joint] : 0;
    double given = gains->joint ? gains_of_joint(gains, joint).torque_max : 0;
    return own > 0 && given > 0 ? fmin(own, given) : own > 0 ? own : given;
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

#endif
