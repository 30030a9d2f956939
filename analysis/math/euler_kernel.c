/* Euler channels to quaternions, several frames at once (euler.h). */
#include "analysis/math/elementary.h"
#include "analysis/math/euler.h"
#include "analysis/math/lanes.h"
#include "analysis/math/quat.h"

/* Half of an angle in rad. Whole double turns (720 degrees, the period of a quaternion) are removed exactly: a small
 * argument makes the sine take the same path at every width. Adding and subtracting 1.5 * 2^52 rounds to the nearest
 * integer. */
LANE_INLINE Lane half_angle(Lane degrees)
{
    Lane round = lane_set(6755399441055744.0);
    Lane rotations = (degrees * lane_set(1.0 / 720) + round) - round;
    return (degrees - lane_set(720) * rotations) * lane_set(PI / 360);
}

/* q (c + s e_axis): the Hamilton product with a rotation about one axis. */
LANE_INLINE LaneQuat rotation(LaneQuat q, int axis, Lane s, Lane c)
{
    if (axis == 0)
        return (LaneQuat){q.w * c - q.x * s, q.w * s + q.x * c, q.y * c + q.z * s, q.z * c - q.y * s};
    if (axis == 1)
        return (LaneQuat){q.w * c - q.y * s, q.x * c - q.z * s, q.w * s + q.y * c, q.z * c + q.x * s};
    return (LaneQuat){q.w * c - q.z * s, q.x * c + q.y * s, q.y * c - q.x * s, q.w * s + q.z * c};
}

/* q_1 q_2 ... q_n of one joint in LANES frames, whose rows begin at `row`. */
LANE_INLINE LaneQuat product_of_rotations(const EulerChannels *rotations, const double *row, size_t row_size)
{
    LaneQuat q = {lane_set(1), lane_set(0), lane_set(0), lane_set(0)};
    for (int k = 0; k < rotations->count; k++) {
        Lane s, c;
        lane_sincos(half_angle(lane_load(row + rotations->column[k], row_size)), &s, &c);
        q = rotation(q, rotations->axis[k], s, c);
    }
    return q;
}

void LANE_NAME(euler_to_quat)(const ChannelRows *rows, Quat *rotation)
{
    size_t frames = (size_t)rows->frame_count, joints = (size_t)rows->joint_count, row_size = (size_t)rows->row_size;
    for (size_t f = 0; f < frames; f += LANES) {
        size_t first = lane_block(f, frames);
        for (size_t j = 0; j < joints; j++)
            lane_store4(rotation + first * joints + j, joints,
                        product_of_rotations(&rows->rotations[j], rows->value + first * row_size, row_size));
    }
}
