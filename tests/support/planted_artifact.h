/* Artifacts planted into a motion for the tests of /trust: kind, joint, frames and size drawn by a seed. */
#ifndef KANE_TESTS_PLANTED_ARTIFACT_H
#define KANE_TESTS_PLANTED_ARTIFACT_H

#include "analysis/clip/clip.h"
#include "tests/support/random_number.h"

typedef enum PlantedKind {
    PLANTED_TELEPORT, PLANTED_TELEPORT_FOR_GOOD, PLANTED_FLIP, PLANTED_FROZEN, PLANTED_FROZEN_JOINT, PLANTED_HEIGHT,
    PLANTED_KIND_COUNT
} PlantedKind;
static const char *const planted_names[PLANTED_KIND_COUNT] = {
    "teleport", "teleport for good", "flip", "frozen pose", "frozen joint", "step of height",
};

typedef struct PlantedArtifact {
    PlantedKind kind;
    int joint;
    int first, last; /* changed frames; for a permanent step both are the first frame after it */
    double size;     /* m, rad, s */
    Vec3 axis;       /* unit vector: direction of a shift in the world, or axis of a rotation in joint axes */
} PlantedArtifact;

static inline double random_between(double low, double high, unsigned *seed)
{
    return low + (high - low) * 0.5 * (random_number(seed) + 1);
}

static inline Vec3 random_direction(unsigned *seed)
{
    for (;;) {
        double x = random_number(seed), y = random_number(seed), z = random_number(seed);
        Vec3 v = {x, y, z};
        double n = vec3_norm(v);
        if (n > 0.1 && n < 1)
            return vec3_scale(v, 1 / n);
    }
}

/* Draws location and size of an artifact; at least `clear` frames from both ends. */
static inline PlantedArtifact planted_draw(const Motion *m, PlantedKind kind, int clear, unsigned *seed)
{
    PlantedArtifact p = {.kind = kind, .axis = random_direction(seed)};
    int frames = 1;
    if (kind == PLANTED_TELEPORT || kind == PLANTED_TELEPORT_FOR_GOOD)
        p.size = random_between(0.2, 3, seed);
    if (kind == PLANTED_HEIGHT) {
        p.size = random_between(0.1, 0.5, seed);
        p.axis = vec3(0, p.axis.y < 0 ? -1 : 1, 0);
    }
    if (kind == PLANTED_FLIP) {
        p.size = random_between(M_PI / 3, M_PI, seed);
        frames = (int)random_between(1, 5.999, seed);
    }
    if (kind == PLANTED_FROZEN || kind == PLANTED_FROZEN_JOINT) {
        p.size = random_between(0.2, 1, seed);
        frames = (int)ceil(p.size / m->frame_time);
    }
    if (kind == PLANTED_FLIP || kind == PLANTED_FROZEN_JOINT)
        p.joint = (int)random_between(0, m->joint_count - 1e-6, seed);
    int room = m->frame_count - 2 * clear - frames;
    if (room < 1)
        frames += room - 1;
    p.first = clear + (int)random_between(0, room > 0 ? room : 0, seed);
    p.last = p.first + (frames > 1 ? frames : 1) - 1;
    return p;
}

static inline void planted_apply(Motion *m, const PlantedArtifact *p)
{
    int stays = p->kind == PLANTED_TELEPORT_FOR_GOOD || p->kind == PLANTED_HEIGHT;
    int until = stays ? m->frame_count - 1 : p->last;
    Quat turn = quat_from_axis_angle(p->axis, p->size);
    for (int f = p->first; f <= until; f++) {
        size_t row = motion_index(m, f, 0), held = motion_index(m, p->first - 1, 0), joint = (size_t)p->joint;
        if (p->kind == PLANTED_FLIP)
            m->rotation[row + joint] = quat_mul(m->rotation[row + joint], turn);
        else if (p->kind == PLANTED_FROZEN_JOINT)
            m->rotation[row + joint] = m->rotation[held + joint];
        else if (p->kind != PLANTED_FROZEN)
            m->root_position[f] = vec3_mad(m->root_position[f], p->size, p->axis);
        for (int j = 0; j < m->joint_count && p->kind == PLANTED_FROZEN; j++)
            m->rotation[row + (size_t)j] = m->rotation[held + (size_t)j];
        if (p->kind == PLANTED_FROZEN)
            m->root_position[f] = m->root_position[p->first - 1];
    }
    motion_make_continuous(m);
}

#endif
