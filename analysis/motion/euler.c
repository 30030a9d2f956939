#include "analysis/motion/euler.h"

#include "analysis/math/elementary.h"
#include "analysis/motion/euler_kernel.h"

void euler_to_quat(const EulerTurns *turns, int joint_count, const double *value, size_t row_size, int frame_count,
                   LaneWidth lanes, Quat *rotation)
{
    EulerKernel *convert = euler_to_quat_scalar;
    switch (lane_width_for_frames(lanes, frame_count)) {
    case LANES_AVX512: convert = euler_to_quat_avx512; break;
    case LANES_AVX2: convert = euler_to_quat_avx2; break;
    case LANES_SSE2: convert = euler_to_quat_sse2; break;
    default: break;
    }
    convert(turns, joint_count, value, row_size, frame_count, rotation);
}

#define DEGREES (180 / PI)

/* angle plus the whole turns that bring it nearest to near, deg. */
static double nearest_turn(double angle, double near) { return angle + 360 * rint((near - angle) / 360); }

static Vec3 nearest_turns(Vec3 a, Vec3 near)
{
    return vec3(nearest_turn(a.x, near.x), nearest_turn(a.y, near.y), nearest_turn(a.z, near.z));
}

/* R = Rz(a) Rx(b) Ry(c):
 *   R[2][1] = sin b;  R[0][1] = -sin a cos b, R[1][1] = cos a cos b;  R[2][0] = -cos b sin c, R[2][2] = cos b cos c.
 * Where cos b = 0 only a +- c is given: R[0][0] = cos(a +- c), R[1][0] = sin(a +- c), with the sign of sin b. */
Vec3 euler_zxy_from_quat(Quat q, Vec3 near)
{
    Mat3 m = quat_to_mat3(quat_normalize(q));
    double cos_b = sqrt(m.r[0].y * m.r[0].y + m.r[1].y * m.r[1].y);
    double b = elementary_atan2(m.r[2].y, cos_b) * DEGREES;
    if (cos_b < 1e-9) {
        double sum = elementary_atan2(m.r[1].x, m.r[0].x) * DEGREES;
        double c = m.r[2].y > 0 ? sum - near.x : near.x - sum;
        return nearest_turns(vec3(near.x, b, c), near);
    }
    double a = elementary_atan2(-m.r[0].y, m.r[1].y) * DEGREES, c = elementary_atan2(-m.r[2].x, m.r[2].z) * DEGREES;
    Vec3 one = nearest_turns(vec3(a, b, c), near);
    Vec3 other = nearest_turns(vec3(a + 180, 180 - b, c + 180), near);
    return vec3_distance(one, near) <= vec3_distance(other, near) ? one : other;
}
