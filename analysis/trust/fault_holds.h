/* Stretches where a recording stands still to the last digit, or moves on a straight line.
 *
 * A body that is recorded never stands still: noise moves its joints in every frame. A pose, or the rotation of a joint
 * that moves otherwise, which repeats the frame before for a tenth of a second and longer was held. An animator's hold
 * eases in and out; a fault begins or ends at once, and both are asked for. A hinge that rests at the end of its range
 * (knees clamped by a solver) is none. A pose whose steps repeat instead was interpolated over a gap. */
#ifndef KANE_TRUST_FAULT_HOLDS_H
#define KANE_TRUST_FAULT_HOLDS_H

#include "analysis/trust/fault.h"

Status fault_holds_find(const Skeleton *skeleton, const Motion *motion, Faults *faults, Error *err);

#endif
