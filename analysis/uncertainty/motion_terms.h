/* Effects of errors in the motion on torques, at constant ground forces. */
#ifndef KANE_UNCERTAINTY_MOTION_TERMS_H
#define KANE_UNCERTAINTY_MOTION_TERMS_H

#include "analysis/base/status.h"
#include "analysis/uncertainty/ground_terms.h"
#include "analysis/uncertainty/torque_covariance.h"

/* Adds the effect of recording noise. */
Status noise_term_add(const SpreadCase *c, TorqueCovariance *out, Error *err);

/* Adds the effect of the filter's cutoff: the change by a second pass of the filter. */
Status cutoff_term_add(const SpreadCase *c, const LoadedLimbs *limbs, TorqueCovariance *out, Error *err);

#endif
