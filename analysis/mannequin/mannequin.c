#include "analysis/mannequin/mannequin.h"

#include <stdlib.h>

#include "analysis/angles/neutral_pose.h"
#include "analysis/base/arena.h"
#include "analysis/body/human_rest.h"
#include "analysis/body/roles.h"
#include "analysis/mannequin/human_body.h"
#include "analysis/math/elementary.h"

#define ARMS_OFF 50.0 /* degrees, from hanging arms */
#define LEGS_OFF 10.0
#define REACH 1.3 /* radii: up to this distance from a bone's joint, the bone's weight in its parent's vertices is
                     not reduced */
#define FADE 1.2  /* radii: beyond that distance the weight fades to zero over this one */
enum { LOOKS = 16, MEAN_FRAMES = 64 };
#define TRUNK_BEND 0.035 /* m: largest half width of blending about a trunk joint */

void mannequin_free(Mannequin *m)
{
    free(m->joint_position);
    free(m->joint_orientation);
    free(m->position);
    free(m->normal);
    free(m->joint);
    free(m->weight);
    free(m->face);
    free(m->segment);
    free(m->tint);
    *m = (Mannequin){0};
}

/* ---- pose of the skin ---- */

static int is_arm(Role role)
{
    return (role >= ROLE_LEFT_SHOULDER && role <= ROLE_LEFT_WRIST) ||
           (role >= ROLE_RIGHT_SHOULDER && role <= ROLE_RIGHT_WRIST);
}

/* Spreads arms and legs: rotation about the forward axis, positive on the left. */
static Quat spread(Role role)
{
    double degrees = is_arm(role) ? ARMS_OFF : role_is_leg(role) ? LEGS_OFF : 0;
    int is_right = role >= ROLE_RIGHT_CLAVICLE;
    return quat_from_axis_angle(vec3(1, 0, 0), (is_right ? -degrees : degrees) * (PI / 180));
}

/* Whether to use the mean orientation over the clip. A single frame does not show the neutral pose of a bending trunk,
 * a turning head or wrists. */
static int is_averaged(const NeutralPose *n, Role role)
{
    int is_limb = role == ROLE_NONE || role == ROLE_HIPS || role_is_leg(role) || role == ROLE_LEFT_ANKLE ||
                  role == ROLE_RIGHT_ANKLE || (is_arm(role) && role != ROLE_LEFT_WRIST && role != ROLE_RIGHT_WRIST);
    return n->from.frame >= 0 && !is_limb;
}

static Quat mean_rotation(const Motion *m, int joint)
{
    Quat first = m->rotation[motion_index(m, 0, joint)], sum = {0, 0, 0, 0};
    for (int i = 0; i < MEAN_FRAMES; i++) {
        Quat q = quat_nearest(m->rotation[motion_index(m, (int)((long)i * m->frame_count / MEAN_FRAMES), joint)],
                              first);
        sum = (Quat){sum.w + q.w, sum.x + q.x, sum.y + q.y, sum.z + q.z};
    }
    return quat_normalize(sum);
}

/* Rotation that makes the head upright: the mean direction of world up in head axes over the clip becomes up. Identity
 * if that direction varies too much. */
static Quat head_level(const MannequinBuild *b, const Kinematics *k, int head)
{
    Vec3 sum = {0, 0, 0};
    for (int i = 0; k && i < MEAN_FRAMES; i++) {
        size_t frame = (size_t)((long)i * k->frame_count / MEAN_FRAMES);
        Quat q = k->orientation[frame * (size_t)k->joint_count + (size_t)head];
        sum = vec3_mad(sum, 1.0 / MEAN_FRAMES, quat_rotate_inverse(q, vec3(0, 1, 0)));
    }
    return vec3_norm(sum) > 0.8 ? quat_between(quat_rotate(b->orientation[head], sum), vec3(0, 1, 0)) : QUAT_IDENTITY;
}

/* Computes the skin's pose; level: rotation of the trunk above the hips where it is averaged. */
static void pose_skin(MannequinBuild *b, const NeutralPose *n, const ClipView *clip, int is_human, Quat level)
{
    const Skeleton *s = b->skeleton;
    const ReferencePose *from = &n->from;
    for (int j = 0; j < s->joint_count; j++) {
        Role role = s->segment[j];
        int up = s->parent[j];
        b->orientation[j] = from->orientation[j];
        if (is_human && up >= 0 && is_averaged(n, role)) {
            b->orientation[j] = quat_mul(b->orientation[up], mean_rotation(clip->motion, j));
            if (s->segment[up] == ROLE_HIPS)
                b->orientation[j] = quat_mul(level, b->orientation[j]);
            if (s->role[j] == ROLE_HEAD)
                b->orientation[j] = quat_mul(head_level(b, clip->kinematics, j), b->orientation[j]);
        } else if (is_human) {
            b->orientation[j] = quat_mul(
                spread(role), quat_mul(quat_conjugate(n->body), quat_mul(n->swing[role], b->orientation[j])));
        }
        b->orientation[j] = quat_normalize(b->orientation[j]);
        if (up < 0)
            continue;
        Vec3 offset = quat_rotate_inverse(from->orientation[up], vec3_sub(from->position[j], from->position[up]));
        b->position[j] = vec3_add(b->position[up], quat_rotate(b->orientation[up], offset));
    }
}

/* Rotation that makes the trunk upright and the line of the shoulders parallel to that of the hips. */
static Quat level_rotation(const MannequinBuild *b)
{
    int left = b->joint[ROLE_LEFT_SHOULDER], right = b->joint[ROLE_RIGHT_SHOULDER];
    if (left < 0 || right < 0)
        return QUAT_IDENTITY;
    Vec3 low = vec3_scale(vec3_add(b->position[b->joint[ROLE_LEFT_HIP]], b->position[b->joint[ROLE_RIGHT_HIP]]), 0.5);
    Vec3 high = vec3_scale(vec3_add(b->position[left], b->position[right]), 0.5), up = vec3(0, 1, 0);
    Quat upright = quat_between(vec3_sub(high, low), up);
    Vec3 line = quat_rotate(upright, vec3_sub(b->position[right], b->position[left]));
    line.y = 0;
    return vec3_norm(line) > 0 ? quat_mul(quat_between(line, vec3(0, 0, 1)), upright) : upright;
}

/* Sum of squared distances of the joints from their mean, m2. */
static double arm_spread(const ReferencePose *r)
{
    Vec3 sum = {0, 0, 0};
    double squares = 0;
    int joints = r->skeleton->joint_count;
    for (int j = 0; j < joints; j++) {
        sum = vec3_add(sum, r->position[j]);
        squares += vec3_dot(r->position[j], r->position[j]);
    }
    return squares - vec3_dot(sum, sum) / joints;
}

/* Poses a creature, whose rest pose is often unsuitable, as in the frame in which its joints spread most. */
static Status stretch_creature(const ClipView *clip, NeutralPose *n, Arena *arena, Error *err)
{
    int frames = clip->motion ? clip->motion->frame_count : 0;
    double max = -1;
    for (int i = 0; i < LOOKS && i < frames; i++) {
        ReferencePose pose;
        Status status = reference_pose_init(&pose, clip, (int)((long)i * frames / (frames < LOOKS ? frames : LOOKS)),
                                            arena, err);
        if (status)
            return status;
        if (arm_spread(&pose) > max) {
            max = arm_spread(&pose);
            n->from = pose;
        }
    }
    return STATUS_OK;
}

static int has_length(const Skeleton *s)
{
    double length = 0;
    for (int j = 1; j < s->joint_count; j++)
        length += vec3_norm(s->offset[j]);
    for (int e = 0; e < s->end_count; e++)
        length += vec3_norm(s->end_offset[e]);
    return length > 0;
}

static Status begin(MannequinBuild *b, const ClipView *clip, Error *err)
{
    const Skeleton *s = clip->skeleton;
    size_t joints = (size_t)s->joint_count;
    *b = (MannequinBuild){.skeleton = s, .mass = clip->body ? clip->body->mass : NULL};
    b->position = arena_array(&b->arena, joints, 1, sizeof *b->position);
    b->orientation = arena_array(&b->arena, joints, 1, sizeof *b->orientation);
    b->bone = arena_array(&b->arena, joints + 1, 1, sizeof *b->bone);
    b->bone_of = arena_array(&b->arena, joints, 1, sizeof *b->bone_of);
    b->shape.blob = arena_array(&b->arena, MANNEQUIN_BLOBS, 1, sizeof *b->shape.blob);
    b->shape.blob_room = MANNEQUIN_BLOBS;
    if (b->arena.failed)
        return error_no_memory(err);
    for (size_t j = 0; j < joints; j++) {
        b->bone_of[j] = -1;
        b->orientation[j] = QUAT_IDENTITY;
    }
    for (int role = 0; role < ROLE_COUNT; role++)
        b->joint[role] = role ? skeleton_find_role(s, role) : -1;
    b->front = vec3(1, 0, 0);
    b->up = vec3(0, 1, 0);
    b->right = vec3(0, 0, 1);
    return STATUS_OK;
}

/* Sets pose, stature and girth, and whether the skeleton is human. */
static Status pose_mannequin(MannequinBuild *b, const ClipView *clip, int *is_human, Error *err)
{
    const Skeleton *s = clip->skeleton;
    NeutralPose neutral;
    b->girth = 1;
    if (!has_length(s))
        return STATUS_OK;
    Status status = neutral_pose_init(&neutral, clip, &b->arena, err);
    if (status)
        return status;
    b->stature = body_stature(s);
    *is_human = roles_are_human(s) && neutral.has_body && neutral.from.is_human && b->stature > 0;
    if (!*is_human)
        status = stretch_creature(clip, &neutral, &b->arena, err);
    if (status)
        return status;
    pose_skin(b, &neutral, clip, *is_human, QUAT_IDENTITY);
    if (*is_human && neutral.from.frame >= 0)
        pose_skin(b, &neutral, clip, 1, level_rotation(b));
    double mass = clip->body ? clip->body->total_mass : 0, usual = MANNEQUIN_BMI * b->stature * b->stature;
    b->girth = mass > 0 && *is_human ? fmin(fmax(sqrt(mass / usual), 0.8), 1.4) : 1;
    return STATUS_OK;
}

static Status make_mannequin(MannequinBuild *b, const ClipView *clip, Error *err)
{
    int is_human = 0;
    Status status = pose_mannequin(b, clip, &is_human, err);
    if (!status)
        status = is_human ? human_body(b, err) : creature_body(b, err);
    return status || !is_human ? status : human_ends(b, err);
}

/* ---- skinning weights ---- */

static double smooth_step(double x)
{
    x = fmin(fmax(x, 0), 1);
    return x * x * (3 - 2 * x);
}

/* Weight of a bone at p relative to its parent: 0.5 in the plane of the joint. */
static double bone_weight(const Bone *bone, Vec3 p)
{
    return smooth_step(0.5 + 0.5 * vec3_dot(vec3_sub(p, bone->centre), bone->along) / bone->radius);
}

typedef struct Binding {
    int bone, other;
    double weight; /* weight of `other` */
} Binding;

static void offer(Binding *to, int other, double weight)
{
    if (weight > to->weight) {
        to->other = other;
        to->weight = weight;
    }
}

/* Weights along the trunk: those of the nearest joints above and below fall from 0.5 at their height. */
static void bind_trunk(const MannequinBuild *b, Binding *to, Vec3 p)
{
    int above = -1;
    double up = vec3_dot(p, b->up);
    for (int i = 0; i < b->bone_count; i++)
        if (b->bone[i].is_trunk) {
            if (vec3_dot(b->bone[i].centre, b->up) <= up)
                to->bone = i;
            else if (above < 0)
                above = i;
        }
    const Bone *own = &b->bone[to->bone];
    double since = up - vec3_dot(own->centre, b->up),
           until = above < 0 ? INFINITY : vec3_dot(b->bone[above].centre, b->up) - up;
    double bend = fmin(TRUNK_BEND, 0.5 * (since + until));
    if (above >= 0)
        offer(to, above, 0.5 * smooth_step(1 - until / fmax(bend, 1e-6)));
    if (own->from >= 0 && b->bone[own->from].is_trunk)
        offer(to, own->from, 0.5 * smooth_step(1 - since / fmax(bend, 1e-6)));
}

static Binding bind(const MannequinBuild *b, int bone, Vec3 p)
{
    Binding to = {bone, bone, 0};
    if (b->is_rigid)
        return to;
    if (b->bone[bone].is_trunk)
        bind_trunk(b, &to, p);
    else if (b->bone[bone].from >= 0)
        offer(&to, b->bone[bone].from, 1 - bone_weight(&b->bone[bone], p));
    for (int i = 0; i < b->bone_count; i++) {
        const Bone *child = &b->bone[i];
        if (child->is_trunk || child->from != to.bone)
            continue;
        double off = vec3_distance(p, child->centre) / child->radius - REACH;
        offer(&to, i, bone_weight(child, p) * (1 - smooth_step(off / FADE)));
    }
    return to.weight > 0.5 ? (Binding){to.other, to.bone, 1 - to.weight} : to;
}

/* ---- the result ---- */

static Status make_room(Mannequin *m, const MannequinBuild *b, Error *err)
{
    size_t joints = (size_t)b->skeleton->joint_count, vertices = (size_t)b->surface.vertex_count;
    size_t faces = (size_t)b->surface.face_count;
    int failed = 0;
    *m = (Mannequin){.joint_count = b->skeleton->joint_count,
                     .vertex_count = b->surface.vertex_count,
                     .face_count = b->surface.face_count};
    m->joint_position = array_try(&failed, joints, 1, sizeof *m->joint_position);
    m->joint_orientation = array_try(&failed, joints, 1, sizeof *m->joint_orientation);
    m->position = array_try(&failed, vertices, 1, sizeof *m->position);
    m->normal = array_try(&failed, vertices, 1, sizeof *m->normal);
    m->joint = array_try(&failed, vertices, 2, sizeof(int));
    m->weight = array_try(&failed, vertices, 1, sizeof *m->weight);
    m->face = array_try(&failed, faces, 3, sizeof(int));
    m->segment = array_try(&failed, faces, 1, sizeof *m->segment);
    return failed ? error_no_memory(err) : STATUS_OK;
}

/* Copies the faces and computes vertex normals as area-weighted means of the face normals. */
static void add_faces(Mannequin *m, const Surface *s)
{
    for (int f = 0; f < m->face_count; f++) {
        const int *v = s->face[f];
        Vec3 n = vec3_cross(vec3_sub(s->position[v[1]], s->position[v[0]]),
                            vec3_sub(s->position[v[2]], s->position[v[0]]));
        for (int i = 0; i < 3; i++) {
            m->face[f][i] = v[i];
            m->normal[v[i]] = vec3_add(m->normal[v[i]], n);
        }
        int a = m->joint[v[0]][0], c = m->joint[v[1]][0], d = m->joint[v[2]][0];
        m->segment[f] = c == d ? c : a; /* the joint of at least two of its vertices */
    }
    for (int v = 0; v < m->vertex_count; v++)
        m->normal[v] = vec3_normalize(m->normal[v]);
}

static Status adopt_build(Mannequin *m, MannequinBuild *b, Error *err)
{
    Status status = make_room(m, b, err);
    if (status)
        return status;
    for (int j = 0; j < m->joint_count; j++) {
        m->joint_position[j] = b->position[j];
        m->joint_orientation[j] = b->orientation[j];
    }
    for (int v = 0; v < m->vertex_count; v++) {
        Binding to = bind(b, b->bound[v], b->surface.position[v]);
        m->position[v] = b->surface.position[v];
        m->joint[v][0] = b->bone[to.bone].joint;
        m->joint[v][1] = b->bone[to.other].joint;
        m->weight[v] = to.weight;
    }
    m->tint = b->tint;
    b->tint = NULL;
    add_faces(m, &b->surface);
    return STATUS_OK;
}

Status mannequin_init(Mannequin *m, const ClipView *clip, const Shapes *shapes, Error *err)
{
    MannequinBuild build;
    *m = (Mannequin){0};
    Status status = begin(&build, clip, err);
    if (!status)
        status = shapes ? scene_body(&build, shapes, err) : make_mannequin(&build, clip, err);
    if (!status)
        status = adopt_build(m, &build, err);
    surface_free(&build.surface);
    free(build.bound);
    free(build.tint);
    arena_free(&build.arena);
    if (status)
        mannequin_free(m);
    return status;
}
