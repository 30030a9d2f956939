/* Ties of hands: they keep holding what the source's hands hold, which may be each other, the other arm, trunk, head,
 * thighs,
 * shanks, or a prop (props.h).
 *
 * A wrist at rest near a part keeps the vector to the point of the part that is nearest in the source, scaled by arm
 * length. Elsewhere arms stay as copied.
 *
 * Reference: E. Ho, T. Komura, C.-L. Tai, Spatial Relationship Preserving Character Motion Adaptation (2010), for
 * keeping vectors between near parts; here vectors to the nearest parts replace the mesh. */
#ifndef KANE_RETARGET_HAND_TIE_H
#define KANE_RETARGET_HAND_TIE_H

#include "analysis/base/arena.h"
#include "analysis/retarget/hand_goal.h"

/* Fills tie with the ties of both hands, ordered by frame, at most HAND_TIES per frame; returns their number. Scratch
 * is taken from the arena. */
enum { HELD_PARTS = 8, TOUCH_PARTS = HELD_PARTS + 1 + MAX_PROPS, HAND_TIES = 2 * TOUCH_PARTS };
int hand_ties(const HandPair *hands, Arena *arena, LimbTie *tie);

/* Places the target's props that follow the clip's (props.h) in *motion, and in the hands that touch them there. */
Status hand_tie_props(const HandPair *hands, Motion *motion, Error *err);

#endif
