/* Forearms that stay clear of the body where the source's do.
 *
 * A forearm comes no nearer to trunk, neck or a leg than the source's does, scaled by the arms, and its capsule is no
 * deeper in that part's than the source's is. Where the source's capsules are apart, that the target's are is enough:
 * more room would turn the arms of a walk by 10 degrees on a body with wide hips. */
#ifndef KANE_RETARGET_HAND_GUARD_H
#define KANE_RETARGET_HAND_GUARD_H

#include "analysis/retarget/hand_goal.h"

/* Guards of both arms in the order of frames, of those that could count; returns how many. guard NULL: only that.
 * *broken: how many the copied arms do not keep. */
int hand_guards(const HandPair *hands, LimbGuard *guard, int *broken);

#endif
