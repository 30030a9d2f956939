/* The custom rows of a root that is moved: its path on a treadmill becomes one over the ground. */
#ifndef KANE_MOTION_DOF_ROOT_H
#define KANE_MOTION_DOF_ROOT_H

#include "analysis/clip/dofs.h"

/* Moves the root's custom rows in a frame so that its joint centre moves by `shift` (m, world axes) without turning, as
 * nearly as their axes allow: exact where they translate along fixed axes. Rows of other kinds follow the motion
 * (dof_motion.h). */
void dofs_move_root(Dofs *d, int frame, Vec3 shift);

#endif
