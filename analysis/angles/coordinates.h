/* Angles, rates, moments and powers about the anatomical axes of a clip (analysis/clip/joint_angles.h). */
#ifndef KANE_ANGLES_COORDINATES_H
#define KANE_ANGLES_COORDINATES_H

#include "analysis/angles/joint_axes.h"
#include "analysis/base/status.h"
#include "analysis/clip/dynamics.h"
#include "analysis/clip/joint_angles.h"
#include "analysis/math/lane_width.h"

/* A pose is singular if its first and third axis are this close to collinear. */
#define SINGULAR_NEAR 10.0 /* degrees */

/* Joints with anatomical axes, and options. */
typedef struct JointAxesSet {
    int count;
    JointAxes joint[COORDINATE_JOINTS];
    int keep_axes;   /* 1: keep the axes in the angles */
    LaneWidth lanes; /* every width gives bitwise equal results */
} JointAxesSet;

/* Fills *out except its texts; the caller frees it. Reads orientation and angular_velocity of the kinematics, and
 * torque. dynamics NULL: moments and powers are zero. */
Status coordinates_compute(const JointAxesSet *axes, const Kinematics *kinematics, const Dynamics *dynamics,
                           JointAngles *out, Error *err);

#endif
