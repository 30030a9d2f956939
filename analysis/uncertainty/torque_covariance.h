/* Covariance of every joint torque, as the sum of the effects of independent causes. */
#ifndef KANE_UNCERTAINTY_TORQUE_COVARIANCE_H
#define KANE_UNCERTAINTY_TORQUE_COVARIANCE_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/clip/dynamics.h"
#include "analysis/dynamics/loads.h"
#include "analysis/math/lane_width.h"
#include "analysis/math/vec.h"
#include "analysis/motion/kinematics.h"

/* How the motion was filtered. */
typedef struct FilterState {
    double cutoff;            /* Hz; 0: no filter with a cutoff */
    DifferenceDef difference; /* lanes are used throughout */
} FilterState;

/* Nothing is owned. */
typedef struct SpreadCase {
    const ClipView *clip;     /* the whole clip */
    const Loads *loads;       /* all loads of the inverse dynamics */
    const Dynamics *dynamics; /* result of inverse_dynamics */
    const double *size;       /* [SPREAD_SIZE_COUNT] standard deviations of the causes */
    FilterState filter;
} SpreadCase;

typedef struct TorqueCovariance {
    int frame_count, joint_count;
    Sym3 *covariance; /* [frame][joint] N2 m2, world axes */
} TorqueCovariance;

Status torque_covariance_init(TorqueCovariance *s, int frame_count, int joint_count, Error *err); /* zeroed */
void torque_covariance_free(TorqueCovariance *s);

static inline size_t torque_covariance_index(const TorqueCovariance *s, int frame, int joint)
{
    return (size_t)frame * (size_t)s->joint_count + (size_t)joint;
}

/* Adds e e' for an effect e of one standard deviation, N m. */
static inline void torque_covariance_add(TorqueCovariance *s, size_t at, Vec3 e)
{
    Sym3 *c = &s->covariance[at];
    c->xx += e.x * e.x;
    c->yy += e.y * e.y;
    c->zz += e.z * e.z;
    c->xy += e.x * e.y;
    c->xz += e.x * e.z;
    c->yz += e.y * e.z;
}

/* Adds scale^2 (a - b)(a - b)' for two results of the same clip. max, N m: an RMS component d of the difference counts
 * as d / sqrt(1 + d^2 / max^2); 0: no bound. */
void torque_covariance_add_difference(TorqueCovariance *s, double scale, double max, const Vec3 *a, const Vec3 *b);

/* Writes standard deviations, times scale, and correlations of the torques of these frames into the arrays of out.
 * Those of joint 0 stay zero: its torque is the residual. */
void torque_covariance_write(const TorqueCovariance *s, int first, int last, double scale, Dynamics *out);

/* Kernels. Adds the differences of [count] values as torque_covariance_add_difference does, in whole blocks of lanes;
 * returns the first value that is left. */
typedef size_t CovarianceDifferences(double scale, double max, const Vec3 *a, const Vec3 *b, size_t count,
                                     Sym3 *covariance);
LANE_TWINS(CovarianceDifferences, covariance_differences);

/* Standard deviations times scale, and correlations, of [count] covariances; count: at least the lanes. */
typedef void CovarianceSpreads(const Sym3 *covariance, double scale, size_t count, Vec3 *sd, Vec3 *correlation);
LANE_TWINS(CovarianceSpreads, covariance_spreads);

#endif
