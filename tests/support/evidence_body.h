/* Bodies for tests of analysis/evidence: the walker (walker.h) standing, jumping and walking, and data/walk.bvh. */
#ifndef KANE_TESTS_EVIDENCE_BODY_H
#define KANE_TESTS_EVIDENCE_BODY_H

#include "analysis/evidence/body_track.h"
#include "tests/support/read_bvh.h"
#include "tests/support/walker.h"

/* m: height of the walker's hips above its lowest points, the tips of the feet, in the rest pose. */
#define STANDING_HIPS 0.95

/* Stands in the rest pose; the caller places the root. */
static inline void standing_motion(Motion *m, int frames, double fps)
{
    assert_int_equal(motion_init(m, frames, WALKER_JOINTS, 1 / fps, 0, NULL), STATUS_OK);
    for (int f = 0; f < frames; f++)
        m->root_position[f] = vec3(0, STANDING_HIPS, 0);
    for (size_t i = 0; i < (size_t)frames * WALKER_JOINTS; i++)
        m->rotation[i] = QUAT_IDENTITY;
}

/* Bends both knees with the feet where they are, until the hips are lower by depth, m. */
static inline void bend_knees(Motion *m, int frame, double depth)
{
    double angle = elementary_acos(1 - depth / 0.82);
    Quat *q = m->rotation + motion_index(m, frame, 0);
    for (int leg = 1; leg <= 5; leg += 4) {
        q[leg] = quat_from_axis_angle(vec3(1, 0, 0), -angle);
        q[leg + 1] = quat_from_axis_angle(vec3(1, 0, 0), 2 * angle);
        q[leg + 2] = quat_from_axis_angle(vec3(1, 0, 0), -angle);
    }
    m->root_position[frame].y -= depth;
}

/* Two seconds: crouches within 0.5 s, pushes with g for 0.25 s, flies for 0.5 s, and the same in reverse. */
static inline void jumping_motion(Motion *m, double fps)
{
    const double gravity = 9.80665, crouched = 0.5, takes_off = 0.75, lands = 1.25; /* s */
    const double deepest = 0.5 * gravity * (takes_off - crouched) * (takes_off - crouched);
    standing_motion(m, (int)(2 * fps), fps);
    for (int f = 0; f < m->frame_count; f++) {
        double t = f / fps, s = t > 1 ? 2 - t : t;
        if (t > takes_off && t < lands)
            m->root_position[f].y += 0.5 * gravity * (t - takes_off) * (lands - t);
        else if (s > crouched)
            bend_knees(m, f, deepest - 0.5 * gravity * (s - crouched) * (s - crouched));
        else
            bend_knees(m, f, 0.5 * deepest * (1 - elementary_cos(PI * s / crouched)));
    }
}

static inline BodyTrack body_track(const Skeleton *s, const Motion *m)
{
    BodyTrack track;
    assert_int_equal(body_track_init(&track, s, m, 0, NULL), STATUS_OK);
    return track;
}

/* data/walk.bvh: 60 frames per second, +Z forwards. */
static inline void read_walk(Clip *clip) { assert_true(file_clip("data/walk.bvh", clip, NULL)); }

static inline void rotate_clip(Motion *m, Vec3 axis, double angle)
{
    Quat turn = quat_from_axis_angle(axis, angle);
    for (int f = 0; f < m->frame_count; f++) {
        Quat *root = m->rotation + motion_index(m, f, 0);
        m->root_position[f] = quat_rotate(turn, m->root_position[f]);
        *root = quat_mul(turn, *root);
    }
}

#endif
