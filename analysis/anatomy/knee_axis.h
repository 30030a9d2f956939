/* The knee's axis of flexion from how the leg bends, in place of the line of the hips. */
#ifndef KANE_ANATOMY_KNEE_AXIS_H
#define KANE_ANATOMY_KNEE_AXIS_H

#include "analysis/anatomy/joint_axes.h"
#include "analysis/clip/anatomy.h"
#include "analysis/clip/kinematics.h"

/* A knee must bend through this much, about one axis for this part of its turning, that lies this near to the
 * geometric one. */
#define KNEE_LEAST_RANGE 30.0 /* degrees */
#define KNEE_LEAST_SHARE 0.8  /* of the square of the angular velocity */
#define KNEE_MOST_TILT 30.0   /* degrees */

/* Turns the axes of a knee so that the first of them is the axis about which the shank turns most in the thigh: the
 * direction in which the squares of the relative angular velocity sum to most (the mean helical axis without its
 * place, Woltring 1990). Thigh and shank turn with it about their length, so that flexion stays zero in the neutral
 * pose; adduction is not where the axis is not normal to the thigh. found: the clip's coordinates about the geometric
 * axes. 0: the knee does not bend enough, and the axes stay. */
int knee_axis_find(const Kinematics *kinematics, const Anatomy *found, JointAxes *knee);

#endif
