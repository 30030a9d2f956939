/* Bounds on a body's joint torques from people's strength. */
#ifndef KANE_CONTROL_STRENGTH_BOUNDS_H
#define KANE_CONTROL_STRENGTH_BOUNDS_H

#include "analysis/control/lumped_body.h"

/* Writes torque_max[joint of the lumped skeleton], N m, of the whole torque of a joint; 0 for the root, which has none:
 * `share` times the largest isometric torque about any axis of trained people of this mass (kg) and stature (m)
 * (analysis/angles/strength.h). The chest is as strong as the lumbar spine; neck and head, which have no curves, reach
 * a fraction of body weight times stature. Joints of a creature get that of a knee. */
void strength_bounds(const LumpedBody *lumped, const Skeleton *clip, double mass, double stature, double share,
                     double *torque_max);

#endif
