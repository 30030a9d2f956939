/* Stable PD: a PD on the next step's errors, solved implicitly with the mass matrix (thesis 2.2.2). */
#ifndef KANE_CONTROL_STABLE_PD_H
#define KANE_CONTROL_STABLE_PD_H

#include "analysis/control/pd.h"
#include "analysis/dynamics/kane.h"

/* Scratch of the solve for a skeleton. */
typedef struct StablePd {
    KaneSystem system;
    double *matrix;  /* [speed][speed] M */
    double *reduced; /* [3 joint][3 joint] the same without the root's velocity, with the damping */
    double *applied; /* [speed] */
    Vec3 *force, *couple; /* [joint] */
    Sym3 *damping;   /* [joint] kd dt */
} StablePd;

Status stable_pd_init(StablePd *s, int joint_count, Error *err);
void stable_pd_free(StablePd *s);

/* torque[joint], Nm. `next` is the reference at the end of the step; the root's acceleration is that of the step. */
Status stable_pd_torques(StablePd *s, const Plant *plant, const Desired *next, Vec3 root_acceleration,
                         const Chain *chain, const PdDef *def, Vec3 *torque, Error *err);

#endif
