/* Angles of a rotation about axes in turn: roll, pitch and yaw, and the Euler channels of motion files.
 *
 * The rotation of Euler channels is the product of rotations about the joint's own axes in the order of its channels
 * (intrinsic): q = q_1 q_2 ... q_n. Their angles are in degrees, as in motion files; no other module uses degrees.
 * Cost: about 5 ns per channel on AVX-512. Results are bitwise equal at every vector width. */
#ifndef KANE_MATH_EULER_H
#define KANE_MATH_EULER_H

#include "analysis/math/lane_width.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

/* Roll, pitch and yaw of an orientation (docs/sources.md, notes 0.4): rotation by roll about z, then by pitch about the
 * new y', then by yaw about the final x''. Singular where the cosine of the pitch is zero. */
typedef struct RollPitchYaw {
    double roll, pitch, yaw; /* rad; roll and yaw in [-pi, pi], pitch in [-pi/2, pi/2] */
} RollPitchYaw;

/* R = R_z(roll) R_y(pitch) R_x(yaw); at a pitch of +-pi/2 the yaw is 0. */
RollPitchYaw roll_pitch_yaw_from_quat(Quat q);
Quat roll_pitch_yaw_to_quat(RollPitchYaw angles);

/* The rows of (0.2): rates of the angles = rows . angular velocity of the child relative to the parent, in axes of the
 * parent. */
Mat3 roll_pitch_yaw_rows(RollPitchYaw angles);

/* The time derivatives of these rows (0.4, below (0.2)) at given rates of the angles: accelerations of the angles =
 * rows . angular acceleration + derivatives . angular velocity. */
Mat3 roll_pitch_yaw_row_rates(RollPitchYaw angles, RollPitchYaw rates);

enum { EULER_MAX_CHANNELS = 6 };

/* Rotation channels of one joint: their columns in a frame's row and their axes (0 x, 1 y, 2 z). */
typedef struct EulerChannels {
    int count; /* 0: the joint has no rotation channels */
    int axis[EULER_MAX_CHANNELS];
    int column[EULER_MAX_CHANNELS];
} EulerChannels;

/* Rows of a motion file: angles in degrees, positions in file units. Columns that are not rotation channels of a joint
 * are positions. */
typedef struct ChannelRows {
    int frame_count;
    int row_size;            /* columns */
    int joint_count;
    const EulerChannels *rotations; /* [joint] */
    double *value;                  /* [frame][column] */
} ChannelRows;

/* Fills rotation[frame][joint]. Unit to rounding; signs are not made continuous. */
void euler_to_quat(const ChannelRows *rows, LaneWidth lanes, Quat *rotation);

/* The kernels of euler_to_quat, which require at least as many frames as lanes. One variant per instruction set. */
typedef void EulerKernel(const ChannelRows *rows, Quat *rotation);
LANE_TWINS(EulerKernel, euler_to_quat);

/* Angles (deg) about three different axes with q = q_axis[0] q_axis[1] q_axis[2]. Returns the triple nearest to `near`,
 * so that a series that passes its last value is continuous. If the middle angle is +-90 deg, only the sum or
 * difference of the others is determined; the first then keeps near's value. */
Vec3 euler_from_quat(const int axis[3], Quat q, Vec3 near);

#endif
