/* Torques and forces that are zero, of which a test fills some. */
#ifndef KANE_TESTS_ZEROED_DYNAMICS_H
#define KANE_TESTS_ZEROED_DYNAMICS_H

#include "analysis/clip/clip_schema.h"

static inline Status zeroed_dynamics(Dynamics *d, int frame_count, int joint_count)
{
    const int size[DIM_COUNT] = {[DIM_FRAME] = frame_count, [DIM_JOINT] = joint_count};
    return group_init(GROUP_DYNAMICS, d, size, NULL, NULL);
}

#endif
