/* Joint torques and forces: group /dynamics of a clip file.
 *
 * torque[j], force[j]: net moment about joint centre j and net force of the parent on body j, world axes. For the root
 * they are the residual of the floating base, about the root joint; residual_force and residual_torque are the same
 * force and its moment about the body's centre of mass. power[j] = torque . (omega_j - omega_parent) + force .
 * (relative velocity of a translating joint), positive generates; root: residual power.
 *
 * With --torque-uncertainty also the covariance of each torque in world axes, stored as standard deviations and
 * correlations. The root has none, because its torque is the residual. */
#ifndef KANE_CLIP_DYNAMICS_H
#define KANE_CLIP_DYNAMICS_H

#include <math.h>
#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/math/vec.h"

/* Sources of torque errors: ground reaction forces; the low-pass filter; masses and centres of segments and joints;
 * recording noise. */
typedef enum ErrorSource { ERROR_CONTACT, ERROR_FILTER, ERROR_BODY, ERROR_RECORDING, ERROR_SOURCE_COUNT } ErrorSource;

/* Mean length of an error vector over the length of its standard deviation: docs/validation/uncertainty.md. */
#define EXPECTED_ERROR 0.9

typedef struct Dynamics {
    int frame_count;
    int joint_count;
    Vec3 *torque;          /* [frame][joint] N m */
    Vec3 *force;           /* [frame][joint] N */
    double *power;         /* [frame][joint] W */
    Vec3 *residual_force;  /* [frame] N, equals force of the root */
    Vec3 *residual_torque; /* [frame] N m, about the centre of mass */
    Vec3 *torque_sd;          /* [frame][joint] N m, standard deviation of each component; NULL: not computed */
    Vec3 *torque_correlation; /* [frame][joint] of x and y, x and z, y and z, -1 to 1; NULL if torque_sd is */
    double error_source[ERROR_SOURCE_COUNT]; /* fractions of the variance at hips, knees and ankles; 0: not computed */
    double error_limit;       /* N m/kg: joints with a larger expected error are TRUST_UNCERTAIN; not stored */
} Dynamics;

/* The arrays contain any values: the caller fills all of them. */
Status dynamics_space(Dynamics *d, int frame_count, int joint_count, Error *err);
Status dynamics_add_spread(Dynamics *d, Error *err); /* adds zeroed torque_sd and torque_correlation */
void dynamics_free(Dynamics *d);

/* Moment of the floating base's residual in a frame about a world point; root: the root joint's centre. */
static inline Vec3 dynamics_residual_about(const Dynamics *d, int frame, Vec3 root, Vec3 point)
{
    size_t at = (size_t)frame * (size_t)d->joint_count;
    return vec3_add(d->torque[at], vec3_cross(vec3_sub(root, point), d->force[at]));
}

/* Standard deviation of the torque's component along a unit direction, world axes, from torque_sd and
 * torque_correlation of one joint and frame: sqrt(e' C e). */
static inline double torque_sd_along(Vec3 sd, Vec3 correlation, Vec3 direction)
{
    Vec3 s = {sd.x * direction.x, sd.y * direction.y, sd.z * direction.z};
    double square = vec3_dot(s, s) +
                    2 * (correlation.x * s.x * s.y + correlation.y * s.x * s.z + correlation.z * s.y * s.z);
    return square > 0 ? sqrt(square) : 0;
}

#endif
