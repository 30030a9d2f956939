/* Small matrices: products of 3x3 matrices and their place as blocks in larger ones. */
#ifndef KANE_MATH_MAT3_H
#define KANE_MATH_MAT3_H

#include <stddef.h>

#include "analysis/math/vec.h"

#define MAT3_IDENTITY ((Mat3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}})

/* [v], the matrix of v x. */
static inline Mat3 mat3_cross(Vec3 v) { return (Mat3){{{0, -v.z, v.y}, {v.z, 0, -v.x}, {-v.y, v.x, 0}}}; }

/* a b' */
static inline Mat3 mat3_outer(Vec3 a, Vec3 b)
{
    return (Mat3){{vec3_scale(b, a.x), vec3_scale(b, a.y), vec3_scale(b, a.z)}};
}

static inline Mat3 mat3_from_sym3(Sym3 s)
{
    return (Mat3){{{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}}};
}

static inline Mat3 mat3_transpose(Mat3 m)
{
    return (Mat3){{{m.r[0].x, m.r[1].x, m.r[2].x}, {m.r[0].y, m.r[1].y, m.r[2].y}, {m.r[0].z, m.r[1].z, m.r[2].z}}};
}

static inline Mat3 mat3_scale(Mat3 m, double s)
{
    return (Mat3){{vec3_scale(m.r[0], s), vec3_scale(m.r[1], s), vec3_scale(m.r[2], s)}};
}

/* a + s b */
static inline Mat3 mat3_mad(Mat3 a, double s, Mat3 b)
{
    return (Mat3){{vec3_mad(a.r[0], s, b.r[0]), vec3_mad(a.r[1], s, b.r[1]), vec3_mad(a.r[2], s, b.r[2])}};
}

static inline Mat3 mat3_add(Mat3 a, Mat3 b) { return mat3_mad(a, 1, b); }

static inline Mat3 mat3_product(Mat3 a, Mat3 b)
{
    return (Mat3){{mat3_mul_transposed(b, a.r[0]), mat3_mul_transposed(b, a.r[1]), mat3_mul_transposed(b, a.r[2])}};
}

/* Adds scale b at (row, column) of a matrix with `stride` columns. */
static inline void mat3_add_block(double *m, int stride, int row, int column, double scale, Mat3 b)
{
    for (int i = 0; i < 3; i++) {
        double *to = m + (size_t)(row + i) * (size_t)stride + column;
        to[0] += scale * b.r[i].x;
        to[1] += scale * b.r[i].y;
        to[2] += scale * b.r[i].z;
    }
}

/* Principal moments of a symmetric matrix, and in *axes, which may be NULL, their unit directions as rows. */
Vec3 sym3_principal(Sym3 s, Mat3 *axes);

#endif
