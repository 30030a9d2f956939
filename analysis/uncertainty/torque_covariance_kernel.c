/* Covariances of torques, LANES frames or joints at a time. */
#include "analysis/math/lanes.h"
#include "analysis/math/vec.h"
#include "analysis/uncertainty/lane_sym3.h"
#include "analysis/uncertainty/torque_covariance.h"

size_t LANE_NAME(covariance_differences)(double scale, double max, const Vec3 *a, const Vec3 *b, size_t count,
                                         Sym3 *covariance)
{
    Lane one = lane_set(1), bound = lane_set(3 * max * max);
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        LaneVec3 change = lane_vec3_sub(lane_load3(a + i, 1), lane_load3(b + i, 1));
        LaneVec3 effect = lane_vec3_scale(change, lane_set(scale));
        Lane over = max > 0 ? lane_vec3_dot(effect, effect) / bound : lane_set(0);
        effect = lane_vec3_scale(effect, one / lane_sqrt(one + over));
        lane_sym3_store(covariance + i, 1, lane_sym3_add(lane_sym3_load(covariance + i, 1), lane_square(effect)));
    }
    return i;
}

/* 0 for negative values, which are rounding errors, and NaN. */
LANE_INLINE Lane lane_root(Lane variance)
{
    return lane_sqrt(lane_select(lane_less(lane_set(0), variance), variance, lane_set(0)));
}

/* 0 if one of them does not vary. */
LANE_INLINE Lane lane_correlation(Lane covariance, Lane a, Lane b)
{
    Lane zero = lane_set(0), one = lane_set(1), ratio = covariance / (a * b);
    ratio = lane_select(lane_less(ratio, one), ratio, one);
    ratio = lane_select(lane_less(-one, ratio), ratio, -one);
    return lane_select(lane_less(zero, a) & lane_less(zero, b), ratio, zero);
}

void LANE_NAME(covariance_spreads)(const Sym3 *covariance, double scale, size_t count, Vec3 *sd, Vec3 *correlation)
{
    for (size_t i = 0; i < count; i += LANES) {
        size_t at = lane_block(i, count);
        LaneSym3 c = lane_sym3_load(covariance + at, 1);
        LaneVec3 root = {lane_root(c.diagonal.x), lane_root(c.diagonal.y), lane_root(c.diagonal.z)};
        lane_store3(sd + at, 1, lane_vec3_scale(root, lane_set(scale)));
        lane_store3(correlation + at, 1, (LaneVec3){lane_correlation(c.rest.x, root.x, root.y),
                                                    lane_correlation(c.rest.y, root.x, root.z),
                                                    lane_correlation(c.rest.z, root.y, root.z)});
    }
}
