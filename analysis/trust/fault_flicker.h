/* Flicker: a joint that shakes from frame to frame for most of a second, as a solver does that loses a marker.
 *
 * Differences of a joint's turns grow with their order in noise and shrink in motion: the ratio of the fourth to the
 * second is 70/6 for white noise, and for motion of f Hz at F frames/s (2 sin(pi f / F))^4. Third differences of noise
 * also turn against the one before. Both are asked of blocks of a quarter of a second, by medians that one step does
 * not move, and the joint must shake more than it does in the rest of the take or, where there is no rest, than others;
 * less of the others where the differences leave no doubt, as joints that are fast at 24 frames/s all look alike. */
#ifndef KANE_TRUST_FAULT_FLICKER_H
#define KANE_TRUST_FAULT_FLICKER_H

#include "analysis/trust/fault.h"

/* Appends one fault for each interval of a joint; size: of the shaking, rad RMS. Cost: O(frames * joints). */
Status fault_flicker_find(const Skeleton *skeleton, const Motion *motion, Faults *faults, Error *err);

#endif
