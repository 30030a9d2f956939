/* Balance of an unsupported body. */
#ifndef KANE_CONTROL_BALANCE_H
#define KANE_CONTROL_BALANCE_H

#include "analysis/clip/dynamics.h"
#include "analysis/control/gains.h"
#include "analysis/control/plant.h"

/* Balance: the ground forces that a controller requires when nothing supports the root.
 *
 * With given angular accelerations of the bodies, six unknowns remain: the acceleration a of the root, and an angular
 * acceleration b of the whole body about the root as one rigid body. With the forces f at the points on the ground, the
 * equations of the root (thesis 3.46 at the root, notes 0.2) are H (a, b) = J'f - r. H is the inertia of the whole
 * body, r the wrench that the root would need at a = b = 0. A small quadratic program (notes 0.3) gives the forces:
 *
 * minimise r |a - a_d|^2 + w |b|^2 + e |f|^2 + t sum |tau / m|^2    over f inside pyramids in the friction cones,
 *
 * with f in body weights and torques tau of a body of mass m within the bounds of the joints. If no f satisfies the
 * bounds, the excess is minimal. */
typedef struct BalanceWeights {
    double root;    /* r; default 1 */
    double turning; /* w, m2; default 0.3 */
    double force;   /* e, (m/s2)2; default 1e-3 */
    double torque;  /* t, (m/s2)2 by (N m/kg)2; default 0 */
} BalanceWeights;

BalanceWeights balance_default(void);

/* The plant's kinematics contain the desired accelerations of the root joint and of all bodies. They are replaced by
 * those that the ground can support; the ground forces are added to the plant's loads. dynamics: scratch. */
Status balance_find(ControlPlant *plant, const BalanceWeights *weights, const Gains *gains, Dynamics *dynamics,
                    Error *err);

#endif
