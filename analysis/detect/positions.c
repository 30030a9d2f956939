/* ---- Joints below the root ---- */
#include "analysis/detect/positions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/math/elementary.h"
#include "analysis/math/sort.h"

/* Conversion of world positions, or positions added to the offset, to those of a Motion. */

int position_is_given(const Skeleton *skeleton, const Motion *motion, int frame, int joint)
{
    return skeleton_position_channels(skeleton, joint) > 0 ||
           vec3_distance(motion->translation[motion_index(motion, frame, joint)], skeleton->offset[joint]) > 0;
}

void world_positions(const Skeleton *skeleton, const Motion *motion, int frame, Vec3 *position, Quat *orientation)
{
    const Vec3 *given = motion->translation + motion_index(motion, frame, 0);
    const Quat *rotation = motion->rotation + motion_index(motion, frame, 0);
    position[0] = motion->root_position[frame];
    orientation[0] = rotation[0];
    for (int j = 1; j < skeleton->joint_count; j++) {
        int parent = skeleton->parent[j];
        Vec3 offset = skeleton->offset[j];
        orientation[j] = quat_mul(orientation[parent], rotation[j]);
        if (position_is_given(skeleton, motion, frame, j))
            position[j] = given[j];
        else
            position[j] = vec3_add(position[parent], quat_rotate(orientation[parent], offset));
    }
}

/* ---- Orientations ---- */

/* Interpretation of the rotation channels. */
typedef enum Rotations { ROTATIONS_LOCAL, ROTATIONS_WORLD, ROTATIONS_SOLVED } Rotations;

/* World poses of the joints in every frame. */
typedef struct Poses {
    Vec3 *position;    /* [frame][joint] */
    Quat *orientation; /* [frame][joint] */
    const Vec3 *bone;  /* [joint] rest pose from which orientations are solved */
} Poses;

typedef struct Mat4 {
    double m[4][4];
} Mat4;

/* Horn 1987, eq. 40 ff.: the quaternion q that maximizes sum q a q* . b is the eigenvector of the largest eigenvalue of
 * N(sum a b'). Adds the term of one pair, shifted by |a||b| so that no eigenvalue is negative. */
static void add_pair(Mat4 *n, Vec3 a, Vec3 b)
{
    double xx = a.x * b.x, yy = a.y * b.y, zz = a.z * b.z, shift = vec3_norm(a) * vec3_norm(b);
    double yz = a.y * b.z - a.z * b.y, zx = a.z * b.x - a.x * b.z, xy = a.x * b.y - a.y * b.x;
    double part[4][4] = {{xx + yy + zz, yz, zx, xy},
                         {yz, xx - yy - zz, a.x * b.y + a.y * b.x, a.z * b.x + a.x * b.z},
                         {zx, a.x * b.y + a.y * b.x, yy - xx - zz, a.y * b.z + a.z * b.y},
                         {xy, a.z * b.x + a.x * b.z, a.y * b.z + a.z * b.y, zz - xx - yy}};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            n->m[i][k] += part[i][k] + (i == k ? shift : 0);
}

static Mat4 squared(const Mat4 *n)
{
    Mat4 out = {0};
    double largest = 0;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) {
            for (int l = 0; l < 4; l++)
                out.m[i][k] += n->m[i][l] * n->m[l][k];
            largest = fmax(largest, fabs(out.m[i][k]));
        }
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            out.m[i][k] /= largest > 0 ? largest : 1;
    return out;
}

/* Projects start onto the eigenvectors of the largest eigenvalue, by the power method with exponent 2^12. A single bone
 * leaves a plane of them; the result is then the rotation nearest to start. */
static Quat best_rotation(Mat4 n, Quat start)
{
    for (int i = 0; i < 12; i++)
        n = squared(&n);
    const double s[4] = {start.w, start.x, start.y, start.z};
    double q[4] = {0};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            q[i] += n.m[i][k] * s[k];
    Quat rotation = {q[0], q[1], q[2], q[3]};
    return quat_dot(rotation, rotation) > 1e-24 ? quat_normalize(rotation) : start;
}

/* Solves the orientation of every joint from the positions of its children; a joint without children moves with its
 * parent. */
static void solve_frame(const Skeleton *s, const Poses *poses, size_t row)
{
    const Vec3 *p = poses->position + row;
    Quat *q = poses->orientation + row;
    for (int j = 0; j < s->joint_count; j++) {
        Mat4 n = {0};
        int children = 0;
        for (int c = j + 1; c < s->joint_count; c++)
            if (s->parent[c] == j && vec3_norm(poses->bone[c]) > 0) {
                add_pair(&n, poses->bone[c], vec3_sub(p[c], p[j]));
                children++;
            }
        Quat start = s->parent[j] >= 0 ? q[s->parent[j]] : QUAT_IDENTITY;
        q[j] = children ? best_rotation(n, start) : start;
    }
}

static void orient(Rotations rotations, const Skeleton *s, const Motion *m, Poses *poses)
{
    for (int f = 0; f < m->frame_count; f++) {
        size_t row = motion_index(m, f, 0);
        world_positions(s, m, f, poses->position + row, poses->orientation + row);
        if (rotations == ROTATIONS_WORLD)
            memcpy(poses->orientation + row, m->rotation + row, (size_t)s->joint_count * sizeof *m->rotation);
        if (rotations == ROTATIONS_SOLVED)
            solve_frame(s, poses, row);
    }
}

/* ---- Bones ---- */

static Vec3 bone_at(const Skeleton *s, const Poses *poses, size_t row, int j)
{
    int parent = s->parent[j];
    return quat_rotate_inverse(poses->orientation[row + (size_t)parent],
                               vec3_sub(poses->position[row + (size_t)j], poses->position[row + (size_t)parent]));
}

static Vec3 mean_bone(const Skeleton *s, const Motion *m, const Poses *poses, int j)
{
    Vec3 sum = {0, 0, 0};
    for (int f = 0; f < m->frame_count; f++)
        sum = vec3_add(sum, bone_at(s, poses, motion_index(m, f, 0), j));
    return vec3_scale(sum, 1.0 / m->frame_count);
}

/* RMS deviation of bone j from its mean. */
static double bone_spread(const Skeleton *s, const Motion *m, const Poses *poses, int j)
{
    Vec3 mean = mean_bone(s, m, poses, j);
    double square = 0;
    for (int f = 0; f < m->frame_count; f++) {
        double off = vec3_distance(bone_at(s, poses, motion_index(m, f, 0), j), mean);
        square += off * off;
    }
    return sqrt(square / m->frame_count);
}

static double mean_spread(const Skeleton *s, const Motion *m, const Poses *poses)
{
    double sum = 0;
    for (int j = 1; j < s->joint_count; j++)
        sum += bone_spread(s, m, poses, j) / (s->joint_count - 1);
    return sum;
}

static double mean_length(const Skeleton *s, const Motion *m, const Poses *poses)
{
    double sum = 0;
    for (int j = 1; j < s->joint_count; j++)
        sum += vec3_norm(mean_bone(s, m, poses, j)) / (s->joint_count - 1);
    return sum;
}

/* Fractions of the mean bone length. Below `belongs`, the mean RMS deviation of bones shows that the rotation channels
 * fit the positions; below `rigid` a bone is rigid. */
static const double belongs = 0.1, rigid = 0.01;

/* Uses the first interpretation of the rotations for which bones are constant, otherwise solves them from positions. */
static void read_rotations(const Skeleton *s, const Motion *m, Poses *poses)
{
    for (Rotations rotations = ROTATIONS_LOCAL; rotations <= ROTATIONS_WORLD; rotations++) {
        orient(rotations, s, m, poses);
        if (mean_spread(s, m, poses) < belongs * mean_length(s, m, poses))
            return;
    }
    orient(ROTATIONS_SOLVED, s, m, poses);
}

/* The rest pose for solving: the file's, or that of the first frame if the file has none. */
static void rest_bones(const Skeleton *s, const Poses *poses, Vec3 *bone)
{
    for (int j = 1; j < s->joint_count; j++) {
        Vec3 first = vec3_sub(poses->position[j], poses->position[s->parent[j]]);
        bone[j] = vec3_norm(s->offset[j]) > 0 ? s->offset[j] : first;
    }
}

/* ---- Local positions ---- */

static void release_translation(Motion *m)
{
    free(m->translation);
    m->translation = NULL;
}

/* Stores rotations and bones in the parents' axes. A rigid bone becomes the offset unless the offset agrees with it. */
static void store_local(Skeleton *s, Motion *m, const Poses *poses)
{
    int moves = 0;
    double length = mean_length(s, m, poses);
    for (int j = 1; j < s->joint_count; j++) {
        Vec3 mean = mean_bone(s, m, poses, j);
        int is_rigid = bone_spread(s, m, poses, j) < rigid * length;
        if (is_rigid && vec3_distance(mean, s->offset[j]) > rigid * length)
            s->offset[j] = mean;
        moves |= !is_rigid;
        for (int f = 0; f < m->frame_count; f++) {
            size_t row = motion_index(m, f, 0);
            m->translation[row + (size_t)j] = is_rigid ? s->offset[j] : bone_at(s, poses, row, j);
        }
    }
    for (int f = 0; f < m->frame_count; f++) {
        size_t row = motion_index(m, f, 0);
        m->rotation[row] = poses->orientation[row];
        for (int j = 1; j < s->joint_count; j++)
            m->rotation[row + (size_t)j] = quat_mul(quat_conjugate(poses->orientation[row + (size_t)s->parent[j]]),
                                                    poses->orientation[row + (size_t)j]);
    }
    if (!moves)
        release_translation(m);
}

static Status world_to_local(Skeleton *s, Motion *m, Error *err)
{
    size_t frames = (size_t)m->frame_count, joints = (size_t)m->joint_count;
    Arena arena = {0};
    Vec3 *bone = arena_array(&arena, joints, 1, sizeof *bone);
    Poses poses = {.bone = bone,
                   .position = arena_array(&arena, frames, joints, sizeof *poses.position),
                   .orientation = arena_array(&arena, frames, joints, sizeof *poses.orientation)};
    if (arena.failed) {
        arena_free(&arena);
        return error_no_memory(err);
    }
    orient(ROTATIONS_LOCAL, s, m, &poses);
    rest_bones(s, &poses, bone);
    read_rotations(s, m, &poses);
    store_local(s, m, &poses);
    arena_free(&arena);
    return STATUS_OK;
}

static void added_to_local(const Skeleton *s, Motion *m)
{
    double off = 0, length = 0;
    for (int j = 1; j < s->joint_count; j++)
        length = fmax(length, vec3_norm(s->offset[j]));
    for (int f = 0; f < m->frame_count; f++)
        for (int j = 1; j < s->joint_count; j++) {
            Vec3 *t = &m->translation[motion_index(m, f, j)];
            if (position_is_given(s, m, f, j)) {
                off = fmax(off, vec3_norm(*t));
                *t = vec3_add(*t, s->offset[j]);
            }
        }
    if (off <= 1e-5 * length) /* rounding error: no joint translates */
        release_translation(m);
}

/* Mean position of joint j in its parent's axes; *spread: its RMS deviation. */
static Vec3 mean_translation(const Motion *m, int j, double *spread)
{
    Vec3 mean = {0, 0, 0};
    double square = 0;
    for (int f = 0; f < m->frame_count; f++)
        mean = vec3_mad(mean, 1.0 / m->frame_count, m->translation[motion_index(m, f, j)]);
    for (int f = 0; f < m->frame_count; f++) {
        double off = vec3_distance(m->translation[motion_index(m, f, j)], mean);
        square += off * off / m->frame_count;
    }
    *spread = sqrt(square);
    return mean;
}

/* Replaces the offsets if most joints rest elsewhere: the OFFSETs of a file may differ from the body that its channels
 * move. */
static Status adopt_bones(Skeleton *s, const Motion *m, Error *err)
{
    Arena arena = {0};
    Vec3 *bone = arena_array(&arena, (size_t)s->joint_count, 1, sizeof *bone);
    int *is_other = arena_array(&arena, (size_t)s->joint_count, 1, sizeof *is_other), others = 0;
    double length = 0, spread;
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    for (int j = 1; j < s->joint_count && !status; j++)
        length += vec3_norm(s->offset[j]) / (s->joint_count - 1);
    for (int j = 1; j < s->joint_count && !status; j++) {
        bone[j] = mean_translation(m, j, &spread);
        is_other[j] = spread < rigid * length && vec3_distance(bone[j], s->offset[j]) > rigid * length &&
                      vec3_norm(bone[j]) > rigid * length; /* not a bone of zero length */
        others += is_other[j];
    }
    for (int j = 1; j < s->joint_count && 2 * others > s->joint_count - 1; j++)
        if (is_other[j])
            s->offset[j] = bone[j];
    arena_free(&arena);
    return status;
}

Status positions_to_local(PositionMeaning meaning, Skeleton *skeleton, Motion *motion, Error *err)
{
    if (!motion->translation || motion->frame_count < 1)
        return STATUS_OK;
    if (meaning == POSITIONS_WORLD)
        return world_to_local(skeleton, motion, err);
    if (meaning == POSITIONS_ADDED)
        added_to_local(skeleton, motion);
    return motion->translation ? adopt_bones(skeleton, motion, err) : STATUS_OK;
}

enum { FRAMES_COMPARED = 32, FRAMES_LOOKED_AT = 64, MEANINGS = POSITIONS_WORLD + 1 };

static const char *const meaning_names[MEANINGS] = {"", "local", "added", "world"};

const char *position_meaning_name(PositionMeaning meaning) { return meaning_names[meaning]; }

/* Prior probabilities among files with such channels; `local` is the convention of the format. */
static const double meaning_prior[MEANINGS] = {0, 0.97, 0.015, 0.015};
/* Misfit over body size that noise explains, and the power with which a larger one counts against a meaning: a misfit
 * of ten times the noise reduces the likelihood by the fourth power of ten. */
static const double noise = 0.01, power = 4;
/* Upper bound of one joint's log likelihood ratio (logarithm of a thousand); all joints together count as two votes,
 * because the joints of one file are not independent. A joint without channels has no vote. */
static const double greatest_vote = 6.907755278982137, votes = 2;

/* Sums of bone lengths for every meaning over the compared frames. */
typedef struct BoneLengths {
    double *sum[MEANINGS], *square[MEANINGS]; /* [joint] of the length minus the offset's */
    int frames;
} BoneLengths;

static void add_lengths(const Skeleton *s, const Motion *m, int frame, const Vec3 *world, BoneLengths *lengths)
{
    const Vec3 *t = m->translation + motion_index(m, frame, 0);
    for (int j = 1; j < s->joint_count; j++) {
        if (!position_is_given(s, m, frame, j))
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

/* RMS over the frames of the deviation of bone j from its offset's length, or from its own mean if the offset is
 * zero. */
static double misfit(const Skeleton *s, const BoneLengths *lengths, int meaning, int j)
{
    int n = lengths->frames;
    double mean = lengths->sum[meaning][j] / n, square = lengths->square[meaning][j] / n;
    return sqrt(vec3_norm(s->offset[j]) > 0 ? square : fmax(0, square - mean * mean));
}

/* The 90th percentile of bone lengths; a longer OFFSET of the hips may be the initial position of the subject. */
static double usual_bone(const Skeleton *s, double *scratch)
{
    int bones = s->joint_count - 1;
    for (int j = 0; j < bones; j++)
        scratch[j] = vec3_norm(s->offset[j + 1]);
    sort_doubles(scratch, (size_t)bones);
    return scratch[(int)(0.9 * (bones - 1))];
}

/* The longest chain from the root by the offsets, each limited to usual_bone, or by the channels if all offsets are
 * zero. scratch[joint] */
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

/* Adds the log likelihoods of joint j to the scores, 0 for the meaning that fits best. */
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
        world_positions(skeleton, motion, frame, world, orientation);
        add_lengths(skeleton, motion, frame, world, &lengths);
    }
    if (!status)
        choose_meaning(skeleton, fmax(body_size(skeleton, motion, scratch), 1e-300), &lengths, out);
    arena_free(&arena);
    return status;
}

/* ---- The root ---- */

/* Weights in log odds; `replace` is the more common meaning. */
static const double floor_weight = 1.5, start_weight = 2.5, replace_prior = 0.5;

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

/* Fractions of body size: smaller root displacements are rounding error; a foot that moves more has moved. */
static const double root_held = 1e-5, foot_moved = 0.05;

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
