/* Euler channels to quaternions and back.
 *
 * A rotation is the product of turns about the joint's own axes in the order of its channels (intrinsic):
 * q = q_1 q_2 ... q_n. Angles are in degrees here, as motion files hold them; nothing above this file sees them.
 * Cost: about 5 ns a channel on AVX-512. Every vector width gives the same bits. */
#ifndef KANE_MOTION_EULER_H
#define KANE_MOTION_EULER_H

#include <stddef.h>

#include "analysis/math/lane_width.h"
#include "analysis/math/quat.h"

enum { EULER_MAX_TURNS = 6 };

/* The turns of one joint: which columns of a frame's row hold them, about which axes (0 x, 1 y, 2 z). */
typedef struct EulerTurns {
    int count; /* 0: the joint does not turn */
    int axis[EULER_MAX_TURNS];
    int column[EULER_MAX_TURNS];
} EulerTurns;

/* The rows of a motion file as it holds them: angles in degrees, positions in file units. Columns that no joint turns
 * by are positions. */
typedef struct ChannelRows {
    int frame_count;
    int row_size;            /* columns */
    int joint_count;
    const EulerTurns *turns; /* [joint] */
    double *value;           /* [frame][column] */
} ChannelRows;

/* rotation[frame][joint] of the rows. Unit to rounding; signs are not made continuous. */
void euler_to_quat(const ChannelRows *rows, LaneWidth lanes, Quat *rotation);

/* The same by the kernels, for at least as many frames as there are lanes. One twin an instruction set. */
typedef void EulerKernel(const ChannelRows *rows, Quat *rotation);
LANE_TWINS(EulerKernel, euler_to_quat);

/* Angles (deg) about three different axes with q = q_axis[0] q_axis[1] q_axis[2]: of all such triples the one nearest
 * to `near`, so that a series fed with its last value is continuous; where the middle one is +-90 deg and only the
 * sum or difference of the others is given, the first keeps near's value. */
Vec3 euler_from_quat(const int axis[3], Quat q, Vec3 near);

#endif
