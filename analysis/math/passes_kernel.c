/* Passes over arrays, LANES elements at a time (passes.h). */
#include "analysis/math/lanes.h"
#include "analysis/math/passes.h"
#include "analysis/math/quat.h"

/* Zero times a finite number is zero; times any other it is NaN, which stays in the sum. */
int LANE_NAME(values_finite)(const double *value, size_t count)
{
    enum { SUMS = 4 }; /* independent, so that additions overlap */
    Lane sum[SUMS], zero = lane_set(0);
    double rest = 0;
    size_t i = 0;
    for (int k = 0; k < SUMS; k++)
        sum[k] = zero;
    for (; i + SUMS * LANES <= count; i += SUMS * LANES)
        for (size_t k = 0; k < SUMS; k++)
            sum[k] += lane_load_row(value + i + k * LANES) * zero;
    for (; i < count; i++)
        rest += value[i] * 0;
    sum[0] += (sum[1] + sum[2]) + (sum[3] + lane_set(rest));
    return !lane_any(~lane_less(sum[0], lane_set(1)));
}

/* Squared lengths of the quaternions: the least and the largest; NaN in both if one is not finite. */
SquareBounds LANE_NAME(rotations_bounds)(const Quat *q, size_t count)
{
    Lane min = lane_set(1), max = min, rest = lane_set(0);
    SquareBounds all = {1, 1};
    double bad = 0; /* NaN: not finite */
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        LaneQuat a = lane_load4(q + i, 1);
        Lane square = a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z;
        min = lane_select(lane_less(square, min), square, min);
        max = lane_select(lane_less(max, square), square, max);
        rest += square * lane_set(0);
    }
    for (; i < count; i++) {
        double square = quat_dot(q[i], q[i]);
        all.min = fmin(all.min, square);
        all.max = fmax(all.max, square);
        bad += square * 0;
    }
    for (int l = 0; l < LANES; l++) {
        all.min = fmin(all.min, lane_get(min, l));
        all.max = fmax(all.max, lane_get(max, l));
        bad += lane_get(rest, l);
    }
    return (SquareBounds){all.min + bad, all.max + bad};
}

/* Gives each quaternion from index `row` on the sign nearest to the one a row before it. */
void LANE_NAME(rotations_follow)(Quat *q, size_t row, size_t count)
{
    size_t i = row;
    for (; row >= LANES && i + LANES <= count; i += LANES) {
        LaneQuat a = lane_load4(q + i, 1), before = lane_load4(q + i - row, 1);
        Lane dot = a.w * before.w + a.x * before.x + a.y * before.y + a.z * before.z;
        lane_store4(q + i, 1, lane_quat_neg_where(lane_less(dot, lane_set(0)), a));
    }
    for (; i < count; i++)
        q[i] = quat_nearest(q[i], q[i - row]);
}

/* q / |q|; a zero quaternion becomes the identity. */
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
