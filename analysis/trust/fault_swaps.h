/* Left and right exchanged: for some frames the left arm, or leg, moves as the right one and the right as the left.
 *
 * Where it begins and where it ends both limbs jump, and go on without a jump if they are exchanged there: as rotations
 * are, or as mirror images. Jumps are steps less the mean of the steps beside them. */
#ifndef KANE_TRUST_FAULT_SWAPS_H
#define KANE_TRUST_FAULT_SWAPS_H

#include "analysis/trust/fault.h"

#define FAULT_SWAP_LONGEST 1.0 /* s: limbs exchanged for longer are not looked for */

/* Appends a fault of the left limb's topmost joint for each exchange; size: the jump of the joints at its begin,
 * rad RMS.
 * Nothing for a skeleton without sides. Cost: O(frames). */
Status fault_swaps_find(const Skeleton *skeleton, const Motion *motion, Faults *faults, Error *err);

#endif
