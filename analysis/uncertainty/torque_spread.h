/* The covariance of every joint's torque, as the sum of what independent causes do to it. */
#ifndef KANE_UNCERTAINTY_TORQUE_SPREAD_H
#define KANE_UNCERTAINTY_TORQUE_SPREAD_H

#include "analysis/base/status.h"
#include "analysis/clip/dynamics.h"

typedef struct TorqueSpread {
    int frame_count, joint_count;
    Sym3 *covariance; /* [frame][joint] Nm2, world axes */
} TorqueSpread;

Status torque_spread_init(TorqueSpread *s, int frame_count, int joint_count, Error *err); /* zeroed */
void torque_spread_free(TorqueSpread *s);

static inline size_t torque_spread_index(const TorqueSpread *s, int frame, int joint)
{
    return (size_t)frame * (size_t)s->joint_count + (size_t)joint;
}

/* Adds e e' for an effect of one standard deviation, Nm. */
static inline void torque_spread_add(TorqueSpread *s, size_t at, Vec3 e)
{
    Sym3 *c = &s->covariance[at];
    c->xx += e.x * e.x;
    c->yy += e.y * e.y;
    c->zz += e.z * e.z;
    c->xy += e.x * e.y;
    c->xz += e.x * e.z;
    c->yz += e.y * e.z;
}

/* Adds the effect of a place of the force f, N, of which every component has this standard deviation, m: the
 * covariance of d x f, which is size^2 (f.f 1 - f f'). */
static inline void torque_spread_add_place(TorqueSpread *s, size_t at, double size, Vec3 f)
{
    s->covariance[at] = sym3_add(s->covariance[at], sym3_point_inertia(size * size, f));
}

/* Adds scale^2 (a - b)(a - b)' for two results of the same clip. */
void torque_spread_add_difference(TorqueSpread *s, double scale, const Vec3 *a, const Vec3 *b);

/* Standard deviations and correlations of the torques; those of joint 0 are zero, as its torque is the residual.
 * The arrays of out are made where it has none. */
Status torque_spread_write(const TorqueSpread *s, Dynamics *out, Error *err);

#endif
