/* Standard deviations of a clip's torques from the person's: /dynamics/torque_sd.
 *
 * Each cause has a standard deviation (torque_covariance.h). Its effect on every torque is computed, and the
 * covariances of independent causes are added. The fast method linearises all effects about the clip's torques. The
 * full method re-estimates the ground forces for an ensemble and linearises the rest. */
#ifndef KANE_UNCERTAINTY_TORQUE_UNCERTAINTY_H
#define KANE_UNCERTAINTY_TORQUE_UNCERTAINTY_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/contact/contact_estimate.h"
#include "analysis/uncertainty/torque_covariance.h"

/* Recording noise, reproducible. */

/* Bandwidth assumed for an unfiltered recording, Hz; at most 0.45 of the frame rate. */
#define NOISE_CUTOFF 20.0
double noise_cutoff(double cutoff, double frame_time);

/* Rotates every joint by white noise of this standard deviation about each axis, rad, and moves the root by the same
 * angle times half a metre, after the motion's filter (cutoff, Hz; 0: noise_cutoff). The sequence depends on `number`
 * alone. */
Status recording_noise_add(double size, double cutoff, int number, Motion *motion, Error *err);

/* Ground forces re-estimated for an ensemble of people and recordings, and the resulting torques.
 *
 * All inputs of the estimate (analysis/contact) change at once from member to member by plus or minus one standard
 * deviation, according to the columns of a Hadamard matrix: the design of Plackett and Burman, Biometrika 33:305-325
 * (1946). The columns are orthogonal, so the variance over the members is the sum of the squared effects, without
 * sampling error if these are linear. Inputs that share a column affect different joints or different frames (walking
 * and running). Recording noise is drawn for each member from a fixed sequence. Nothing is random: a clip has the same
 * members everywhere. */

enum { ENSEMBLE_MEMBERS = 8, ENSEMBLE_COLUMNS = ENSEMBLE_MEMBERS - 1 };

/* Level of a column in a member, -1 or 1. Columns are balanced and orthogonal. */
int ensemble_level(int member, int column);

/* Adds the covariance of the torques over the members. contact: options of the estimate; ground: its height, m, world
 * y. */
Status ensemble_add(const SpreadCase *c, const ContactEstimateDef *contact, double ground, TorqueCovariance *out,
                    Error *err);

/* ratio[frame]: RMS of the residual moment about the COM over the valid frames within 0.5 s, divided by m g times half
 * the stature; at most 1. Reads body, motion and valid frames of the clip. */
Status residual_ratio(const ClipView *clip, const Dynamics *d, double *ratio, Error *err);

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
