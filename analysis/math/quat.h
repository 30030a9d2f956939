/* Unit quaternions (w, x, y, z), Hamilton product, child-to-parent: v_parent = q v_child q*.
 *
 * The logarithm is the half angle (docs/sources.md "Errata"): omega = 2 log(q1 q0*) / dt in world axes.
 * Layout equals double[4]. */
#ifndef KANE_MATH_QUAT_H
#define KANE_MATH_QUAT_H

#include <stddef.h>

#include "analysis/math/lane_width.h"
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

/* Roll, pitch and yaw of an orientation (docs/sources.md, notes 0.4): rotation by roll about z, then by pitch about the
 * new y', then by yaw about the final x''. Singular where the cosine of the pitch is zero. */

typedef struct RollPitchYaw {
    double roll, pitch, yaw; /* rad; roll and yaw in [-pi, pi], pitch in [-pi/2, pi/2] */
} RollPitchYaw;

/* R = R_z(roll) R_y(pitch) R_x(yaw); at a pitch of +-pi/2 the yaw is 0. */
RollPitchYaw roll_pitch_yaw_from_quat(Quat q);
Quat roll_pitch_yaw_to_quat(RollPitchYaw angles);

/* The rows of (0.2): rates of the angles = rows . angular velocity of the child relative to the parent, in axes of the
 * parent. */
Mat3 roll_pitch_yaw_rows(RollPitchYaw angles);

/* The time derivatives of these rows (0.4, below (0.2)) at given rates of the angles: accelerations of the angles =
 * rows . angular acceleration + derivatives . angular velocity. */
Mat3 roll_pitch_yaw_row_rates(RollPitchYaw angles, RollPitchYaw rates);

/* Conversion between Euler channels and quaternions.
 *
 * A rotation is the product of rotations about the joint's own axes in the order of its channels (intrinsic): q = q_1
 * q_2 ... q_n. Angles are in degrees, as in motion files; no other module uses degrees. Cost: about 5 ns per channel on
 * AVX-512. Results are bitwise equal at every vector width. */

enum { EULER_MAX_CHANNELS = 6 };

/* Rotation channels of one joint: their columns in a frame's row and their axes (0 x, 1 y, 2 z). */
typedef struct EulerChannels {
    int count; /* 0: the joint has no rotation channels */
    int axis[EULER_MAX_CHANNELS];
    int column[EULER_MAX_CHANNELS];
} EulerChannels;

/* Rows of a motion file: angles in degrees, positions in file units. Columns that are not rotation channels of a joint
 * are positions. */
typedef struct ChannelRows {
    int frame_count;
    int row_size;            /* columns */
    int joint_count;
    const EulerChannels *rotations; /* [joint] */
    double *value;                  /* [frame][column] */
} ChannelRows;

/* Fills rotation[frame][joint]. Unit to rounding; signs are not made continuous. */
void euler_to_quat(const ChannelRows *rows, LaneWidth lanes, Quat *rotation);

/* The kernels of euler_to_quat, which require at least as many frames as lanes. One variant per instruction set. */
typedef void EulerKernel(const ChannelRows *rows, Quat *rotation);
LANE_TWINS(EulerKernel, euler_to_quat);

/* Angles (deg) about three different axes with q = q_axis[0] q_axis[1] q_axis[2]. Returns the triple nearest to `near`,
 * so that a series that passes its last value is continuous. If the middle angle is +-90 deg, only the sum or
 * difference of the others is determined; the first then keeps near's value. */
Vec3 euler_from_quat(const int axis[3], Quat q, Vec3 near);

#endif
