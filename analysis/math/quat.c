/* See quat.h. */
#include "analysis/math/quat.h"

#include "analysis/math/elementary.h"

Vec3 quat_log(Quat q)
{
    if (q.w < 0)
        q = quat_neg(q);
    Vec3 u = {q.x, q.y, q.z};
    double s = vec3_norm(u);
    /* atan2(s, w) / s -> 1/w as s -> 0; below 1e-8 the next term of the series is less than rounding error. */
    double k = s > 1e-8 ? elementary_atan2(s, q.w) / s : 1 / q.w;
    return vec3_scale(u, k);
}

Quat quat_exp(Vec3 v)
{
    double a = vec3_norm(v), s, c;
    elementary_sincos(a, &s, &c);
    double k = a > 1e-8 ? s / a : 1;
    return (Quat){c, k * v.x, k * v.y, k * v.z};
}

Quat quat_from_axis_angle(Vec3 axis, double angle)
{
    double s, c;
    elementary_sincos(0.5 * angle, &s, &c);
    return (Quat){c, s * axis.x, s * axis.y, s * axis.z};
}

Quat quat_between(Vec3 a, Vec3 b)
{
    a = vec3_normalize(a);
    b = vec3_normalize(b);
    double d = vec3_dot(a, b);
    if (d < -1 + 1e-12) {
        Vec3 other = fabs(a.x) < 0.6 ? vec3(1, 0, 0) : vec3(0, 1, 0);
        Vec3 n = vec3_normalize(vec3_cross(a, other));
        return (Quat){0, n.x, n.y, n.z};
    }
    Vec3 c = vec3_cross(a, b);
    return quat_normalize((Quat){1 + d, c.x, c.y, c.z});
}

Quat quat_from_mat3(Mat3 m)
{
    /* Shepperd's method: divide by the largest of the four squared components. */
    double xx = m.r[0].x, yy = m.r[1].y, zz = m.r[2].z, trace = xx + yy + zz;
    Quat q;
    if (trace >= xx && trace >= yy && trace >= zz)
        q = (Quat){1 + trace, m.r[2].y - m.r[1].z, m.r[0].z - m.r[2].x, m.r[1].x - m.r[0].y};
    else if (xx >= yy && xx >= zz)
        q = (Quat){m.r[2].y - m.r[1].z, 1 + xx - yy - zz, m.r[0].y + m.r[1].x, m.r[0].z + m.r[2].x};
    else if (yy >= zz)
        q = (Quat){m.r[0].z - m.r[2].x, m.r[0].y + m.r[1].x, 1 + yy - xx - zz, m.r[1].z + m.r[2].y};
    else
        q = (Quat){m.r[1].x - m.r[0].y, m.r[0].z + m.r[2].x, m.r[1].z + m.r[2].y, 1 + zz - xx - yy};
    q = quat_normalize(q);
    return q.w < 0 ? quat_neg(q) : q;
}

Quat quat_slerp(Quat a, Quat b, double t)
{
    Quat step = quat_mul(quat_conjugate(a), quat_nearest(b, a));
    return quat_mul(a, quat_exp(vec3_scale(quat_log(step), t)));
}

/* Series, exact to rounding below 1/2. Multiplies by constants instead of dividing. */
Quat quat_exp_small(Vec3 v)
{
    double a = vec3_dot(v, v);
    if (a > 0.25)
        return quat_exp(v);
    double c = 1 - a * (1. / 90) * (1 - a * (1. / 132) * (1 - a * (1. / 182)));
    c = 1 - a * (1. / 2) * (1 - a * (1. / 12) * (1 - a * (1. / 30) * (1 - a * (1. / 56) * c)));
    double s = 1 - a * (1. / 110) * (1 - a * (1. / 156) * (1 - a * (1. / 210)));
    s = 1 - a * (1. / 6) * (1 - a * (1. / 20) * (1 - a * (1. / 42) * (1 - a * (1. / 72) * s)));
    return (Quat){c, s * v.x, s * v.y, s * v.z};
}

/* Series of the arc sine, exact to rounding below 1/10. */
Vec3 quat_log_small(Quat q)
{
    double a = q.x * q.x + q.y * q.y + q.z * q.z;
    if (q.w < 0)
        q = quat_neg(q);
    if (a > 0.01)
        return quat_log(q);
    double s = 63. / 2816 + a * (231. / 13312 + a * (143. / 10240 + a * (6435. / 557056)));
    s = 1 + a * (1. / 6 + a * (3. / 40 + a * (5. / 112 + a * (35. / 1152 + a * s))));
    return vec3(s * q.x, s * q.y, s * q.z);
}
