/* See body_track.h. */
#include "analysis/evidence/body_track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/body/segment_table.h"
#include "analysis/math/quat.h"
#include "analysis/motion/forward_kinematics.h"

/* m: thigh and shank of an adult, and half the diagonal of the box around one who stands. */
static const double adult_leg = 0.86, adult_size = 0.9;

static const double shortest_shank = 0.5; /* of the thigh's length */
static const double in_line = 0.5;        /* of a foot: its part across the shank, below which it shows no front */

int body_track_has_legs(const BodyTrack *track)
{
    static const Role needed[] = {ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE,
                                  ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (track->joint[needed[i]] < 0)
            return 0;
    return 1;
}

double body_track_toes_front(const BodyTrack *track, const Vec3 *point, int side)
{
    static const Role leg[2][3] = {{ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE},
                                   {ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE}};
    if (track->foot_tip[side] < 0 || track->joint[leg[side][1]] < 0 || track->joint[leg[side][2]] < 0 ||
        track->joint[ROLE_LEFT_HIP] < 0 || track->joint[ROLE_RIGHT_HIP] < 0)
        return NAN;
    Vec3 right = vec3_sub(point[track->joint[ROLE_RIGHT_HIP]], point[track->joint[ROLE_LEFT_HIP]]);
    Vec3 ankle = point[track->joint[leg[side][2]]], foot = vec3_sub(point[track->foot_tip[side]], ankle);
    Vec3 shank = vec3_normalize(vec3_sub(point[track->joint[leg[side][1]]], ankle));
    Vec3 across = vec3_mad(foot, -vec3_dot(foot, shank), shank), front = vec3_normalize(vec3_cross(shank, right));
    return vec3_norm(across) > in_line * vec3_norm(foot) ? vec3_dot(vec3_normalize(across), front) : NAN;
}

int body_track_frames(const BodyTrack *track, double duration, double rate_factor)
{
    return (int)fmin(track->frame_count, fmax(1, rint(duration * rate_factor / track->frame_time)));
}

/* ---- Points ---- */

/* Joints above the hips, which may stay on the floor or at the origin, replace the hips. */
static void gather_root(const BodyTrack *track, const Skeleton *skeleton, Vec3 *point)
{
    int hips = track->joint[ROLE_HIPS];
    for (int j = hips; j > 0; j = skeleton->parent[j])
        point[skeleton->parent[j]] = point[hips];
}

static Status place_points(BodyTrack *track, const Skeleton *skeleton, const Motion *motion, Error *err)
{
    size_t joints = (size_t)skeleton->joint_count, frames = (size_t)track->frame_count;
    Arena arena = {0};
    Vec3 *position = arena_space(&arena, frames, joints, sizeof *position);
    Quat *orientation = arena_space(&arena, frames, joints, sizeof *orientation);
    ClipView clip = {.skeleton = skeleton, .motion = motion};
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    if (!status)
        status = forward_kinematics(&clip, LANES_AUTO, &(WorldPoses){position, orientation, NULL}, err);
    for (size_t f = 0; !status && f < frames; f++) {
        Vec3 *point = track->point + f * (size_t)track->point_count;
        skeleton_points(skeleton, position + f * joints, orientation + f * joints, point);
        gather_root(track, skeleton, point);
    }
    arena_free(&arena);
    return status;
}

/* ---- Centre of mass ---- */

/* Joints between which a segment lies; its mass and centre are those of segment_table.h. */
typedef struct LimbSegment {
    Role from, to;
    SegmentKind segment;
} LimbSegment;

static const LimbSegment limbs[] = {
    {ROLE_LEFT_HIP, ROLE_LEFT_KNEE, SEGMENT_THIGH},
    {ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, SEGMENT_THIGH},
    {ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE, SEGMENT_SHANK},
    {ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE, SEGMENT_SHANK},
    {ROLE_LEFT_ANKLE, ROLE_LEFT_TOE, SEGMENT_FOOT},
    {ROLE_RIGHT_ANKLE, ROLE_RIGHT_TOE, SEGMENT_FOOT},
    {ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW, SEGMENT_UPPER_ARM},
    {ROLE_RIGHT_SHOULDER, ROLE_RIGHT_ELBOW, SEGMENT_UPPER_ARM},
    {ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST, SEGMENT_FOREARM},
    {ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST, SEGMENT_FOREARM},
    {ROLE_LEFT_WRIST, ROLE_LEFT_WRIST, SEGMENT_HAND},
    {ROLE_RIGHT_WRIST, ROLE_RIGHT_WRIST, SEGMENT_HAND},
};

static const double foot_com = 0.5;   /* from ankle to toe; the table measures from the heel */
static const double trunk_com = 0.44; /* from the middle of the hips to that of the shoulders */
static const double head_reach = 1.2; /* from the middle of the shoulders, of the distance to the head's joint */

typedef struct MassMean {
    double mass;
    Vec3 moment;
} MassMean;

static void add_mass(MassMean *sum, double mass, Vec3 at)
{
    sum->mass += mass;
    sum->moment = vec3_mad(sum->moment, mass, at);
}

static Vec3 role_or(const BodyTrack *track, const Vec3 *point, Role role, Vec3 otherwise)
{
    return track->joint[role] >= 0 ? point[track->joint[role]] : otherwise;
}

/* Trunk and head: from the middle of the hips to that of the shoulders, or to the neck. */
static void add_trunk(const BodyTrack *track, const SegmentShape *shape, const Vec3 *point, MassMean *sum)
{
    Vec3 hips = vec3_lerp(point[track->joint[ROLE_LEFT_HIP]], point[track->joint[ROLE_RIGHT_HIP]], 0.5);
    Vec3 top = role_or(track, point, ROLE_SPINE, hips);
    top = role_or(track, point, ROLE_CHEST, top);
    top = role_or(track, point, ROLE_NECK, top);
    Vec3 shoulders = top;
    if (track->joint[ROLE_LEFT_SHOULDER] >= 0 && track->joint[ROLE_RIGHT_SHOULDER] >= 0)
        shoulders = vec3_lerp(point[track->joint[ROLE_LEFT_SHOULDER]], point[track->joint[ROLE_RIGHT_SHOULDER]], 0.5);
    Vec3 head = role_or(track, point, ROLE_HEAD, top);
    double trunk = shape[SEGMENT_UPPER_TRUNK].mass + shape[SEGMENT_MIDDLE_TRUNK].mass + shape[SEGMENT_LOWER_TRUNK].mass;
    add_mass(sum, trunk, vec3_lerp(hips, shoulders, trunk_com));
    add_mass(sum, shape[SEGMENT_HEAD].mass, vec3_lerp(shoulders, head, head_reach));
}

static Vec3 human_com(const BodyTrack *track, const SegmentShape *shape, const Vec3 *point)
{
    MassMean sum = {0};
    add_trunk(track, shape, point, &sum);
    for (size_t i = 0; i < sizeof limbs / sizeof *limbs; i++) {
        const LimbSegment *limb = &limbs[i];
        if (track->joint[limb->from] < 0)
            continue;
        Vec3 from = point[track->joint[limb->from]], to = role_or(track, point, limb->to, from);
        double com = limb->segment == SEGMENT_FOOT ? foot_com : shape[limb->segment].com;
        add_mass(&sum, shape[limb->segment].mass, vec3_lerp(from, to, com));
    }
    return vec3_scale(sum.moment, 1 / sum.mass);
}

static Vec3 mean_vector(const Vec3 *point, int count)
{
    Vec3 sum = vec3(0, 0, 0);
    for (int p = 0; p < count; p++)
        sum = vec3_add(sum, point[p]);
    return vec3_scale(sum, 1.0 / count);
}

/* ---- Lengths ---- */

/* Half the diagonal of the box around the points along their principal axes, so that it does not depend on the axes of
 * the file. */
static double half_diagonal(const Vec3 *point, int count)
{
    Vec3 mean = mean_vector(point, count), low = {0, 0, 0}, high = {0, 0, 0};
    Sym3 scatter = {0};
    Mat3 axes;
    for (int p = 0; p < count; p++) {
        Vec3 off = vec3_sub(point[p], mean);
        scatter.xx += off.x * off.x, scatter.yy += off.y * off.y, scatter.zz += off.z * off.z;
        scatter.xy += off.x * off.y, scatter.xz += off.x * off.z, scatter.yz += off.y * off.z;
    }
    sym3_principal(scatter, &axes);
    for (int p = 0; p < count; p++) {
        Vec3 at = mat3_mul(axes, vec3_sub(point[p], mean));
        low = vec3(fmin(low.x, at.x), fmin(low.y, at.y), fmin(low.z, at.z));
        high = vec3(fmax(high.x, at.x), fmax(high.y, at.y), fmax(high.z, at.z));
    }
    return 0.5 * vec3_distance(low, high);
}

static double leg_length(const BodyTrack *track, const Vec3 *point)
{
    if (!body_track_has_legs(track))
        return 0;
    const int *joint = track->joint;
    return 0.5 * (vec3_distance(point[joint[ROLE_LEFT_HIP]], point[joint[ROLE_LEFT_KNEE]]) +
                  vec3_distance(point[joint[ROLE_LEFT_KNEE]], point[joint[ROLE_LEFT_ANKLE]]) +
                  vec3_distance(point[joint[ROLE_RIGHT_HIP]], point[joint[ROLE_RIGHT_KNEE]]) +
                  vec3_distance(point[joint[ROLE_RIGHT_KNEE]], point[joint[ROLE_RIGHT_ANKLE]]));
}

static void measure(BodyTrack *track, int joint_count)
{
    const Vec3 *middle = body_track_frame(track, track->frame_count / 2);
    track->size = half_diagonal(middle, track->point_count);
    track->leg = leg_length(track, middle);
    SegmentShape shape[SEGMENT_COUNT];
    segment_shapes(SEX_MEAN, shape);
    track->metre = track->leg > 0 ? track->leg / adult_leg : track->size / adult_size;
    for (int f = 0; f < track->frame_count; f++) {
        const Vec3 *point = body_track_frame(track, f);
        track->com[f] = track->leg > 0 ? human_com(track, shape, point) : mean_vector(point, joint_count);
    }
}

/* The longest end site of a joint, as a point; -1: none. */
static int end_point(const Skeleton *s, int joint)
{
    int longest = -1;
    for (int e = 0; e < s->end_count; e++)
        if (s->end_parent[e] == joint &&
            (longest < 0 || vec3_norm(s->end_offset[e]) > vec3_norm(s->end_offset[longest])))
            longest = e;
    return longest < 0 ? -1 : s->joint_count + longest;
}

/* A shank that ends in an end site has its ankle there. */
static void find_ankle(BodyTrack *track, const Skeleton *s, Role knee, Role ankle)
{
    int joint = track->joint[knee];
    if (track->joint[ankle] >= 0 || joint < 0)
        return;
    int end = end_point(s, joint);
    if (end >= 0 && vec3_norm(s->end_offset[end - s->joint_count]) > shortest_shank * vec3_norm(s->offset[joint]))
        track->joint[ankle] = end;
}

static int find_tip(const BodyTrack *track, const Skeleton *s, Role ankle, Role toe)
{
    int joint = track->joint[ankle];
    if (track->joint[toe] >= 0 || joint < 0 || joint >= s->joint_count)
        return track->joint[toe];
    return end_point(s, joint);
}

static Status measure_rest(BodyTrack *track, const Skeleton *s, Error *err)
{
    Vec3 *rest = array_space((size_t)track->point_count, 1, sizeof *rest);
    if (!rest)
        return error_no_memory(err);
    skeleton_rest_positions(s, rest);
    for (int e = 0; e < s->end_count; e++)
        rest[s->joint_count + e] = vec3_add(rest[s->end_parent[e]], s->end_offset[e]);
    double left = body_track_toes_front(track, rest, 0), right = body_track_toes_front(track, rest, 1);
    track->rest_front = isnan(left + right) ? 0 : 0.5 * (left + right);
    free(rest);
    return STATUS_OK;
}

Status body_track_init(BodyTrack *out, const Skeleton *skeleton, const Motion *motion, int first_frame, Error *err)
{
    int left = motion->frame_count - first_frame, frames = left < TRACK_FRAMES ? left : TRACK_FRAMES;
    *out = (BodyTrack){.frame_count = frames > 0 ? frames : 0,
                       .point_count = skeleton->joint_count + skeleton->end_count, .frame_time = motion->frame_time};
    for (int role = 0; role < ROLE_COUNT; role++)
        out->joint[role] = role == ROLE_NONE ? -1 : skeleton_find_role(skeleton, (Role)role);
    find_ankle(out, skeleton, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE);
    find_ankle(out, skeleton, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE);
    out->foot_tip[0] = find_tip(out, skeleton, ROLE_LEFT_ANKLE, ROLE_LEFT_TOE);
    out->foot_tip[1] = find_tip(out, skeleton, ROLE_RIGHT_ANKLE, ROLE_RIGHT_TOE);
    if (out->frame_count == 0)
        return STATUS_OK;
    out->point = array_space((size_t)frames, (size_t)out->point_count, sizeof *out->point);
    out->com = array_space((size_t)frames, 1, sizeof *out->com);
    Status status = out->point && out->com ? STATUS_OK : error_no_memory(err);
    Motion view = motion_view(motion, first_frame, frames);
    if (!status)
        status = place_points(out, skeleton, &view, err);
    if (!status)
        status = measure_rest(out, skeleton, err);
    if (status)
        body_track_free(out);
    else
        measure(out, skeleton->joint_count);
    return status;
}

void body_track_free(BodyTrack *track)
{
    if (!track)
        return;
    free(track->point);
    free(track->com);
    *track = (BodyTrack){0};
}

/* With t = -n..n the quadratic coefficient of the least-squares parabola is sum (N t2 - s2) y / (N s4 - s2 s2). */
Vec3 body_track_acceleration(const BodyTrack *track, int frame, int reach, double rate_factor)
{
    double n = 2 * reach + 1, s2 = 0, s4 = 0, dt = track->frame_time / rate_factor;
    Vec3 sum = vec3(0, 0, 0);
    for (int t = -reach; t <= reach; t++) {
        s2 += (double)t * t;
        s4 += (double)t * t * t * t;
    }
    for (int t = -reach; t <= reach; t++)
        sum = vec3_mad(sum, n * t * t - s2, track->com[frame + t]);
    return vec3_scale(sum, 2 / ((n * s4 - s2 * s2) * dt * dt));
}
