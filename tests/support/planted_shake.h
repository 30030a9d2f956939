/* Shakes and lower rates planted into a motion: drawn by a seed. */
#ifndef KANE_TESTS_PLANTED_SHAKE_H
#define KANE_TESTS_PLANTED_SHAKE_H

#include <string.h>

#include "analysis/math/elementary.h"
#include "tests/support/planted_artifact.h"

typedef struct Shake {
    int joint, period, first; /* period: frames; the shake lasts from frame `first` to the end */
    int is_sine;              /* 0: turned for half a period, then back */
    double size, phase;       /* rad; frames */
    Vec3 axis;
} Shake;

/* Periods of 2 to 12 frames, 2 to 180 degrees (uniform in the logarithm), any joint and axis. */
static inline Shake shake_draw(const Motion *m, unsigned *seed)
{
    Shake s = {.joint = (int)random_between(0, m->joint_count - 1e-6, seed), .axis = random_direction(seed)};
    s.period = (int)random_between(2, 12.999, seed);
    s.size = 2 * PI / 180 * elementary_pow(90, random_between(0, 1, seed));
    s.is_sine = random_between(0, 1, seed) < 0.2;
    s.first = random_between(0, 1, seed) < 0.3 ? m->frame_count / 2 : 0;
    s.phase = random_between(0, s.period, seed);
    return s;
}

static inline void shake_apply(Motion *m, const Shake *s)
{
    for (int f = s->first; f < m->frame_count; f++) {
        double part = fmod(f + floor(s->phase), s->period) < s->period / 2 ? 1 : 0;
        if (s->is_sine)
            part = 0.5 + 0.5 * elementary_sin(2 * PI * (f + s->phase) / s->period);
        Quat *rotation = &m->rotation[motion_index(m, f, s->joint)];
        *rotation = quat_mul(*rotation, quat_from_axis_angle(s->axis, part * s->size));
    }
    motion_make_continuous(m);
}

static inline void shake_copy_frame(const Motion *from, int row, Motion *to, int f)
{
    size_t joints = (size_t)from->joint_count;
    to->root_position[f] = from->root_position[row];
    memcpy(to->rotation + (size_t)f * joints, from->rotation + (size_t)row * joints, joints * sizeof *to->rotation);
    if (from->translation)
        memcpy(to->translation + (size_t)f * joints, from->translation + (size_t)row * joints,
               joints * sizeof *to->translation);
}

/* Repeats every `each`-th row, or every row floor(f * step) if step is set; to: as long as from. */
static inline void shake_repeat(const Motion *from, int each, double step, Motion *to)
{
    for (int f = 0, row = 0, repeats = 0; f < to->frame_count; f++) {
        shake_copy_frame(from, step > 0 ? (int)(f * step + 1e-9) : row, to, f);
        repeats = !repeats && (row + 1) % each == 0;
        row += !repeats;
    }
}

/* Catmull-Rom between the frames, which has no corners, at `rate`. Only for motions without translations. */
static inline Status shake_upsample(const Motion *from, double rate, Motion *to, Error *err)
{
    int frames = 1 + (int)floor((from->frame_count - 1) * from->frame_time * rate);
    Status status = motion_init(to, frames, from->joint_count, 1 / rate, 0, err);
    for (int f = 0; f < frames && !status; f++) {
        double at = f / rate / from->frame_time, u;
        int i = (int)fmin(floor(at), from->frame_count - 2), last = from->frame_count - 1;
        u = at - i;
        double w[4] = {0.5 * u * (-1 + u * (2 - u)), 1 + 0.5 * u * u * (3 * u - 5), 0.5 * u * (1 + u * (4 - 3 * u)),
                       0.5 * u * u * (u - 1)};
        to->root_position[f] = vec3(0, 0, 0);
        for (int k = 0; k < 4; k++) {
            int row = i + k - 1 < 0 ? 0 : i + k - 1 > last ? last : i + k - 1;
            to->root_position[f] = vec3_mad(to->root_position[f], w[k], from->root_position[row]);
            for (int j = 0; j < from->joint_count; j++) {
                Quat q = from->rotation[motion_index(from, row, j)], *sum = &to->rotation[motion_index(to, f, j)];
                *sum = k ? *sum : (Quat){0, 0, 0, 0};
                *sum = (Quat){sum->w + w[k] * q.w, sum->x + w[k] * q.x, sum->y + w[k] * q.y, sum->z + w[k] * q.z};
            }
        }
        for (int j = 0; j < from->joint_count; j++)
            to->rotation[motion_index(to, f, j)] = quat_normalize(to->rotation[motion_index(to, f, j)]);
    }
    return status;
}

#endif
