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

/* Roll, pitch and yaw of an orientation (docs/sources.md, notes 0.4). */

#define SINGULAR 1e-9 /* cosine of the pitch below which the orientation is singular */

/* First column (cr cp, sr cp, -sp), last row (-sp, cp sy, cp cy). */
RollPitchYaw roll_pitch_yaw_from_quat(Quat q)
{
    Mat3 r = quat_to_mat3(q);
    double cosine = sqrt(r.r[0].x * r.r[0].x + r.r[1].x * r.r[1].x);
    double pitch = elementary_atan2(-r.r[2].x, cosine);
    if (cosine < SINGULAR)
        return (RollPitchYaw){elementary_atan2(-r.r[0].y, r.r[1].y), pitch, 0};
    return (RollPitchYaw){elementary_atan2(r.r[1].x, r.r[0].x), pitch, elementary_atan2(r.r[2].y, r.r[2].z)};
}

Quat roll_pitch_yaw_to_quat(RollPitchYaw a)
{
    return quat_mul(quat_mul(quat_from_axis_angle(vec3(0, 0, 1), a.roll), quat_from_axis_angle(vec3(0, 1, 0), a.pitch)),
                    quat_from_axis_angle(vec3(1, 0, 0), a.yaw));
}

Mat3 roll_pitch_yaw_rows(RollPitchYaw a)
{
    double st, ct, sp, cp;
    elementary_sincos(a.roll, &st, &ct);
    elementary_sincos(a.pitch, &sp, &cp);
    return (Mat3){{{sp * ct / cp, sp * st / cp, 1}, {-st, ct, 0}, {ct / cp, st / cp, 0}}};
}

Mat3 roll_pitch_yaw_row_rates(RollPitchYaw a, RollPitchYaw r)
{
    double st, ct, sp, cp;
    elementary_sincos(a.roll, &st, &ct);
    elementary_sincos(a.pitch, &sp, &cp);
    double tp = sp / cp, square = 1 + tp * tp;
    Vec3 roll = {-st * tp * r.roll + square * ct * r.pitch, ct * tp * r.roll + square * st * r.pitch, 0};
    Vec3 pitch = {-ct * r.roll, -st * r.roll, 0};
    Vec3 yaw = {(-st * r.roll + ct * tp * r.pitch) / cp, (ct * r.roll + st * tp * r.pitch) / cp, 0};
    return (Mat3){{roll, pitch, yaw}};
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

/* Conversion between Euler channels and quaternions. */

void euler_to_quat(const ChannelRows *rows, LaneWidth lanes, Quat *rotation)
{
    LANE_TWIN(euler_to_quat, lane_width_for_frames(lanes, rows->frame_count))(rows, rotation);
}

#define DEGREES (180 / PI)

/* angle plus the multiple of 360 deg that brings it nearest to `near`, deg. */
static double nearest_turn(double angle, double near) { return angle + 360 * rint((near - angle) / 360); }

static Vec3 nearest_angles(Vec3 a, Vec3 near)
{
    return vec3(nearest_turn(a.x, near.x), nearest_turn(a.y, near.y), nearest_turn(a.z, near.z));
}

/* R = Ri(a) Rj(b) Rk(c) about three different axes; e = 1 if i j k is x y z or a cyclic permutation, otherwise -1:
 *  R[i][k] = e sin b;
 *  R[j][k] = -e sin a cos b, R[k][k] = cos a cos b;
 *  R[i][j] = -e cos b sin c, R[i][i] = cos b cos c.
 *
 * If cos b = 0, with s = sin b, only a + s e c is determined: R[j][j] = cos(a + s e c), R[k][j] = e sin(a + s e c). */
Vec3 euler_from_quat(const int axis[3], Quat q, Vec3 near)
{
    Mat3 m = quat_to_mat3(quat_normalize(q));
    const double r[3][3] = {{m.r[0].x, m.r[0].y, m.r[0].z},
                            {m.r[1].x, m.r[1].y, m.r[1].z},
                            {m.r[2].x, m.r[2].y, m.r[2].z}};
    int i = axis[0], j = axis[1], k = axis[2];
    const double *ri = r[i], *rj = r[j], *rk = r[k];
    double e = (j - i + 3) % 3 == 1 ? 1 : -1;
    double sin_b = e * ri[k], cos_b = sqrt(rj[k] * rj[k] + rk[k] * rk[k]);
    double b = elementary_atan2(sin_b, cos_b) * DEGREES;
    if (cos_b < 1e-9) {
        double sum = elementary_atan2(e * rk[j], rj[j]) * DEGREES;
        double c = e * sin_b > 0 ? sum - near.x : near.x - sum;
        return nearest_angles(vec3(near.x, b, c), near);
    }
    double a = elementary_atan2(-e * rj[k], rk[k]) * DEGREES, c = elementary_atan2(-e * ri[j], ri[i]) * DEGREES;
    Vec3 one = nearest_angles(vec3(a, b, c), near);
    Vec3 other = nearest_angles(vec3(a + 180, 180 - b, c + 180), near);
    return vec3_distance(one, near) <= vec3_distance(other, near) ? one : other;
}
