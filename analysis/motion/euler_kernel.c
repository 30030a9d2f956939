/* Euler channels to quaternions, several frames at once (euler.h). */
#include "analysis/math/lanes.h"

#include "analysis/math/elementary.h"
#include "analysis/motion/euler.h"

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

/* Frames first .. first + LANES - 1; past the last one the lanes repeat it and nothing is stored. */
static void convert_block(const EulerTurns *turns, int joint_count, const double *value, size_t row_size, int first,
                          int frame_count, Quat *rotation)
{
    int used = frame_count - first < LANES ? frame_count - first : LANES;
    for (int j = 0; j < joint_count; j++) {
        LaneQuat q = {lane_set(1), lane_set(0), lane_set(0), lane_set(0)};
        for (int k = 0; k < turns[j].count; k++) {
            const double *column = value + (size_t)first * row_size + turns[j].column[k];
            Lane degrees = lane_set(0), s, c;
            for (int i = 0; i < LANES; i++)
                degrees = lane_put(degrees, i, column[(size_t)(i < used ? i : used - 1) * row_size]);
            lane_sincos(half_angle(degrees), &s, &c);
            q = turn(q, turns[j].axis[k], s, c);
        }
        for (int i = 0; i < used; i++)
            rotation[(size_t)(first + i) * (size_t)joint_count + (size_t)j] =
                (Quat){lane_get(q.w, i), lane_get(q.x, i), lane_get(q.y, i), lane_get(q.z, i)};
    }
}

void LANE_NAME(euler_to_quat)(const EulerTurns *turns, int joint_count, const double *value, size_t row_size,
                              int frame_count, Quat *rotation);

void LANE_NAME(euler_to_quat)(const EulerTurns *turns, int joint_count, const double *value, size_t row_size,
                              int frame_count, Quat *rotation)
{
    for (int first = 0; first < frame_count; first += LANES)
        convert_block(turns, joint_count, value, row_size, first, frame_count, rotation);
}
