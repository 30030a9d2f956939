/* Functional knee axis (knee_axis.h). */
#include "analysis/angles/knee_axis.h"

#include <math.h>

#include "analysis/angles/coordinates.h"
#include "analysis/clip/joint_angles.h"
#include "analysis/math/elementary.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

#define DEGREE (PI / 180)

/* Range of the knee's flexion about its geometric axis, rad. */
static Status find_range(const Kinematics *k, const JointAxes *knee, double *range, Error *err)
{
    JointAngles a = {0};
    JointAxesSet alone = {.count = 1, .joint = {*knee}};
    double min = INFINITY, max = -INFINITY;
    Status status = coordinates_compute(&alone, k, NULL, &a, err);
    for (int f = 0; f < a.frame_count; f++) {
        double angle = a.angle[joint_angles_index(&a, f, 0)];
        if (!k->valid[f] || !isfinite(angle))
            continue;
        min = fmin(min, angle);
        max = fmax(max, angle);
    }
    *range = max - min;
    joint_angles_free(&a);
    return status;
}

/* Sum over the frames of omega omega', omega the angular velocity of the shank relative to the thigh, in axes of the
 * thigh. */
static Mat3 velocity_squares(const Kinematics *k, const JointAxes *knee)
{
    Mat3 sum = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    for (int f = 0; f < k->frame_count; f++) {
        size_t row = (size_t)f * (size_t)k->joint_count;
        size_t thigh = row + (size_t)knee->proximal, shank = row + (size_t)knee->distal;
        if (!k->valid[f])
            continue;
        Vec3 omega = vec3_sub(k->angular_velocity[shank], k->angular_velocity[thigh]);
        omega = quat_rotate_inverse(quat_mul(k->orientation[thigh], knee->proximal_axes), omega);
        sum = mat3_add(sum, mat3_outer(omega, omega));
    }
    return sum;
}

static double trace(Mat3 m) { return m.r[0].x + m.r[1].y + m.r[2].z; }

/* The eigenvector of the largest eigenvalue, by repeated squaring of the matrix. */
static Vec3 main_direction(Mat3 m)
{
    for (int i = 0; i < 16; i++) {
        m = mat3_scale(m, 1 / trace(m));
        m = mat3_product(m, m);
    }
    Vec3 column = m.r[0]; /* symmetric: rows equal columns */
    for (int i = 1; i < 3; i++)
        if (vec3_norm(m.r[i]) > vec3_norm(column))
            column = m.r[i];
    return vec3_normalize(column);
}

Status knee_axis_find(const Kinematics *kinematics, double min_fraction, JointAxes *knee, int *found, Error *err)
{
    double range;
    *found = 0;
    Status status = find_range(kinematics, knee, &range, err);
    if (status || !(range >= KNEE_MIN_RANGE * DEGREE))
        return status;
    Mat3 squares = velocity_squares(kinematics, knee);
    Vec3 axis = main_direction(squares);
    if (axis.z < 0)
        axis = vec3_neg(axis);
    double fraction = vec3_dot(axis, mat3_mul(squares, axis)) / trace(squares);
    if (!(fraction >= min_fraction) || !(axis.z >= elementary_cos(KNEE_MAX_TILT * DEGREE)))
        return STATUS_OK;
    Quat about = quat_from_axis_angle(vec3(0, 1, 0), elementary_atan2(axis.x, axis.z));
    Quat tilt = quat_from_axis_angle(vec3(1, 0, 0), -elementary_asin(axis.y));
    knee->proximal_axes = quat_mul(knee->proximal_axes, quat_mul(about, tilt));
    knee->distal_axes = quat_mul(knee->distal_axes, about);
    *found = 1;
    return STATUS_OK;
}
