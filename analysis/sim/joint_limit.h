/* Limits of a joint by its roll, pitch and yaw (docs/sources.md, notes 0.4).
 *
 * The child's orientation in the parent is a turn by roll about z, then by pitch about the new y', then by yaw about
 * the final x''. Singular where the cosine of the pitch is zero. */
#ifndef KANE_SIM_JOINT_LIMIT_H
#define KANE_SIM_JOINT_LIMIT_H

#include "analysis/math/quat.h"

typedef struct JointAngles {
    double roll, pitch, yaw; /* rad, |pitch| <= pi/2 */
} JointAngles;

typedef struct JointLimits {
    JointAngles least, most; /* rad */
} JointLimits;

/* q: child to parent. */
JointAngles joint_angles(Quat q);
Quat joint_angles_to_quat(JointAngles a);

/* The rows of (0.2): rates of the angles = rows . angular velocity of the child relative to the parent, in the
 * parent's axes. They are the wrenches of the limits. */
Mat3 joint_limit_rows(JointAngles a);

/* The same for the rates of these rows. */
Mat3 joint_limit_rows_rate(JointAngles a, JointAngles rate);

#endif
