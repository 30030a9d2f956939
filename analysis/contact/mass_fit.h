/* Segment masses of one person, corrected from several clips.
 *
 * Regularised least squares on the residuals of all clips, each weighted by its own noise, and on the departure from
 * the table, weighted by the spread between published tables (data/segment_spread.tsv). The total mass is constant, and
 * no part changes by more than a bound. A correction is accepted only if it holds in cross-validation, with each clip
 * left out in turn. If most parts reach the bound, the cause is a different one, such as the position of the trunk's
 * COM. */
#ifndef KANE_CONTACT_MASS_FIT_H
#define KANE_CONTACT_MASS_FIT_H

#include "analysis/base/status.h"
#include "analysis/body/body_parts.h"
#include "analysis/clip/clip.h"

/* Information of a clip about its segment masses.
 *
 * If all external forces are known, the momentum of the body must change accordingly: in flight, without forces (the
 * COM on a parabola, constant angular momentum), and in all frames under measured forces. With x the relative change of
 * each part's mass, and inertia in proportion, that is linear in x: six equations per frame,
 *
 * R + sum_i x_i R_i = 0,   R_i = m_i (a_i - g)  and  (c_i - c) x m_i (a_i - g) + d/dt (I_i omega_i),
 *
 * forces in body weights, moments about the COM c in body weights times half the stature. Estimated forces contain no
 * information about masses: they explain the motion with the masses that the body has. */

/* Means over the informative frames: the squared residual is x'(normal)x + 2 (linear)'x + square. */
typedef struct MassEquations {
    int frames;       /* 0: the clip is not informative */
    double duration;  /* s, of these frames */
    double normal[BODY_PARTS][BODY_PARTS];
    double linear[BODY_PARTS];
    double square;
} MassEquations;

/* From the trusted frames of a clip with body, kinematics and contact. Frames within DIFFERENCE_EDGE of a contact are
 * not flight, because smoothing spreads the landing into them. STATUS_BAD_INPUT if a group is missing. */
Status mass_equations_find(const Clip *clip, MassEquations *out, Error *err);

/* Mean squared residual with masses changed by x[BODY_PARTS]. */
double mass_equations_error(const MassEquations *e, const double *x);

/* A row of data/segment_spread.tsv. */
typedef struct PartSpread {
    BodyPart part;
    double spread; /* standard deviation between published tables, of the part's mass */
} PartSpread;

extern const PartSpread part_spreads[];
extern const int part_spreads_count;

typedef struct MassFitDef {
    double bound;      /* largest relative change of a part's mass; default 0.15 */
    double least_gain; /* smallest relative gain on left-out clips for an accepted fit; default 0.02 */
} MassFitDef;

MassFitDef mass_fit_default_def(void);

typedef struct MassFit {
    int is_found;              /* 1: the error of left-out clips falls by least_gain, and in more than half of them */
    int clips, better;         /* informative clips, and those whose error falls when left out */
    double gain;               /* relative fall of the error on left-out clips, weighted by their time; negative:
                                  rise */
    double gain_fitted;        /* the same on the clips of the fit */
    int at_bound;              /* parts at the bound; with half of them the fit is rejected */
    double change[BODY_PARTS]; /* relative change of each part's mass, fitted to all clips, accepted or not */
} MassFit;

/* part_mass[BODY_PARTS], kg, that of the trunk above 0; clips without frames are not informative. STATUS_NO_RESULT
 * where the program has no solution. */
Status mass_fit(const MassEquations *clip, int count, const double *part_mass, const MassFitDef *def, MassFit *out,
                Error *err);

#endif
