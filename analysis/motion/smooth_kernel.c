/* q / |q|, several quaternions at once, one a lane; a zero quaternion becomes the identity. */
#include "analysis/motion/smooth_kernel.h"

#include "analysis/math/lanes.h"

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
