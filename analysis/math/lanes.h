/* Arithmetic on several frames at once, one per lane.
 *
 * A file named *_kernel.c is compiled once per instruction set with LANES set to its width (8 AVX-512, 4 AVX2, 2 SSE2
 * or NEON, 1 scalar) and exports its functions as LANE_NAME(f): f_avx512, f_avx2, f_pair, f_scalar. The plain file
 * beside it selects one with LANE_TWIN (lane_width.h). Nothing is summed across lanes, so with -ffp-contract=off all
 * widths give the same bits. Include this header only from *_kernel.c files. */
#ifndef KANE_MATH_LANES_H
#define KANE_MATH_LANES_H

#ifndef LANES
#error "lanes.h belongs in *_kernel.c files, which the build compiles once per instruction set with -DLANES=n"
#endif

#include <math.h>
#include <sleef.h>
#include <stddef.h>
#include <string.h>

#include "analysis/math/quat.h"

#define LANE_PASTE_(a, b) a##_##b
#define LANE_PASTE(a, b) LANE_PASTE_(a, b)
#if LANES == 8
#define LANE_NAME(f) LANE_PASTE(f, avx512)
#elif LANES == 4
#define LANE_NAME(f) LANE_PASTE(f, avx2)
#elif LANES == 2
#define LANE_NAME(f) LANE_PASTE(f, pair)
#else
#define LANE_NAME(f) LANE_PASTE(f, scalar)
#endif

#define LANE_INLINE static inline __attribute__((always_inline))

#if LANES == 1
typedef double Lane;
typedef long long LaneMask; /* all bits set or none */
LANE_INLINE double lane_get(Lane a, int i) { (void)i; return a; }
LANE_INLINE long long lane_mask_get(LaneMask m, int i) { (void)i; return m; }
LANE_INLINE Lane lane_put(Lane a, int i, double value) { (void)i; (void)a; return value; }
LANE_INLINE Lane lane_set(double value) { return value; }
LANE_INLINE Lane lane_sqrt(Lane a) { return sqrt(a); }
LANE_INLINE LaneMask lane_less(Lane a, Lane b) { return -(LaneMask)(a < b); }
LANE_INLINE Lane lane_select(LaneMask m, Lane yes, Lane no) { return m ? yes : no; }
LANE_INLINE Lane lane_abs(Lane a) { return fabs(a); }
LANE_INLINE Lane lane_atan2(Lane y, Lane x) { return Sleef_cinz_atan2d1_u10purec(y, x); }
LANE_INLINE Lane lane_exp(Lane a) { return Sleef_cinz_expd1_u10purec(a); }
LANE_INLINE Lane lane_sin(Lane a) { return Sleef_cinz_sind1_u10purec(a); }
LANE_INLINE Lane lane_cos(Lane a) { return Sleef_cinz_cosd1_u10purec(a); }
LANE_INLINE void lane_sincos(Lane a, Lane *s, Lane *c)
{
    Sleef_double_2 both = Sleef_cinz_sincosd1_u10purec(a);
    *s = both.x;
    *c = both.y;
}
#else
#ifdef __aarch64__
#include <arm_neon.h>
#else
#include <immintrin.h>
#endif
typedef double Lane __attribute__((vector_size(8 * LANES)));
typedef long long LaneMask __attribute__((vector_size(8 * LANES)));
LANE_INLINE double lane_get(Lane a, int i) { return a[i]; }
LANE_INLINE long long lane_mask_get(LaneMask m, int i) { return m[i]; }
LANE_INLINE Lane lane_put(Lane a, int i, double value) { a[i] = value; return a; }
LANE_INLINE LaneMask lane_less(Lane a, Lane b) { return (LaneMask)(a < b); }
LANE_INLINE Lane lane_select(LaneMask m, Lane yes, Lane no)
{
    return (Lane)((m & (LaneMask)yes) | (~m & (LaneMask)no));
}
LANE_INLINE Lane lane_abs(Lane a) { return (Lane)((LaneMask)a & 0x7fffffffffffffffLL); }
#if LANES == 8
LANE_INLINE Lane lane_set(double value) { return (Lane)_mm512_set1_pd(value); }
LANE_INLINE Lane lane_sqrt(Lane a) { return (Lane)_mm512_sqrt_pd((__m512d)a); }
LANE_INLINE Lane lane_atan2(Lane y, Lane x)
{
    return (Lane)Sleef_cinz_atan2d8_u10avx512fnofma((__m512d)y, (__m512d)x);
}
LANE_INLINE Lane lane_exp(Lane a) { return (Lane)Sleef_cinz_expd8_u10avx512fnofma((__m512d)a); }
LANE_INLINE Lane lane_sin(Lane a) { return (Lane)Sleef_cinz_sind8_u10avx512fnofma((__m512d)a); }
LANE_INLINE Lane lane_cos(Lane a) { return (Lane)Sleef_cinz_cosd8_u10avx512fnofma((__m512d)a); }
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
LANE_INLINE Lane lane_exp(Lane a) { return (Lane)Sleef_cinz_expd4_u10avx((__m256d)a); }
LANE_INLINE Lane lane_sin(Lane a) { return (Lane)Sleef_cinz_sind4_u10avx((__m256d)a); }
LANE_INLINE Lane lane_cos(Lane a) { return (Lane)Sleef_cinz_cosd4_u10avx((__m256d)a); }
LANE_INLINE void lane_sincos(Lane a, Lane *s, Lane *c)
{
    Sleef___m256d_2 both = Sleef_cinz_sincosd4_u10avx((__m256d)a);
    *s = (Lane)both.x;
    *c = (Lane)both.y;
}
#elif defined __aarch64__
LANE_INLINE Lane lane_set(double value) { return (Lane)vdupq_n_f64(value); }
LANE_INLINE Lane lane_sqrt(Lane a) { return (Lane)vsqrtq_f64((float64x2_t)a); }
LANE_INLINE Lane lane_atan2(Lane y, Lane x)
{
    return (Lane)Sleef_cinz_atan2d2_u10advsimdnofma((float64x2_t)y, (float64x2_t)x);
}
LANE_INLINE Lane lane_exp(Lane a) { return (Lane)Sleef_cinz_expd2_u10advsimdnofma((float64x2_t)a); }
LANE_INLINE Lane lane_sin(Lane a) { return (Lane)Sleef_cinz_sind2_u10advsimdnofma((float64x2_t)a); }
LANE_INLINE Lane lane_cos(Lane a) { return (Lane)Sleef_cinz_cosd2_u10advsimdnofma((float64x2_t)a); }
LANE_INLINE void lane_sincos(Lane a, Lane *s, Lane *c)
{
    Sleef_float64x2_t_2 both = Sleef_cinz_sincosd2_u10advsimdnofma((float64x2_t)a);
    *s = (Lane)both.x;
    *c = (Lane)both.y;
}
#else
LANE_INLINE Lane lane_set(double value) { return (Lane)_mm_set1_pd(value); }
LANE_INLINE Lane lane_sqrt(Lane a) { return (Lane)_mm_sqrt_pd((__m128d)a); }
LANE_INLINE Lane lane_atan2(Lane y, Lane x) { return (Lane)Sleef_cinz_atan2d2_u10sse2((__m128d)y, (__m128d)x); }
LANE_INLINE Lane lane_exp(Lane a) { return (Lane)Sleef_cinz_expd2_u10sse2((__m128d)a); }
LANE_INLINE Lane lane_sin(Lane a) { return (Lane)Sleef_cinz_sind2_u10sse2((__m128d)a); }
LANE_INLINE Lane lane_cos(Lane a) { return (Lane)Sleef_cinz_cosd2_u10sse2((__m128d)a); }
LANE_INLINE void lane_sincos(Lane a, Lane *s, Lane *c)
{
    Sleef___m128d_2 both = Sleef_cinz_sincosd2_u10sse2((__m128d)a);
    *s = (Lane)both.x;
    *c = (Lane)both.y;
}
#endif
#endif

/* Types of vec.h and quat.h with lanes as components. */
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

/* q v q*, as quat_rotate. */
LANE_INLINE LaneVec3 lane_quat_rotate(LaneQuat q, LaneVec3 v)
{
    LaneVec3 u = {q.x, q.y, q.z};
    LaneVec3 t = lane_vec3_scale(lane_vec3_cross(u, v), lane_set(2));
    return lane_vec3_add(lane_vec3_add(v, lane_vec3_scale(t, q.w)), lane_vec3_cross(u, t));
}

/* Whether any lane is set. */
LANE_INLINE int lane_any(LaneMask m)
{
    long long any = 0;
    for (int l = 0; l < LANES; l++)
        any |= lane_mask_get(m, l);
    return any != 0;
}

/* Half-angle logarithm, vector part, without choosing the shorter arc: |log| approaches pi as w approaches -1.
 *
 * u atan2(|u|, w) / |u|. For short arcs, which are usual between neighbouring frames, the series of atan(t) / t in t^2
 * = u.u / w^2: ten terms are exact to half a rounding error up to t = 0.15 (a rotation by 17 degrees). */
LANE_INLINE LaneVec3 lane_quat_log_long(LaneQuat q)
{
    LaneVec3 u = {q.x, q.y, q.z};
    Lane s2 = lane_vec3_dot(u, u), z = s2 / (q.w * q.w), series = lane_set(-1.0 / 19);
    for (int n = 17; n > 0; n -= 2)
        series = lane_set((n / 2 % 2 ? -1.0 : 1.0) / n) + z * series;
    Lane factor = series / q.w;
    LaneMask far = ~(lane_less(z, lane_set(0.0225)) & lane_less(lane_set(0), q.w));
    if (lane_any(far)) {
        Lane s = lane_sqrt(s2), one = lane_set(1);
        LaneMask regular = lane_less(lane_set(1e-8), s); /* otherwise the axis is undefined */
        Lane wide = lane_select(regular, lane_atan2(s, q.w) / lane_select(regular, s, one), one);
        factor = lane_select(far, wide, factor);
    }
    return lane_vec3_scale(u, factor);
}

/* -q where the mask is set. */
LANE_INLINE LaneQuat lane_quat_neg_where(LaneMask m, LaneQuat q)
{
    return (LaneQuat){lane_select(m, -q.w, q.w), lane_select(m, -q.x, q.x), lane_select(m, -q.y, q.y),
                      lane_select(m, -q.z, q.z)};
}

/* Half-angle logarithm on the shortest arc, as quat_log. */
LANE_INLINE LaneVec3 lane_quat_log(LaneQuat q)
{
    return lane_quat_log_long(lane_quat_neg_where(lane_less(q.w, lane_set(0)), q));
}

LANE_INLINE LaneMat3 lane_quat_to_mat3(LaneQuat q)
{
    Lane one = lane_set(1), two = lane_set(2);
    Lane x2 = two * q.x, y2 = two * q.y, z2 = two * q.z;
    Lane xx = x2 * q.x, yy = y2 * q.y, zz = z2 * q.z, xy = x2 * q.y, xz = x2 * q.z, yz = y2 * q.z;
    Lane wx = x2 * q.w, wy = y2 * q.w, wz = z2 * q.w;
    return (LaneMat3){{{one - yy - zz, xy - wz, xz + wy},
                       {xy + wz, one - xx - zz, yz - wx},
                       {xz - wy, yz + wx, one - xx - yy}}};
}

LANE_INLINE LaneVec3 lane_mat3_mul(LaneMat3 m, LaneVec3 v)
{
    return (LaneVec3){lane_vec3_dot(m.r[0], v), lane_vec3_dot(m.r[1], v), lane_vec3_dot(m.r[2], v)};
}

/* Loads frames into lanes and stores lanes to frames. Lane l of a block at *p is the element p[l * stride], stride in
 * elements (the joints per frame). All LANES rows are accessed, so a loop over frames moves its last block to
 * frame_count - LANES and computes some frames twice with the same result:
 *   for (size_t f = 0; f < frame_count; f += LANES) {
 *     size_t first = lane_block(f, frame_count);
 * The caller selects the width with lane_width_for_frames, which ensures frame_count >= LANES. */
LANE_INLINE size_t lane_block(size_t f, size_t frame_count)
{
    return f + LANES <= frame_count ? f : frame_count - LANES;
}

LANE_INLINE Lane lane_load(const double *p, size_t stride)
{
    Lane a = lane_set(0);
    for (int l = 0; l < LANES; l++)
        a = lane_put(a, l, p[(size_t)l * stride]);
    return a;
}

LANE_INLINE void lane_store(double *p, size_t stride, Lane a)
{
    for (int l = 0; l < LANES; l++)
        p[(size_t)l * stride] = lane_get(a, l);
}

/* Loads or stores LANES adjacent doubles. */
LANE_INLINE Lane lane_load_row(const double *p)
{
    Lane a;
    memcpy(&a, p, sizeof a);
    return a;
}

LANE_INLINE void lane_store_row(double *p, Lane a) { memcpy(p, &a, sizeof a); }

#if LANES == 1
LANE_INLINE LaneVec3 lane_load3(const Vec3 *p, size_t stride) { (void)stride; return lane_vec3_set(*p); }
LANE_INLINE LaneQuat lane_load4(const Quat *p, size_t stride)
{
    (void)stride;
    return (LaneQuat){p->w, p->x, p->y, p->z};
}
LANE_INLINE void lane_store3(Vec3 *p, size_t stride, LaneVec3 a) { (void)stride; *p = (Vec3){a.x, a.y, a.z}; }
LANE_INLINE void lane_store4(Quat *p, size_t stride, LaneQuat q) { (void)stride; *p = (Quat){q.w, q.x, q.y, q.z}; }
#else
/* Pairs: two adjacent doubles of every second frame, which are `step` doubles apart. Loading and storing pairs needs no
 * shuffle (128-bit inserts and extracts with a memory operand run on any port). lane_low and lane_high convert between
 * the pairs of even and odd frames and lanes. */
#if LANES == 8
LANE_INLINE Lane lane_low(Lane a, Lane b) { return (Lane)_mm512_unpacklo_pd((__m512d)a, (__m512d)b); }
LANE_INLINE Lane lane_high(Lane a, Lane b) { return (Lane)_mm512_unpackhi_pd((__m512d)a, (__m512d)b); }
LANE_INLINE Lane lane_pairs_load(const double *p, size_t step)
{
    __m512d a = _mm512_castpd128_pd512(_mm_loadu_pd(p));
    a = _mm512_insertf64x2(a, _mm_loadu_pd(p + step), 1);
    a = _mm512_insertf64x2(a, _mm_loadu_pd(p + 2 * step), 2);
    return (Lane)_mm512_insertf64x2(a, _mm_loadu_pd(p + 3 * step), 3);
}
LANE_INLINE void lane_pairs_store(double *p, size_t step, Lane a)
{
    _mm_storeu_pd(p, _mm512_castpd512_pd128((__m512d)a));
    _mm_storeu_pd(p + step, _mm512_extractf64x2_pd((__m512d)a, 1));
    _mm_storeu_pd(p + 2 * step, _mm512_extractf64x2_pd((__m512d)a, 2));
    _mm_storeu_pd(p + 3 * step, _mm512_extractf64x2_pd((__m512d)a, 3));
}
#elif LANES == 4
LANE_INLINE Lane lane_low(Lane a, Lane b) { return (Lane)_mm256_unpacklo_pd((__m256d)a, (__m256d)b); }
LANE_INLINE Lane lane_high(Lane a, Lane b) { return (Lane)_mm256_unpackhi_pd((__m256d)a, (__m256d)b); }
LANE_INLINE Lane lane_pairs_load(const double *p, size_t step)
{
    return (Lane)_mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p)), _mm_loadu_pd(p + step), 1);
}
LANE_INLINE void lane_pairs_store(double *p, size_t step, Lane a)
{
    _mm_storeu_pd(p, _mm256_castpd256_pd128((__m256d)a));
    _mm_storeu_pd(p + step, _mm256_extractf128_pd((__m256d)a, 1));
}
#else
LANE_INLINE Lane lane_low(Lane a, Lane b) { return (Lane){a[0], b[0]}; }
LANE_INLINE Lane lane_high(Lane a, Lane b) { return (Lane){a[1], b[1]}; }
LANE_INLINE Lane lane_pairs_load(const double *p, size_t step) { (void)step; return lane_load_row(p); }
LANE_INLINE void lane_pairs_store(double *p, size_t step, Lane a) { (void)step; lane_store_row(p, a); }
#endif

LANE_INLINE LaneVec3 lane_load3(const Vec3 *p, size_t stride)
{
    size_t step = 6 * stride; /* two frames */
    Lane xy_even = lane_pairs_load(&p[0].x, step), xy_odd = lane_pairs_load(&p[stride].x, step);
    Lane yz_even = lane_pairs_load(&p[0].y, step), yz_odd = lane_pairs_load(&p[stride].y, step);
    return (LaneVec3){lane_low(xy_even, xy_odd), lane_high(xy_even, xy_odd), lane_high(yz_even, yz_odd)};
}

LANE_INLINE void lane_store3(Vec3 *p, size_t stride, LaneVec3 a)
{
    lane_pairs_store(&p[0].x, 6 * stride, lane_low(a.x, a.y));
    lane_pairs_store(&p[stride].x, 6 * stride, lane_high(a.x, a.y));
    lane_store(&p[0].z, 3 * stride, a.z);
}

LANE_INLINE LaneQuat lane_load4(const Quat *p, size_t stride)
{
    size_t step = 8 * stride;
    Lane wx_even = lane_pairs_load(&p[0].w, step), wx_odd = lane_pairs_load(&p[stride].w, step);
    Lane yz_even = lane_pairs_load(&p[0].y, step), yz_odd = lane_pairs_load(&p[stride].y, step);
    return (LaneQuat){lane_low(wx_even, wx_odd), lane_high(wx_even, wx_odd), lane_low(yz_even, yz_odd),
                      lane_high(yz_even, yz_odd)};
}

LANE_INLINE void lane_store4(Quat *p, size_t stride, LaneQuat q)
{
    size_t step = 8 * stride;
    lane_pairs_store(&p[0].w, step, lane_low(q.w, q.x));
    lane_pairs_store(&p[0].y, step, lane_low(q.y, q.z));
    lane_pairs_store(&p[stride].w, step, lane_high(q.w, q.x));
    lane_pairs_store(&p[stride].y, step, lane_high(q.y, q.z));
}
#endif

#endif
