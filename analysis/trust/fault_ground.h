/* Faults of the path seen from the ground: a body that drifts up or down, and feet that slide.
 *
 * Drift: the lowest points of the body rise along a line, and feet that stand rise as fast. On stairs and slopes feet
 * that stand keep their height; in a jump none stands. Which feet stand is decided by their speed: height against the
 * line would choose, of a foot that keeps its height, the moments in which it rises off.
 *
 * Sliding: all feet that are low move level, the slower one too, in one direction. On a treadmill, where the body stays
 * and both feet have one speed whenever they are low, only what differs from that speed slides. */
#ifndef KANE_TRUST_FAULT_GROUND_H
#define KANE_TRUST_FAULT_GROUND_H

#include "analysis/trust/fault.h"

/* Appends drifts and slides of a body with both ankles: joint 0, size in m/s, of a drift upward. Cost: O(frames *
 * joints). */
Status fault_ground_find(const Skeleton *skeleton, const Motion *motion, Faults *faults, Error *err);

#endif
