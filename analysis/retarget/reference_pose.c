/* See reference_pose.h. */
#include "analysis/retarget/reference_pose.h"

#include <math.h>
#include <string.h>

#include "analysis/body/roles.h"
#include "analysis/math/elementary.h"
#include "analysis/retarget/limb.h"

#define STRAIGHT_LEG 0.9     /* distance hip to ankle over thigh plus shank */
#define UPRIGHT_TRUNK 0.85   /* cosine between the trunk and the upward direction of the legs */
#define PARALLEL_LEGS 0.5    /* cosine between the legs: 40 degrees apart is common */
#define FOOT_IN_LINE 0.9     /* cosine between foot and shank above which the foot has no direction of its own */
#define NEAR_WORLD_UP 0.866  /* cosine: a body closer than this to the world vertical counts as upright */
#define MAX_CANDIDATES 200
#define STANCE_SPREAD 0.1    /* score below the best at which a frame's weight in the mean falls to 1/e */
#define MIN_WEIGHT 1e-3

Vec3 reference_between(const ReferencePose *r, Role from, Role to)
{
    if (r->joint[from] < 0 || r->joint[to] < 0)
        return vec3(0, 0, 0);
    return vec3_sub(r->position[r->joint[to]], r->position[r->joint[from]]);
}

/* Midpoint between the joints of two roles; one of them if the other is missing, the root if both are. */
static Vec3 role_midpoint(const ReferencePose *r, Role a, Role b)
{
    int left = r->joint[a], right = r->joint[b];
    if (left < 0 && right < 0)
        return r->position[0];
    return vec3_scale(vec3_add(r->position[left < 0 ? right : left], r->position[right < 0 ? left : right]), 0.5);
}

/* Computes the world pose of the marked joints (NULL: all) from r->local. */
static void place_marked(ReferencePose *r, const Motion *motion, const unsigned char *marked)
{
    const Skeleton *s = r->skeleton;
    int in_frame = motion && r->frame >= 0;
    for (int j = 0; j < s->joint_count; j++) {
        if (marked && !marked[j])
            continue;
        Vec3 offset = s->offset[j];
        if (in_frame && j == 0)
            offset = motion->root_position[r->frame];
        else if (in_frame && motion->translation)
            offset = motion->translation[motion_index(motion, r->frame, j)];
        int parent = s->parent[j];
        r->orientation[j] = parent < 0 ? r->local[j] : quat_mul(r->orientation[parent], r->local[j]);
        r->position[j] = parent < 0 ? offset
                                    : vec3_add(r->position[parent], quat_rotate(r->orientation[parent], offset));
    }
}

static void place_joints(ReferencePose *r, const Motion *motion) { place_marked(r, motion, NULL); }

static void rotate_joints(ReferencePose *r, const Motion *motion, int frame)
{
    r->frame = frame;
    for (int j = 0; j < r->skeleton->joint_count; j++)
        r->local[j] = frame >= 0 ? motion->rotation[motion_index(motion, frame, j)] : QUAT_IDENTITY;
}

/* Poses the skeleton as in the frame, or as at rest (frame < 0). */
static void pose(ReferencePose *r, const Motion *motion, int frame)
{
    rotate_joints(r, motion, frame);
    place_joints(r, motion);
}

/* Features by which a standing pose is recognized. */
typedef struct Stance {
    Vec3 up;          /* unit vector along trunk and legs */
    double straight;  /* distance hip to ankle over leg length, the lesser of both legs */
    double upright;   /* cosine between trunk and the legs' upward direction */
    double parallel;  /* cosine between the directions of the legs */
    double foot;      /* larger cosine between foot and shank of both legs */
} Stance;

static Stance look_at(const ReferencePose *r)
{
    static const Role leg[2][4] = {{ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE, ROLE_LEFT_TOE},
                                   {ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE, ROLE_RIGHT_TOE}};
    Stance stance = {.straight = 1};
    Vec3 down[2];
    for (int side = 0; side < 2; side++) {
        Role end = r->joint[leg[side][2]] >= 0 ? leg[side][2] : leg[side][1];
        Vec3 shank = reference_between(r, leg[side][1], leg[side][2]), whole = reference_between(r, leg[side][0], end);
        double length = vec3_norm(reference_between(r, leg[side][0], leg[side][1])) + vec3_norm(shank);
        Vec3 foot = vec3_normalize(reference_between(r, leg[side][2], leg[side][3]));
        stance.straight = fmin(stance.straight, length > 0 ? vec3_norm(whole) / length : 0);
        stance.foot = fmax(stance.foot, fabs(vec3_dot(foot, vec3_normalize(shank))));
        down[side] = vec3_normalize(whole);
    }
    Vec3 hips = role_midpoint(r, ROLE_LEFT_HIP, ROLE_RIGHT_HIP);
    Role top = r->joint[ROLE_NECK] >= 0 ? ROLE_NECK : ROLE_HEAD;
    Vec3 trunk = r->joint[top] >= 0 ? r->position[r->joint[top]]
                                    : role_midpoint(r, ROLE_LEFT_SHOULDER, ROLE_RIGHT_SHOULDER);
    trunk = vec3_normalize(vec3_sub(trunk, hips));
    Vec3 legs = vec3_normalize(vec3_neg(vec3_add(down[0], down[1])));
    stance.up = vec3_normalize(vec3_add(trunk, legs));
    stance.upright = vec3_dot(trunk, legs);
    stance.parallel = vec3_dot(down[0], down[1]);
    return stance;
}

static int stands(Stance s)
{
    return s.straight > STRAIGHT_LEG && s.upright > UPRIGHT_TRUNK && s.parallel > PARALLEL_LEGS &&
           s.foot < FOOT_IN_LINE;
}

/* Score of a standing pose: straight, parallel legs under an upright trunk. */
static double stance_score(Stance s) { return 2 * s.straight + s.upright + s.parallel + 2 * s.up.y - 0.5 * s.foot; }

/* The frames that are tested for a standing pose: every step-th. */
typedef struct Candidates {
    int step, count;
    double *score;         /* [count] stance_score */
    unsigned char *scored; /* [joint] 1: the score depends on its position */
    unsigned char *hips;   /* [joint] 1: the heading of the hips does */
    const Kinematics *kinematics; /* of the motion; NULL: not computed */
} Candidates;

/* The joints that look_at reads; the first HIPS are those of the heading. */
enum { HIPS = 2 };
static const Role read_roles[] = {ROLE_LEFT_HIP, ROLE_RIGHT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE, ROLE_LEFT_TOE,
                                  ROLE_LEFT_SHOULDER, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE, ROLE_RIGHT_TOE,
                                  ROLE_RIGHT_SHOULDER, ROLE_NECK, ROLE_HEAD};

/* Marks the joints of the first roles, and their ancestors. */
static void mark_joints(const ReferencePose *r, size_t roles, unsigned char *marked)
{
    marked[0] = 1;
    for (size_t i = 0; i < roles; i++)
        if (r->joint[read_roles[i]] >= 0)
            marked[r->joint[read_roles[i]]] = 1;
    for (int j = r->skeleton->joint_count - 1; j > 0; j--)
        if (marked[j])
            marked[r->skeleton->parent[j]] = 1;
}

/* Poses the marked joints as in candidate i. */
static void pose_stance(ReferencePose *r, const Motion *motion, const Candidates *of, const unsigned char *marked,
                        int i)
{
    size_t joints = (size_t)r->skeleton->joint_count, row = (size_t)(i * of->step) * joints;
    rotate_joints(r, motion, i * of->step);
    if (of->kinematics)
        memcpy(r->position, of->kinematics->position + row, joints * sizeof *r->position);
    else
        place_marked(r, motion, marked);
}

/* Returns the frame with the best standing pose; fills the scores. */
static int best_frame(ReferencePose *r, const Motion *motion, const Candidates *of)
{
    int best = 0;
    double max = -INFINITY;
    for (int i = 0; i < of->count; i++) {
        pose_stance(r, motion, of, of->scored, i);
        of->score[i] = stance_score(look_at(r));
        if (of->score[i] > max) {
            max = of->score[i];
            best = i;
        }
    }
    return best * of->step;
}

/* Rotation about the vertical from one heading of the hips to the other; *found 0: a heading is undefined. */
static Quat rotation_to_face(Vec3 from, Vec3 to, int *found)
{
    from.y = to.y = 0;
    double size = vec3_norm(from) * vec3_norm(to), c = vec3_dot(from, to), s = from.z * to.x - from.x * to.z;
    *found = size > 0;
    if (!(size + c > 1e-12 * size))
        return *found ? (Quat){0, 0, 1, 0} : QUAT_IDENTITY;
    return quat_normalize((Quat){size + c, 0, s, 0});
}

/* Adds the weighted local rotations of the present pose, on the hemisphere of those of the best frame. */
static void add_rotations(const ReferencePose *r, const Quat *best, Quat facing, double weight, Quat *sum)
{
    for (int j = 0; j < r->skeleton->joint_count; j++) {
        Quat q = quat_nearest(j == 0 ? quat_mul(facing, r->local[0]) : r->local[j], best[j]);
        sum[j] = (Quat){sum[j].w + weight * q.w, sum[j].x + weight * q.x, sum[j].y + weight * q.y,
                        sum[j].z + weight * q.z};
    }
}

/* Replaces the pose, which is that of the best frame, by the weighted mean of all candidates. best, sum: [joint]
 * scratch, sum zeroed. */
static void take_mean(ReferencePose *r, const Motion *motion, const Candidates *of, Quat *best, Quat *sum)
{
    int joints = r->skeleton->joint_count, at = r->frame, count = 0, found;
    double max = of->score[at / of->step];
    Vec3 left = reference_between(r, ROLE_RIGHT_HIP, ROLE_LEFT_HIP);
    for (int j = 0; j < joints; j++)
        best[j] = r->local[j];
    for (int i = 0; i < of->count; i++) {
        double weight = elementary_exp((of->score[i] - max) / STANCE_SPREAD);
        if (weight < MIN_WEIGHT)
            continue;
        pose_stance(r, motion, of, of->hips, i);
        Quat facing = rotation_to_face(reference_between(r, ROLE_RIGHT_HIP, ROLE_LEFT_HIP), left, &found);
        if (!found && r->frame != at)
            continue;
        add_rotations(r, best, facing, weight, sum);
        count++;
    }
    for (int j = 0; j < joints; j++)
        r->local[j] = quat_normalize(sum[j]);
    r->frame = at;
    r->frames = count;
    place_joints(r, motion);
}

/* Sets the best standing frame, or the mean of about equally good ones. */
static Status pose_from_motion(ReferencePose *r, const ClipView *clip, int is_mean, Arena *arena, Error *err)
{
    const Motion *motion = clip->motion;
    size_t joints = (size_t)r->skeleton->joint_count;
    int step = motion->frame_count / MAX_CANDIDATES + 1;
    Candidates of = {.kinematics = clip->kinematics, .step = step, .count = (motion->frame_count + step - 1) / step};
    of.score = arena_array(arena, (size_t)of.count, 1, sizeof *of.score);
    of.scored = arena_array(arena, joints, 1, sizeof *of.scored);
    of.hips = arena_array(arena, joints, 1, sizeof *of.hips);
    Quat *best = arena_array(arena, joints, 1, sizeof *best), *sum = arena_array(arena, joints, 1, sizeof *sum);
    if (arena->failed)
        return error_no_memory(err);
    mark_joints(r, sizeof read_roles / sizeof *read_roles, of.scored);
    mark_joints(r, HIPS, of.hips);
    pose(r, motion, best_frame(r, motion, &of));
    r->frames = 1;
    if (is_mean)
        take_mean(r, motion, &of, best, sum);
    return STATUS_OK;
}

/* Body axes to world: up along trunk and legs (the world's vertical if close to it), left from hip to hip. */
static Quat body_axes(const ReferencePose *r)
{
    Vec3 up = look_at(r).up;
    if (up.y > NEAR_WORLD_UP)
        up = vec3(0, 1, 0);
    Vec3 left = reference_between(r, ROLE_RIGHT_HIP, ROLE_LEFT_HIP);
    left = vec3_normalize(vec3_mad(left, -vec3_dot(left, up), up));
    Vec3 front = vec3_cross(left, up);
    return quat_from_mat3((Mat3){{{left.x, up.x, front.x}, {left.y, up.y, front.y}, {left.z, up.z, front.z}}});
}

static double find_unlike(const ReferencePose *r)
{
    static const Role bones[][2] = {{ROLE_LEFT_HIP, ROLE_LEFT_KNEE}, {ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE},
                                    {ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW}, {ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST}};
    double max = 0;
    for (size_t i = 0; i < sizeof bones / sizeof *bones; i++) {
        Vec3 left = quat_rotate_inverse(r->body, reference_between(r, bones[i][0], bones[i][1]));
        Vec3 right = quat_rotate_inverse(r->body, reference_between(r, role_mirror(bones[i][0]),
                                                                    role_mirror(bones[i][1])));
        right.x = -right.x;
        if (vec3_norm(left) > 0 && vec3_norm(right) > 0)
            max = fmax(max, elementary_atan2(vec3_norm(vec3_cross(left, right)), vec3_dot(left, right)));
    }
    return max;
}

static double leg_length(const ReferencePose *r)
{
    double sum = 0;
    if (!r->is_human)
        return skeleton_offset_sum(r->skeleton);
    for (int side = 0; side < 2; side++) {
        Role hip = side ? ROLE_RIGHT_HIP : ROLE_LEFT_HIP, knee = side ? ROLE_RIGHT_KNEE : ROLE_LEFT_KNEE;
        Role ankle = side ? ROLE_RIGHT_ANKLE : ROLE_LEFT_ANKLE;
        sum += vec3_norm(reference_between(r, hip, knee)) + vec3_norm(reference_between(r, knee, ankle));
    }
    return sum / 2;
}

/* Sets the members that follow from the joint positions. */
static Status measure_pose(ReferencePose *r, Error *err)
{
    if (r->is_human) {
        double upright = look_at(r).upright;
        r->body = body_axes(r);
        r->bend = elementary_atan2(sqrt(fmax(0, 1 - upright * upright)), upright);
    }
    r->leg = leg_length(r);
    r->unlike = find_unlike(r);
    return r->leg > 0 ? STATUS_OK : error_set(err, STATUS_BAD_INPUT, "the skeleton has no length");
}

Status reference_pose_init(ReferencePose *r, const ClipView *clip, int frame, Arena *arena, Error *err)
{
    size_t joints = (size_t)clip->skeleton->joint_count;
    int frames = clip->motion ? clip->motion->frame_count : 0;
    *r = (ReferencePose){.skeleton = clip->skeleton, .is_human = roles_are_human(clip->skeleton),
                         .body = QUAT_IDENTITY};
    if (frame >= frames)
        return error_set(err, STATUS_USAGE, "rest pose: frame %d of %d does not exist", frame, frames);
    r->position = arena_array(arena, joints, 1, sizeof *r->position);
    r->orientation = arena_array(arena, joints, 1, sizeof *r->orientation);
    r->local = arena_array(arena, joints, 1, sizeof *r->local);
    if (arena->failed)
        return error_no_memory(err);
    for (int role = 0; role < ROLE_COUNT; role++)
        r->joint[role] = skeleton_find_role(clip->skeleton, (Role)role);
    pose(r, clip->motion, frame >= 0 ? frame : REFERENCE_REST);
    r->frames = frame >= 0;
    if (frame == REFERENCE_AUTO && r->is_human && clip->skeleton->standing) {
        memcpy(r->local, clip->skeleton->standing, joints * sizeof *r->local);
        place_joints(r, NULL);
        return measure_pose(r, err);
    }
    int is_wanted = frame == REFERENCE_BEST || frame == REFERENCE_MEAN ||
                    (frame == REFERENCE_AUTO && !stands(look_at(r)));
    if (is_wanted && r->is_human && frames > 0) {
        Status status = pose_from_motion(r, clip, frame == REFERENCE_MEAN, arena, err);
        if (status)
            return status;
    }
    return measure_pose(r, err);
}

Status reference_pose_of_orientations(ReferencePose *r, const ClipView *clip, const Quat *orientation, Arena *arena,
                                      Error *err)
{
    Status status = reference_pose_init(r, clip, REFERENCE_REST, arena, err);
    for (int j = 0; !status && j < r->skeleton->joint_count; j++) {
        int parent = r->skeleton->parent[j];
        r->local[j] = parent < 0 ? orientation[j] : quat_mul(quat_conjugate(orientation[parent]), orientation[j]);
    }
    if (status)
        return status;
    place_joints(r, NULL);
    return measure_pose(r, err);
}

void reference_pose_place(ReferencePose *r, const Motion *motion)
{
    place_joints(r, motion);
    r->body = body_axes(r);
    r->unlike = find_unlike(r);
}

static int has_legs(const ReferencePose *r)
{
    return r->is_human && r->joint[ROLE_LEFT_ANKLE] >= 0 && r->joint[ROLE_RIGHT_ANKLE] >= 0;
}

/* Total length of the limbs' bones that the other body also has, m. */
static double shared_length(const ReferencePose *r, const ReferencePose *other)
{
    double sum = 0;
    for (int role = ROLE_NONE + 1; role < ROLE_COUNT; role++) {
        Role next = limb_next_role((Role)role);
        if (next != ROLE_NONE && other->joint[role] >= 0 && other->joint[next] >= 0)
            sum += vec3_norm(reference_between(r, (Role)role, next));
    }
    return sum;
}

void reference_pose_compare(ReferencePose *a, ReferencePose *b)
{
    if (has_legs(a) && has_legs(b))
        return;
    double shared_a = shared_length(a, b), shared_b = shared_length(b, a);
    int both = shared_a > 0 && shared_b > 0;
    a->leg = both ? shared_a : skeleton_offset_sum(a->skeleton);
    b->leg = both ? shared_b : skeleton_offset_sum(b->skeleton);
}
