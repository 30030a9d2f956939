/* Whether the first frame is a pose placed before the take. */
#ifndef KANE_DETECT_FIRST_FRAME_H
#define KANE_DETECT_FIRST_FRAME_H

#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"

/* Returns 1 if frame 0 does not belong to the movement: the step to frame 1 is far larger than every following one, in
 * the joints on average, or in the root's rotation or position. confidence in 0..1. Requires at least five frames. */
int first_frame_is_fake(const Skeleton *skeleton, const Motion *motion, double *confidence);

#endif
