#include "analysis/sim/joint_limit.h"

#include "analysis/math/elementary.h"

/* From R = Rz(roll) Ry(pitch) Rx(yaw): first column (cr cp, sr cp, -sp), last row (-sp, cp sy, cp cy). */
JointAngles joint_angles(Quat q)
{
    Mat3 r = quat_to_mat3(q);
    double cosine = sqrt(r.r[0].x * r.r[0].x + r.r[1].x * r.r[1].x);
    double pitch = elementary_atan2(-r.r[2].x, cosine);
    if (cosine < 1e-9)
        return (JointAngles){elementary_atan2(-r.r[0].y, r.r[1].y), pitch, 0};
    return (JointAngles){elementary_atan2(r.r[1].x, r.r[0].x), pitch, elementary_atan2(r.r[2].y, r.r[2].z)};
}

Quat joint_angles_to_quat(JointAngles a)
{
    Quat z = quat_from_axis_angle(vec3(0, 0, 1), a.roll), y = quat_from_axis_angle(vec3(0, 1, 0), a.pitch);
    return quat_mul(quat_mul(z, y), quat_from_axis_angle(vec3(1, 0, 0), a.yaw));
}

/* (0.2) */
Mat3 joint_limit_rows(JointAngles a)
{
    double st, ct, sp, cp;
    elementary_sincos(a.roll, &st, &ct);
    elementary_sincos(a.pitch, &sp, &cp);
    return (Mat3){{{sp * ct / cp, sp * st / cp, 1}, {-st, ct, 0}, {ct / cp, st / cp, 0}}};
}

/* The matrix that follows (0.2). */
Mat3 joint_limit_rows_rate(JointAngles a, JointAngles rate)
{
    double st, ct, sp, cp;
    elementary_sincos(a.roll, &st, &ct);
    elementary_sincos(a.pitch, &sp, &cp);
    double tp = sp / cp, roll = rate.roll, pitch = rate.pitch;
    return (Mat3){{{-st * tp * roll + (1 + tp * tp) * ct * pitch, ct * tp * roll + (1 + tp * tp) * st * pitch, 0},
                   {-ct * roll, -st * roll, 0},
                   {(-st * roll + ct * tp * pitch) / cp, (ct * roll + st * tp * pitch) / cp, 0}}};
}
