/* What the joints must exert: group /dynamics of a container.
 *
 * torque[j], force[j]: net moment and net force that the parent exerts on body j about joint centre j, world axes.
 * For the root both are the residual about the root joint: what the floating base would still need.
 * power[j] = torque . (omega_j - omega_parent) + force . (relative velocity of a translating joint); root: residual
 * power; positive generates. */
#ifndef KANE_CLIP_DYNAMICS_H
#define KANE_CLIP_DYNAMICS_H

#include "analysis/base/status.h"
#include "analysis/math/vec.h"

typedef struct Dynamics {
    int frame_count;
    int joint_count;
    Vec3 *torque;          /* [frame][joint] Nm */
    Vec3 *force;           /* [frame][joint] N */
    double *power;         /* [frame][joint] W */
    Vec3 *residual_force;  /* [frame] N, equals force of the root */
    Vec3 *residual_torque; /* [frame] Nm, equals torque of the root */
} Dynamics;

Status dynamics_init(Dynamics *d, int frame_count, int joint_count, Error *err);
void dynamics_free(Dynamics *d);

#endif
