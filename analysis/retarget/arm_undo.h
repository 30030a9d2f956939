/* Takes back corrections of the arms that are worth too little: over the frames in which an arm turns from the copied
 * one, 10 degrees must take off 1 cm of what forearms overlap with the body, or bring a hand 1 cm closer to what it
 * holds. */
#ifndef KANE_RETARGET_ARM_UNDO_H
#define KANE_RETARGET_ARM_UNDO_H

#include "analysis/base/arena.h"
#include "analysis/retarget/hand_goal.h"
#include "analysis/retarget/limb_solve.h"

/* Removes the ties and guards of such intervals from the problem, so that it can be solved again, and returns how many.
 * state: the solution, [limb][frame]. Arms on the ground stay. Scratch is taken from the arena. */
int arm_undo(const HandPair *hands, LimbState *const state[LIMB_COUNT], Arena *arena, LimbProblem *problem);

#endif
