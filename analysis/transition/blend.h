/* A motion that becomes another of the same skeleton. */
#ifndef KANE_TRANSITION_BLEND_H
#define KANE_TRANSITION_BLEND_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/motion/root_motion.h"
#include "analysis/transition/pose_features.h"
#include "analysis/transition/transition.h"

/* One of the two motions, with the same frame time. Not owned. */
typedef struct BlendSide {
    ClipView clip; /* skeleton and motion */
    const StandingFeet *feet;
    const PoseFeatures *features; /* the second's are compared with the first's */
} BlendSide;

/* The blended interval in frames of both. */
typedef struct BlendSpan {
    int first, second; /* frames at which it begins */
    int count;         /* the frames first + count and second + count end it */
    double distance;   /* m, mean pose_features_distance over it */
} BlendSpan;

/* STATUS_BAD_INPUT, with the first joint that differs in name, parent or offset, unless two skeletons are the same. The
 * offset of a joint that has position channels in both files counts for nothing. */
Status blend_check_skeletons(const Skeleton *a, const Skeleton *b, Error *err);

/* Finds the frame of b at which it continues a best, from span->first on over span->count frames: the least mean
 * distance of poses, velocities and contacts over the interval; of equals the nearest in time. Fills second and
 * distance. STATUS_BAD_INPUT if a or b is shorter than the interval. */
Status blend_find(const BlendSide *a, const BlendSide *b, BlendSpan *span, Error *err);

/* Makes the motion: a up to the interval, the transition, then b, moved along the ground so that its hips begin the
 * interval at the position and heading of a's, and feet that stand in the middle of it stay. Rotations below the root
 * outside the interval have the bits of a and b. *move receives how b was moved. The caller frees *out. */
Status blend_make(const BlendSide *a, const BlendSide *b, const BlendSpan *span, Motion *out, GroundMove *move,
                  Error *err);

#endif
