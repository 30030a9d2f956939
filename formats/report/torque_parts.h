/* The magnitude of each joint torque as a sum of four components along the torque, for a stacked plot. */
#ifndef KANE_REPORT_TORQUE_PARTS_H
#define KANE_REPORT_TORQUE_PARTS_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

/* In this order: weight; inertia (linear, angular and gyroscopic); contact forces; the rest, from tables of kane torque
 * (forces, springs). */
enum { TORQUE_PARTS = 4 };

/* *out is [frame][joint][TORQUE_PARTS], N m; the sum of the parts is the magnitude of the torque. The caller frees it.
 * The clip must have body, kinematics and dynamics. */
Status torque_parts(const Clip *clip, double **out, Error *err);

#endif
