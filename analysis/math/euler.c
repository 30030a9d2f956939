/* See euler.h. */
#include "analysis/math/euler.h"

#include "analysis/math/elementary.h"
#include "analysis/math/quat.h"

#define SINGULAR 1e-9 /* cosine of the pitch below which the orientation is singular */
#define DEGREES (180 / PI)

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

void euler_to_quat(const ChannelRows *rows, LaneWidth lanes, Quat *rotation)
{
    LANE_TWIN(euler_to_quat, lane_width_for_frames(lanes, rows->frame_count))(rows, rotation);
}

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
