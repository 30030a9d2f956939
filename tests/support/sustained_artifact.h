/* Sustained artifacts planted into a motion for the tests of /trust: kind, joint, frames and size drawn by a seed. */
#ifndef KANE_TESTS_SUSTAINED_ARTIFACT_H
#define KANE_TESTS_SUSTAINED_ARTIFACT_H

#include <stdlib.h>
#include <string.h>

#include "analysis/motion/mirror.h"
#include "tests/support/planted_artifact.h"

typedef enum SustainedKind {
    SUSTAINED_FLICKER, SUSTAINED_DRIFT, SUSTAINED_SLIDING, SUSTAINED_SWAP, SUSTAINED_ROWS, SUSTAINED_TELEPORT,
    SUSTAINED_COUNT
} SustainedKind;
static const char *const sustained_names[SUSTAINED_COUNT] = {
    "flicker", "drift", "sliding", "swap", "doubled rows", "teleport",
};
static const TrustReason sustained_reasons[SUSTAINED_COUNT] = {
    TRUST_FLICKER, TRUST_DRIFT, TRUST_SLIDING, TRUST_SWAPPED, TRUST_REPEATED, TRUST_TELEPORT,
};

typedef struct Sustained {
    SustainedKind kind;
    int joint, other; /* of flicker; for a swap the top joints of both limbs */
    int first, last;  /* changed frames */
    int shape;        /* flicker: 0 alternating, 1 uniform about all axes, 2 normal about one axis; swap: 1 mirrored */
    double size;      /* rad, m/s, m */
    Vec3 axis;        /* unit vector */
    unsigned seed;    /* of the flicker */
} Sustained;

static inline int sustained_frames(const Motion *m, double seconds) { return (int)rint(seconds / m->frame_time); }

/* Returns 0 if the take is too short or lacks such a limb. */
static inline int sustained_draw(const Skeleton *s, const Motion *m, SustainedKind kind, unsigned *seed, Sustained *p)
{
    static const double seconds[SUSTAINED_COUNT] = {1, 0, 0, 0.3, 0, 0};
    static const Role tops[] = {ROLE_LEFT_SHOULDER, ROLE_LEFT_HIP};
    *p = (Sustained){.kind = kind, .axis = random_direction(seed), .seed = *seed};
    double length = kind == SUSTAINED_SLIDING ? random_between(0.5, 1.5, seed) : seconds[kind];
    int frames = sustained_frames(m, length), clear = 4, room = m->frame_count - 2 * clear - frames;
    double at = random_between(0, 1, seed), how = random_between(0, 1, seed), much = random_between(0.75, 1.5, seed);
    int shape = (int)random_between(0, 2.999, seed), joint = (int)random_between(0, m->joint_count - 1e-6, seed);
    if (room < 1)
        return 0;
    p->first = clear + (int)(at * room);
    p->last = p->first + (frames > 0 ? frames : 1) - 1;
    p->shape = shape;
    p->joint = joint;
    p->size = kind == SUSTAINED_FLICKER ? 2 * M_PI / 180 * much : kind == SUSTAINED_SLIDING ? 0.5 * much : 0.8;
    if (kind == SUSTAINED_DRIFT) {
        p->size = 0.05 + 0.45 * how * how;
        p->first = (int)(0.5 * at * m->frame_count);
        p->last = m->frame_count - 1;
    }
    if (kind == SUSTAINED_SWAP) {
        p->shape = shape % 2;
        p->joint = skeleton_find_role(s, tops[how > 0.5]);
        p->other = skeleton_find_role(s, role_mirror(tops[how > 0.5]));
        return p->joint >= 0 && p->other >= 0;
    }
    return 1;
}

/* A rotation about the axis, or about all three like noise of the channels of a file. */
static inline Quat sustained_shake(Sustained *p, int f)
{
    double sum = 0;
    if (p->shape == 0)
        return quat_from_axis_angle(p->axis, f % 2 ? p->size : -p->size);
    if (p->shape == 1) {
        double x = random_number(&p->seed), y = random_number(&p->seed), z = random_number(&p->seed);
        return quat_exp(vec3_scale(vec3(x, y, z), 0.5 * p->size));
    }
    for (int i = 0; i < 12; i++)
        sum += 0.5 * random_number(&p->seed);
    return quat_from_axis_angle(p->axis, p->size * sum);
}

static inline int sustained_is_below(const Skeleton *s, int top, int joint)
{
    while (joint > top)
        joint = s->parent[joint];
    return joint == top;
}

static inline void sustained_swap(const Skeleton *s, const Mirror *mirror, Motion *m, const Sustained *p)
{
    Quat *row = calloc((size_t)m->joint_count, sizeof *row);
    for (int f = p->first; f <= p->last; f++) {
        Quat *now = m->rotation + motion_index(m, f, 0);
        memcpy(row, now, (size_t)m->joint_count * sizeof *row);
        for (int j = 0; j < m->joint_count; j++)
            if (sustained_is_below(s, p->joint, j) || sustained_is_below(s, p->other, j))
                now[j] = p->shape ? mirror_rotation(mirror, s, row, j) : row[mirror->pair[j]];
    }
    free(row);
}

/* Doubles each row in place; the second half of the take is lost. */
static inline void sustained_double(Motion *m)
{
    size_t joints = (size_t)m->joint_count;
    for (int f = m->frame_count - 1; f > 0; f--) {
        memmove(m->rotation + (size_t)f * joints, m->rotation + (size_t)(f / 2) * joints, joints * sizeof(Quat));
        if (m->translation)
            memmove(m->translation + (size_t)f * joints, m->translation + (size_t)(f / 2) * joints,
                    joints * sizeof(Vec3));
        m->root_position[f] = m->root_position[f / 2];
    }
}

/* mirror: of the skeleton, for swaps. */
static inline void sustained_apply(const Skeleton *s, const Mirror *mirror, Motion *m, Sustained *p)
{
    Vec3 along = vec3_normalize(vec3(p->axis.x, 0, p->axis.z));
    if (p->kind == SUSTAINED_ROWS)
        sustained_double(m);
    if (p->kind == SUSTAINED_SWAP)
        sustained_swap(s, mirror, m, p);
    for (int f = p->first; f < m->frame_count; f++) {
        size_t at = motion_index(m, f, p->joint);
        double seconds = (fmin(f, p->last) - p->first + 1) * m->frame_time;
        if (p->kind == SUSTAINED_FLICKER && f <= p->last)
            m->rotation[at] = quat_mul(m->rotation[at], sustained_shake(p, f));
        if (p->kind == SUSTAINED_DRIFT)
            m->root_position[f].y += p->size * seconds;
        if (p->kind == SUSTAINED_SLIDING)
            m->root_position[f] = vec3_mad(m->root_position[f], p->size * seconds, along);
        if (p->kind == SUSTAINED_TELEPORT)
            m->root_position[f] = vec3_mad(m->root_position[f], p->size, p->axis);
    }
    motion_make_continuous(m);
}

#endif
