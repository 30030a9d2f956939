/* What errors of the body and of its motion do to torques under the forces that are there. */
#ifndef KANE_UNCERTAINTY_BODY_TERMS_H
#define KANE_UNCERTAINTY_BODY_TERMS_H

#include "analysis/uncertainty/bearers.h"
#include "analysis/uncertainty/spread_case.h"
#include "analysis/uncertainty/torque_spread.h"

/* Where joints turn and where the centres of segments lie: linear in the errors, so in closed form from the forces
 * between segments. */
Status place_terms_add(const SpreadCase *c, TorqueSpread *out, Error *err);

/* Noise of the recording: white noise of every joint's angle, as the filter lets it through, becomes an acceleration
 * that the limb beyond the joint resists, stretched out. */
Status noise_term_add(const SpreadCase *c, TorqueSpread *out, Error *err);

/* Masses of parts, by the spread of published tables (data/segment_spread.tsv), the total kept: an inverse dynamics
 * each for groups of parts that no joint carries together. */
Status mass_terms_add(const SpreadCase *c, TorqueSpread *out, Error *err);

/* The filter: what a second pass of it takes from the accelerations, and the ground forces with them. */
Status cutoff_term_add(const SpreadCase *c, const Bearers *bearers, TorqueSpread *out, Error *err);

#endif
