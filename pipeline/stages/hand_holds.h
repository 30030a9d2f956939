/* What hands hold, as an option names it: LeftHand=Sword,right_wrist=Sword. */
#ifndef KANE_STAGES_HAND_HOLDS_H
#define KANE_STAGES_HAND_HOLDS_H

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"
#include "analysis/retarget/props.h"

/* Fills hold[MAX_PROPS] and *count with hands and joints of the skeleton, both by name or role. STATUS_BAD_INPUT for
 * other words and for more than MAX_PROPS. */
Status hand_holds_parse(const char *text, const Skeleton *skeleton, HandHold *hold, int *count, Error *err);

#endif
