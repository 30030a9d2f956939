/* Standard deviations of a clip's torques from the person's: /dynamics/torque_sd.
 *
 * Each cause has a standard deviation (spread_terms.h). Its effect on every torque is computed, and the
 * covariances of independent causes are added. The fast method linearises all effects about the clip's torques. The
 * full method re-estimates the ground forces for an ensemble and linearises the rest. */
#ifndef KANE_UNCERTAINTY_TORQUE_UNCERTAINTY_H
#define KANE_UNCERTAINTY_TORQUE_UNCERTAINTY_H

#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/clip/dynamics.h"
#include "analysis/contact/contact_estimate.h"
#include "analysis/uncertainty/ground_terms.h"
#include "analysis/uncertainty/spread_terms.h"
#include "analysis/uncertainty/torque_covariance.h"

typedef struct UncertaintyDef {
    SpreadMethod method;
    GroundSource ground;       /* source of the ground forces */
    const Loads *ground_loads; /* the ground forces, part of all loads; not owned, NULL: none */
    ContactEstimateDef contact; /* full: options of the estimate */
    double ground_height;       /* and the height of its ground, m, world y */
    FilterState filter;
    double size[SPREAD_SIZE_COUNT]; /* standard deviations of the causes */
} UncertaintyDef;

/* Published and measured standard deviations for a method. */
UncertaintyDef uncertainty_default_def(SpreadMethod method);

/* Adds torque_sd, torque_correlation and error_source (effects of the ensemble count as contact) to dynamics, which
 * inverse_dynamics computed from the whole clip and these loads. */
Status torque_uncertainty(const ClipView *clip, const Loads *loads, const UncertaintyDef *def, Dynamics *dynamics,
                          Error *err);

#endif
