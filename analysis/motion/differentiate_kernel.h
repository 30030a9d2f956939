/* What the lane kernel of the differences needs of a clip: flat views, no ownership.
 *
 * The clip is taken in tiles of frames. A channel is what is differenced: the orientation of joint j (channel j), the
 * root's position (channel joint_count) or the translation of joint j (channel joint_count + j). Its steps, the rates
 * from each frame to the next, are laid out along the frames so that neighbours load as whole lanes. */
#ifndef KANE_MOTION_DIFFERENTIATE_KERNEL_H
#define KANE_MOTION_DIFFERENTIATE_KERNEL_H

#include <stddef.h>

#include "analysis/math/quat.h"
#include "analysis/motion/differentiate.h"

enum {
    DIFFERENCE_TILE = 64,                   /* frames, a multiple of every number of lanes */
    DIFFERENCE_STEPS = DIFFERENCE_TILE + 16, /* room for the steps of a tile and a block of lanes beyond */
    DIFFERENCE_SCRATCH = 15,                /* doubles a lane and joint: position and its derivatives */
};

/* Arrays are [frame][joint] unless a comment says otherwise; world axes, SI. */
typedef struct DifferenceView {
    size_t frame_count, joint_count;
    double rate;               /* 1 / dt, 1/s */
    DifferenceScheme scheme;
    size_t half_window;        /* savgol */
    const double *weight[2];   /* savgol: [window] of the first and second derivative, 1/s and 1/s2 */
    const int *parent;         /* [joint] */
    const Vec3 *translation;   /* m, parent axes, or NULL */
    const Vec3 *root_position; /* [frame] m */
    const Quat *orientation;
    const Vec3 *position;
    Vec3 *angular_velocity, *angular_acceleration, *velocity, *acceleration;
    double *step;              /* [channel][xyz][DIFFERENCE_STEPS] */
    double *scratch;           /* [joint][DIFFERENCE_SCRATCH][lane], 64-byte aligned */
} DifferenceView;

/* The tile of frames first .. end - 1; poses are known up to end, with savgol half a window beyond. Frames beyond
 * either end of the clip do not exist. The clip has at least one frame more than a block has lanes, or one lane.
 */
typedef void DifferentiateTile(const DifferenceView *view, size_t first, size_t end);
LANE_TWINS(DifferentiateTile, differentiate_tile);

#endif
