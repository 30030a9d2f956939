/* Conversion of positions to the axes of the parent (local_positions.h). */
#include "analysis/detect/local_positions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"

/* Fractions of the mean bone length. Below `belongs`, the mean RMS deviation of bones shows that the rotation channels
 * fit the positions; below `rigid` a bone is rigid. */
static const double belongs = 0.1, rigid = 0.01;

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
