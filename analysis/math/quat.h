/* Unit quaternions (w, x, y, z), Hamilton product, child-to-parent: v_parent = q v_child q*.
 *
 * The logarithm is the half angle (docs/sources.md "Errata"): omega = 2 log(q1 q0*) / dt in world axes.
 * Layout equals double[4]. */
#ifndef KANE_MATH_QUAT_H
#define KANE_MATH_QUAT_H

#include "analysis/math/vec.h"

typedef struct Quat {
    double w, x, y, z;
} Quat;

#define QUAT_IDENTITY ((Quat){1, 0, 0, 0})

static inline Quat quat_conjugate(Quat q) { return (Quat){q.w, -q.x, -q.y, -q.z}; }
static inline Quat quat_neg(Quat q) { return (Quat){-q.w, -q.x, -q.y, -q.z}; }
static inline double quat_dot(Quat a, Quat b) { return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z; }

static inline Quat quat_mul(Quat a, Quat b)
{
    return (Quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                  a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                  a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

/* q / |q|; a zero quaternion becomes the identity. */
static inline Quat quat_normalize(Quat q)
{
    double n = sqrt(quat_dot(q, q));
    if (!(n > 0))
        return QUAT_IDENTITY;
    return (Quat){q.w / n, q.x / n, q.y / n, q.z / n};
}

/* q or -q, whichever is nearer to reference, for signs that are continuous over time. */
static inline Quat quat_nearest(Quat q, Quat reference) { return quat_dot(q, reference) < 0 ? quat_neg(q) : q; }

/* q v q*, by v + 2 w (u x v) + 2 u x (u x v). */
static inline Vec3 quat_rotate(Quat q, Vec3 v)
{
    Vec3 u = {q.x, q.y, q.z};
    Vec3 t = vec3_scale(vec3_cross(u, v), 2);
    return vec3_add(vec3_mad(v, q.w, t), vec3_cross(u, t));
}

static inline Vec3 quat_rotate_inverse(Quat q, Vec3 v) { return quat_rotate(quat_conjugate(q), v); }

/* Rotation matrix, child to parent. */
static inline Mat3 quat_to_mat3(Quat q)
{
    double xx = 2 * q.x * q.x, yy = 2 * q.y * q.y, zz = 2 * q.z * q.z;
    double xy = 2 * q.x * q.y, xz = 2 * q.x * q.z, yz = 2 * q.y * q.z;
    double wx = 2 * q.w * q.x, wy = 2 * q.w * q.y, wz = 2 * q.w * q.z;
    return (Mat3){{{1 - yy - zz, xy - wz, xz + wy}, {xy + wz, 1 - xx - zz, yz - wx}, {xz - wy, yz + wx, 1 - xx - yy}}};
}

/* Half-angle logarithm of a unit quaternion on the shortest arc: the vector part theta/2 * axis. */
Vec3 quat_log(Quat q);

/* Inverse of quat_log: the rotation by 2 |v| about v. */
Quat quat_exp(Vec3 v);

/* Faster quat_exp and quat_log for small rotations, such as those of a time step, exact to rounding; quat_log_small
 * uses the shortest arc. */
Quat quat_exp_small(Vec3 v);
Vec3 quat_log_small(Quat q);

/* Rotation by angle (rad) about a unit axis. */
Quat quat_from_axis_angle(Vec3 axis, double angle);

/* Shortest rotation from direction a to direction b (any lengths; for opposite vectors the axis is an arbitrary
 * normal). */
Quat quat_between(Vec3 a, Vec3 b);

/* Rotation matrix to quaternion, w >= 0. */
Quat quat_from_mat3(Mat3 m);

/* Spherical interpolation on the shortest arc, t in [0, 1]. */
Quat quat_slerp(Quat a, Quat b, double t);

#endif
