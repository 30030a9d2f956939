/* See body_limits.h. */
#include "analysis/retime/body_limits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/base/standard_gravity.h"


#define FAULTS (TRUST_TELEPORT | TRUST_FLIP | TRUST_FROZEN | TRUST_INTERPOLATED | TRUST_FLICKER | TRUST_SWAPPED)

static const double usual_friction = 0.8; /* of measured forces */
static const double min_share = 0.2;    /* of a limit that remains below the high end of a wide band */

void body_limits_free(BodyLimits *limits)
{
    free(limits->torque);
    *limits = (BodyLimits){0};
}

/* A limit with the band of an estimate's error. */
static double banded(const BodyLimits *limits, double limit, double sd)
{
    double band = EXPECTED_ERROR * (isfinite(sd) ? sd : 0);
    if (limits->band == BAND_LOW)
        return limit + band;
    return limits->band == BAND_HIGH ? fmax(limit - band, min_share * limit) : limit;
}

static Vec3 torque_effort(const BodyLimits *limits, const Clip *clip, int frame, int joint)
{
    const Dynamics *d = &clip->dynamics;
    size_t at = (size_t)frame * (size_t)d->joint_count + (size_t)joint;
    if (!limits->torque || !isfinite(limits->torque[joint]))
        return vec3(0, 0, 0);
    double sd = d->torque_sd && limits->band ? vec3_norm(d->torque_sd[at]) : 0;
    return vec3_scale(d->torque[at], 1 / banded(limits, limits->torque[joint], sd));
}

static Vec3 strength_effort(const BodyLimits *limits, const Clip *clip, int frame, int column)
{
    const JointAngles *a = &clip->angles;
    size_t at = joint_angles_index(a, frame, column);
    if (!isfinite(limits->share) || !a->utilization || !(a->utilization[at] > 0))
        return vec3(0, 0, 0);
    double sd = limits->band ? a->utilization_sd[at] : 0, use = a->utilization[at] / banded(limits, limits->share, sd);
    return vec3(a->moment[at] < 0 ? -use : use, 0, 0);
}

/* Distance of the force that the motion requires from the friction cone, in units of GROUND_DOUBT. */
static Vec3 ground_effort(const Clip *clip, int frame)
{
    const Contact *c = &clip->contact;
    Vec3 force = clip->dynamics.residual_force[frame], up = c->ground_normal;
    double weight = clip->body.total_mass * GRAVITY, mu = c->friction > 0 ? c->friction : usual_friction;
    if (c->point_count == 0 || !(weight > 0))
        return vec3(0, 0, 0);
    for (int p = 0; p < c->point_count; p++)
        force = vec3_add(force, c->force[(size_t)frame * (size_t)c->point_count + (size_t)p]);
    double normal = vec3_dot(force, up), level = vec3_norm(vec3_mad(force, -normal, up));
    return vec3((level - mu * normal) / (sqrt(1 + mu * mu) * weight * GROUND_DOUBT), 0, 0);
}

Vec3 body_limits_effort(const BodyLimits *limits, const Clip *clip, int frame, int effort)
{
    int joints = clip->skeleton.joint_count, ground = body_limits_ground(clip);
    int joint = effort < joints ? effort : effort < ground ? clip->angles.joint[effort - joints] : 0;
    uint32_t reason = clip->has_trust ? trust_joint_reason(&clip->trust, frame, joint) : 0;
    if (!clip->kinematics.valid[frame] || reason & FAULTS)
        return vec3(0, 0, 0);
    if (effort == ground)
        return ground_effort(clip, frame);
    return effort < joints ? torque_effort(limits, clip, frame, effort)
                           : strength_effort(limits, clip, frame, effort - joints);
}

void body_limits_name(const Clip *clip, int effort, char *text, size_t size)
{
    int joints = clip->skeleton.joint_count, ground = body_limits_ground(clip);
    snprintf(text, size, "%s", effort == ground ? "ground" : effort < joints ? clip->skeleton.name[effort]
             : coordinate_name(clip->angles.coordinate[effort - joints]));
}
