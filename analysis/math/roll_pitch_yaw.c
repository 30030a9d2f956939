#include "analysis/math/roll_pitch_yaw.h"

#include "analysis/math/elementary.h"

#define SINGULAR 1e-9 /* cosine of the pitch */

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
