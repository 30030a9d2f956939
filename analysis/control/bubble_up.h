/* What makes joint torques act on one body alone, and what holds bodies against gravity (thesis 2.2.3). */
#ifndef KANE_CONTROL_BUBBLE_UP_H
#define KANE_CONTROL_BUBBLE_UP_H

#include "analysis/control/chain.h"

/* Adds the torque of every joint to that of its parent's joint, from the tips to the root: the reaction on the parent
 * is then borne by the parent's own joint. */
void bubble_up(const Skeleton *skeleton, Vec3 *torque);

/* Adds to every joint the torque that holds the chain beyond it against gravity. It contains the reactions of the
 * joints beyond and must not be bubbled up again. */
void gravity_compensate(const Plant *plant, const Chain *chain, Vec3 *torque);

#endif
