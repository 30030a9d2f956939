/* A smoothly moving body of four joints for the tests of /trust: trunk, arm, forearm and hand with bones of 0.5, 0.3,
 * 0.3 and 0.05 m. Each joint rotates and the root translates, each with its own period, plus noise like that of a
 * recording. */
#ifndef KANE_TESTS_CHAIN_MOTION_H
#define KANE_TESTS_CHAIN_MOTION_H

#include "analysis/clip/clip.h"
#include "tests/support/random_number.h"

enum { CHAIN_TRUNK, CHAIN_ARM, CHAIN_FOREARM, CHAIN_HAND, CHAIN_JOINTS };

static inline void chain_pose(Motion *m, int frame, double noise, unsigned *seed)
{
    double t = frame * m->frame_time;
    Vec3 blur = {random_number(seed), random_number(seed), random_number(seed)};
    m->root_position[frame] = vec3_mad(vec3(1.2 * t, 1 + 0.03 * sin(12 * t), 0.2 * sin(2 * t)), noise, blur);
    for (int j = 0; j < CHAIN_JOINTS; j++) {
        Vec3 turn = {0.4 * sin((3 + j) * t + j), 0.3 * cos((2 + j) * t), 0.2 * sin((4 + j) * t)};
        blur = vec3(random_number(seed), random_number(seed), random_number(seed));
        m->rotation[motion_index(m, frame, j)] = quat_exp(vec3_mad(turn, noise, blur));
    }
}

static inline void chain_motion(Skeleton *s, Motion *m, int frames, double fps, double noise)
{
    unsigned seed = 7;
    assert_int_equal(skeleton_init(s, CHAIN_JOINTS, 1, NULL), STATUS_OK);
    assert_int_equal(motion_init(m, frames, CHAIN_JOINTS, 1 / fps, 0, NULL), STATUS_OK);
    for (int j = 1; j < CHAIN_JOINTS; j++)
        s->parent[j] = j - 1;
    s->offset[CHAIN_ARM] = vec3(0, 0.5, 0);
    s->offset[CHAIN_FOREARM] = vec3(0.3, 0, 0);
    s->offset[CHAIN_HAND] = vec3(0.3, 0, 0);
    s->end_offset[0] = vec3(0.05, 0, 0);
    s->end_parent[0] = CHAIN_HAND;
    for (int f = 0; f < frames; f++)
        chain_pose(m, f, noise, &seed);
    motion_make_continuous(m);
}

#endif
