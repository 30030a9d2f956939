/* Values of a clip's degrees of freedom from its other groups: positions from the motion, velocities and accelerations
 * from the kinematics, efforts from the dynamics. */
#ifndef KANE_MOTION_DOF_MOTION_H
#define KANE_MOTION_DOF_MOTION_H

#include "analysis/clip/clip.h"
#include "analysis/motion/joint_motion.h"

/* Largest deviation of a segment from the pose that its degrees of freedom can reach. */
typedef struct DofMisfit {
    double angle, distance; /* rad, m; 0: none */
    int row, frame;         /* where the angle is largest, or the distance if all angles are zero */
} DofMisfit;

/* Recomputes position, velocity, acceleration and effort where the clip has the groups they follow from. *misfit (or
 * NULL) shows whether the motion is one of these joints. Positions continue from the previous frame, those of the first
 * frame from their previous values. Custom rows keep their positions. Rows of unknown kind keep all values if the clip
 * has /simulation; if all rows are unknown without it, the degrees of freedom are removed. */
Status dofs_follow(Clip *clip, DofMisfit *misfit, Error *err);

/* effort = omega . torque + v . force + armature acceleration, with the motion per unit of the row (DofRate). The
 * effort of a coupled row, times the slope of its polynomial, is added to the row that it follows.
 * Reads positions, and accelerations if present. */
Status dofs_fill_effort(Clip *clip, Error *err);

/* The inverse: changes torque and force of the dynamics, with their power, along the degrees of freedom so that they
 * give the efforts that the clip has, such as those of a simulation's solver; then adds those of coupled rows to the
 * rows that they follow. */
Status dofs_take_effort(Clip *clip, Error *err);

/* Motion of a segment relative to its parent per unit of one degree of freedom: a partial velocity (docs/sources.md,
 * thesis 3.9 to 3.12). */
typedef struct DofRate {
    int joint;  /* of the segment; -1: the row is of unknown kind */
    Vec3 omega; /* angular velocity, rad per unit */
    Vec3 v;     /* velocity of the joint's centre, m per unit */
} DofRate;

/* Fills rate[dof] for a frame, world axes. */
void dofs_rates(const Clip *clip, int frame, DofRate *rate);

/* Rate of a coupled row relative to the row that it follows: the slope of its polynomial; 1 for other rows. */
double dofs_slope(const Dofs *d, int frame, int row);

#endif
