/* Artifacts planted into a motion for the tests of /trust: kind, joint, frames and size drawn by a seed. */
#ifndef KANE_TESTS_PLANTED_ARTIFACT_H
#define KANE_TESTS_PLANTED_ARTIFACT_H

#include "analysis/clip/clip.h"
#include "tests/support/random_number.h"

typedef enum PlantKind {
    PLANT_TELEPORT, PLANT_TELEPORT_FOR_GOOD, PLANT_FLIP, PLANT_FROZEN, PLANT_FROZEN_JOINT, PLANT_HEIGHT,
    PLANT_KIND_COUNT
} PlantKind;
static const char *const plant_names[PLANT_KIND_COUNT] = {
    "teleport", "teleport for good", "flip", "frozen pose", "frozen joint", "step of height",
};

typedef struct Plant {
    PlantKind kind;
    int joint;
    int first, last; /* changed frames; for a permanent step both are the first frame after it */
    double size;     /* m, rad, s */
    Vec3 axis;       /* unit vector: direction of a shift in the world, or axis of a rotation in joint axes */
} Plant;

static inline double plant_between(double low, double high, unsigned *seed)
{
    return low + (high - low) * 0.5 * (random_number(seed) + 1);
}

static inline Vec3 plant_direction(unsigned *seed)
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
static inline Plant plant_draw(const Motion *m, PlantKind kind, int clear, unsigned *seed)
{
    Plant p = {.kind = kind, .axis = plant_direction(seed)};
    int frames = 1;
    if (kind == PLANT_TELEPORT || kind == PLANT_TELEPORT_FOR_GOOD)
        p.size = plant_between(0.2, 3, seed);
    if (kind == PLANT_HEIGHT) {
        p.size = plant_between(0.1, 0.5, seed);
        p.axis = vec3(0, p.axis.y < 0 ? -1 : 1, 0);
    }
    if (kind == PLANT_FLIP) {
        p.size = plant_between(M_PI / 3, M_PI, seed);
        frames = (int)plant_between(1, 5.999, seed);
    }
    if (kind == PLANT_FROZEN || kind == PLANT_FROZEN_JOINT) {
        p.size = plant_between(0.2, 1, seed);
        frames = (int)ceil(p.size / m->frame_time);
    }
    if (kind == PLANT_FLIP || kind == PLANT_FROZEN_JOINT)
        p.joint = (int)plant_between(0, m->joint_count - 1e-6, seed);
    int room = m->frame_count - 2 * clear - frames;
    if (room < 1)
        frames += room - 1;
    p.first = clear + (int)plant_between(0, room > 0 ? room : 0, seed);
    p.last = p.first + (frames > 1 ? frames : 1) - 1;
    return p;
}

static inline void plant_into(Motion *m, const Plant *p)
{
    int stays = p->kind == PLANT_TELEPORT_FOR_GOOD || p->kind == PLANT_HEIGHT;
    int until = stays ? m->frame_count - 1 : p->last;
    Quat turn = quat_from_axis_angle(p->axis, p->size);
    for (int f = p->first; f <= until; f++) {
        size_t row = motion_index(m, f, 0), held = motion_index(m, p->first - 1, 0), joint = (size_t)p->joint;
        if (p->kind == PLANT_FLIP)
            m->rotation[row + joint] = quat_mul(m->rotation[row + joint], turn);
        else if (p->kind == PLANT_FROZEN_JOINT)
            m->rotation[row + joint] = m->rotation[held + joint];
        else if (p->kind != PLANT_FROZEN)
            m->root_position[f] = vec3_mad(m->root_position[f], p->size, p->axis);
        for (int j = 0; j < m->joint_count && p->kind == PLANT_FROZEN; j++)
            m->rotation[row + (size_t)j] = m->rotation[held + (size_t)j];
        if (p->kind == PLANT_FROZEN)
            m->root_position[f] = m->root_position[p->first - 1];
    }
    motion_make_continuous(m);
}

#endif
