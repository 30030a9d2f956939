/* Effect of the residual on torques: a fraction of every torque. */
#ifndef KANE_UNCERTAINTY_RESIDUAL_TERM_H
#define KANE_UNCERTAINTY_RESIDUAL_TERM_H

#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/clip/dynamics.h"
#include "analysis/uncertainty/ground_terms.h"
#include "analysis/uncertainty/torque_covariance.h"

/* ratio[frame]: RMS of the residual moment about the COM over the valid frames within 0.5 s, divided by m g times half
 * the stature; at most 1. Reads body, motion and valid frames of the clip. */
Status residual_ratio(const ClipView *clip, const Dynamics *d, double *ratio, Error *err);

/* Adds the effect for estimated ground forces. */
Status residual_term_add(const SpreadCase *c, GroundSource ground, TorqueCovariance *out, Error *err);

#endif
