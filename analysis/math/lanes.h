/* Several frames at once, one a lane.
 *
 * A file named *_kernel.c is compiled once per instruction set with LANES set to that set's own width
 * (8 AVX-512, 4 AVX2, 2 SSE2, 1 for the scalar twin) and exports its functions as LANE_NAME(f): f_avx512, f_avx2,
 * f_sse2, f_scalar. The plain file beside it picks one with lane_width_choose (lane_width.h). Nothing is summed
 * across lanes, so with -ffp-contract=off all widths agree bit for bit.
 *
 * Include this header from *_kernel.c files only. */
#ifndef KANE_MATH_LANES_H
#define KANE_MATH_LANES_H

#ifndef LANES
#error "lanes.h belongs in *_kernel.c files, which the build compiles once per instruction set with -DLANES=n"
#endif

#include <math.h>
#include <sleef.h>
#include <stddef.h>

#include "analysis/math/quat.h"

#define LANE_PASTE_(a, b) a##_##b
#define LANE_PASTE(a, b) LANE_PASTE_(a, b)
#if LANES == 8
#define LANE_NAME(f) LANE_PASTE(f, avx512)
#elif LANES == 4
#define LANE_NAME(f) LANE_PASTE(f, avx2)
#elif LANES == 2
#define LANE_NAME(f) LANE_PASTE(f, sse2)
#else
#define LANE_NAME(f) LANE_PASTE(f, scalar)
#endif

#define LANE_INLINE static inline __attribute__((always_inline))

#if LANES == 1
typedef double Lane;
typedef long long LaneMask; /* all bits set or none */
LANE_INLINE double lane_get(Lane a, int i) { (void)i; return a; }
LANE_INLINE Lane lane_put(Lane a, int i, double value) { (void)i; (void)a; return value; }
LANE_INLINE Lane lane_set(double value) { return value; }
LANE_INLINE Lane lane_sqrt(Lane a) { return sqrt(a); }
LANE_INLINE LaneMask lane_less(Lane a, Lane b) { return -(LaneMask)(a < b); }
LANE_INLINE Lane lane_select(LaneMask m, Lane yes, Lane no) { return m ? yes : no; }
LANE_INLINE Lane lane_atan2(Lane y, Lane x) { return Sleef_cinz_atan2d1_u10purec(y, x); }
LANE_INLINE void lane_sincos(Lane a, Lane *s, Lane *c)
{
    Sleef_double_2 both = Sleef_cinz_sincosd1_u10purec(a);
    *s = both.x;
    *c = both.y;
}
#else
#include <immintrin.h>
typedef double Lane __attribute__((vector_size(8 * LANES)));
typedef long long LaneMask __attribute__((vector_size(8 * LANES)));
LANE_INLINE double lane_get(Lane a, int i) { return a[i]; }
LANE_INLINE Lane lane_put(Lane a, int i, double value) { a[i] = value; return a; }
LANE_INLINE LaneMask lane_less(Lane a, Lane b) { return (LaneMask)(a < b); }
LANE_INLINE Lane lane_select(LaneMask m, Lane yes, Lane no)
{
    return (Lane)((m & (LaneMask)yes) | (~m & (LaneMask)no));
}
#if LANES == 8
LANE_INLINE Lane lane_set(double value) { return (Lane)_mm512_set1_pd(value); }
LANE_INLINE Lane lane_sqrt(Lane a) { return (Lane)_mm512_sqrt_pd((__m512d)a); }
LANE_INLINE Lane lane_atan2(Lane y, Lane x)
{
    return (Lane)Sleef_cinz_atan2d8_u10avx512fnofma((__m512d)y, (__m512d)x);
}
LANE_INLINE void lane_sincos(Lane a, Lane *s, Lane *c)
{
    Sleef___m512d_2 both = Sleef_cinz_sincosd8_u10avx512fnofma((__m512d)a);
    *s = (Lane)both.x;
    *c = (Lane)both.y;
}
#elif LANES == 4
LANE_INLINE Lane lane_set(double value) { return (Lane)_mm256_set1_pd(value); }
LANE_INLINE Lane lane_sqrt(Lane a) { return (Lane)_mm256_sqrt_pd((__m256d)a); }
LANE_INLINE Lane lane_atan2(Lane y, Lane x) { return (Lane)Sleef_cinz_atan2d4_u10avx((__m256d)y, (__m256d)x); }
LANE_INLINE void lane_sincos(Lane a, Lane *s, Lane *c)
{
    Sleef___m256d_2 both = Sleef_cinz_sincosd4_u10avx((__m256d)a);
    *s = (Lane)both.x;
    *c = (Lane)both.y;
}
#else
LANE_INLINE Lane lane_set(double value) { return (Lane)_mm_set1_pd(value); }
LANE_INLINE Lane lane_sqrt(Lane a) { return (Lane)_mm_sqrt_pd((__m128d)a); }
LANE_INLINE Lane lane_atan2(Lane y, Lane x) { return (Lane)Sleef_cinz_atan2d2_u10sse2((__m128d)y, (__m128d)x); }
LANE_INLINE void lane_sincos(Lane a, Lane *s, Lane *c)
{
    Sleef___m128d_2 both = Sleef_cinz_sincosd2_u10sse2((__m128d)a);
    *s = (Lane)both.x;
    *c = (Lane)both.y;
}
#endif
#endif

/* The types of vec.h and quat.h over lanes. */
typedef struct LaneVec3 {
    Lane x, y, z;
} LaneVec3;

typedef struct LaneQuat {
    Lane w, x, y, z;
} LaneQuat;

typedef struct LaneMat3 {
    LaneVec3 r[3];
} LaneMat3;

LANE_INLINE LaneVec3 lane_vec3_set(Vec3 a) { return (LaneVec3){lane_set(a.x), lane_set(a.y), lane_set(a.z)}; }
LANE_INLINE LaneVec3 lane_vec3_add(LaneVec3 a, LaneVec3 b) { return (LaneVec3){a.x + b.x, a.y + b.y, a.z + b.z}; }
LANE_INLINE LaneVec3 lane_vec3_sub(LaneVec3 a, LaneVec3 b) { return (LaneVec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
LANE_INLINE LaneVec3 lane_vec3_scale(LaneVec3 a, Lane s) { return (LaneVec3){a.x * s, a.y * s, a.z * s}; }
LANE_INLINE Lane lane_vec3_dot(LaneVec3 a, LaneVec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

LANE_INLINE LaneVec3 lane_vec3_cross(LaneVec3 a, LaneVec3 b)
{
    return (LaneVec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

LANE_INLINE LaneQuat lane_quat_mul(LaneQuat a, LaneQuat b)
{
    return (LaneQuat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

LANE_INLINE LaneQuat lane_quat_conjugate(LaneQuat q) { return (LaneQuat){q.w, -q.x, -q.y, -q.z}; }

LANE_INLINE LaneMat3 lane_quat_to_mat3(LaneQuat q)
{
    Lane one = lane_set(1), two = lane_set(2);
    Lane x2 = two * q.x, y2 = two * q.y, z2 = two * q.z;
    Lane xx = x2 * q.x, yy = y2 * q.y, zz = z2 * q.z, xy = x2 * q.y, xz = x2 * q.z, yz = y2 * q.z;
    Lane wx = x2 * q.w, wy = y2 * q.w, wz = z2 * q.w;
    return (LaneMat3){{{one - yy - zz, xy - wz, xz + wy}, {xy + wz, one - xx - zz, yz - wx}, {xz - wy, yz + wx, one - xx - yy}}};
}

LANE_INLINE LaneVec3 lane_mat3_mul(LaneMat3 m, LaneVec3 v)
{
    return (LaneVec3){lane_vec3_dot(m.r[0], v), lane_vec3_dot(m.r[1], v), lane_vec3_dot(m.r[2], v)};
}

#endif
