/* Stable PD: the torques of the end of the step. */
#ifndef KANE_CONTROL_STABLE_PD_H
#define KANE_CONTROL_STABLE_PD_H

#include "analysis/base/status.h"
#include "analysis/control/pd.h"
#include "analysis/control/plant.h"
#include "analysis/dynamics/kane_method.h"

/* Stable PD: a PD on the errors at the end of the step, solved implicitly with the mass matrix (thesis 2.2.2).
 * O(joints^3). Default damping is the larger of critical and 1.5 kp dt; below that, joints between light bodies become
 * unstable (pd.c). */
typedef struct StablePd {
    PdDef def;
    int root_is_free;        /* 1: nothing turns or drives the root; default 0: its acceleration is given */
    const Vec3 *feedforward; /* [joint] N m, world axes, replace the torques that balance known loads; NULL: none */
    KaneSystem system;
    double *matrix;  /* [speed][speed] M */
    double *reduced; /* M without the root's velocity, [3 joint][3 joint], or whole, plus damping */
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
