/* The SLEEF functions that kane calls (analysis/math/elementary.c, lanes.h), implemented with the libm of the
 * WebAssembly toolchain. */
#ifndef KANE_WEB_SLEEF_H
#define KANE_WEB_SLEEF_H

#include <immintrin.h>
#include <math.h>

typedef struct Sleef_double_2 {
    double x, y;
} Sleef_double_2;

typedef struct Sleef___m128d_2 {
    __m128d x, y;
} Sleef___m128d_2;

static inline double Sleef_cinz_sind1_u10purec(double x) { return sin(x); }
static inline double Sleef_cinz_cosd1_u10purec(double x) { return cos(x); }
static inline double Sleef_cinz_tand1_u10purec(double x) { return tan(x); }
static inline double Sleef_cinz_atan2d1_u10purec(double y, double x) { return atan2(y, x); }
static inline double Sleef_cinz_asind1_u10purec(double x) { return asin(x); }
static inline double Sleef_cinz_acosd1_u10purec(double x) { return acos(x); }
static inline double Sleef_cinz_expd1_u10purec(double x) { return exp(x); }
static inline double Sleef_cinz_expm1d1_u10purec(double x) { return expm1(x); }
static inline double Sleef_cinz_logd1_u10purec(double x) { return log(x); }
static inline double Sleef_cinz_powd1_u10purec(double x, double y) { return pow(x, y); }

static inline Sleef_double_2 Sleef_cinz_sincosd1_u10purec(double x)
{
    return (Sleef_double_2){sin(x), cos(x)};
}

/* Functions of two lanes call the scalar functions per lane, so that both versions return the same bits. */

static inline __m128d Sleef_cinz_atan2d2_u10sse2(__m128d y, __m128d x)
{
    return (__m128d){atan2(y[0], x[0]), atan2(y[1], x[1])};
}

static inline __m128d Sleef_cinz_expd2_u10sse2(__m128d x)
{
    return (__m128d){exp(x[0]), exp(x[1])};
}

static inline __m128d Sleef_cinz_sind2_u10sse2(__m128d x)
{
    return (__m128d){sin(x[0]), sin(x[1])};
}

static inline __m128d Sleef_cinz_cosd2_u10sse2(__m128d x)
{
    return (__m128d){cos(x[0]), cos(x[1])};
}

static inline Sleef___m128d_2 Sleef_cinz_sincosd2_u10sse2(__m128d a)
{
    return (Sleef___m128d_2){{sin(a[0]), sin(a[1])}, {cos(a[0]), cos(a[1])}};
}

#endif
