/* What the joints must exert: group /dynamics of a container.
 *
 * torque[j], force[j]: net moment and net force that the parent exerts on body j about joint centre j, world axes.
 * For the root both are what the floating base would still need, taken about the root joint; residual_force and
 * residual_torque are the same force and its moment about the body's centre of mass, wherever the root lies.
 * power[j] = torque . (omega_j - omega_parent) + force . (relative velocity of a translating joint); root: residual
 * power; positive generates.
 *
 * Where it was asked for, how far each torque may lie from that of the person: its covariance in world axes, kept as
 * standard deviations and correlations. The root has none: its torque is the residual. */
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
    Vec3 *residual_torque; /* [frame] Nm, about the centre of mass */
    Vec3 *torque_sd;          /* [frame][joint] Nm, standard deviation of each component; NULL: nobody asked */
    Vec3 *torque_correlation; /* [frame][joint] between x and y, x and z, y and z, -1 to 1; NULL together with it */
} Dynamics;

Status dynamics_init(Dynamics *d, int frame_count, int joint_count, Error *err);
Status dynamics_add_spread(Dynamics *d, Error *err); /* zeroed torque_sd and torque_correlation */
void dynamics_free(Dynamics *d);

/* Moment, about a point of the world, of what the floating base would still need in a frame; root is its joint's
 * centre. */
Vec3 dynamics_residual_about(const Dynamics *d, int frame, Vec3 root, Vec3 point);

/* Standard deviation of the torque's component along a unit direction, world axes, from torque_sd and
 * torque_correlation of one joint and frame: sqrt(e' C e). */
double torque_sd_along(Vec3 sd, Vec3 correlation, Vec3 direction);

#endif
