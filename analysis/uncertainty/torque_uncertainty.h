/* How far the torques of a clip may lie from those of the person: /dynamics/torque_sd.
 *
 * Every cause has a standard deviation (torque_covariance.h), its effect on every torque is found, and the covariances
 * of independent causes add up. The fast way takes all effects linearly about the torques that are there; the full one
 * estimates the ground forces again for an ensemble (torque_uncertainty.h) and takes linearly what is left. */
#ifndef KANE_UNCERTAINTY_TORQUE_UNCERTAINTY_H
#define KANE_UNCERTAINTY_TORQUE_UNCERTAINTY_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/contact/contact_estimate.h"
#include "analysis/uncertainty/torque_covariance.h"

/* Noise of a recording, the same for the same numbers. */

/* What a recording without a filter is taken to let through, Hz; never above 0.45 of the frame rate. */
#define NOISE_CUTOFF 20.0
double noise_cutoff(double cutoff, double frame_time);

/* Turns every joint by white noise of this standard deviation about each axis, rad, and moves the root by that of half
 * a metre's swing, as the filter of the motion lets it through (cutoff, Hz; 0: noise_cutoff). The sequence hangs on
 * `number` alone. */
Status recording_noise_add(double size, double cutoff, int number, Motion *motion, Error *err);

/* Bodies whose parts are heavier or lighter than the table states (data/segment_spread.tsv). */

/* Groups of parts of which no joint carries two beyond each other: one of each may change at once. */
enum { MASS_GROUPS = 4 };

/* The parts of a group heavier by so many standard deviations (negative: lighter), with size[SPREAD_SIZE_COUNT]; the
 * trunk makes up for it. */
void body_masses_change(const Skeleton *skeleton, int group, double deviations, const double *size, Body *body);

/* Ground forces estimated again for an ensemble of people and recordings, and the torques that follow.
 *
 * The inputs that the estimate hangs on (analysis/contact) change at once from member to member by one standard
 * deviation, up or down as the columns of a Hadamard matrix say: the design of Plackett and Burman, Biometrika
 * 33:305-325 (1946). Columns are orthogonal, so the variance over the members is the sum of the squares of the inputs'
 * effects, without error of sampling where they are linear. Inputs that share a column meet in no joint, or act
 * in different frames (walking and running). Noise of the recording is drawn for each member, from a fixed sequence.
 * Nothing is random: the same clip has the same members everywhere. */

enum { ENSEMBLE_MEMBERS = 8, ENSEMBLE_COLUMNS = ENSEMBLE_MEMBERS - 1 };

/* -1 or 1: the level of a column in a member. Columns are balanced and orthogonal. */
int ensemble_level(int member, int column);

/* Adds the covariance of the torques over the members. contact: how the forces were estimated; ground: world y where
 * they were. */
Status ensemble_add(const SpreadCase *c, const ContactEstimateDef *contact, double ground, TorqueCovariance *out,
                    Error *err);

/* ratio[frame]: RMS over the valid frames within 0.5 s of the residual moment about the COM, divided by m g times half
 * the stature; at most 1. Reads body, motion and valid frames of the clip. */
Status residual_ratio(const ClipView *clip, const Dynamics *d, double *ratio, Error *err);

typedef struct UncertaintyDef {
    SpreadMethod method;
    GroundSource ground;       /* where the forces of the ground come from */
    const Loads *ground_loads; /* those forces, a part of all loads; not owned, NULL: none */
    ContactEstimateDef contact; /* full: how the forces of the ground were estimated */
    double ground_height;       /* and on which ground, m, world y */
    FilterState filter;
    double size[SPREAD_SIZE_COUNT]; /* standard deviations of the causes */
} UncertaintyDef;

/* The published and measured sizes of a method. */
UncertaintyDef uncertainty_default_def(SpreadMethod method);

/* Adds torque_sd, torque_correlation and error_source (what the ensemble varies counts as contact) to dynamics, which
 * inverse_dynamics filled from this clip (all of it) and these loads. */
Status torque_uncertainty(const ClipView *clip, const Loads *loads, const UncertaintyDef *def, Dynamics *dynamics,
                          Error *err);

#endif
