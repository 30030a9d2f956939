/* Input and output of the lane kernel of anatomical coordinates: views, not owned. */
#ifndef KANE_ANGLES_COORDINATES_INTERNAL_H
#define KANE_ANGLES_COORDINATES_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/math/lane_width.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

/* A joint as the kernel reads it. */
typedef struct CoordinateJoint {
    size_t joint, proximal, distal;
    Quat proximal_axes, distal_axes; /* anatomical axes to joint axes */
    int is_shoulder;                 /* 1: sequence y, x, y; 0: z, x, y */
    double mirror;                   /* -1: left side */
    double angle_sign[3];            /* signs of the angles of the mirrored rotation */
    double axis_sign[3];             /* signs of the right-handed axes of the unmirrored rotation */
} CoordinateJoint;

/* Inputs are [frame][joint], outputs [frame][coordinate], three per joint. */
typedef struct CoordinatesView {
    size_t frame_count, joint_count, axes_count;
    const CoordinateJoint *axes; /* [axes_count] */
    double min_sine;             /* sine of the angle between first and third axis below which a pose is singular */
    const Quat *orientation;
    const Vec3 *angular_velocity;
    const Vec3 *torque;          /* NULL: none */
    double *angle, *velocity, *moment, *power;
    Vec3 *axis; /* NULL: not computed */
    uint8_t *singular;
} CoordinatesView;

/* Processes all frames; frame_count must be at least the number of lanes. */
typedef void CoordinatesFrames(const CoordinatesView *view);
LANE_TWINS(CoordinatesFrames, coordinates_frames);

#endif
