/* Ground forces re-estimated for an ensemble of people and recordings, and the resulting torques.
 *
 * All inputs of the estimate (analysis/contact) change at once from member to member by plus or minus one standard
 * deviation, according to the columns of a Hadamard matrix: the design of Plackett and Burman, Biometrika 33:305-325
 * (1946). The columns are orthogonal, so the variance over the members is the sum of the squared effects, without
 * sampling error if these are linear. Inputs that share a column affect different joints or different frames (walking
 * and running). Recording noise is drawn for each member from a fixed sequence. Nothing is random: a clip has the same
 * members everywhere. */
#ifndef KANE_UNCERTAINTY_ENSEMBLE_H
#define KANE_UNCERTAINTY_ENSEMBLE_H

#include "analysis/base/status.h"
#include "analysis/contact/contact_estimate.h"
#include "analysis/uncertainty/torque_covariance.h"

enum { ENSEMBLE_MEMBERS = 8, ENSEMBLE_COLUMNS = ENSEMBLE_MEMBERS - 1 };

/* Level of a column in a member, -1 or 1. Columns are balanced and orthogonal. */
int ensemble_level(int member, int column);

/* Adds the covariance of the torques over the members. contact: options of the estimate; ground: its height, m, world
 * y. */
Status ensemble_add(const SpreadCase *c, const ContactEstimateDef *contact, double ground, TorqueCovariance *out,
                    Error *err);

#endif
