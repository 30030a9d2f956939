/* What errors of ground forces do to torques, linearly: a force that is off by d at the place c changes the torque of
 * every joint J above by -(c - J) x d, one whose place is off by d by -d x F.
 *
 * Sizes were measured against force plates: data/uncertainty.tsv. */
#ifndef KANE_UNCERTAINTY_GROUND_TERMS_H
#define KANE_UNCERTAINTY_GROUND_TERMS_H

#include "analysis/uncertainty/bearers.h"
#include "analysis/uncertainty/spread_case.h"
#include "analysis/uncertainty/torque_spread.h"

/* Where the forces come from. */
typedef enum GroundSource { GROUND_NONE, GROUND_ESTIMATED, GROUND_MEASURED } GroundSource;

/* Adds the terms of the source for forces as the bearers have them. */
void ground_terms_add(const SpreadCase *c, const Bearers *bearers, GroundSource source, TorqueSpread *out);

/* The torque that a change of the floating base's force, N, asks of a joint above a bearer, where every bearer takes
 * its share of it at its place. */
Vec3 bearer_takes(const Bearers *b, int bearer, int frame, Vec3 force, Vec3 joint);

#endif
