/* What a clip's degrees of freedom are at, from its other groups: positions from the motion, velocities and
 * accelerations from the kinematics, efforts from the dynamics. */
#ifndef KANE_MODEL_DOF_MOTION_H
#define KANE_MODEL_DOF_MOTION_H

#include "analysis/clip/clip.h"
#include "analysis/model/model_motion.h"

/* How far a segment is at most from where its degrees of freedom can bring it. */
typedef struct DofMisfit {
    double angle, distance; /* rad, m; 0: nowhere */
    int row, frame;         /* where the angle, or without one the distance, is largest */
} DofMisfit;

/* Recomputes position, velocity, acceleration and effort, each where the clip has what it is made of; *misfit (NULL:
 * not asked for) is whether the motion is one of these joints. Angles go on from their last frame, the first from
 * where it was before. A custom row keeps its position. Rows of unknown kind keep all while the clip has /simulation;
 * where all are unknown they then go. */
Status dofs_follow(Clip *clip, DofMisfit *misfit, Error *err);

/* effort = axis . (torque - (anchor - centre) x force) + armature acceleration, sliding axis . force + ...; that of a
 * coupled row, times the slope of its polynomial, is added to the row that it follows. Reads positions and
 * accelerations that are there. */
Status dofs_fill_effort(Clip *clip, Error *err);

/* What each row does at a frame: turns about an axis through a point or moves along it, world axes, with the joint as
 * `body`: speed[dof]. Of rows of unknown kind nothing, `body` is -1. */
void dofs_speeds(const Clip *clip, int frame, ModelSpeed *speed);

/* How much faster a row goes than the one that it follows: the slope of its polynomial; 1 for a row that is not
 * coupled. */
double dofs_slope(const Dofs *d, int frame, int row);

#endif
