/* The variational step of a scene: what is kept from pose to pose are the momenta of its speeds, and nothing opens
 * (Lee, Liu, Park, Srinivasa 2016: the discrete Euler-Lagrange equations in the coordinates of the joints, solved by
 * rounds with one factored mass).
 *
 * With pi the momenta at the pose q, and for a displacement that leads from q to q+ within h
 *     p = m (c+ - c) / h,  omega = 2 log(R+ R*) / h,  L = I(R half way) omega  of each body,
 * the speeds u that move q to q+ solve
 *     J(q)' (p, L) + A u + k D u = pi + k (Q + D v) + G' lambda + N' z,   phi(q+) = 0,
 * and the next momenta are pi+ = J(q+)' (p, L) + A u: A armatures, D the damping that is taken at the step's end, k
 * the time over which forces act. Where contacts are possible k = h; else k = h / 2, and half the forces act at q+,
 * which is of second order. Limits and contacts are solved for on u, after rounds without them, so that they feel how
 * the bodies turn. Energy stays within bounds, and momenta are kept to rounding, at any step for which the rounds
 * shrink. */
#ifndef KANE_SIM_SCENE_MOMENTUM_H
#define KANE_SIM_SCENE_MOMENTUM_H

#include "analysis/sim/scene_state.h"

/* From s->q_before and s->v_before, which are the present ones, through s->h; time goes on, contact forces are summed
 * (scene_record_contacts). STATUS_NO_RESULT where the rounds do not shrink in the smallest part of a step. */
Status scene_momentum_step(Scene *s, Error *err);

#endif
