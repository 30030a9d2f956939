/* The knee's axis of flexion from how the leg bends, in place of the line of the hips. */
#ifndef KANE_ANATOMY_KNEE_AXIS_H
#define KANE_ANATOMY_KNEE_AXIS_H

#include "analysis/anatomy/joint_axes.h"
#include "analysis/base/status.h"
#include "analysis/clip/kinematics.h"

/* A knee must bend through this much, about one axis for this part of its turning, that lies this near to the
 * geometric one. */
#define KNEE_LEAST_RANGE 30.0 /* degrees */
#define KNEE_LEAST_SHARE 0.8  /* of the square of the angular velocity */
#define KNEE_MOST_TILT 30.0   /* degrees */
/* The part of a hinge, as models and many files have for a knee, alone or with a little rotation that follows flexion:
 * 0.993 and more, where most knees that recordings let turn freely have 0.8 to 0.97. By its flexion that hinge's is
 * meant. */
#define KNEE_HINGE_SHARE 0.99

/* Turns the axes of a knee so that the first of them is the axis about which the shank turns most in the thigh: the
 * direction in which the squares of the relative angular velocity sum to most (the mean helical axis without its
 * place, Woltring 1990). Thigh and shank turn with it about their length, so that flexion stays zero in the neutral
 * pose; adduction is not where the axis is not normal to the thigh. *found 0: the knee does not bend enough, or less of
 * its turning than least_share is about that axis, and the axes stay. Fails when memory runs out. */
Status knee_axis_find(const Kinematics *kinematics, double least_share, JointAxes *knee, int *found, Error *err);

#endif
