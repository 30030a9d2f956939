/* Symmetric matrices of LANES frames or joints, for the kernels of this folder. */
#ifndef KANE_UNCERTAINTY_LANE_SYM3_H
#define KANE_UNCERTAINTY_LANE_SYM3_H

#include <stddef.h>

#include "analysis/math/lanes.h"
#include "analysis/math/vec.h"

typedef struct LaneSym3 {
    LaneVec3 diagonal, rest; /* xx, yy, zz; xy, xz, yz */
} LaneSym3;

_Static_assert(sizeof(Sym3) == 2 * sizeof(Vec3) && offsetof(Sym3, xy) == sizeof(Vec3), "two vectors are loaded");

LANE_INLINE LaneSym3 lane_sym3_load(const Sym3 *p, size_t stride)
{
    const Vec3 *half = (const Vec3 *)p;
    return (LaneSym3){lane_load3(half, 2 * stride), lane_load3(half + 1, 2 * stride)};
}

LANE_INLINE void lane_sym3_store(Sym3 *p, size_t stride, LaneSym3 a)
{
    Vec3 *half = (Vec3 *)p;
    lane_store3(half, 2 * stride, a.diagonal);
    lane_store3(half + 1, 2 * stride, a.rest);
}

LANE_INLINE LaneSym3 lane_sym3_add(LaneSym3 a, LaneSym3 b)
{
    return (LaneSym3){lane_vec3_add(a.diagonal, b.diagonal), lane_vec3_add(a.rest, b.rest)};
}

/* e e' */
LANE_INLINE LaneSym3 lane_square(LaneVec3 e)
{
    return (LaneSym3){{e.x * e.x, e.y * e.y, e.z * e.z}, {e.x * e.y, e.x * e.z, e.y * e.z}};
}

/* Covariance of d x f for an error d in the position of a force f, with this variance per component: v (f.f 1 - f f'),
 * as sym3_point_inertia. */
LANE_INLINE LaneSym3 lane_position_error(Lane v, LaneVec3 f)
{
    return (LaneSym3){{v * (f.y * f.y + f.z * f.z), v * (f.x * f.x + f.z * f.z), v * (f.x * f.x + f.y * f.y)},
                      {-v * f.x * f.y, -v * f.x * f.z, -v * f.y * f.z}};
}

#endif
