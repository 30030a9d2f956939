/* See euler.h. */
#include "analysis/motion/euler.h"

#include "analysis/math/elementary.h"

void euler_to_quat(const ChannelRows *rows, LaneWidth lanes, Quat *rotation)
{
    LANE_TWIN(euler_to_quat, lane_width_for_frames(lanes, rows->frame_count))(rows, rotation);
}

#define DEGREES (180 / PI)

/* angle plus the whole turns that bring it nearest to near, deg. */
static double nearest_turn(double angle, double near) { return angle + 360 * rint((near - angle) / 360); }

static Vec3 nearest_turns(Vec3 a, Vec3 near)
{
    return vec3(nearest_turn(a.x, near.x), nearest_turn(a.y, near.y), nearest_turn(a.z, near.z));
}

/* R = Ri(a) Rj(b) Rk(c) about three different axes; e = 1 where i j k is x y z or a cyclic shift of it, else -1:
 *   R[i][k] = e sin b;
 *   R[j][k] = -e sin a cos b, R[k][k] = cos a cos b;
 *   R[i][j] = -e cos b sin c, R[i][i] = cos b cos c.
 * Where cos b = 0, with s = sin b only a + s e c is given: R[j][j] = cos(a + s e c), R[k][j] = e sin(a + s e c). */
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
        return nearest_turns(vec3(near.x, b, c), near);
    }
    double a = elementary_atan2(-e * rj[k], rk[k]) * DEGREES, c = elementary_atan2(-e * ri[j], ri[i]) * DEGREES;
    Vec3 one = nearest_turns(vec3(a, b, c), near);
    Vec3 other = nearest_turns(vec3(a + 180, 180 - b, c + 180), near);
    return vec3_distance(one, near) <= vec3_distance(other, near) ? one : other;
}
