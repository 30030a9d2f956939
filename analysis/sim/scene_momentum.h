/* Variational step of a scene: it carries the momenta of the generalised speeds from pose to pose, and constraints
 * close at the end of the step (Lee, Liu, Park, Srinivasa 2016: the discrete Euler-Lagrange equations in joint
 * coordinates, solved by fixed-point iterations with one factorised mass matrix).
 *
 * With pi the momenta at the pose q, and for a displacement that leads from q to q+ within h
 *     p = m (c+ - c) / h,  omega = 2 log(R+ R*) / h,  L = I(R at mid-step) omega  of each body, the speeds u that
 *     move q to q+ solve
 *     J(q)' (p, L) + A u + k D u = pi + k (Q + D v) + G' lambda + N' z,   phi(q+) = 0, and the next momenta are pi+
 *     = J(q+)' (p, L) + A u. A: armatures; D: damping evaluated at the end of the step; k: time over which forces
 *     act. Where contacts are possible, k = h; otherwise k = h / 2 and half of the forces act at q+, which makes
 *     the step second order. Limits and contacts are solved on u after an iteration without them, so that they see
 *     the rotation of the bodies. Energy stays bounded and momenta are conserved to rounding at any step size for
 *     which the iterations converge. */
#ifndef KANE_SIM_SCENE_MOMENTUM_H
#define KANE_SIM_SCENE_MOMENTUM_H

#include "analysis/sim/scene_state.h"

/* Steps from s->q_before and s->v_before, the present state, through s->h; advances the time and records contact forces
 * (scene_record_contacts). STATUS_NO_RESULT if the iterations diverge in the smallest part of a step. */
Status scene_momentum_step(Scene *s, Error *err);

#endif
