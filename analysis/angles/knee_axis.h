/* Functional knee axis, which replaces the line of the hips. */
#ifndef KANE_ANGLES_KNEE_AXIS_H
#define KANE_ANGLES_KNEE_AXIS_H

#include "analysis/angles/joint_axes.h"
#include "analysis/base/status.h"
#include "analysis/clip/joint_kinematics.h"

/* Requirements for a functional axis: least range of flexion, least fraction of the rotation about one axis, and
 * largest tilt of it from the geometric axis. */
#define KNEE_MIN_RANGE 30.0   /* degrees */
#define KNEE_MIN_FRACTION 0.8 /* of the squared angular velocity */
#define KNEE_MAX_TILT 30.0     /* degrees */
/* Fraction that identifies a knee as a hinge, as in models and many files, alone or with a small rotation coupled to
 * flexion: 0.993 and more, while most recorded knees with free rotation have 0.8 to 0.97. The flexion of such a knee is
 * the rotation about its hinge. */
#define KNEE_HINGE_FRACTION 0.99

/* Rotates the axes of a knee so that the first is the main axis of the shank's rotation in the thigh: the direction
 * with the largest sum of squared relative angular velocity (the mean helical axis without its position, Woltring
 * 1990). Thigh and shank axes rotate about their length, so that flexion stays zero in the neutral pose; adduction does
 * not if the axis is not normal to the thigh. *found 0: the knee bends too little, less than min_fraction of its
 * rotation is about that axis, or the axis is tilted too much; axes are unchanged. Errors: no memory. */
Status knee_axis_find(const Kinematics *kinematics, double min_fraction, JointAxes *knee, int *found, Error *err);

#endif
