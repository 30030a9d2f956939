#include "analysis/evidence/positions.h"

#include <math.h>

#include "analysis/math/elementary.h"

/* Weights in logarithms of odds. Replacing is the more common meaning. */
static const double floor_weight = 1.5, start_weight = 2.5, replace_prior = 0.5;

/* How far a ground height speaks against being the ground: 0 at zero, slowly more beyond a tenth of the body. */
static double floor_penalty(double height, double size)
{
    double z = height / (0.1 * size);
    return elementary_log(1 + z * z);
}

/* 1: the channels begin at zero, -1: they begin at the offset. */
static double start_evidence(Vec3 first, Vec3 offset)
{
    double from_zero = vec3_norm(first), from_offset = vec3_distance(first, offset);
    return (from_offset - from_zero) / (from_offset + from_zero);
}

Status root_offset_from_poses(const Skeleton *skeleton, const Motion *motion, const PoseSample *sample, UpAxis up,
                              RootOffsetDecision *out, Error *err)
{
    Vec3 offset = skeleton->offset[0], axis = up_axis_vector(up);
    double size = fmax(pose_sample_size(sample), 1e-300), height, spread, odds = -replace_prior;
    *out = (RootOffsetDecision){ROOT_OFFSET_REPLACE, 1};
    if (!(vec3_norm(offset) > 1e-6 * size))
        return STATUS_OK;
    Status status = pose_sample_ground(sample, axis, &height, &spread, err);
    if (status)
        return status;
    odds += floor_weight * (floor_penalty(height, size) - floor_penalty(height + vec3_dot(offset, axis), size));
    if (motion->frame_count > 0)
        odds += start_weight * start_evidence(motion->root_position[0], offset);
    out->meaning = odds > 0 ? ROOT_OFFSET_ADD : ROOT_OFFSET_REPLACE;
    out->confidence = 1 / (1 + elementary_exp(-fabs(odds)));
    return STATUS_OK;
}
