/* A fake first frame: a T-pose or rest pose that was put before the take. */
#ifndef KANE_EVIDENCE_FIRST_FRAME_H
#define KANE_EVIDENCE_FIRST_FRAME_H

#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"

/* 1 where frame 0 is no part of the movement: the step from it to frame 1 is far larger than every step soon after, in
 * the joints on average, or in the root's turn or place. confidence in 0..1. Needs at least five frames. */
int first_frame_is_fake(const Skeleton *skeleton, const Motion *motion, double *confidence);

#endif
