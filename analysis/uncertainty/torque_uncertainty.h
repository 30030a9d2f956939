/* How far the torques of a clip may lie from those of the person: /dynamics/torque_sd.
 *
 * Every cause has a standard deviation (spread_terms.h), its effect on every torque is found, and the covariances of
 * independent causes add up. The fast way takes all effects linearly about the torques that are there; the full one
 * estimates the ground forces anew for an ensemble (ensemble.h) and takes linearly what is left. */
#ifndef KANE_UNCERTAINTY_TORQUE_UNCERTAINTY_H
#define KANE_UNCERTAINTY_TORQUE_UNCERTAINTY_H

#include "analysis/contact/contact_estimate.h"
#include "analysis/uncertainty/ground_terms.h"
#include "analysis/uncertainty/spread_case.h"
#include "analysis/uncertainty/spread_terms.h"

typedef struct UncertaintyDef {
    SpreadMethod method;
    GroundSource ground;       /* where the forces of the ground come from */
    const Loads *borne;        /* those forces, a part of all loads; not owned, NULL: none */
    ContactEstimateDef contact; /* full: how the forces of the ground were estimated */
    double ground_height;       /* and on which ground, m, world y */
    FilterState filter;
    double size[SPREAD_TERM_COUNT]; /* standard deviations of the causes */
} UncertaintyDef;

/* The published and measured sizes of a method. */
UncertaintyDef uncertainty_default_def(SpreadMethod method);

/* Adds torque_sd and torque_correlation to dynamics, which inverse_dynamics filled from this clip (all of it) and
 * these loads. */
Status torque_uncertainty(const ClipView *clip, const Loads *loads, const UncertaintyDef *def, Dynamics *dynamics,
                          Error *err);

#endif
