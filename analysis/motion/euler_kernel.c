/* Euler channels to quaternions, several frames at once (euler.h). */
#include "analysis/math/elementary.h"
#include "analysis/math/lanes.h"
#include "analysis/motion/euler.h"
#include "analysis/motion/smooth.h"

/* Half of an angle in rad, whole double turns (720 deg, where a quaternion returns to itself) taken out exactly. So
 * the argument stays small, where the sine of every width takes the same path. Adding and taking away 1.5 * 2^52
 * rounds to the nearest integer. */
LANE_INLINE Lane half_angle(Lane degrees)
{
    Lane round = lane_set(6755399441055744.0);
    Lane turns = (degrees * lane_set(1.0 / 720) + round) - round;
    return (degrees - lane_set(720) * turns) * lane_set(PI / 360);
}

/* q (c + s e_axis): the Hamilton product with a turn about one axis. */
LANE_INLINE LaneQuat turn(LaneQuat q, int axis, Lane s, Lane c)
{
    if (axis == 0)
        return (LaneQuat){q.w * c - q.x * s, q.w * s + q.x * c, q.y * c + q.z * s, q.z * c - q.y * s};
    if (axis == 1)
        return (LaneQuat){q.w * c - q.y * s, q.x * c - q.z * s, q.w * s + q.y * c, q.z * c + q.x * s};
    return (LaneQuat){q.w * c - q.z * s, q.x * c + q.y * s, q.y * c - q.x * s, q.w * s + q.z * c};
}

/* q_1 q_2 ... q_n of one joint in LANES frames whose rows begin at row. */
LANE_INLINE LaneQuat product_of_turns(const EulerTurns *turns, const double *row, size_t row_size)
{
    LaneQuat q = {lane_set(1), lane_set(0), lane_set(0), lane_set(0)};
    for (int k = 0; k < turns->count; k++) {
        Lane s, c;
        lane_sincos(half_angle(lane_load(row + turns->column[k], row_size)), &s, &c);
        q = turn(q, turns->axis[k], s, c);
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
                        product_of_turns(&rows->turns[j], rows->value + first * row_size, row_size));
    }
}

/* q / |q|, several quaternions at once, one a lane; a zero quaternion becomes the identity. */

void LANE_NAME(quats_normalize)(Quat *q, size_t count)
{
    size_t i = 0;
    Lane zero = lane_set(0), one = lane_set(1);
    for (; i + LANES <= count; i += LANES) {
        LaneQuat a = lane_load4(q + i, 1);
        Lane norm = lane_sqrt(a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z);
        LaneMask some = lane_less(zero, norm);
        norm = lane_select(some, norm, one);
        lane_store4(q + i, 1, (LaneQuat){lane_select(some, a.w / norm, one), a.x / norm, a.y / norm, a.z / norm});
    }
    for (; i < count; i++)
        q[i] = quat_normalize(q[i]);
}
