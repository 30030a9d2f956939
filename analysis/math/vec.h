/* Vectors and matrices as small values.
 *
 * World frame: right-handed, +Y up. SI units. A Vec3 has the layout of double[3], so an array of them is `[...][3]` in
 * a file. Cross products and matrices are right-handed; vectors are columns. */
#ifndef KANE_MATH_VEC_H
#define KANE_MATH_VEC_H

#include <math.h>
#include <stddef.h>

typedef struct Vec3 {
    double x, y, z;
} Vec3;

/* Symmetric 3x3 matrix. As an inertia: about the centre of mass, products as matrix entries (Ixy = -sum m x y). */
typedef struct Sym3 {
    double xx, yy, zz, xy, xz, yz;
} Sym3;

/* 3x3 matrix, rows r[0..2]. */
typedef struct Mat3 {
    Vec3 r[3];
} Mat3;

static inline Vec3 vec3(double x, double y, double z) { return (Vec3){x, y, z}; }
static inline Vec3 vec3_add(Vec3 a, Vec3 b) { return (Vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline Vec3 vec3_sub(Vec3 a, Vec3 b) { return (Vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline Vec3 vec3_neg(Vec3 a) { return (Vec3){-a.x, -a.y, -a.z}; }
static inline Vec3 vec3_scale(Vec3 a, double s) { return (Vec3){a.x * s, a.y * s, a.z * s}; }
/* a + s b */
static inline Vec3 vec3_mad(Vec3 a, double s, Vec3 b) { return (Vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z}; }
/* Linear interpolation: a + t (b - a). */
static inline double lerp(double a, double b, double t) { return a + t * (b - a); }
static inline Vec3 vec3_lerp(Vec3 a, Vec3 b, double t) { return vec3_mad(a, t, vec3_sub(b, a)); }
static inline Vec3 vec3_load(const double from[3]) { return (Vec3){from[0], from[1], from[2]}; }

static inline void vec3_store(double to[3], Vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

/* axis: 0, 1, 2 for x, y, z. */
static inline double vec3_component(Vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static inline double vec3_dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline double vec3_norm(Vec3 a) { return sqrt(vec3_dot(a, a)); }
static inline double vec3_distance(Vec3 a, Vec3 b) { return vec3_norm(vec3_sub(a, b)); }

/* The largest length; 0 of none. */
static inline double vec3_longest(const Vec3 *a, int count)
{
    double longest = 0;
    for (int i = 0; i < count; i++)
        longest = fmax(longest, vec3_norm(a[i]));
    return longest;
}

static inline Vec3 vec3_cross(Vec3 a, Vec3 b)
{
    return (Vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* a / |a|; the zero vector stays zero. */
static inline Vec3 vec3_normalize(Vec3 a)
{
    double n = vec3_norm(a);
    return n > 0 ? vec3_scale(a, 1 / n) : a;
}

static inline Vec3 sym3_mul(Sym3 m, Vec3 v)
{
    return (Vec3){m.xx * v.x + m.xy * v.y + m.xz * v.z,
                  m.xy * v.x + m.yy * v.y + m.yz * v.z,
                  m.xz * v.x + m.yz * v.y + m.zz * v.z};
}

static inline Sym3 sym3_add(Sym3 a, Sym3 b)
{
    return (Sym3){a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}

static inline Sym3 sym3_scale(Sym3 a, double s)
{
    return (Sym3){a.xx * s, a.yy * s, a.zz * s, a.xy * s, a.xz * s, a.yz * s};
}

/* Inertia of a point mass at r about the origin: m (r.r 1 - r r^T), the parallel-axis term. */
static inline Sym3 sym3_point_inertia(double m, Vec3 r)
{
    return (Sym3){m * (r.y * r.y + r.z * r.z), m * (r.x * r.x + r.z * r.z), m * (r.x * r.x + r.y * r.y),
                  -m * r.x * r.y, -m * r.x * r.z, -m * r.y * r.z};
}

static inline Vec3 mat3_mul(Mat3 m, Vec3 v)
{
    return (Vec3){vec3_dot(m.r[0], v), vec3_dot(m.r[1], v), vec3_dot(m.r[2], v)};
}

/* R S R^T: the same tensor in axes rotated by R. */
static inline Sym3 sym3_rotate(Mat3 r, Sym3 s)
{
    Vec3 x = sym3_mul(s, r.r[0]), y = sym3_mul(s, r.r[1]), z = sym3_mul(s, r.r[2]);
    return (Sym3){vec3_dot(r.r[0], x), vec3_dot(r.r[1], y), vec3_dot(r.r[2], z),
                  vec3_dot(r.r[0], y), vec3_dot(r.r[0], z), vec3_dot(r.r[1], z)};
}

/* m^T v */
static inline Vec3 mat3_mul_transposed(Mat3 m, Vec3 v)
{
    return vec3_mad(vec3_mad(vec3_scale(m.r[0], v.x), v.y, m.r[1]), v.z, m.r[2]);
}

#define MAT3_IDENTITY ((Mat3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}})

/* [v], the matrix of the cross product v x. */
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

/* Inverse of a symmetric matrix by its adjugate; returns 0 if it is not positive definite. */
int sym3_inverse(Sym3 s, Sym3 *inverse);

/* Eigenvalues of a symmetric matrix, such as principal moments, and in *axes (or NULL) their unit eigenvectors as
 * rows. */
Vec3 sym3_principal(Sym3 s, Mat3 *axes);

/* Nearest points of two segments: their positions, each 0 .. 1 from its segment's first to its second point. */
typedef struct SegmentPoints {
    double a, b;
} SegmentPoints;

/* Segments from [0] to [1], m, which may be points. C. Ericson, Real-Time Collision Detection (2005), 5.1.9. */
SegmentPoints segments_nearest(const Vec3 a[2], const Vec3 b[2]);

/* Vector from the nearest point of b to that of a, m. */
Vec3 segments_apart(const Vec3 a[2], const Vec3 b[2]);

#endif
