/* See alignment.h. */
#include "analysis/retarget/alignment.h"

#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/retarget/limb.h"
#include "analysis/retarget/reference_pose.h"

#define MIN_BONE 0.01     /* leg lengths: shorter bones have no direction */
#define MIN_HAND 0.03       /* leg lengths from the wrist to the tip of a hand */
#define MAX_HAND 0.5
#define HAND_IN_LINE 0.3    /* cosine between hand and forearm: 70 degrees is as far as a wrist bends */
#define SAME_LENGTH 0.01    /* relative: difference in length of bones of the same body */
#define SAME_ANGLE 0.99995  /* 1 - largest difference between the cosines of corresponding angles in a rigid segment */
#define SHORTEST 1e-4       /* fraction of the total length: shorter offsets have no direction */
#define SAME_AXES 1e-3      /* rad: difference in direction of offsets in the same axes */
#define SPREAD 0.05         /* sine below which two directions do not span a plane */

typedef struct Aligner {
    const ReferencePose *target, *source;
    const JointMap *map;
    Quat *rotation;         /* [target] D */
    unsigned char *has_rotation; /* [target] 1: mapped */
    int same_body;
} Aligner;

/* A bone in both reference poses. */
typedef struct BonePair {
    Vec3 target, source; /* m; zero: no direction */
} BonePair;

/* Whether both are the same body: equal trees and roles, and bone lengths with one common ratio. */
static int is_same_body(const ReferencePose *target, const ReferencePose *source)
{
    const Skeleton *t = target->skeleton, *s = source->skeleton;
    double scale = target->leg / source->leg;
    if (t->joint_count != s->joint_count)
        return 0;
    for (int j = 1; j < t->joint_count; j++) {
        double length = vec3_norm(t->offset[j]), expected = scale * vec3_norm(s->offset[j]);
        if (t->parent[j] != s->parent[j] || t->role[j] != s->role[j] ||
            fabs(length - expected) > SAME_LENGTH * expected + 1e-4 * target->leg)
            return 0;
    }
    return 1;
}

int skeletons_same_joints(const Skeleton *a, const Skeleton *b)
{
    double size_a = skeleton_offset_sum(a), size_b = skeleton_offset_sum(b);
    int same = a->joint_count == b->joint_count && size_a > 0 && size_b > 0;
    for (int j = 1; same && j < a->joint_count; j++) {
        double length_a = vec3_norm(a->offset[j]), length_b = vec3_norm(b->offset[j]);
        int is_short = length_a < SHORTEST * size_a && length_b < SHORTEST * size_b;
        same = a->parent[j] == b->parent[j] && a->role[j] == b->role[j] &&
               (is_short || vec3_distance(vec3_scale(a->offset[j], length_b), vec3_scale(b->offset[j], length_a)) <=
                                SAME_AXES * length_a * length_b);
    }
    return same;
}

static Vec3 between(const ReferencePose *r, int from, int to)
{
    return from < 0 || to < 0 ? vec3(0, 0, 0) : vec3_sub(r->position[to], r->position[from]);
}

/* Vector from a joint to its farthest descendant joint or end site, m; zero: none. */
static Vec3 reference_tip(const ReferencePose *r, int joint)
{
    const Skeleton *s = r->skeleton;
    Vec3 tip = {0, 0, 0};
    for (int j = joint + 1; j < s->joint_count; j++) {
        Vec3 v = between(r, joint, j);
        if (limb_is_ancestor(s, joint, j) && vec3_norm(v) > vec3_norm(tip))
            tip = v;
    }
    for (int e = 0; e < s->end_count; e++) {
        if (!limb_is_ancestor(s, joint, s->end_parent[e]))
            continue;
        Vec3 v = vec3_add(between(r, joint, s->end_parent[e]),
                          quat_rotate(r->orientation[s->end_parent[e]], s->end_offset[e]));
        if (vec3_norm(v) > vec3_norm(tip))
            tip = v;
    }
    return tip;
}

/* The same of a hand; zero if it cannot be one: ends that no one set are 1 cm or 2 m long and point anywhere. */
static Vec3 hand_tip(const ReferencePose *r, Role wrist)
{
    if (r->joint[wrist] < 0)
        return vec3(0, 0, 0);
    Role elbow = wrist == ROLE_LEFT_WRIST ? ROLE_LEFT_ELBOW : ROLE_RIGHT_ELBOW;
    Vec3 tip = reference_tip(r, r->joint[wrist]), forearm = reference_between(r, elbow, wrist);
    double length = vec3_norm(tip), along = vec3_dot(tip, vec3_normalize(forearm));
    int is_hand = length > MIN_HAND * r->leg && length < MAX_HAND * r->leg &&
                  (along > HAND_IN_LINE * length || !(vec3_norm(forearm) > 0));
    return is_hand ? tip : vec3(0, 0, 0);
}

static int first_child(const Skeleton *s, int joint)
{
    for (int j = joint + 1; j < s->joint_count; j++)
        if (s->parent[j] == joint)
            return j;
    return -1;
}

/* Vector from position a to position b along a chain, both 0 to 1 of its length, m. */
static Vec3 chain_interval(const ReferencePose *r, const JointChain *c, double a, double b)
{
    Vec3 point[2] = {{0, 0, 0}, {0, 0, 0}};
    double total = 0, at = 0;
    for (int i = 0; i < c->count; i++)
        total += vec3_norm(between(r, c->joint[i], i + 1 < c->count ? c->joint[i + 1] : c->end));
    for (int i = 0; i < c->count; i++) {
        int to = i + 1 < c->count ? c->joint[i + 1] : c->end;
        double length = vec3_norm(between(r, c->joint[i], to));
        const double want[2] = {a * total, b * total};
        for (int k = 0; k < 2; k++)
            if (length > 0 && want[k] >= at && (want[k] <= at + length || i + 1 == c->count))
                point[k] = vec3_mad(r->position[c->joint[i]], (want[k] - at) / length, between(r, c->joint[i], to));
        at += length;
    }
    return vec3_sub(point[1], point[0]);
}

/* Bone i of spine or neck, and the part of the source's chain beside it. */
static BonePair chain_pair(const Aligner *a, const JointChain *target, const JointChain *source, int i)
{
    BonePair pair = {{0, 0, 0}, {0, 0, 0}};
    double total = 0, start = 0;
    for (int k = 0; k < target->count; k++) {
        double length = vec3_norm(
            between(a->target, target->joint[k], k + 1 < target->count ? target->joint[k + 1] : target->end));
        start += k < i ? length : 0;
        total += length;
    }
    int to = i + 1 < target->count ? target->joint[i + 1] : target->end;
    pair.target = between(a->target, target->joint[i], to);
    if (target->count == source->count)
        pair.source = between(a->source, source->joint[i], i + 1 < source->count ? source->joint[i + 1] : source->end);
    else if (total > 0)
        pair.source = chain_interval(a->source, source, start / total, (start + vec3_norm(pair.target)) / total);
    return pair;
}

static int index_in(const JointChain *c, int joint)
{
    for (int i = 0; i < c->count; i++)
        if (c->joint[i] == joint)
            return i;
    return -1;
}

/* The role whose bone a joint belongs to: its own, or that of the limb bone it splits. */
static Role bone_role(const ReferencePose *r, int joint)
{
    Role role = r->skeleton->segment[joint], next = limb_next_role(role);
    if (r->skeleton->role[joint] != ROLE_NONE)
        return r->skeleton->role[joint];
    return r->joint[next] >= 0 && limb_is_ancestor(r->skeleton, joint, r->joint[next]) ? role : ROLE_NONE;
}

/* Directions of the bone of target joint t and of the corresponding source bone. */
static BonePair bone_pair(const Aligner *a, int t, int source)
{
    JointChain trunk = limb_trunk(a->target->skeleton), source_trunk = limb_trunk(a->source->skeleton);
    Role role = bone_role(a->target, t), next = limb_next_role(role);
    int index = index_in(&trunk, t);
    if (index >= 0 && source_trunk.count > 0)
        return chain_pair(a, &trunk, &source_trunk, index);
    if (role == ROLE_NECK && a->source->joint[ROLE_NECK] >= 0 && a->target->joint[ROLE_HEAD] >= 0) {
        JointChain neck = limb_chain(a->target->skeleton, a->target->joint[ROLE_NECK], a->target->joint[ROLE_HEAD]);
        JointChain other = limb_chain(a->source->skeleton, a->source->joint[ROLE_NECK], a->source->joint[ROLE_HEAD]);
        if (index_in(&neck, t) >= 0 && other.count > 0)
            return chain_pair(a, &neck, &other, index_in(&neck, t));
    }
    if (next != ROLE_NONE)
        return (BonePair){reference_between(a->target, role, next), reference_between(a->source, role, next)};
    if (role == ROLE_LEFT_WRIST || role == ROLE_RIGHT_WRIST)
        return (BonePair){hand_tip(a->target, role), hand_tip(a->source, role)};
    if (role == ROLE_NONE || a->same_body) {
        int child = first_child(a->target->skeleton, t), other = first_child(a->source->skeleton, source);
        if (child >= 0 && other >= 0)
            return (BonePair){between(a->target, t, child), between(a->source, source, other)};
        return (BonePair){reference_tip(a->target, t), reference_tip(a->source, source)};
    }
    return (BonePair){{0, 0, 0}, {0, 0, 0}};
}

/* Axes with x along u and z normal to u and v. */
static Quat frame_from_axes(Vec3 u, Vec3 v)
{
    Vec3 x = vec3_normalize(u), z = vec3_normalize(vec3_cross(u, v)), y = vec3_cross(z, x);
    return quat_from_mat3((Mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}});
}

/* Sets the rotation of a segment with several child joints if both skeletons have the same rigid segment up to scale;
 * otherwise returns 0. */
static int rigid_rotation(const Aligner *a, int t, int source, Quat *rotation)
{
    const Skeleton *s = a->target->skeleton;
    Vec3 first_t = {0, 0, 0}, first_s = {0, 0, 0};
    for (int j = t + 1; a->same_body && j < s->joint_count; j++) {
        if (s->parent[j] != t)
            continue;
        Vec3 ut = between(a->target, t, j), us = between(a->source, source, j);
        if (vec3_norm(first_t) == 0) {
            first_t = ut;
            first_s = us;
            continue;
        }
        double sine = vec3_norm(vec3_cross(vec3_normalize(first_t), vec3_normalize(ut)));
        double cosine_t = vec3_dot(vec3_normalize(first_t), vec3_normalize(ut));
        double cosine_s = vec3_dot(vec3_normalize(first_s), vec3_normalize(us));
        if (sine < SPREAD || fabs(cosine_t - cosine_s) > 1 - SAME_ANGLE)
            continue;
        *rotation = quat_mul(frame_from_axes(first_s, us), quat_conjugate(frame_from_axes(first_t, ut)));
        return 1;
    }
    return 0;
}

/* Axes of a standing foot: up as the body's, forward along the ground towards the toes. */
static Quat foot_axes(const ReferencePose *r, Role ankle, Role toe)
{
    Vec3 up = quat_rotate(r->body, vec3(0, 1, 0)), forward = reference_between(r, ankle, toe);
    forward = vec3_mad(forward, -vec3_dot(forward, up), up);
    if (vec3_norm(forward) < MIN_BONE * r->leg)
        return r->body;
    return quat_mul(frame_from_axes(forward, up), quat_conjugate(frame_from_axes(vec3(0, 0, 1), vec3(0, 1, 0))));
}

/* The target joint that follows the source's joint of a role; -1: none. */
static int find_follower(const Aligner *a, Role role)
{
    for (int i = 0; i < a->map->row_count; i++)
        if (a->source->joint[role] >= 0 && a->map->row[i].source == a->source->joint[role])
            return a->map->row[i].target;
    return -1;
}

/* The rotation that makes a creature face as the human does: its direction from hips to head, along the ground. */
static Quat facing_rotation(const Aligner *a)
{
    int head = find_follower(a, ROLE_HEAD), hips = find_follower(a, ROLE_HIPS);
    Vec3 spine = between(a->target, hips, head), front = quat_rotate(a->source->body, vec3(0, 0, 1));
    spine.y = front.y = 0;
    return vec3_norm(spine) > 0 && vec3_norm(front) > 0 ? quat_between(spine, front) : QUAT_IDENTITY;
}

static int is_clavicle(Role role) { return role == ROLE_LEFT_CLAVICLE || role == ROLE_RIGHT_CLAVICLE; }

/* D of joint t, starting from that of the nearest mapped ancestor. */
static Quat joint_rotation(const Aligner *a, int t, int source)
{
    int above = a->target->skeleton->parent[t];
    while (above >= 0 && (!a->has_rotation[above] || is_clavicle(a->target->skeleton->role[above])))
        above = a->target->skeleton->parent[above]; /* arms are not rotated about themselves with the clavicles */
    Quat body = quat_mul(a->source->body, quat_conjugate(a->target->body)),
         rotation = above >= 0 ? a->rotation[above] : body;
    Role role = a->target->skeleton->role[t], next = limb_next_role(role);
    if (a->target->is_human != a->source->is_human) /* a horizontal and an upright spine: align headings */
        return a->source->is_human ? facing_rotation(a) : QUAT_IDENTITY;
    if (rigid_rotation(a, t, source, &rotation) || (!a->same_body && is_clavicle(role)))
        return rotation; /* clavicles turn from where they rest: shoulders are hiked where they rest higher */
    if (!a->same_body && (role == ROLE_HEAD || limb_is_ancestor(a->target->skeleton, t, a->target->joint[ROLE_HIPS])))
        return body; /* the head and ancestors of the hips turn with the body: their first bones have arbitrary
                        directions */
    if (!a->same_body && (role == ROLE_LEFT_ANKLE || role == ROLE_RIGHT_ANKLE)) {
        if (a->target->joint[next] < 0 || a->source->joint[next] < 0)
            return body;
        return quat_mul(foot_axes(a->source, role, next), quat_conjugate(foot_axes(a->target, role, next)));
    }
    if (!a->same_body && (role == ROLE_LEFT_SHOULDER || role == ROLE_RIGHT_SHOULDER))
        rotation = body; /* how chests are curved would turn arms that point sideways about themselves */
    BonePair pair = bone_pair(a, t, source);
    if (vec3_norm(pair.target) < MIN_BONE * a->target->leg || vec3_norm(pair.source) < MIN_BONE * a->source->leg)
        return rotation;
    return quat_normalize(quat_mul(quat_between(quat_rotate(rotation, pair.target), pair.source), rotation));
}

/* The source joint with the largest weight in the rows of target joint t. */
static int main_source(const JointMap *map, int t)
{
    int best = map->first[t];
    for (int i = best; i < map->first[t + 1]; i++)
        if (map->row[i].weight > map->row[best].weight)
            best = i;
    return map->row[best].source;
}

/* Makes a limb's bone that either skeleton splits, or whose source length changes, point from end to end as the
 * source's does in every frame. */
static void set_direction(const Aligner *a, int t, int bones_stretch, BoneDirection *bone)
{
    Role role = bone_role(a->target, t), next = limb_next_role(role);
    *bone = (BoneDirection){.from = -1};
    if (role == ROLE_NONE && strstr(a->target->skeleton->name[t], "wist")) {
        role = a->target->skeleton->segment[t];
        next = limb_next_role(role);
    }
    if (next == ROLE_NONE || role == ROLE_NECK || a->source->joint[role] < 0 || a->source->joint[next] < 0 ||
        a->target->joint[role] < 0 || a->target->joint[next] < 0 || role == ROLE_LEFT_ANKLE || role == ROLE_RIGHT_ANKLE)
        return;
    JointChain target = limb_chain(a->target->skeleton, a->target->joint[role], a->target->joint[next]);
    JointChain source = limb_chain(a->source->skeleton, a->source->joint[role], a->source->joint[next]);
    if (target.count == source.count && index_in(&target, t) >= 0 && !(bones_stretch && target.count == 1))
        return;
    Vec3 whole = reference_between(a->target, role, next);
    if (vec3_norm(whole) < MIN_BONE * a->target->leg || target.count == 0 || source.count == 0)
        return;
    if (is_clavicle(role)) /* from where both rest */
        whole = quat_rotate_inverse(a->rotation[t], reference_between(a->source, role, next));
    *bone = (BoneDirection){a->source->joint[role], a->source->joint[next],
                            vec3_normalize(quat_rotate_inverse(a->target->orientation[t], whole))};
}

/* Aligns every joint after its ancestors. */
static void align_joints(Aligner *a, int bones_stretch, Alignment *out)
{
    const JointMap *map = a->map;
    for (int t = 0; t < map->target_count; t++) {
        out->bone[t].from = -1;
        if (map->first[t] == map->first[t + 1])
            continue;
        a->rotation[t] = joint_rotation(a, t, main_source(map, t));
        a->has_rotation[t] = 1;
        if (!a->same_body)
            set_direction(a, t, bones_stretch, &out->bone[t]);
        for (int i = map->first[t]; i < map->first[t + 1]; i++)
            out->rotation[i] = quat_mul(quat_conjugate(a->source->orientation[map->row[i].source]),
                                        quat_mul(a->rotation[t], a->target->orientation[t]));
    }
}

Status alignment_init(Alignment *out, const BodyPair *pair, int bones_stretch, Arena *arena, Error *err)
{
    const JointMap *map = pair->map;
    size_t joints = (size_t)map->target_count;
    *out = (Alignment){.rotation = arena_array(arena, (size_t)map->row_count, 1, sizeof *out->rotation),
                       .bone = arena_array(arena, joints, 1, sizeof *out->bone),
                       .same_body = is_same_body(pair->target, pair->source),
                       .same_joints = skeletons_same_joints(pair->target->skeleton, pair->source->skeleton)};
    ArenaMark mark = arena_mark(arena);
    Aligner a = {.target = pair->target,
                 .source = pair->source,
                 .map = map,
                 .same_body = out->same_body,
                 .rotation = arena_array(arena, joints, 1, sizeof *a.rotation),
                 .has_rotation = arena_array(arena, joints, 1, 1)};
    if (arena->failed)
        return error_no_memory(err);
    align_joints(&a, bones_stretch && !out->same_joints, out);
    arena_return(arena, mark);
    return STATUS_OK;
}
