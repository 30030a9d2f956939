/* Ground forces estimated anew for an ensemble of people and recordings, and the torques that follow.
 *
 * The inputs that the estimate hangs on (analysis/contact) change at once from member to member by one standard
 * deviation, up or down as the columns of a Hadamard matrix say: the design of Plackett and Burman, Biometrika
 * 33:305-325 (1946). Columns are orthogonal, so the variance over the members is the sum of the squares of the inputs'
 * effects, without error of sampling where they are linear. Inputs that share a column meet in no joint, or act
 * in different frames (walking and running). Noise of the recording is drawn for each member, from a fixed sequence.
 * Nothing is random: the same clip has the same members everywhere. */
#ifndef KANE_UNCERTAINTY_ENSEMBLE_H
#define KANE_UNCERTAINTY_ENSEMBLE_H

#include "analysis/contact/contact_estimate.h"
#include "analysis/uncertainty/spread_case.h"
#include "analysis/uncertainty/torque_spread.h"

enum { ENSEMBLE_MEMBERS = 8, ENSEMBLE_COLUMNS = ENSEMBLE_MEMBERS - 1 };

/* -1 or 1: the level of a column in a member. Columns are balanced and orthogonal. */
int ensemble_level(int member, int column);

/* Adds the covariance of the torques over the members. contact: how the forces were estimated; ground: world y where
 * they were. */
Status ensemble_add(const SpreadCase *c, const ContactEstimateDef *contact, double ground, TorqueSpread *out,
                    Error *err);

#endif
