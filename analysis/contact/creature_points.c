/* Contact points of a body that is not human (contact_points_internal.h): the ends of its bones, with the thickness of
 * the capsules of body/capsules.c.
 *
 * A limb is a branch of the trunk with at most a quarter of the mass. The outer ends of a limb that come to rest at
 * their lowest position are its paw; they give the level of the ground, whatever the skeleton has below or beyond them.
 * All other ends (joints of the legs, trunk, head, tail) touch the common ground with their skin, so that a lying body
 * is supported too. A bone whose length varies, or one that protrudes from the trunk without continuation, is a marker
 * or gear, not a bone. */
#include <math.h>

#include "analysis/base/arena.h"
#include "analysis/base/standard_gravity.h"
#include "analysis/base/status.h"
#include "analysis/body/capsules.h"
#include "analysis/clip/body.h"
#include "analysis/clip/joint_kinematics.h"
#include "analysis/contact/contact_points_internal.h"
#include "analysis/math/sort.h"

#define LIMB_MASS 0.25        /* of the total mass: a heavier branch is part of the trunk */
#define PAW_PART 0.7          /* of the limb's reach: outer ends */
#define RIGID_PART 0.1        /* of its length: a bone's end moves less in the axes of its joint */
#define REST_BAND 0.043       /* leg lengths above its lowest height */
#define REST_SPEED 0.212      /* sqrt(g L) */
#define MIN_REST 0.1        /* of the frames: a limb that rests in fewer has no paw */
#define REST_OF_BEST 0.5      /* of the rest time of the limb's best end: further ends of its paw */
#define LEVEL_SPREAD 0.35     /* leg lengths: ends within this distance belong to the paw */

/* The bone from joint to an end. */
typedef struct ContactBone {
    int joint;       /* joint with the end */
    Vec3 end;        /* m, joint axes */
    double distance; /* m along bones from the root of the limb to the end */
    double radius;   /* m */
    double rest;     /* fraction of the frames in which it rests at its lowest height */
    int limb;        /* joint at the root of the limb; 0: trunk */
} ContactBone;

typedef struct CreatureLimbs {
    const Skeleton *skeleton;
    const Kinematics *kinematics;
    double *reach;   /* [joint] m */
    double *mass;    /* [joint] kg, of the subtree */
    double *scratch; /* [frame] m */
    ContactBone *bone;      /* [bone] */
    int bone_count;
} CreatureLimbs;

static Status creature_init(CreatureLimbs *c, const Skeleton *s, const Body *body, const Kinematics *k, Arena *arena)
{
    size_t joints = (size_t)s->joint_count;
    *c = (CreatureLimbs){.skeleton = s, .kinematics = k};
    c->reach = arena_array(arena, joints, 1, sizeof *c->reach);
    c->mass = arena_array(arena, joints, 1, sizeof *c->mass);
    c->scratch = arena_array(arena, (size_t)k->frame_count, 1, sizeof *c->scratch);
    c->bone = arena_array(arena, joints + (size_t)s->end_count, 1, sizeof *c->bone);
    if (arena->failed)
        return STATUS_NO_MEMORY;
    skeleton_reach(s, c->reach);
    for (int j = s->joint_count - 1; j >= 0; j--) {
        c->mass[j] += body->mass[j];
        if (j > 0)
            c->mass[s->parent[j]] += c->mass[j];
    }
    return STATUS_OK;
}

/* Height measure of a creature: height of its root above its lowest joint, mean over the clip. */
static double standing_height(const Kinematics *k)
{
    double sum = 0;
    for (int f = 0; f < k->frame_count; f++) {
        const Vec3 *p = k->position + (size_t)f * (size_t)k->joint_count;
        double lowest = p[0].y;
        for (int j = 1; j < k->joint_count; j++)
            lowest = fmin(lowest, p[j].y);
        sum += p[0].y - lowest;
    }
    return k->frame_count ? sum / k->frame_count : 0;
}

/* The first joint from the trunk to `joint` with at most the mass of a limb; 0: part of the trunk. */
static int find_creature_limb(const CreatureLimbs *c, int joint)
{
    double max = LIMB_MASS * c->mass[0];
    if (c->mass[joint] > max)
        return 0;
    while (joint > 0 && c->mass[c->skeleton->parent[joint]] <= max)
        joint = c->skeleton->parent[joint];
    return joint;
}

/* The skin at the end of a bone is that of the next one. */
static void add_bone(CreatureLimbs *c, int joint, Vec3 end, double beyond)
{
    double length = vec3_norm(end);
    int limb = find_creature_limb(c, joint);
    if (length > 0 && (limb > 0 || beyond > 0))
        c->bone[c->bone_count++] = (ContactBone){.joint = joint,
                                                 .end = end,
                                                 .limb = limb,
                                                 .distance = skeleton_distance(c->skeleton, limb, joint) + length,
                                                 .radius = capsule_radius(beyond > 0 ? beyond : length, c->reach[0])};
}

/* Position of joint j in the axes of its parent, mean over the clip; zero if it is not the end of a bone. */
static Vec3 mean_offset(const Kinematics *k, const Skeleton *s, int j)
{
    Vec3 sum = {0, 0, 0};
    double squares = 0;
    for (int f = 0; f < k->frame_count; f++) {
        size_t row = (size_t)f * (size_t)k->joint_count, parent = row + (size_t)s->parent[j];
        Vec3 bone = vec3_sub(k->position[row + (size_t)j], k->position[parent]);
        Vec3 local = quat_rotate_inverse(k->orientation[parent], bone);
        sum = vec3_add(sum, local);
        squares += vec3_dot(local, local);
    }
    Vec3 mean = vec3_scale(sum, 1.0 / k->frame_count);
    double length = vec3_norm(mean), spread = squares / k->frame_count - length * length;
    return spread < RIGID_PART * RIGID_PART * length * length ? mean : vec3(0, 0, 0);
}

/* Fraction of the frames in which an end is slow and near its 5th percentile of height. */
static double bone_rest_length(const CreatureLimbs *c, const ContactBone *b, double length)
{
    const Kinematics *k = c->kinematics;
    int rest = 0;
    for (int f = 0; f < k->frame_count; f++) {
        size_t i = (size_t)f * (size_t)k->joint_count + (size_t)b->joint;
        c->scratch[f] = k->position[i].y + quat_rotate(k->orientation[i], b->end).y;
    }
    size_t frames = (size_t)k->frame_count;
    double low = select_double(c->scratch, frames, frames / 20) + REST_BAND * length;
    for (int f = 0; f < k->frame_count; f++) {
        size_t i = (size_t)f * (size_t)k->joint_count + (size_t)b->joint;
        Vec3 arm = quat_rotate(k->orientation[i], b->end);
        Vec3 velocity = vec3_add(k->velocity[i], vec3_cross(k->angular_velocity[i], arm));
        rest += k->position[i].y + arm.y < low && vec3_norm(velocity) < REST_SPEED * sqrt(GRAVITY * length);
    }
    return (double)rest / k->frame_count;
}

static void list_bones(CreatureLimbs *c, double length)
{
    const Skeleton *s = c->skeleton;
    for (int j = 1; j < s->joint_count; j++)
        if (vec3_norm(s->offset[j]) > 0)
            add_bone(c, s->parent[j], mean_offset(c->kinematics, s, j), c->reach[j]);
    for (int e = 0; e < s->end_count; e++)
        add_bone(c, s->end_parent[e], s->end_offset[e], 0);
    for (int i = 0; i < c->bone_count; i++)
        c->bone[i].rest = bone_rest_length(c, &c->bone[i], length);
}

static int is_outer(const CreatureLimbs *c, const ContactBone *b)
{
    return b->limb > 0 && b->distance >= PAW_PART * c->reach[b->limb];
}

static void add_creature_point(ContactPoints *p, const ContactBone *b, int limb, int is_paw)
{
    p->group[p->group_count] = (ContactGroup){.limb = limb, .is_sole = is_paw};
    p->point[p->count++] = (ContactPoint){.joint = b->joint, .probe = b->end, .position = b->end,
                                          .thickness = is_paw ? 0 : b->radius, .foot = -1, .limb = limb,
                                          .group = p->group_count++, .is_gauge = 1,
                                          .proximal = b->limb > 0 ? b->limb : -1, .distal = is_paw ? b->joint : -1};
}

/* The ends of one limb, or of the trunk. Ends beyond the paw are ignored. */
static void add_limb(const CreatureLimbs *c, int root, ContactPoints *p)
{
    double best = 0;
    int before = p->count;
    for (int i = 0; i < c->bone_count; i++)
        if (c->bone[i].limb == root && is_outer(c, &c->bone[i]))
            best = fmax(best, c->bone[i].rest);
    for (int i = 0; i < c->bone_count; i++) {
        const ContactBone *b = &c->bone[i];
        int outer = is_outer(c, b) && best >= MIN_REST;
        if (b->limb == root && (!outer || b->rest >= REST_OF_BEST * best))
            add_creature_point(p, b, p->limb_count, outer);
    }
    p->limb_count += p->count > before;
}

Status creature_points_fill(const Skeleton *s, const Body *body, const Kinematics *k, ContactPoints *out, Error *err)
{
    Arena arena = {0};
    CreatureLimbs c;
    if (creature_init(&c, s, body, k, &arena)) {
        arena_free(&arena);
        return error_no_memory(err);
    }
    out->leg_length = standing_height(k);
    out->level_spread = LEVEL_SPREAD * out->leg_length;
    list_bones(&c, out->leg_length);
    for (int root = 0; root < s->joint_count; root++)
        add_limb(&c, root, out);
    arena_free(&arena);
    return STATUS_OK;
}
