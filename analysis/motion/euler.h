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

/* rotation[frame][joint] from value[frame][column], deg; row_size columns a row. Unit to rounding; signs are not made
 * continuous. */
void euler_to_quat(const EulerTurns *turns, int joint_count, const double *value, size_t row_size, int frame_count,
                   LaneWidth lanes, Quat *rotation);

/* Angles (deg) about three different axes with q = q_axis[0] q_axis[1] q_axis[2]: of all such triples the one nearest
 * to `near`, so that a series fed with its last value is continuous; where the middle one is +-90 deg and only the
 * sum or difference of the others is given, the first keeps near's value. */
Vec3 euler_from_quat(const int axis[3], Quat q, Vec3 near);

#endif
