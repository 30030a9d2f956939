/* Effects of errors of the body on torques: joint centres, centres of mass, and part masses. */
#ifndef KANE_UNCERTAINTY_BODY_TERMS_H
#define KANE_UNCERTAINTY_BODY_TERMS_H

#include "analysis/base/status.h"
#include "analysis/clip/body.h"
#include "analysis/clip/skeleton.h"
#include "analysis/uncertainty/torque_covariance.h"

/* Bodies with heavier or lighter parts than in the table (data/segment_spread.tsv): groups of parts such that no joint
 * has two of one group beyond it. One part per group may change at once. */
enum { MASS_GROUPS = 4 };

/* Makes the parts of a group heavier by so many standard deviations (negative: lighter), with size[SPREAD_SIZE_COUNT];
 * the trunk compensates. */
void body_masses_change(const Skeleton *skeleton, int group, double deviations, const double *size, Body *body);

/* Adds the effects of errors of joint centres, centres of mass and part masses, by the spread of published tables, with
 * constant total mass. Groups of parts are varied one by one. Torques are linear in masses and inertias. */
Status body_terms_add(const SpreadCase *c, TorqueCovariance *out, Error *err);

#endif
