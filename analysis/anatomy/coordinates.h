/* Angles, rates, moments and powers about the anatomical axes of a clip (analysis/clip/anatomy.h). */
#ifndef KANE_ANATOMY_COORDINATES_H
#define KANE_ANATOMY_COORDINATES_H

#include "analysis/anatomy/joint_axes.h"
#include "analysis/clip/anatomy.h"
#include "analysis/clip/dynamics.h"
#include "analysis/math/lane_width.h"

/* A pose this near to one in which the first and the third axis fall into one line is singular. */
#define SINGULAR_NEAR 10.0 /* degrees */

/* Joints with anatomical axes, and how fast the clip is read. */
typedef struct JointAxesSet {
    int count;
    JointAxes joint[COORDINATE_JOINTS];
    int keep_axes;   /* 1: the anatomy gets its axes */
    LaneWidth lanes; /* every width gives the same bits */
} JointAxesSet;

/* Fills *out but for its texts. Reads orientation and angular_velocity of the kinematics, and torque; dynamics may be
 * NULL, then moments and powers are zero. */
Status coordinates_compute(const JointAxesSet *axes, const Kinematics *kinematics, const Dynamics *dynamics,
                           Anatomy *out, Error *err);

#endif
