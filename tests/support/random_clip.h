/* Random trees in random states of motion, for the tests of dynamics: each frame is an independent, consistent state
 * (thesis 3.4, 3.7). A seed gives the same clip on all machines. */
#ifndef KANE_TESTS_RANDOM_CLIP_H
#define KANE_TESTS_RANDOM_CLIP_H

#include <stdlib.h>

#include "analysis/clip/clip.h"

typedef struct Random {
    uint64_t state;
} Random;

/* Uniform in [-1, 1); splitmix64. */
static inline double random_signed(Random *r)
{
    uint64_t z = (r->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-52 - 1;
}

static inline Vec3 random_vec3(Random *r, double size)
{
    double x = random_signed(r), y = random_signed(r), z = random_signed(r);
    return vec3(size * x, size * y, size * z);
}

static inline Quat random_quat(Random *r)
{
    Vec3 v = random_vec3(r, 1);
    return quat_normalize((Quat){random_signed(r), v.x, v.y, v.z});
}

/* Inertia of a few random point masses: positive definite and within the triangle inequality. */
static inline Sym3 random_inertia(Random *r, double mass)
{
    Sym3 sum = {0};
    for (int i = 0; i < 5; i++)
        sum = sym3_add(sum, sym3_point_inertia(mass / 5, random_vec3(r, 0.1)));
    return sum;
}

/* Position, velocity and acceleration of a joint centre from those of its parent along the rigid segment, (3.2, 3.4,
 * 3.7). */
static inline void random_clip_follow(const Skeleton *s, const Motion *m, Kinematics *k, size_t row, int j)
{
    size_t at = row + (size_t)j, up = row + (size_t)s->parent[j];
    Vec3 omega = k->angular_velocity[up], alpha = k->angular_acceleration[up];
    k->orientation[at] = quat_mul(k->orientation[up], m->rotation[at]);
    Vec3 arm = quat_rotate(k->orientation[up], s->offset[j]);
    k->position[at] = vec3_add(k->position[up], arm);
    k->velocity[at] = vec3_add(k->velocity[up], vec3_cross(omega, arm));
    k->acceleration[at] = vec3_add(k->acceleration[up], vec3_add(vec3_cross(alpha, arm),
                                                                 vec3_cross(omega, vec3_cross(omega, arm))));
}

/* Forward recursion over the tree of a frame. */
static inline void random_clip_pose(Clip *c, int frame)
{
    size_t row = motion_index(&c->motion, frame, 0);
    c->kinematics.orientation[row] = c->motion.rotation[row];
    for (int j = 1; j < c->skeleton.joint_count; j++)
        random_clip_follow(&c->skeleton, &c->motion, &c->kinematics, row, j);
}

static inline void random_clip_frame(Clip *c, int frame, Random *r)
{
    Motion *m = &c->motion;
    Kinematics *k = &c->kinematics;
    size_t row = motion_index(m, frame, 0);
    m->root_position[frame] = k->position[row] = random_vec3(r, 2);
    k->velocity[row] = random_vec3(r, 3);
    k->acceleration[row] = random_vec3(r, 20);
    k->valid[frame] = 1;
    for (int j = 0; j < m->joint_count; j++) {
        size_t at = row + (size_t)j;
        m->rotation[at] = random_quat(r);
        k->angular_velocity[at] = random_vec3(r, 8);
        k->angular_acceleration[at] = random_vec3(r, 60);
    }
    random_clip_pose(c, frame);
}

/* Skeleton, body, motion and kinematics of a random tree; 0 if memory runs out. */
static inline int random_clip_init(Clip *c, int joint_count, int frame_count, uint64_t seed)
{
    Random r = {seed};
    *c = (Clip){.has_body = 1, .has_kinematics = 1};
    if (skeleton_init(&c->skeleton, joint_count, 0, NULL) || body_init(&c->body, joint_count, NULL) ||
        motion_init(&c->motion, frame_count, joint_count, 0.01, 0, NULL) ||
        kinematics_init(&c->kinematics, frame_count, joint_count, 0, NULL))
        return 0;
    for (int j = 0; j < joint_count; j++) {
        /* Any earlier joint may be the parent, near ones more often, which yields both long chains and wide trees. */
        double u = 0.5 * (random_signed(&r) + 1);
        c->skeleton.parent[j] = j - 1 - (int)(u * u * u * j);
        c->skeleton.offset[j] = random_vec3(&r, 0.4);
        c->body.mass[j] = 2 + 1.5 * random_signed(&r);
        c->body.com[j] = random_vec3(&r, 0.2);
        c->body.inertia[j] = random_inertia(&r, c->body.mass[j]);
        c->body.total_mass += c->body.mass[j];
    }
    for (int f = 0; f < frame_count; f++)
        random_clip_frame(c, f, &r);
    return 1;
}

#endif
