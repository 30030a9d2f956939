/* Teleports and flips: steps from frame to frame that no body makes.
 *
 * A body that is pushed hard changes its velocity at once and keeps it: the step of that frame lies between the one
 * before and the one after. What lies beyond both (the excess, the distance from the line between them) needs an
 * acceleration and its reverse within two frames. Limits are a length, or an angle, that recordings do not blur, and an
 * acceleration over a frame that muscles or the ground could still reverse (the constants in the source); steps amid
 * equally large ones are motion. A pair of such steps that cancel within FAULT_RETURN frames is held to a lower limit:
 * a pose leaves and comes back. Cost: a comparison of quaternions a joint and frame; more only where something jumps.
 */
#ifndef KANE_TRUST_FAULT_STEPS_H
#define KANE_TRUST_FAULT_STEPS_H

#include "analysis/trust/fault.h"

#define FAULT_RETURN 6 /* frames: an excursion is shorter */

/* Appends the faults of root path, translations and rotations. motion in m, roles are not needed. */
Status fault_steps_find(const Skeleton *skeleton, const Motion *motion, Faults *faults, Error *err);

#endif
