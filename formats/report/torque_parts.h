/* Where the size of every joint's torque comes from: the parts of its terms along it, in four groups that stack. */
#ifndef KANE_FORMATS_TORQUE_PARTS_H
#define KANE_FORMATS_TORQUE_PARTS_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

/* Weight; inertia, linear, angular and gyroscopic; forces of the ground and other contacts; what is left, which tables
 * of kane torque gave (forces, springs). */
enum { TORQUE_PARTS = 4 };

/* *out becomes [frame][joint][TORQUE_PARTS], Nm, which sum to the length of the torque; the caller frees it. The clip
 * has body, kinematics and dynamics. */
Status torque_parts(const Clip *clip, double **out, Error *err);

#endif
