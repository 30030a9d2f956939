/* Guards that keep forearms clear of the body where the source's are.
 *
 * A forearm comes no nearer to trunk, neck or a leg than the source's does, scaled by arm length, and its capsule
 * penetrates no deeper than the source's. Where the source's capsules do not touch, it is enough that the target's do
 * not: keeping more distance would rotate the arms of a walk by 10 degrees on a body with wide hips. */
#ifndef KANE_RETARGET_HAND_GUARD_H
#define KANE_RETARGET_HAND_GUARD_H

#include "analysis/retarget/hand_goal.h"
#include "analysis/retarget/limb_solve.h"

/* Fills the guards of both arms that are near enough to matter, ordered by frame, and returns their number. guard NULL:
 * only counts. *broken: number of guards that the copied arms violate. */
int hand_guards(const HandPair *hands, LimbGuard *guard, int *broken);

#endif
