/* Angles, rates, moments and powers about the anatomical axes (coordinates.h). */
#include "analysis/angles/coordinates.h"

#include <stdlib.h>

#include "analysis/angles/coordinates_internal.h"
#include "analysis/base/arena.h"
#include "analysis/math/elementary.h"

/* Mirroring a left joint reverses rotations about x and y but not about z. It does not change the angle between two
 * directions, which the shoulder's elevation is. */
static CoordinateJoint kernel_joint(const JointAxes *axes)
{
    int is_shoulder = axes->order == AXES_YXY;
    CoordinateJoint joint = {.joint = (size_t)axes->joint, .proximal = (size_t)axes->proximal,
                             .distal = (size_t)axes->distal, .proximal_axes = axes->proximal_axes,
                             .distal_axes = axes->distal_axes, .is_shoulder = is_shoulder,
                             .mirror = axes->is_left ? -1 : 1};
    const int turns_round[2][COORDINATES_PER_JOINT] = {{0, 1, 1}, {1, 0, 1}};
    for (int k = 0; k < COORDINATES_PER_JOINT; k++) {
        joint.angle_sign[k] = axes->sign[k];
        joint.axis_sign[k] = axes->sign[k] * (axes->is_left && turns_round[is_shoulder][k] ? -1 : 1);
    }
    return joint;
}

/* Standard deviations of the moments from the torques' covariances; the axes are treated as exact. */
static void fill_moment_sd(const Dynamics *d, const Vec3 *axis, JointAngles *out)
{
    for (int f = 0; f < out->frame_count; f++)
        for (int i = 0; i < out->coordinate_count; i++) {
            size_t at = joint_angles_index(out, f, i), j = (size_t)f * (size_t)d->joint_count + (size_t)out->joint[i];
            out->moment_sd[at] = torque_sd_along(d->torque_sd[j], d->torque_correlation[j], axis[at]);
        }
}

/* Allocates standard deviations of the moments if the torques have covariances, and the axes they require if these are
 * not kept. */
static Status add_spread(const Dynamics *dynamics, JointAngles *out, Vec3 **axis, Error *err)
{
    *axis = out->axis;
    if (!dynamics || !dynamics->torque_sd)
        return STATUS_OK;
    if (!*axis && !(*axis = array_new((size_t)out->frame_count, (size_t)out->coordinate_count, sizeof **axis)))
        return error_no_memory(err);
    return joint_angles_add_spread(out, err);
}

Status coordinates_compute(const JointAxesSet *axes, const Kinematics *kinematics, const Dynamics *dynamics,
                           JointAngles *out, Error *err)
{
    CoordinateJoint joint[COORDINATE_JOINTS];
    Vec3 *axis;
    Status status = joint_angles_init(out, kinematics->frame_count, axes->count * COORDINATES_PER_JOINT,
                                 axes->keep_axes, err);
    if (status || axes->count == 0 || kinematics->frame_count == 0)
        return status;
    for (int i = 0; i < axes->count; i++) {
        joint[i] = kernel_joint(&axes->joint[i]);
        for (int k = 0; k < COORDINATES_PER_JOINT; k++) {
            out->coordinate[COORDINATES_PER_JOINT * i + k] = (Coordinate)((int)axes->joint[i].first + k);
            out->joint[COORDINATES_PER_JOINT * i + k] = axes->joint[i].joint;
        }
    }
    status = add_spread(dynamics, out, &axis, err);
    if (status) {
        if (axis != out->axis)
            free(axis);
        return status;
    }
    CoordinatesView view = {
        .frame_count = (size_t)kinematics->frame_count, .joint_count = (size_t)kinematics->joint_count,
        .axes_count = (size_t)axes->count, .axes = joint, .min_sine = elementary_sin(SINGULAR_NEAR * (PI / 180)),
        .orientation = kinematics->orientation, .angular_velocity = kinematics->angular_velocity,
        .torque = dynamics ? dynamics->torque : NULL, .angle = out->angle, .velocity = out->velocity,
        .moment = out->moment, .power = out->power, .axis = axis, .singular = out->singular};
    LaneWidth width = lane_width_for_frames(axes->lanes, kinematics->frame_count);
    LANE_TWIN(coordinates_frames, width)(&view);
    if (dynamics && out->moment_sd)
        fill_moment_sd(dynamics, axis, out);
    if (axis != out->axis)
        free(axis);
    return STATUS_OK;
}
