#include "analysis/evidence/positions.h"

#include <math.h>

#include "analysis/base/arena.h"
#include "analysis/evidence/world_positions.h"
#include "analysis/math/elementary.h"
#include "analysis/math/sort.h"

/* ---- Joints below the root ---- */

enum { FRAMES_COMPARED = 32, FRAMES_LOOKED_AT = 64, MEANINGS = POSITIONS_WORLD + 1 };

static const char *const meaning_names[MEANINGS] = {"", "local", "added", "world"};

const char *position_meaning_name(PositionMeaning meaning) { return meaning_names[meaning]; }

/* Shares of the files that have such channels; local is what the format's programs write. */
static const double meaning_prior[MEANINGS] = {0, 0.97, 0.015, 0.015};
/* Misfit, of the body's size, that noise alone may make, and the power with which more speaks against a meaning: a bone
 * that is off by the size of the body tenfold the noise is less likely by the fourth power of ten. */
static const double noise = 0.01, power = 4;
/* What one joint says counts for no more than this (logarithm of a thousand), and all joints together for two such
 * votes: the joints of one file err together. A joint without channels does not vote. */
static const double greatest_vote = 6.907755278982137, votes = 2;

/* Lengths of the bones under every meaning, summed over the frames that are compared. */
typedef struct BoneLengths {
    double *sum[MEANINGS], *square[MEANINGS]; /* [joint] of the length off the offset's, or of the length itself */
    int frames;
} BoneLengths;

static void add_lengths(const Skeleton *s, const Motion *m, int frame, const Vec3 *world, BoneLengths *lengths)
{
    const Vec3 *t = m->translation + motion_index(m, frame, 0);
    for (int j = 1; j < s->joint_count; j++) {
        if (!place_is_given(s, m, frame, j))
            continue;
        double length[MEANINGS] = {0, vec3_norm(t[j]), vec3_norm(vec3_add(s->offset[j], t[j])),
                                   vec3_distance(world[j], world[s->parent[j]])};
        for (int meaning = POSITIONS_LOCAL; meaning < MEANINGS; meaning++) {
            double off = length[meaning] - vec3_norm(s->offset[j]);
            lengths->sum[meaning][j] += off;
            lengths->square[meaning][j] += off * off;
        }
    }
    lengths->frames++;
}

/* Root mean square over the frames of how far bone j is off its offset's length; off its own mean where the offset is
 * zero. */
static double misfit(const Skeleton *s, const BoneLengths *lengths, int meaning, int j)
{
    int n = lengths->frames;
    double mean = lengths->sum[meaning][j] / n, square = lengths->square[meaning][j] / n;
    return sqrt(vec3_norm(s->offset[j]) > 0 ? square : fmax(0, square - mean * mean));
}

/* The length that nine of ten bones do not exceed: a hips' OFFSET may be where the person stood. */
static double usual_bone(const Skeleton *s, double *scratch)
{
    int bones = s->joint_count - 1;
    for (int j = 0; j < bones; j++)
        scratch[j] = vec3_norm(s->offset[j + 1]);
    sort_doubles(scratch, (size_t)bones);
    return scratch[(int)(0.9 * (bones - 1))];
}

/* The longest way from the root, by the offsets, none longer than usual, or, where the file has none, by the channels.
 * scratch[joint] */
static double body_size(const Skeleton *s, const Motion *m, double *scratch)
{
    double longest = 0, usual = usual_bone(s, scratch);
    scratch[0] = 0;
    for (int j = 1; j < s->joint_count; j++) {
        scratch[j] = scratch[s->parent[j]] + fmin(vec3_norm(s->offset[j]), usual);
        longest = fmax(longest, scratch[j]);
    }
    for (int j = 1; j < s->joint_count && !(longest > 0); j++)
        longest = fmax(longest, vec3_distance(m->translation[j], m->root_position[0]));
    return longest;
}

/* Adds to score what joint j says of each meaning, in logarithms, 0 for the one it fits best. */
static void add_vote(const Skeleton *s, const BoneLengths *lengths, double size, int j, double score[MEANINGS])
{
    double says[MEANINGS] = {0}, best = -INFINITY;
    for (int meaning = POSITIONS_LOCAL; meaning < MEANINGS; meaning++) {
        says[meaning] = -power * elementary_log((misfit(s, lengths, meaning, j) / size + noise) / noise);
        best = fmax(best, says[meaning]);
    }
    for (int meaning = POSITIONS_LOCAL; meaning < MEANINGS; meaning++)
        score[meaning] += fmax(says[meaning] - best, -greatest_vote) * votes / (s->joint_count - 1);
}

static void choose_meaning(const Skeleton *s, double size, const BoneLengths *lengths, PositionDecision *out)
{
    double score[MEANINGS] = {0}, weight[MEANINGS] = {0}, total = 0;
    out->meaning = POSITIONS_LOCAL;
    for (int j = 1; j < s->joint_count; j++)
        add_vote(s, lengths, size, j, score);
    for (int meaning = POSITIONS_LOCAL; meaning < MEANINGS; meaning++) {
        weight[meaning] = meaning_prior[meaning] * elementary_exp(score[meaning]);
        total += weight[meaning];
        if (weight[meaning] > weight[out->meaning])
            out->meaning = (PositionMeaning)meaning;
    }
    out->confidence = total > 0 ? weight[out->meaning] / total : 0;
}

Status positions_decide(const Skeleton *skeleton, const Motion *motion, PositionDecision *out, Error *err)
{
    size_t joints = (size_t)skeleton->joint_count;
    int last = motion->frame_count - 1, compared = last < FRAMES_COMPARED ? last + 1 : FRAMES_COMPARED;
    *out = (PositionDecision){POSITIONS_LOCAL, 1, 0};
    if (!motion->translation || joints < 2 || last < 0)
        return STATUS_OK;
    Arena arena = {0};
    BoneLengths lengths = {0};
    for (int meaning = POSITIONS_LOCAL; meaning < MEANINGS; meaning++) {
        lengths.sum[meaning] = arena_array(&arena, joints, 1, sizeof **lengths.sum);
        lengths.square[meaning] = arena_array(&arena, joints, 1, sizeof **lengths.square);
    }
    Vec3 *world = arena_array(&arena, joints, 1, sizeof *world);
    Quat *orientation = arena_array(&arena, joints, 1, sizeof *orientation);
    double *scratch = arena_array(&arena, joints, 1, sizeof *scratch);
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    for (int i = 0; !status && i < compared; i++) {
        int frame = compared > 1 ? (int)((long long)i * last / (compared - 1)) : 0;
        world_places(skeleton, motion, frame, world, orientation);
        add_lengths(skeleton, motion, frame, world, &lengths);
    }
    if (!status)
        choose_meaning(skeleton, fmax(body_size(skeleton, motion, scratch), 1e-300), &lengths, out);
    arena_free(&arena);
    return status;
}

/* ---- The root ---- */

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

/* Of the body's size: below it the root is held by rounding alone; above it a foot has moved. */
static const double root_held = 1e-5, foot_moved = 0.05;

static int root_is_held(const Motion *motion, double tolerance)
{
    for (int f = 1; f < motion->frame_count; f++)
        if (vec3_distance(motion->root_position[f], motion->root_position[0]) > tolerance)
            return 0;
    return 1;
}

/* Some files move a joint between the root and the legs in the root's stead. */
static int way_is_held(const Skeleton *s, const Motion *m, int joint, double tolerance)
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
        if (!way_is_held(skeleton, motion, joint, root_held * size))
            return 0;
        moves |= foot_moves(sample, joint, foot_moved * size);
    }
    return moves;
}

Status root_path_find_missing(const Skeleton *skeleton, const Motion *motion, int *missing, Error *err)
{
    PoseSample sample;
    Status status = pose_sample_init(&sample, skeleton, motion, 0, FRAMES_LOOKED_AT, err);
    *missing = 0;
    if (status)
        return status;
    *missing = root_path_is_missing(skeleton, motion, &sample);
    pose_sample_free(&sample);
    return STATUS_OK;
}
