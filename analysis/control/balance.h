/* Balance of a body that only the ground supports: the accelerations and ground forces of a step.
 *
 * Unknown are the acceleration of the root joint and the angular accelerations of all bodies, x, and the forces f at
 * the points that support, inside pyramids in the friction cones. In terms of the centre of mass c and the angular
 * momentum L about it, the equations of the root (thesis 3.46) are
 *
 * m (c'' - g) = sum f + loads,   L' = sum (p - c) x f + loads,   with c'' and L' linear in x.
 *
 * A quadratic program (notes 0.3) gives f and x that minimise, with the body weight mg as unit of f,
 *
 * r |c'' - c''_d|^2 + w |L' - L'_d|^2 / m^2 + e |f|^2 + t sum |tau / m|^2
 *   + sum of p m_j / m |x_j - x_jd|^2 over the bodies + sum of |a_k - a_kd|^2 / s_k over tasks of points.
 *
 * For given f the best x is that of an equality-constrained least squares problem with a diagonal matrix, in closed
 * form; f remains. Joint torques tau of a body of mass m stay within their bounds if some f allows it; otherwise the
 * excess is minimal. */
#ifndef KANE_CONTROL_BALANCE_H
#define KANE_CONTROL_BALANCE_H

#include "analysis/clip/dynamics.h"
#include "analysis/control/gains.h"
#include "analysis/control/plant.h"

typedef struct BalanceWeights {
    double root;    /* r, of the centre of mass; default 1 */
    double turning; /* w, 1/m2; default 1 */
    double force;   /* e, (m/s2)2; default 1e-3 */
    double torque;  /* t, (m/s2)2 by (N m/kg)2; default 0 */
    double pose;    /* p, m2; default 0.05 */
} BalanceWeights;

BalanceWeights balance_default(void);

/* Acceleration that a point of a body shall have. */
typedef struct BalanceTask {
    int joint;         /* of its body */
    Vec3 position;     /* m, world, now */
    Vec3 acceleration; /* m/s2 */
    double softness;   /* s_k, 1/(m/s2)2 in the units of the objective: small is stiff */
} BalanceTask;

/* Targets of a step beside the accelerations of the bodies. */
struct BalanceGoal {
    Vec3 acceleration;   /* m/s2, c''_d */
    Vec3 spin_rate;      /* N m, L'_d */
    const char *loaded;   /* [point of the plant's ground] 1: may support a force */
    const BalanceTask *task;
    int task_count;
};

/* The plant's kinematics contain the desired accelerations of the root joint and of all bodies. They are replaced by
 * those that the ground can support, under the plant's goal; the ground forces are added to the plant's loads. */
Status balance_find(ControlPlant *plant, const BalanceWeights *weights, const Gains *gains, Error *err);

#endif
