/* What the lane kernel of anatomical coordinates needs of a clip: flat views, no ownership. */
#ifndef KANE_ANATOMY_COORDINATES_KERNEL_H
#define KANE_ANATOMY_COORDINATES_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/math/lane_width.h"
#include "analysis/math/quat.h"

/* A joint in the kernel's terms. */
typedef struct CoordinateJoint {
    size_t joint, proximal, distal;
    Quat proximal_axes, distal_axes; /* anatomical axes to the joints' */
    int is_shoulder;                 /* about y, x, y; else z, x, y */
    double mirror;                   /* -1: the left side */
    double angle_sign[3];            /* of the angles of the mirrored rotation */
    double axis_sign[3];             /* of the right-handed axes of the rotation itself */
} CoordinateJoint;

/* Arrays of the clip are [frame][joint], those filled [frame][coordinate], three a joint. */
typedef struct CoordinatesView {
    size_t frame_count, joint_count, axes_count;
    const CoordinateJoint *axes; /* [axes_count] */
    double least_sine;           /* of a pose that is not singular */
    const Quat *orientation;
    const Vec3 *angular_velocity;
    const Vec3 *torque;          /* NULL: none */
    double *angle, *velocity, *moment, *power;
    Vec3 *axis; /* NULL: not wanted */
    uint8_t *singular;
} CoordinatesView;

/* frame_count is at least the number of lanes. */
typedef void CoordinatesFrames(const CoordinatesView *view);
LANE_TWINS(CoordinatesFrames, coordinates_frames);

#endif
