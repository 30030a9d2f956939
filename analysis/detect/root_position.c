/* Meaning of the position channels of the root (root_position.h). */
#include "analysis/detect/root_position.h"

#include <math.h>

#include "analysis/math/elementary.h"
#include "analysis/math/vec.h"

enum { FRAMES_LOOKED_AT = 64 };

/* Weights in log odds; `replace` is the more common meaning. */
static const double floor_weight = 1.5, start_weight = 2.5, replace_prior = 0.5;

/* Fractions of body size: smaller root displacements are rounding error; a foot that moves more has moved. */
static const double root_held = 1e-5, foot_moved = 0.05;

/* Penalty of a ground height: 0 at zero, growing slowly beyond a tenth of the body size. */
static double floor_penalty(double height, double size)
{
    double z = height / (0.1 * size);
    return elementary_log(1 + z * z);
}

/* 1: the channels begin at zero; -1: they begin at the offset. */
static double start_odds(Vec3 first, Vec3 offset)
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
        odds += start_weight * start_odds(motion->root_position[0], offset);
    out->meaning = odds > 0 ? ROOT_OFFSET_ADD : ROOT_OFFSET_REPLACE;
    out->confidence = 1 / (1 + elementary_exp(-fabs(odds)));
    return STATUS_OK;
}

static int root_is_held(const Motion *motion, double tolerance)
{
    for (int f = 1; f < motion->frame_count; f++)
        if (vec3_distance(motion->root_position[f], motion->root_position[0]) > tolerance)
            return 0;
    return 1;
}

/* Whether the joints from the root to a foot do not translate: in some files another joint translates instead of the
 * root. */
static int path_is_held(const Skeleton *s, const Motion *m, int joint, double tolerance)
{
    for (int j = joint; m->translation && j > 0; j = s->parent[j])
        for (int f = 1; f < m->frame_count; f++)
            if (vec3_distance(m->translation[motion_index(m, f, j)], m->translation[j]) > tolerance)
                return 0;
    return 1;
}

static int foot_moves(const PoseSample *sample, int joint, double distance)
{
    for (int f = 1; f < sample->frame_count; f++)
        if (vec3_distance(pose_sample_frame(sample, f)[joint], pose_sample_frame(sample, 0)[joint]) > distance)
            return 1;
    return 0;
}

int root_path_is_missing(const Skeleton *skeleton, const Motion *motion, const PoseSample *sample)
{
    const Role feet[] = {ROLE_LEFT_ANKLE, ROLE_RIGHT_ANKLE, ROLE_LEFT_TOE, ROLE_RIGHT_TOE};
    double size = pose_sample_size(sample);
    int moves = 0;
    if (!root_is_held(motion, root_held * size))
        return 0;
    for (size_t i = 0; i < sizeof feet / sizeof *feet; i++) {
        int joint = skeleton_find_role(skeleton, feet[i]);
        if (joint < 0)
            continue;
        if (!path_is_held(skeleton, motion, joint, root_held * size))
            return 0;
        moves |= foot_moves(sample, joint, foot_moved * size);
    }
    return moves;
}

Status root_path_find_missing(const Skeleton *skeleton, const Motion *motion, int *missing, Error *err)
{
    PoseSample sample;
    *missing = 0;
    Status status = pose_sample_init(&sample, skeleton, motion, 0, 1, err); /* has the body's size */
    if (status)
        return status;
    int is_held = root_is_held(motion, root_held * pose_sample_size(&sample));
    pose_sample_free(&sample);
    if (!is_held || (status = pose_sample_init(&sample, skeleton, motion, 0, FRAMES_LOOKED_AT, err)))
        return status;
    *missing = root_path_is_missing(skeleton, motion, &sample);
    pose_sample_free(&sample);
    return STATUS_OK;
}
