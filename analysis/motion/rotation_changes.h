/* Differences of the rotations of a block of frames: sums of their squares, and how often they oppose each other, by
 * which a flickering joint is found (analysis/quality/artifact_flicker.c). Views, not owned. */
#ifndef KANE_MOTION_ROTATION_CHANGES_H
#define KANE_MOTION_ROTATION_CHANGES_H

#include <stddef.h>

#include "analysis/math/lane_width.h"
#include "analysis/math/quat.h"

enum { ROTATION_VALUES = 10 }; /* of a joint: its latest rotation, second and third difference, norm of the third */

typedef struct RotationChangesView {
    size_t joint_count, first, length; /* frames first to first + length - 1; first > 0 */
    double opposite;                   /* minus the cosine from which differences are opposed */
    const Quat *rotation;              /* [frame][joint] */
    double *before;                    /* [ROTATION_VALUES][joint] at frame first - 1 */
    double *after;                     /* the same at the last frame */
    double *size;                      /* [length][joint] norms of the third differences */
    double *second, *fourth;           /* [joint] sums of squares of the differences */
    double *reversed;                  /* [joint] number of third differences opposed to the one before */
} RotationChangesView;

/* joint_count must be at least the number of lanes. */
typedef void RotationChanges(const RotationChangesView *view);
LANE_TWINS(RotationChanges, rotation_changes);

#endif
